// Package rowback has leases whose rows are read by functions of their own, and numbers that
// are drawn beside the lock.
package rowback

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type row struct {
	Name  string `db:"name"`
	Epoch int64  `db:"epoch"`
	Seen  int64  `db:"seen"`
}

// Kiln fires.
type Kiln struct {
	db *sqlx.DB
	mu *concurrency.Mutex
}

const claim = `UPDATE kilns SET epoch = epoch + 1, until = now() + interval '1 minute' WHERE name = $1 AND until < now() RETURNING name, epoch, seen`

func (k *Kiln) fire(ctx context.Context, id, epoch int64) error {
	return one(k.db.ExecContext(ctx, `UPDATE pots SET fired = true, epoch = $2 WHERE id = $1 AND epoch < $2`, id, epoch))
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

func (k *Kiln) pointer(ctx context.Context) (*row, error) {
	var r row
	//fencelint:lock correctness
	if err := k.db.GetContext(ctx, &r, claim, "north"); err != nil {
		return nil, err
	}
	return &r, nil
}

// GoodPointer has the address of the row.
func (k *Kiln) GoodPointer(ctx context.Context, id int64) error {
	r, err := k.pointer(ctx)
	if err != nil {
		return err
	}
	return k.fire(ctx, id, r.Epoch)
}

// BadPointer takes another column.
func (k *Kiln) BadPointer(ctx context.Context, id int64) error {
	r, err := k.pointer(ctx)
	if err != nil {
		return err
	}
	return k.fire(ctx, id, r.Seen) // want "unboundcounter"
}

func (k *Kiln) value(ctx context.Context) (row, error) {
	var r row
	//fencelint:lock correctness
	err := k.db.QueryRowxContext(ctx, claim, "south").StructScan(&r)
	return r, err
}

// GoodValue has the row itself.
func (k *Kiln) GoodValue(ctx context.Context, id int64) error {
	r, err := k.value(ctx)
	if err != nil {
		return err
	}
	return k.fire(ctx, id, r.Epoch)
}

func (k *Kiln) nullable(ctx context.Context) (sql.NullInt64, error) {
	var epoch sql.NullInt64
	//fencelint:lock correctness
	err := k.db.QueryRowContext(ctx, `UPDATE kilns SET epoch = epoch + 1, until = now() + interval '1 minute' WHERE name = $1 AND until < now() RETURNING epoch`, "west").Scan(&epoch)
	return epoch, err
}

// GoodNullable reads a column that may be NULL.
func (k *Kiln) GoodNullable(ctx context.Context, id int64) error {
	epoch, err := k.nullable(ctx)
	if err != nil {
		return err
	}
	if !epoch.Valid {
		return errStale
	}
	return k.fire(ctx, id, epoch.Int64)
}

// GoodUnnamed binds the fields of a record without a name.
func (k *Kiln) GoodUnnamed(ctx context.Context, id int64) error {
	r, err := k.value(ctx)
	if err != nil {
		return err
	}
	pot := struct {
		ID   int64 `db:"id"`
		Turn int64 `db:"pot_epoch"`
	}{id, r.Epoch}
	return one(k.db.NamedExecContext(ctx, `UPDATE pots SET fired = true, epoch = :pot_epoch WHERE id = :id AND epoch < :pot_epoch`, pot))
}

// BadUnnamed binds the wrong one.
func (k *Kiln) BadUnnamed(ctx context.Context, id int64) error {
	r, err := k.value(ctx)
	if err != nil {
		return err
	}
	pot := struct {
		ID   int64 `db:"id"`
		Turn int64 `db:"turn"`
		Old  int64 `db:"pot_epoch"`
	}{id, r.Epoch, r.Seen}
	return one(k.db.NamedExecContext(ctx, `UPDATE pots SET fired = true, epoch = :pot_epoch WHERE id = :id AND epoch < :pot_epoch`, pot)) // want "unboundcounter"
}

// BadBeside draws the number after etcd has granted the lock.
func (k *Kiln) BadBeside(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := k.mu.Lock(ctx); err != nil {
		return err
	}
	defer k.mu.Unlock(context.WithoutCancel(ctx))
	var n int64
	if err := k.db.QueryRowContext(ctx, `UPDATE draws SET n = n + 1 WHERE name = 'kilns' RETURNING n`).Scan(&n); err != nil {
		return err
	}
	return k.fire(ctx, id, n) // want "unboundcounter"
}

// BadGreatest adds one to the greatest number that was there.
func (k *Kiln) BadGreatest(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := k.mu.Lock(ctx); err != nil {
		return err
	}
	defer k.mu.Unlock(context.WithoutCancel(ctx))
	var n sql.NullInt64
	if err := k.db.QueryRowContext(ctx, `SELECT max(n) FROM draws WHERE id = $1`, id).Scan(&n); err != nil {
		return err
	}
	return k.fire(ctx, id, n.Int64+1) // want "unboundcounter"
}

// BadBesideClaim draws it after a statement has taken the lock.
func (k *Kiln) BadBesideClaim(ctx context.Context, id int64) error {
	owner := uuid.NewString()
	//fencelint:lock correctness
	if err := one(k.db.ExecContext(ctx, `UPDATE shifts SET owner = $2, until = now() + interval '1 minute' WHERE id = $1 AND until < now()`, id, owner)); err != nil {
		return err
	}
	var n int64
	if err := k.db.QueryRowContext(ctx, `UPDATE draws SET n = n + 1 WHERE name = 'kilns' RETURNING n`).Scan(&n); err != nil {
		return err
	}
	return k.fire(ctx, id, n) // want "unboundcounter"
}
