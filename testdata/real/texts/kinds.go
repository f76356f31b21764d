package texts

import (
	"context"
	"text/template"

	"fencelint.example/real/texts/sqlc"
)

var (
	advanceTpl = template.Must(template.New("advance").Parse(`UPDATE {{.Table}} SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`))
	plainTpl   = template.Must(template.New("plain").Parse(`UPDATE {{.Table}} SET state = $2 WHERE id = $1`))
)

type loom struct {
	ID    int64  `db:"id"`
	State string `db:"state"`
	Turn  int64  `db:"fence"`
}

// prepare makes the statements that are kept.
func (d *Desk) prepare(ctx context.Context) (err error) {
	if d.advance, err = d.db.PrepareContext(ctx, `UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`); err != nil {
		return err
	}
	if d.plain, err = d.db.PrepareContext(ctx, `UPDATE looms SET state = $2 WHERE id = $1`); err != nil {
		return err
	}
	d.q, err = sqlc.Prepare(ctx, d.db)
	return err
}

// update is a statement under construction.
type update struct {
	cond string
	args []any
}

type option func(*update)

func newerOnly() option {
	return func(u *update) { u.cond += " AND fence < $2" }
}

func render(id, turn int64, state string, opts ...option) (string, []any) {
	u := update{cond: "id = $1", args: []any{id, turn, state}}
	for _, o := range opts {
		o(&u)
	}
	return "UPDATE looms SET state = $3, fence = $2 WHERE " + u.cond, u.args
}
