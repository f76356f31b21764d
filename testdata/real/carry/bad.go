// Package carry brings the token to the write in a struct, a result, a parameter or a
// context.
package carry

import (
	"context"
	"database/sql"

	"fencelint.example/real/carry/term"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadField carries the number all the way and then compares it the wrong way round.
func BadField(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/plough")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	return plough(ctx, db, t, id) // want "staleadmitted"
}

func plough(ctx context.Context, db *sql.DB, t *term.Term, id int64) error {
	res, err := db.ExecContext(ctx,
		`UPDATE fields_plain SET ploughed = true, term = $2 WHERE id = $1 AND term > $2`, id, t.Number)
	return one(res, err)
}

// BadContext carries it in a context and forgets to store it.
func BadContext(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	t, err := term.Begin(ctx, s, "/terms/harrow")
	if err != nil {
		return err
	}
	defer t.End(context.WithoutCancel(ctx))
	return harrow(term.With(ctx, t.Number), db, id) // want "fencenotadvanced"
}

func harrow(ctx context.Context, db *sql.DB, id int64) error {
	number, err := term.From(ctx)
	if err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE soils_plain SET harrowed = true WHERE id = $1 AND term < $2`, id, number)
	return one(res, err)
}
