package forwarded

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Under runs work under a lock: it gives it back itself.
func Under(ctx context.Context, s *concurrency.Session, name string, do func(context.Context) error) error {
	mu := concurrency.NewMutex(s, name)
	if err := mu.Lock(ctx); err != nil { // taken
		return err
	}
	return errors.Join(do(ctx), mu.Unlock(context.WithoutCancel(ctx)))
}

// UnderMine hands the work on.
func UnderMine(ctx context.Context, s *concurrency.Session, name string, do func(context.Context) error) error {
	return Under(ctx, s, "/mine/"+name, do)
}

// Sweep has work of its own.
func Sweep(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return UnderMine(ctx, s, "sweep", func(ctx context.Context) error { // taken
		_, err := db.ExecContext(ctx, "DELETE FROM jobs WHERE done")
		return err
	})
}

type depot struct {
	first, second *concurrency.Mutex
	db            *sql.DB
}

// both takes two locks, one after the other.
func (d *depot) both(ctx context.Context) error {
	if err := d.first.Lock(ctx); err != nil { // taken
		return err
	}
	if err := d.second.Lock(ctx); err != nil { // taken
		return errors.Join(err, d.first.Unlock(ctx))
	}
	return nil
}

func (d *depot) clear(ctx context.Context) error {
	if err := d.both(ctx); err != nil { // taken
		return err
	}
	defer d.first.Unlock(ctx)
	defer d.second.Unlock(ctx)
	_, err := d.db.ExecContext(ctx, "DELETE FROM pallets")
	return err
}

// Noted has work of its own beside that of its caller.
func Noted(ctx context.Context, s *concurrency.Session, db *sql.DB, do func(context.Context) error) error {
	return Under(ctx, s, "noted", func(ctx context.Context) error { // taken
		if _, err := db.ExecContext(ctx, "UPDATE notes SET n = n + 1"); err != nil {
			return err
		}
		return do(ctx)
	})
}

// Named has work and a name from its caller.
func Named(ctx context.Context, s *concurrency.Session, db *sql.DB, name string, do func(context.Context) error) error {
	return Under(ctx, s, name, func(ctx context.Context) error { // taken
		if _, err := db.ExecContext(ctx, "UPDATE names SET n = n + 1"); err != nil {
			return err
		}
		return do(ctx)
	})
}

// Mine uses it.
func Mine(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return Named(ctx, s, db, "mine", func(context.Context) error { return nil }) // taken
}
