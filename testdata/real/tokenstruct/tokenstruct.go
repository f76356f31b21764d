// Package tokenstruct keeps a token of the leadership where other goroutines read it.
package tokenstruct

import (
	"context"
	"database/sql"
	"sync/atomic"

	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Flag leads in one goroutine.
type Flag struct {
	db       *sql.DB
	election *concurrency.Election
	leads    atomic.Value // bool
}

// Run leads until the session ends.
func (f *Flag) Run(ctx context.Context, s *concurrency.Session) error {
	f.leads.Store(false)
	//fencelint:lock correctness
	if err := f.election.Campaign(ctx, "me"); err != nil {
		return err
	}
	f.leads.Store(true)
	<-s.Done()
	f.leads.Store(false)
	return nil
}

// Tick writes while it leads.
func (f *Flag) Tick(ctx context.Context) error {
	if !f.leads.Load().(bool) {
		return nil
	}
	_, err := f.db.ExecContext(ctx, "UPDATE plans SET at = now() WHERE id = 1") // want "checknotfence"
	return err
}

// Token says whether this process leads.
type Token struct {
	leader bool
	id     uuid.UUID
}

// Leader reports whether the token is that of a leader.
func (t Token) Leader() bool { return t.leader }

// Valid is the token of a leader.
func Valid() Token { return Token{leader: true, id: uuid.New()} }

// Invalid is that of others.
func Invalid() Token { return Token{id: uuid.New()} }

// Keeper keeps a token.
type Keeper struct {
	db       *sql.DB
	election *concurrency.Election
	token    atomic.Value // Token
}

// Run leads until the session ends.
func (k *Keeper) Run(ctx context.Context, s *concurrency.Session) error {
	k.token.Store(Invalid())
	//fencelint:lock correctness
	if err := k.election.Campaign(ctx, "me"); err != nil {
		return err
	}
	k.token.Store(Valid())
	<-s.Done()
	k.token.Store(Invalid())
	return nil
}

// Token is the present one.
func (k *Keeper) Token() Token { return k.token.Load().(Token) }

// Tick asks the token.
func (k *Keeper) Tick(ctx context.Context) error {
	if !k.Token().Leader() {
		return nil
	}
	_, err := k.db.ExecContext(ctx, "UPDATE plans SET at = now() WHERE id = 2") // want "checknotfence"
	return err
}

// Cycle is handed the token by whoever calls.
func (k *Keeper) Cycle(ctx context.Context) error { return k.cycle(ctx, k.Token()) }

func (k *Keeper) cycle(ctx context.Context, t Token) error {
	if !t.leader {
		return nil
	}
	_, err := k.db.ExecContext(ctx, "UPDATE plans SET at = now() WHERE id = 3") // want "checknotfence"
	return err
}

// Term is kept by a pointer, nil where another leads.
type Term struct{ rev int64 }

// Office keeps the term.
type Office struct {
	db       *sql.DB
	election *concurrency.Election
	term     atomic.Pointer[Term]
}

// Run leads until the session ends.
func (o *Office) Run(ctx context.Context, s *concurrency.Session) error {
	//fencelint:lock correctness
	if err := o.election.Campaign(ctx, "me"); err != nil {
		return err
	}
	o.term.Store(&Term{rev: o.election.Rev()})
	defer o.term.Store(nil)
	<-s.Done()
	return nil
}

// Tick writes in the term.
func (o *Office) Tick(ctx context.Context) error {
	t := o.term.Load()
	if t == nil {
		return nil
	}
	_, err := o.db.ExecContext(ctx, "UPDATE plans SET at = now() WHERE id = 4") // want "checknotfence"
	return err
}
