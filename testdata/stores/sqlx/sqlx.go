// Package sqlx writes rows through sqlx.
package sqlx

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func done(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type seat struct {
	ID    int64  `db:"id"`
	Guest string `db:"guest"`
	Fence int64  `db:"fence"`
}

// GoodExec numbers its arguments.
func GoodExec(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.ExecContext(ctx, `UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, f))
}

// BadExec compares nothing.
func BadExec(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.ExecContext(ctx, `UPDATE seats SET guest = $2 WHERE id = $1`, id, g)) // want "unfencedwrite"
}

// GoodNamed names its arguments by a map.
func GoodNamed(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.NamedExecContext(ctx, `UPDATE seats SET guest = :guest, fence = :fence WHERE id = :id AND fence < :fence`,
		map[string]any{"id": id, "guest": g, "fence": m.Header().Revision}))
}

// GoodStruct names its arguments by the tags of a struct.
func GoodStruct(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.NamedExecContext(ctx, `UPDATE seats SET guest = :guest, fence = :fence WHERE id = :id AND fence < :fence`,
		seat{ID: id, Guest: g, Fence: m.Header().Revision}))
}

// BadNamed lets an equal number in.
func BadNamed(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.NamedExecContext(ctx, `UPDATE seats SET guest = :guest, fence = :fence WHERE id = :id AND fence <= :fence`, // want "equaladmitted"
		map[string]any{"id": id, "guest": g, "fence": m.Header().Revision}))
}

// GoodGet learns of a refusal by the row that does not come back.
func GoodGet(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var got int64
	return db.GetContext(ctx, &got, `UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3 RETURNING id`, id, g, m.Header().Revision)
}

// BadGet takes the missing row for success.
func BadGet(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var got int64
	err = db.GetContext(ctx, &got, `UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3 RETURNING id`, id, g, m.Header().Revision) // want "rejectionignored"
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
