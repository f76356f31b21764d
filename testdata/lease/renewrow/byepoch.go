package renewrow

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"
)

var errEpochLost = errors.New("lease is lost")

// turn is a lease that its number tells apart, and no name.
type turn struct {
	db    *sql.DB
	epoch int64
}

func takeTurn(ctx context.Context, db *sql.DB) (*turn, error) {
	t := &turn{db: db}
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `UPDATE leases SET epoch = epoch + 1, expires_at = now() + interval '30 s' WHERE name = 'turn' AND expires_at < now() RETURNING epoch`).Scan(&t.epoch)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *turn) renew(ctx context.Context) error {
	res, err := t.db.ExecContext(ctx, `UPDATE leases SET expires_at = now() + interval '30 s' WHERE name = 'turn' AND epoch = $1`, t.epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errEpochLost, err)
	}
	return nil
}

func (t *turn) end(ctx context.Context) {
	_, _ = t.db.ExecContext(ctx, `UPDATE leases SET expires_at = now() WHERE name = 'turn' AND epoch = $1`, t.epoch)
}

func (t *turn) work(ctx context.Context) error {
	res, err := t.db.ExecContext(ctx, `UPDATE bills SET sent = true, epoch = $1 WHERE id = 1 AND epoch < $1`, t.epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errEpochLost, err)
	}
	return nil
}

func ticks(ctx context.Context, do func() bool) {
	t := time.NewTicker(10 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if !do() {
				return
			}
		}
	}
}

// GoodByEpoch ends the work when a renewal is refused.
func GoodByEpoch(ctx context.Context, db *sql.DB) error {
	t, err := takeTurn(ctx, db)
	if err != nil {
		return err
	}
	defer t.end(context.WithoutCancel(ctx))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := t.renew(ctx); err != nil {
					return
				}
			}
		}
	}()
	return t.work(ctx)
}

// BadByEpoch writes it into a log.
func BadByEpoch(ctx context.Context, db *sql.DB) error {
	t, err := takeTurn(ctx, db)
	if err != nil {
		return err
	}
	defer t.end(context.WithoutCancel(ctx))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		ticks(ctx, func() bool {
			res, err := db.ExecContext(ctx, `UPDATE leases SET expires_at = now() + interval '30 s' WHERE epoch = $1 AND name = 'turn'`, t.epoch) // want "renewalerror"
			if err == nil {
				_, err = res.RowsAffected()
			}
			if err != nil {
				log.Print(err)
			}
			return true
		})
	}()
	return t.work(ctx)
}
