// Package madetexts sends texts that functions of another package make.
package madetexts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"fencelint.example/real/madetexts/mk"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

// H writes.
type H struct {
	s  *concurrency.Session
	db *sql.DB
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func pairs(cols []string) string {
	out := make([]string, 0, len(cols))
	for i, c := range cols {
		out = append(out, fmt.Sprintf("%s = $%d", c, i+1))
	}
	return strings.Join(out, ", ")
}

func ors(cols ...string) string {
	var out []string
	for _, c := range cols {
		out = append(out, " OR "+c+" = 1")
	}
	return strings.Join(out, "")
}

// GoodLocal writes.
func (h *H) GoodLocal(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET "+pairs([]string{"fence", "v"})+" WHERE id = 1 AND fence < $1", m.Header().Revision, 7))
}

// BadOrs writes.
func (h *H) BadOrs(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND fence < $1"+ors("id"), m.Header().Revision)) // want "staleadmitted|unprovedwrite"
}

// BadOrsThere writes.
func (h *H) BadOrsThere(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND fence < $1"+mk.Ors("id"), m.Header().Revision)) // want "staleadmitted|unprovedwrite"
}

// BadOrsThere2 writes.
func (h *H) BadOrsThere2(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND fence < $1"+mk.Ors2([]string{"id"}), m.Header().Revision)) // want "staleadmitted|unprovedwrite"
}

// BadOrsThere3 writes.
func (h *H) BadOrsThere3(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND fence < $1"+mk.Ors3("id", "v"), m.Header().Revision)) // want "staleadmitted|unprovedwrite"
}

// GoodTextQuote writes.
func (h *H) GoodTextQuote(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET "+mk.Quote("fence")+" = $1 WHERE id = 1 AND "+mk.Quote("fence")+" < $1", m.Header().Revision))
}

// BadTextQuote writes.
func (h *H) BadTextQuote(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET "+mk.Quote("fence")+" = $1 WHERE id = 1 AND "+mk.Quote("fence")+" > $1", m.Header().Revision)) // want "staleadmitted"
}

// GoodTextLt writes.
func (h *H) GoodTextLt(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND "+mk.Lt("fence", 1), m.Header().Revision))
}

// BadTextLt writes.
func (h *H) BadTextLt(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE id = 1 AND "+mk.Lt("gence", 1), m.Header().Revision)) // want "tokennotcompared|staleadmitted"
}

// GoodTextAnd writes.
func (h *H) GoodTextAnd(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE "+mk.And("id = 1", mk.Lt("fence", 1)), m.Header().Revision))
}

// BadTextAnd writes.
func (h *H) BadTextAnd(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET fence = $1 WHERE "+mk.And("id = 1", "fence >= 0"), m.Header().Revision)) // want "tokennotcompared"
}

// GoodTextUpdate writes.
func (h *H) GoodTextUpdate(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, mk.Update("made", "fence", "v")+" WHERE id = 1 AND fence < $1", m.Header().Revision, 7))
}

// BadTextUpdate writes.
func (h *H) BadTextUpdate(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, mk.Update("made", "fence", "v")+" WHERE id = 1 AND fence > $1", m.Header().Revision, 7)) // want "staleadmitted"
}

// GoodTextUpper writes.
func (h *H) GoodTextUpper(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, mk.Upper("update made set fence = $1 where id = 1 and fence < $1"), m.Header().Revision))
}

// BadTextUpper writes.
func (h *H) BadTextUpper(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, mk.Upper("update made set fence = $1 where id = 1 and fence > $1"), m.Header().Revision)) // want "staleadmitted"
}

// GoodTextTable writes.
func (h *H) GoodTextTable(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE "+mk.Table("rows")+" SET fence = $1 WHERE id = 1 AND fence < $1", m.Header().Revision))
}

// BadTextTable writes.
func (h *H) BadTextTable(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE "+mk.Table("rows")+" SET fence = $1 WHERE id = 1 AND fence > $1", m.Header().Revision)) // want "staleadmitted"
}

// GoodTextPairs writes.
func (h *H) GoodTextPairs(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET "+mk.Pairs([]string{"fence", "v"})+" WHERE id = 1 AND fence < $1", m.Header().Revision, 7))
}

// BadTextPairs writes.
func (h *H) BadTextPairs(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/made")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		panic(err)
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(h.db.ExecContext(ctx, "UPDATE made SET "+mk.Pairs([]string{"fence", "v"})+" WHERE id = 1 AND fence > $1", m.Header().Revision, 7)) // want "staleadmitted"
}
