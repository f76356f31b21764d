// Package bigtable writes rows of Bigtable: a conditional mutation has a filter on the row.
package bigtable

import (
	"context"
	"errors"

	"cloud.google.com/go/bigtable"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrChanged says that the row was changed since it was read.
var ErrChanged = errors.New("changed since it was read")

// Rows is a table that is written under a lock.
type Rows struct {
	Etcd  *clientv3.Client
	Table *bigtable.Table
}

func (r *Rows) locked(ctx context.Context, key string, work func(context.Context) error) error {
	s, err := concurrency.NewSession(r.Etcd)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return work(ctx)
}

func state(v string) *bigtable.Mutation {
	m := bigtable.NewMutation()
	m.Set("f", "state", bigtable.Now(), []byte(v))
	return m
}

// Plain demands nothing.
func (r *Rows) Plain(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/plain", func(ctx context.Context) error {
		return r.Table.Apply(ctx, row, state("x")) // want "unfencedwrite"
	})
}

// Once writes where nothing is.
func (r *Rows) Once(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/once", func(ctx context.Context) error {
		m := bigtable.NewCondMutation(bigtable.ChainFilters(bigtable.FamilyFilter("f"), bigtable.ColumnFilter("state")), nil, state("new"))
		return r.Table.Apply(ctx, row, m)
	})
}

// There writes where something is.
func (r *Rows) There(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/there", func(ctx context.Context) error {
		m := bigtable.NewCondMutation(bigtable.ColumnFilter("state"), state("next"), nil)
		return r.Table.Apply(ctx, row, m) // want "unfencedwrite"
	})
}

// Either writes in both cases.
func (r *Rows) Either(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/either", func(ctx context.Context) error {
		m := bigtable.NewCondMutation(bigtable.ColumnFilter("state"), state("next"), state("new"))
		return r.Table.Apply(ctx, row, m) // want "unfencedwrite"
	})
}

func (r *Rows) version(ctx context.Context, row string) (string, error) {
	got, err := r.Table.ReadRow(ctx, row)
	if err != nil {
		return "", err
	}
	for _, c := range got["f"] {
		if c.Column == "f:version" {
			return string(c.Value), nil
		}
	}
	return "", ErrChanged
}

// Compared writes if the version is the one that was read; the next one may do so, too.
func (r *Rows) Compared(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/compared", func(ctx context.Context) error {
		v, err := r.version(ctx, row)
		if err != nil {
			return err
		}
		m := bigtable.NewCondMutation(bigtable.ChainFilters(bigtable.ColumnFilter("version"), bigtable.ValueFilter(v)), state("next"), nil)
		var same bool
		if err := r.Table.Apply(ctx, row, m, bigtable.GetCondMutationResult(&same)); err != nil { // want "unprovedwrite"
			return err
		}
		if !same {
			return ErrChanged
		}
		return nil
	})
}

// Deaf does not ask for the answer.
func (r *Rows) Deaf(ctx context.Context, row string) error {
	return r.locked(ctx, "/rows/deaf", func(ctx context.Context) error {
		v, err := r.version(ctx, row)
		if err != nil {
			return err
		}
		m := bigtable.NewCondMutation(bigtable.ValueFilter(v), state("next"), nil)
		return r.Table.Apply(ctx, row, m) // want "rejectionignored"
	})
}

// Ranged compares bytes.
func (r *Rows) Ranged(ctx context.Context, row string, epoch []byte) error {
	return r.locked(ctx, "/rows/ranged", func(ctx context.Context) error {
		m := bigtable.NewCondMutation(bigtable.ChainFilters(bigtable.ColumnFilter("epoch"), bigtable.ValueRangeFilter(epoch, nil)), nil, state("next"))
		return r.Table.Apply(ctx, row, m) // want "unprovedwrite"
	})
}
