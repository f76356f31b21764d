// Package bases writes epochs in other bases than ten.
package bases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/bricks")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

const lay = `UPDATE bricks SET state = 'laid', epoch = $1 WHERE id = $2 AND epoch < $1`

// Hex is ordered as text, or read as decimals.
func Hex(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.ExecContext(ctx, lay, strconv.FormatInt(epoch, 16), id)) // want "fencecolumn"
	})
}

// Printed is the same by a verb.
func Printed(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.ExecContext(ctx, lay, fmt.Sprintf("%x", epoch), id)) // want "fencecolumn"
	})
}

// Padded has as many digits always.
func Padded(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.ExecContext(ctx, lay, fmt.Sprintf("%016x", epoch), id))
	})
}

// Read reads the digits as they were written.
func Read(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		n, err := strconv.ParseInt(strconv.FormatInt(epoch, 36), 36, 64)
		if err != nil {
			return err
		}
		return changed(db.ExecContext(ctx, lay, n, id))
	})
}

// Decimal is what a number column takes.
func Decimal(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.ExecContext(ctx, lay, strconv.FormatInt(epoch, 10), id))
	})
}
