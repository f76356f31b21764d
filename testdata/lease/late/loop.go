package late

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/go-redsync/redsync/v4"
)

func reduce(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE inventory SET stocks = stocks - 1 WHERE goods = $1`, id)
	return err
}

func note(ctx context.Context, tx *sql.Tx, order string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO details (order_sn) VALUES ($1)`, order)
	return err
}

// EachAndCommit holds a lock for each row, and commits when it has none.
func EachAndCommit(ctx context.Context, rs *redsync.Redsync, db *sql.DB, order string, goods []int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, id := range goods {
		mu := rs.NewMutex(fmt.Sprintf("goods_%d", id))
		//fencelint:lock correctness
		if err := mu.Lock(); err != nil {
			tx.Rollback()
			return err
		}
		if err := reduce(ctx, tx, id); err != nil { // want "unfencedwrite"
			mu.Unlock()
			tx.Rollback()
			return err
		}
		if ok, err := mu.Unlock(); !ok || err != nil {
			println("not released")
		}
	}
	if err := note(ctx, tx, order); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit() // want "writeafterrelease"
}
