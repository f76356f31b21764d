// Package toldby has a store that compares the number of its callers if they tell it to.
package toldby

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/toldby/store"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Holder writes under a lock.
type Holder struct {
	s  *concurrency.Session
	db *sql.DB
	st *store.Store

	docs *mongo.Collection
}

func (h *Holder) put(ctx context.Context, token int64, v string, strict bool) error {
	q := "UPDATE told_heres SET v = $1, fence = $2 WHERE id = 1"
	args := []any{v, token}
	if strict {
		q += " AND fence < $3"
		args = append(args, token)
	}
	res, err := h.db.ExecContext(ctx, q, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(store.ErrStale, err)
	}
	return nil
}

// GoodPut has it compared.
func (h *Holder) GoodPut(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Put(ctx, h.db, 1, m.Header().Revision, v, true)
}

// BadPut does not.
func (h *Holder) BadPut(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Put(ctx, h.db, 1, m.Header().Revision, v, false) // want "tokennotcompared"
}

// GoodRecord has it compared.
func (h *Holder) GoodRecord(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutWith(ctx, h.db, 1, m.Header().Revision, v, store.Options{Fenced: true})
}

// BadRecord does not.
func (h *Holder) BadRecord(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutWith(ctx, h.db, 1, m.Header().Revision, v, store.Options{Comment: "quick"}) // want "tokennotcompared"
}

// GoodPointer has it compared.
func (h *Holder) GoodPointer(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutBy(ctx, h.db, 1, m.Header().Revision, v, &store.Options{Fenced: true})
}

// BadPointer does not.
func (h *Holder) BadPointer(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutBy(ctx, h.db, 1, m.Header().Revision, v, &store.Options{}) // want "tokennotcompared"
}

// GoodFunctions has it compared.
func (h *Holder) GoodFunctions(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutOpts(ctx, h.db, 1, m.Header().Revision, v, store.WithFence())
}

// BadFunctions does not.
func (h *Holder) BadFunctions(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutOpts(ctx, h.db, 1, m.Header().Revision, v, store.WithNothing()) // want "tokennotcompared"
}

// BadNoFunctions does not.
func (h *Holder) BadNoFunctions(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutOpts(ctx, h.db, 1, m.Header().Revision, v) // want "tokennotcompared"
}

// GoodMode has it compared.
func (h *Holder) GoodMode(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutMode(ctx, h.db, 1, m.Header().Revision, v, store.Strict)
}

// BadMode does not.
func (h *Holder) BadMode(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutMode(ctx, h.db, 1, m.Header().Revision, v, store.Loose) // want "tokennotcompared"
}

// GoodLevel has it compared.
func (h *Holder) GoodLevel(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutLevel(ctx, h.db, 1, m.Header().Revision, v, store.Paranoid)
}

// BadLevel does not.
func (h *Holder) BadLevel(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutLevel(ctx, h.db, 1, m.Header().Revision, v, store.Careless) // want "tokennotcompared"
}

// GoodBits has it compared.
func (h *Holder) GoodBits(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutBits(ctx, h.db, 1, m.Header().Revision, v, store.Fenced|store.Logged)
}

// BadBits does not.
func (h *Holder) BadBits(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutBits(ctx, h.db, 1, m.Header().Revision, v, store.Logged) // want "tokennotcompared"
}

// GoodLoud has it compared.
func (h *Holder) GoodLoud(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutLoud(ctx, h.db, 1, m.Header().Revision, v, true)
}

// BadLoud does not.
func (h *Holder) BadLoud(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutLoud(ctx, h.db, 1, m.Header().Revision, v, false) // want "rejectionignored"
}

// GoodMethod has it compared.
func (h *Holder) GoodMethod(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.st.Save(ctx, 1, m.Header().Revision, v, false)
}

// BadMethod does not.
func (h *Holder) BadMethod(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.st.Save(ctx, 1, m.Header().Revision, v, true) // want "tokennotcompared"
}

// GoodTx has it compared.
func (h *Holder) GoodTx(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.st.Tx(ctx, 1, m.Header().Revision, v, true)
}

// BadTx does not.
func (h *Holder) BadTx(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.st.Tx(ctx, 1, m.Header().Revision, v, false) // want "tokennotcompared"
}

// GoodHere has it compared.
func (h *Holder) GoodHere(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.put(ctx, m.Header().Revision, v, true)
}

// BadHere does not.
func (h *Holder) BadHere(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.put(ctx, m.Header().Revision, v, false) // want "tokennotcompared"
}

// GoodText has it compared.
func (h *Holder) GoodText(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Exec(ctx, h.db, store.Text(true), v, 1, m.Header().Revision)
}

// BadText does not.
func (h *Holder) BadText(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Exec(ctx, h.db, store.Text(false), v, 1, m.Header().Revision) // want "tokennotcompared"
}

// GoodGuarded has it compared.
func (h *Holder) GoodGuarded(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Guarded(ctx, h.db, 1, m.Header().Revision, v, true)
}

// BadGuarded does not.
func (h *Holder) BadGuarded(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.Guarded(ctx, h.db, 1, m.Header().Revision, v, false) // want "unfencedwrite"
}

// GoodToken has it compared.
func (h *Holder) GoodToken(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutToken(ctx, h.db, 1, v, store.WithToken(m.Header().Revision))
}

// BadToken does not.
func (h *Holder) BadToken(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutToken(ctx, h.db, 1, v, store.WithNote(v)) // want "unfencedwrite"
}

// GoodDoc has it compared.
func (h *Holder) GoodDoc(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutDoc(ctx, h.docs, "a", m.Header().Revision, v, true)
}

// BadDoc does not.
func (h *Holder) BadDoc(ctx context.Context, v string) error {
	m := concurrency.NewMutex(h.s, "/locks/told")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return store.PutDoc(ctx, h.docs, "a", m.Header().Revision, v, false) // want "tokennotcompared"
}
