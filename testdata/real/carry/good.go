package carry

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/carry/term"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale term")

// GoodField carries the number in a field of a struct that another package made.
func GoodField(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/sow")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	return sow(ctx, db, order{field: id, term: t})
}

// order nests the struct in another one.
type order struct {
	field int64
	term  *term.Term
}

func sow(ctx context.Context, db *sql.DB, o order) error {
	res, err := db.ExecContext(ctx,
		`UPDATE fields SET sown = true, term = $2 WHERE id = $1 AND term < $2`, o.field, o.term.Number)
	return one(res, err)
}

// GoodContext carries it in a context.
func GoodContext(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/reap")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	return reap(term.With(ctx, t.Number), db, id)
}

func reap(ctx context.Context, db *sql.DB, id int64) error {
	number, err := term.From(ctx)
	if err != nil {
		return err
	}
	res, err := db.ExecContext(ctx,
		`UPDATE harvests SET reaped = true, term = $2 WHERE id = $1 AND term < $2`, id, number)
	return one(res, err)
}

// GoodResult has the number from a method, and a copy of it.
func GoodResult(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/thresh")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	number := t.Revision()
	if number == 0 {
		return errStale
	}
	mine := number
	res, err := db.ExecContext(ctx,
		`UPDATE barns SET threshed = true, term = $2 WHERE id = $1 AND term < $2`, id, mine)
	return one(res, err)
}

// GoodNamed tells the arguments apart by their names.
func GoodNamed(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/mill")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE mills SET ground = true, term = :term WHERE id = :id AND term < :term`,
		sql.Named("id", id), sql.Named("term", t.Number))
	return one(res, err)
}

// GoodSlice has its arguments in a slice that it fills beforehand.
func GoodSlice(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, note string) error {
	t, err := term.Begin(ctx, s, "/terms/bake")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	args := []any{id, t.Number, note}
	res, err := db.ExecContext(ctx,
		`UPDATE bakeries SET note = $3, term = $2 WHERE id = $1 AND term < $2`, args...)
	return one(res, err)
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
