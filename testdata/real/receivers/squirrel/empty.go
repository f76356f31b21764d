package squirrel

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Nothing has a list of conditions without any: it is always true.
func Nothing(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("lots").Set("epoch", epoch).Where(sq.And{}).Where(sq.Lt{"epoch": epoch}).RunWith(db).ExecContext(ctx))
	})
}

// Otherwise has it as an alternative of the guard.
func Otherwise(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("lots").Set("epoch", epoch).Where(sq.Or{sq.And{}, sq.Lt{"epoch": epoch}}).RunWith(db).ExecContext(ctx)) // want "staleadmitted|tokennotcompared"
	})
}
