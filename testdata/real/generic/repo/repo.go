// Package repo keeps values of any type as JSON.
package repo

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

// Plain takes every write.
type Plain[T any] struct{ DB *sql.DB }

// Save stores v.
func (r *Plain[T]) Save(ctx context.Context, id string, v T) error {
	doc, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = r.DB.ExecContext(ctx, `UPDATE plain_docs SET doc = $2 WHERE id = $1`, id, doc)
	return err
}

// SaveAll stores all of vs.
func SaveAll[K ~string, T any](ctx context.Context, r *Plain[T], vs map[K]T) error {
	for id, v := range vs {
		if err := r.Save(ctx, string(id), v); err != nil {
			return err
		}
	}
	return nil
}

// Fenced takes only writes of the newest owner.
type Fenced[T any] struct{ DB *sql.DB }

// Save stores v unless a newer owner was there.
func (r Fenced[T]) Save(ctx context.Context, id string, fence int64, v T) error {
	doc, err := json.Marshal(v)
	if err != nil {
		return err
	}
	res, err := r.DB.ExecContext(ctx,
		`UPDATE fenced_docs SET doc = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, fence, doc)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	return nil
}

// Under returns what fn returns; fn runs while key is held.
func Under[T any](ctx context.Context, s *concurrency.Session, key string, fn func(ctx context.Context, fence int64) (T, error)) (T, error) {
	var zero T
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return zero, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, mu.Header().Revision)
}
