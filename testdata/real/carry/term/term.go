// Package term says who is in charge, and passes the number of the one in charge on.
package term

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrNone says that a context carries no number.
var ErrNone = errors.New("no term in context")

// Term is one tenure.
type Term struct {
	Number int64
	e      *concurrency.Election
}

// Begin waits until it is elected.
func Begin(ctx context.Context, s *concurrency.Session, prefix string) (*Term, error) {
	e := concurrency.NewElection(s, prefix)
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "candidate"); err != nil {
		return nil, err
	}
	return &Term{Number: e.Rev(), e: e}, nil
}

// Revision is the number of the term.
func (t *Term) Revision() int64 { return t.e.Rev() }

// End gives the office back.
func (t *Term) End(ctx context.Context) error { return t.e.Resign(ctx) }

type key struct{}

// With puts a number into a context.
func With(ctx context.Context, number int64) context.Context {
	return context.WithValue(ctx, key{}, number)
}

// From takes it out again.
func From(ctx context.Context) (int64, error) {
	n, ok := ctx.Value(key{}).(int64)
	if !ok {
		return 0, ErrNone
	}
	return n, nil
}
