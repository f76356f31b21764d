package squirrel

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodSetMap stores a column only if it is given: the guard is the same.
func GoodSetMap(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, guest *string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	set := map[string]any{"fence": f}
	if guest != nil {
		set["guest"] = *guest
	}
	return done(sq.Update("seats").SetMap(set).Where(sq.Eq{"id": id}).Where(sq.Lt{"fence": f}).RunWith(db).ExecContext(ctx))
}

// BadSetMap stores the epoch only sometimes.
func BadSetMap(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, guest string, keep bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	set := map[string]any{"guest": guest}
	if !keep {
		set["fence"] = f
	}
	return done(sq.Update("stools").SetMap(set).Where(sq.Eq{"id": id}).Where(sq.Lt{"fence": f}).RunWith(db).ExecContext(ctx)) // want "unprovedwrite|fencenotadvanced|tokenmismatch"
}
