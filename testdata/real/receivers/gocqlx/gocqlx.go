// Package gocqlx writes to Cassandra with values that are bound by their names.
package gocqlx

import (
	"context"
	"errors"

	"github.com/scylladb/gocqlx/v3"
	"github.com/scylladb/gocqlx/v3/qb"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Tank is a row with its fence.
type Tank struct {
	ID    string
	Full  bool
	Epoch int64
}

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/tanks")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fill writes the statement, and binds a map.
func Fill(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return applied(db.Query(`UPDATE tanks SET full = true, epoch = ? WHERE id = ? IF epoch < ?`, []string{"epoch", "id", "epoch"}).
			WithContext(ctx).BindMap(map[string]any{"id": id, "epoch": epoch}).ExecCASRelease())
	})
}

// Built builds the statement, and binds a record.
func Built(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		stmt, names := qb.Update("tanks").Set("full", "epoch").Where(qb.Eq("id")).If(qb.Lt("epoch")).ToCql()
		return applied(db.ContextQuery(ctx, stmt, names).BindStruct(Tank{ID: id, Full: true, Epoch: epoch}).ExecCASRelease())
	})
}

// Chained goes from the builder to the answer.
func Chained(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return applied(qb.Update("tanks").SetNamed("epoch", "token").Where(qb.Eq("id")).If(qb.LtNamed("epoch", "token")).QueryContext(ctx, db).
			BindMap(qb.M{"id": id, "token": epoch}).ExecCAS())
	})
}

// Once inserts what is not there.
func Once(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		ok, err := qb.Insert("once").Columns("id", "epoch").Unique().Query(db).BindMap(qb.M{"id": id, "epoch": epoch}).ExecCASRelease()
		return applied(ok, err)
	})
}

// Deaf does not ask whether it was applied.
func Deaf(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return qb.Update("deaf").Set("epoch").Where(qb.Eq("id")).If(qb.Lt("epoch")).Query(db).BindMap(qb.M{"id": id, "epoch": epoch}).ExecRelease() // want "rejectionignored"
	})
}

// Other compares one number and stores another.
func Other(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string, other int64) error {
	return held(ctx, s, func(epoch int64) error {
		return applied(db.Query(`UPDATE others SET epoch = ? WHERE id = ? IF epoch < ?`, []string{"other", "id", "epoch"}). // want "tokenmismatch"
																	BindMap(map[string]any{"id": id, "epoch": epoch, "other": other}).ExecCASRelease())
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return applied(qb.Update("turned").Set("epoch").Where(qb.Eq("id")).If(qb.Gt("epoch")).Query(db).BindMap(qb.M{"id": id, "epoch": epoch}).ExecCASRelease()) // want "staleadmitted"
	})
}

// Found compares where rows are only found.
func Found(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return qb.Update("found").Set("epoch").Where(qb.Eq("id"), qb.Lt("epoch")).Query(db).BindMap(qb.M{"id": id, "epoch": epoch}).ExecRelease() // want "tokennotcompared"
	})
}

// Over inserts over what is there.
func Over(ctx context.Context, s *concurrency.Session, db gocqlx.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return qb.Insert("over").Columns("id", "epoch").Query(db).BindStruct(Tank{ID: id, Epoch: epoch}).ExecRelease() // want "tokennotcompared"
	})
}

func applied(ok bool, err error) error {
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	return nil
}
