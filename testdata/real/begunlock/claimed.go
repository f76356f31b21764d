package begunlock

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
)

// claim leases a parcel: the row says so after the transaction, too.
func claim(ctx context.Context, pool *pgxpool.Pool) (id int64, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		//fencelint:lock correctness
		return tx.QueryRow(ctx, `UPDATE parcels SET tries = tries + 1, due = now() + interval '1 minute'
			WHERE id = (SELECT id FROM parcels WHERE due < now() ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1)
			RETURNING id`).Scan(&id)
	})
	return id, err
}

// BadSend deletes it by its name alone.
func BadSend(ctx context.Context, pool *pgxpool.Pool) error {
	id, err := claim(ctx, pool)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `DELETE FROM parcels WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// GoodRow holds a row, whose value it reads by the same call, until the commit.
func GoodRow(ctx context.Context, db *sqlx.DB, id int64) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var v int64
	//fencelint:lock correctness
	if err := tx.GetContext(ctx, &v, `SELECT v FROM wells WHERE id = $1 FOR NO KEY UPDATE`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE wells SET v = $2 WHERE id = $1`, id, v+1); err != nil {
		return err
	}
	return tx.Commit()
}

// BadRow takes it outside of a transaction: it is free again at once.
func BadRow(ctx context.Context, db *sqlx.DB, id int64) error {
	var v int64
	//fencelint:lock correctness
	if err := db.GetContext(ctx, &v, `SELECT v FROM wells WHERE id = $1 FOR NO KEY UPDATE`, id); err != nil { // want "txlock"
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE wells SET v = $2 WHERE id = $1`, id, v+1)
	return err
}
