package tooearly

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Leads lets the store ask for the key of whoever leads now: a former leader names the key of
// the newer one.
func Leads(ctx context.Context, s *concurrency.Session) error {
	e := concurrency.NewElection(s, "/leaders/leads")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lead, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	k := lead.Kvs[0]
	return committed(s.Client().Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(string(k.Key)), "=", k.CreateRevision)).Then(clientv3.OpPut("/doors/1", "open")).Commit()) // want "checknotfence"
}

// Since lets it ask whether the door was last moved before whoever leads now came.
func Since(ctx context.Context, s *concurrency.Session) error {
	e := concurrency.NewElection(s, "/leaders/since")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lead, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	return committed(s.Client().Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/doors/2"), "<", lead.Kvs[0].CreateRevision)).Then(clientv3.OpPut("/doors/2", "open")).Commit()) // want "checknotfence"
}

// OwnKeyThere asks for the key which this owner alone has.
func OwnKeyThere(ctx context.Context, s *concurrency.Session) error {
	e := concurrency.NewElection(s, "/leaders/ownkeythere")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	got, err := s.Client().Get(ctx, e.Key())
	if err != nil {
		return err
	}
	if len(got.Kvs) == 0 {
		return errStale
	}
	return committed(s.Client().Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(e.Key()), "=", got.Kvs[0].CreateRevision)).Then(clientv3.OpPut("/doors/3", "open")).Commit())
}

func committed(r *clientv3.TxnResponse, err error) error {
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errStale
	}
	return nil
}

// Gatehouse is another program, which compares the number that it is given.
type Gatehouse interface {
	//fencelint:writes resource=gatehouse fence=term
	Open(ctx context.Context, term int64) error
}

// Told tells it the number of whoever leads now, and Own that of this owner.
func Told(ctx context.Context, s *concurrency.Session, g Gatehouse) error {
	e := concurrency.NewElection(s, "/leaders/told")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lead, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	return g.Open(ctx, lead.Kvs[0].CreateRevision) // want "unboundcounter"
}

// Own tells it that of this owner.
func Own(ctx context.Context, s *concurrency.Session, g Gatehouse) error {
	e := concurrency.NewElection(s, "/leaders/own")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return g.Open(ctx, e.Rev())
}

// Drawn tells it a number that a statement draws after the grant.
func Drawn(ctx context.Context, s *concurrency.Session, db *sql.DB, g Gatehouse) error {
	e := concurrency.NewElection(s, "/leaders/drawn")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	var term int64
	if err := db.QueryRowContext(ctx, `UPDATE turns SET n = n + 1 WHERE id = 1 RETURNING n`).Scan(&term); err != nil {
		return err
	}
	return g.Open(ctx, term) // want "unboundcounter"
}

// Barrier compares under a row lock with the number of whoever leads now.
func Barrier(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/leaders/barrier")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lead, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	return raise(ctx, db, lead.Kvs[0].CreateRevision) // want "unboundcounter"
}

// OwnBarrier does with that of this owner.
func OwnBarrier(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/leaders/ownbarrier")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return raise(ctx, db, e.Rev())
}

func raise(ctx context.Context, db *sql.DB, term int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var cur int64
	if err := tx.QueryRowContext(ctx, `SELECT term FROM barriers WHERE id = 1 FOR UPDATE`).Scan(&cur); err != nil {
		return err
	}
	if cur >= term {
		return errStale
	}
	if _, err := tx.ExecContext(ctx, `UPDATE barriers SET up = true, term = $1 WHERE id = 1`, term); err != nil {
		return err
	}
	return tx.Commit()
}
