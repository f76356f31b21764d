// Package pieces has statements that helpers put together: of lists of conditions, in records
// that have a buffer, by values of several types.
package pieces

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Shop sells.
type Shop struct {
	mu *concurrency.Mutex
	db *sql.DB
	hc *http.Client
}

//fencelint:lock correctness
func (s *Shop) take(ctx context.Context) (int64, func(), error) {
	if err := s.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return s.mu.Header().Revision, func() { s.mu.Unlock(context.WithoutCancel(ctx)) }, nil
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

// where joins conditions.
func where(conds ...string) string {
	var b strings.Builder
	for i, c := range conds {
		if i > 0 {
			b.WriteString(" AND ")
		}
		b.WriteString("(" + c + ")")
	}
	return b.String()
}

// also adds them to one that is always true.
func also(conds ...string) string {
	out := "true"
	for _, c := range conds {
		out += " AND " + c
	}
	return out
}

// GoodWhere has the comparison among them.
func (s *Shop) GoodWhere(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := one(s.db.ExecContext(ctx, "UPDATE tills SET open = true, epoch = $2 WHERE "+where("id = $1", "epoch < $2"), id, epoch)); err != nil {
		return err
	}
	return one(s.db.ExecContext(ctx, "UPDATE doors SET open = true, epoch = $2 WHERE "+also("id = $1", "epoch < $2"), id, epoch))
}

// BadWhere has none.
func (s *Shop) BadWhere(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(s.db.ExecContext(ctx, "UPDATE tills SET open = true, epoch = $2 WHERE "+where("id = $1", "NOT open"), id, epoch)) // want "tokennotcompared"
}

// BadAlso has an alternative among them.
func (s *Shop) BadAlso(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(s.db.ExecContext(ctx, "UPDATE doors SET open = true, epoch = $2 WHERE "+also("id = $1", "epoch < $2 OR NOT open"), id, epoch)) // want "staleadmitted"
}

// BadMore takes more of them from its caller.
func (s *Shop) BadMore(ctx context.Context, id int64, more ...string) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := append([]string{"id = $1", "epoch < $2"}, more...)
	return one(s.db.ExecContext(ctx, "UPDATE tills SET open = true, epoch = $2 WHERE "+where(conds...), id, epoch)) // want "unprovedwrite"
}

// text is a statement with its arguments.
type text struct {
	strings.Builder
	args []any
}

func (t *text) arg(v any) {
	t.args = append(t.args, v)
	fmt.Fprintf(t, "$%d", len(t.args))
}

// GoodBuffer writes the comparison.
func (s *Shop) GoodBuffer(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var t text
	t.WriteString("UPDATE tills SET open = true, epoch = ")
	t.arg(epoch)
	t.WriteString(" WHERE id = ")
	t.arg(id)
	t.WriteString(" AND epoch < ")
	t.arg(epoch)
	return one(s.db.ExecContext(ctx, t.String(), t.args...))
}

// BadBuffer compares the other way round.
func (s *Shop) BadBuffer(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t := &text{}
	t.WriteString("UPDATE tills SET open = true, epoch = ")
	t.arg(epoch)
	t.WriteString(" WHERE id = ")
	t.arg(id)
	t.WriteString(" AND epoch > ")
	t.arg(epoch)
	return one(s.db.ExecContext(ctx, t.String(), t.args...)) // want "staleadmitted"
}

// GoodColumns sets columns of which the names come from its caller.
func (s *Shop) GoodColumns(ctx context.Context, id int64, columns []string) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	sets := make([]string, 0, len(columns)+1)
	for _, c := range columns {
		sets = append(sets, c+" = DEFAULT")
	}
	sets = append(sets, "epoch = $2")
	return one(s.db.ExecContext(ctx, "UPDATE tills SET "+strings.Join(sets, ", ")+" WHERE id = $1 AND epoch < $2", id, epoch))
}

// GoodMany asks for many rows at once.
func (s *Shop) GoodMany(ctx context.Context, ids []int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := []any{epoch, epoch}
	for _, id := range ids {
		args = append(args, id)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(ids)), ",")
	return one(s.db.ExecContext(ctx, "UPDATE tills SET open = true, epoch = ? WHERE epoch < ? AND id IN ("+marks+")", args...))
}

// statement is what is sent.
type statement interface {
	Text() string
	Args() []any
}

type opening struct{ id, epoch int64 }

func (o opening) Text() string {
	return "UPDATE tills SET open = true, epoch = $2 WHERE id = $1 AND epoch < $2"
}
func (o opening) Args() []any { return []any{o.id, o.epoch} }

type closing struct{ id, epoch int64 }

func (c closing) Text() string { return "UPDATE gates SET open = false, epoch = $2 WHERE id = $1" }
func (c closing) Args() []any  { return []any{c.id, c.epoch} }

// BadStatements sends some of which one compares nothing.
func (s *Shop) BadStatements(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, st := range []statement{opening{id, epoch}, closing{id, epoch}} {
		if err := one(s.db.ExecContext(ctx, st.Text(), st.Args()...)); err != nil { // want "tokennotcompared"
			return err
		}
	}
	return nil
}

// BadSorted sorts the arguments.
func (s *Shop) BadSorted(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := []any{id, epoch}
	sort.Slice(args, func(i, k int) bool { return args[i].(int64) < args[k].(int64) })
	return one(s.db.ExecContext(ctx, "UPDATE tills SET open = true, epoch = $2 WHERE id = $1 AND epoch < $2", args...)) // want "unprovedwrite"
}

// BadBytes changes the text byte by byte.
func (s *Shop) BadBytes(ctx context.Context, id int64) error {
	epoch, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw := []byte("UPDATE tills SET open = true, epoch = $2 WHERE id = $1 AND epoch < $2")
	for i := range raw {
		if raw[i] == '<' {
			raw[i] = '>'
		}
	}
	return one(s.db.ExecContext(ctx, string(raw), id, epoch)) // want "unprovedwrite"
}

// digest is a key made of some parts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (s *Shop) order(ctx context.Context, key string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://orders.example/orders", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := s.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// GoodDigest makes the key of what is ordered.
func (s *Shop) GoodDigest(ctx context.Context, id int64, what string) error {
	_, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return s.order(ctx, digest(strconv.FormatInt(id, 10), what))
}

// BadDigest makes it of the time.
func (s *Shop) BadDigest(ctx context.Context, id int64) error {
	_, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return s.order(ctx, digest(strconv.FormatInt(id, 10), time.Now().String())) // want "unstableidempotency"
}
