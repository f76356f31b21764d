// Package jetstream locks by creating a key in a bucket of JetStream.
package jetstream

import (
	"context"
	"database/sql"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	open   = `UPDATE stalls SET open = true WHERE id = 1`
	fenced = `UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

func admit(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Unfenced has the number and does not present it.
func Unfenced(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create(ctx, "lock.stall", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete(ctx, "lock.stall", jetstream.LastRevision(rev))
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Fenced presents the revision of the creation.
func Fenced(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create(ctx, "lock.stall", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete(ctx, "lock.stall", jetstream.LastRevision(rev))
	return admit(db.ExecContext(ctx, fenced, int64(rev)))
}

// Renewed presents the revision of a renewal, which moves with each.
func Renewed(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create(ctx, "lock.barn", []byte("me"))
	if err != nil {
		return err
	}
	rev, err = kv.Update(ctx, "lock.barn", []byte("me"), rev)
	if err != nil {
		return err
	}
	return admit(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(rev))) // want "volatiletoken"
}

// Blind deletes whatever is there, and does not look whether it was granted.
func Blind(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	_, _ = kv.Create(ctx, "lock.shed", []byte("me")) // want "acquireignored"
	defer kv.Delete(ctx, "lock.shed")                // want "unsaferelease"
	_, err := db.ExecContext(ctx, open)              // want "unfencedwrite"
	return err
}

// Looked presents the revision that the key has now: a former owner gets that of the newer one.
func Looked(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create(ctx, "lock.pen", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete(ctx, "lock.pen", jetstream.LastRevision(rev))
	e, err := kv.Get(ctx, "lock.pen")
	if err != nil {
		return err
	}
	return admit(db.ExecContext(ctx, `UPDATE pens SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(e.Revision()))) // want "unboundcounter"
}

// Compared takes that of another key for what it is: a version.
func Compared(ctx context.Context, kv jetstream.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create(ctx, "lock.sty", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete(ctx, "lock.sty", jetstream.LastRevision(rev))
	e, err := kv.Get(ctx, "sty")
	if err != nil {
		return err
	}
	_, err = kv.Update(ctx, "sty", []byte("full"), e.Revision())
	return err
}
