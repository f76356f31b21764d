// Package squirrel writes rows through the query builder squirrel.
package squirrel

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func done(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func GoodToSql(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	q, args, err := sq.Update("seats").Set("guest", g).Set("fence", f).Where(sq.And{sq.Eq{"id": id}, sq.Lt{"fence": f}}).PlaceholderFormat(sq.Dollar).ToSql()
	if err != nil {
		return err
	}
	return done(db.ExecContext(ctx, q, args...))
}

func BadOr(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(sq.Update("seats").Set("guest", g).Set("fence", f).Where(sq.Or{sq.Eq{"id": id}, sq.Lt{"fence": f}}).RunWith(db).Exec()) // want "staleadmitted"
}

func BadTextOr(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(sq.Update("seats").Set("guest", g).Set("fence", f).Where("id = ? OR guest = ''", id).Where("fence < ?", f).RunWith(db).ExecContext(ctx)) // want "staleadmitted"
}

func GoodText(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	q := sq.Update("seats").SetMap(map[string]any{"guest": g, "fence": f}).Where("id = ?", id)
	if g != "" {
		q = q.Where("guest <> ?", g)
	}
	q = q.Where("fence < ?", f)
	return done(q.RunWith(db).ExecContext(ctx))
}

func BadSometimes(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string, force bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	q := sq.Update("seats").SetMap(map[string]any{"guest": g, "fence": f}).Where(sq.Eq{"id": id})
	if !force {
		q = q.Where(sq.Lt{"fence": f})
	}
	return done(q.RunWith(db).ExecContext(ctx)) // want "tokennotcompared"
}

func GoodInsert(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(sq.Insert("seats").Columns("id", "guest", "fence").Values(id, g, f).
		Suffix("ON CONFLICT (id) DO UPDATE SET guest = EXCLUDED.guest, fence = EXCLUDED.fence WHERE seats.fence < EXCLUDED.fence").
		PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx))
}

func BadIgnored(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	_, err = sq.Update("seats").Set("guest", g).Set("fence", f).Where(sq.Eq{"id": id}).Where(sq.Lt{"fence": f}).RunWith(db).Exec() // want "rejectionignored"
	return err
}

func BadDelete(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = sq.Delete("stubs").Where(sq.Eq{"id": id}).RunWith(db).Exec() // want "unfencedwrite"
	return err
}
