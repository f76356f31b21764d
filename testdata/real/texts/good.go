package texts

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/template"

	"github.com/jackc/pgx/v5"

	"fencelint.example/real/texts/pieces"
	"fencelint.example/real/texts/sqlc"
)

// GoodIndexed formats with numbered operands.
func (d *Desk) GoodIndexed(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE %[1]s SET state = $3, fence = $2 WHERE %[1]s.id = $1 AND %[1]s.fence < $2", "looms")
	return one(d.db.ExecContext(ctx, stmt, id, turn, state))
}

// GoodWidth formats with a width from outside.
func (d *Desk) GoodWidth(ctx context.Context, id int64, state string, year int) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE looms_%0*d SET state = $3, fence = $2 WHERE id = $1 AND fence < $2", 4, year)
	return one(d.db.ExecContext(ctx, stmt, id, turn, state))
}

// GoodQuoted quotes the name of the table.
func (d *Desk) GoodQuoted(ctx context.Context, id int64, state string, table string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE %q SET state = $3, fence = $2 WHERE id = $1 AND fence < $2", table)
	return one(d.db.ExecContext(ctx, stmt, id, turn, state))
}

// GoodFprintf writes formatted pieces.
func (d *Desk) GoodFprintf(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	fmt.Fprintf(&b, "UPDATE %s SET state = $%d, fence = $%d", "looms", 3, 2)
	fmt.Fprint(&b, " WHERE id = $1")
	b.WriteByte(' ')
	fmt.Fprintln(&b, "AND fence < $2")
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}

// GoodBuffer has a buffer that begins with a text.
func (d *Desk) GoodBuffer(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b := bytes.NewBufferString("UPDATE looms SET state = $3, fence = $2")
	b.Write([]byte(" WHERE id = $1"))
	b.WriteString(" AND fence < $2")
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}

// GoodHanded hands the builder to another function.
func (d *Desk) GoodHanded(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE looms SET state = $3, fence = $2")
	pieces.Where(&b)
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}

// GoodJoin joins conditions of a list.
func (d *Desk) GoodJoin(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1", "fence < $2"}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE "+strings.Join(conds, " AND "), id, turn, state))
}

// GoodConds appends conditions that only refuse more.
func (d *Desk) GoodConds(ctx context.Context, id int64, state string, open bool) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1", "fence < $2"}
	if open {
		conds = append(conds, "state <> 'shut'")
	}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE "+strings.Join(conds, " AND "), id, turn, state))
}

// GoodEmbedded sends a file that is part of the program.
func (d *Desk) GoodEmbedded(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, pieces.Advance, id, turn, state))
}

// GoodFiles reads from a folder that is part of the program.
func (d *Desk) GoodFiles(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt, err := pieces.Load("advance")
	if err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, stmt, id, turn, state))
}

// GoodMap takes the statement out of a map.
func (d *Desk) GoodMap(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, pieces.Queries["advance"], id, turn, state))
}

// GoodSlice sends each of a list.
func (d *Desk) GoodSlice(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, stmt := range []string{
		"UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2",
		"UPDATE reeds SET state = $3, fence = $2 WHERE id = $1 AND fence < $2",
	} {
		if err := one(d.db.ExecContext(ctx, stmt, id, turn, state)); err != nil {
			return err
		}
	}
	return nil
}

// GoodGenerated goes through generated code.
func (d *Desk) GoodGenerated(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n, err := d.q.AdvanceSpindle(ctx, sqlc.AdvanceSpindleParams{ID: id, Fence: turn, Turns: int32(len(state))})
	if err == nil && n == 0 {
		err = errStale
	}
	return err
}

// GoodPrepared has a prepared statement in a field.
func (d *Desk) GoodPrepared(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.advance.ExecContext(ctx, id, turn, state))
}

// GoodByName prepares under a name.
func (d *Desk) GoodByName(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if _, err := d.conn.Prepare(ctx, "advance", "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2"); err != nil {
		return err
	}
	tag, err := d.conn.Exec(ctx, "advance", id, turn, state)
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// GoodArgs appends the token to the arguments.
func (d *Desk) GoodArgs(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := []any{id}
	args = append(args, turn)
	args = append(args, state)
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2", args...))
}

// GoodTagged binds the fields of a struct by their tags.
func (d *Desk) GoodTagged(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.xdb.NamedExecContext(ctx, "UPDATE looms SET state = :state, fence = :fence WHERE id = :id AND fence < :fence", loom{ID: id, State: state, Turn: turn}))
}

// GoodNamedMap binds the entries of a map.
func (d *Desk) GoodNamedMap(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := map[string]any{"id": id, "state": state}
	args["fence"] = turn
	return one(d.xdb.NamedExecContext(ctx, "UPDATE looms SET state = :state, fence = :fence WHERE id = :id AND fence < :fence", args))
}

// GoodPgxNamed names its arguments.
func (d *Desk) GoodPgxNamed(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	tag, err := d.conn.Exec(ctx, "UPDATE looms SET state = @state, fence = @fence WHERE id = @id AND fence < @fence", pgx.NamedArgs{"id": id, "state": state, "fence": turn})
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// GoodTemplate fills a template of constant text.
func (d *Desk) GoodTemplate(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	if err := advanceTpl.Execute(&b, map[string]any{"Table": "looms"}); err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}

// GoodTemplateHere makes the template where it is used.
func (d *Desk) GoodTemplateHere(ctx context.Context, id int64, state string, cond string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t, err := template.New("advance").Parse("UPDATE {{ .Table }} SET state = $3, fence = $2 WHERE id = $1 AND fence < $2")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, struct{ Table string }{"looms"}); err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}

// GoodOptions has its condition from an option.
func (d *Desk) GoodOptions(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt, args := render(id, turn, state, newerOnly())
	return one(d.db.ExecContext(ctx, stmt, args...))
}

// GoodRange writes columns in a loop, and the condition behind it.
func (d *Desk) GoodRange(ctx context.Context, id int64, state string, cols []string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE looms SET state = $3, fence = $2")
	for _, c := range cols {
		b.WriteString(", " + c + " = 0")
	}
	b.WriteString(" WHERE id = $1 AND fence < $2")
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state))
}
