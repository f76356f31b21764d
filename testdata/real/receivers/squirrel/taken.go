package squirrel

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// TakenOut has one step more on some paths, and is sent by other means.
func TakenOut(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, note string) error {
	return held(ctx, s, func(epoch int64) error {
		b := sq.Update("lots_taken").Set("epoch", epoch).Where(sq.Eq{"id": id}).Where(sq.Lt{"epoch": epoch})
		if note != "" {
			b = b.Set("note", note)
		}
		q, args, err := b.PlaceholderFormat(sq.Dollar).ToSql()
		if err != nil {
			return err
		}
		return changed(db.ExecContext(ctx, q, args...))
	})
}

// BadTakenOut has the comparison on some paths only.
func BadTakenOut(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, force bool) error {
	return held(ctx, s, func(epoch int64) error {
		b := sq.Update("lots_forced").Set("epoch", epoch).Where(sq.Eq{"id": id})
		if !force {
			b = b.Where(sq.Lt{"epoch": epoch})
		}
		q, args, err := b.PlaceholderFormat(sq.Dollar).ToSql()
		if err != nil {
			return err
		}
		return changed(db.ExecContext(ctx, q, args...)) // want "tokennotcompared"
	})
}
