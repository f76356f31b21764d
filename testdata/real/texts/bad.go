package texts

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/template"

	"github.com/jackc/pgx/v5"

	"fencelint.example/real/texts/pieces"
)

// BadIndexed formats with numbered operands.
func (d *Desk) BadIndexed(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE %[1]s SET state = $2 WHERE %[1]s.id = $1", "looms")
	return one(d.db.ExecContext(ctx, stmt, id, state)) // want "unfencedwrite"
}

// BadWidth formats with a width from outside.
func (d *Desk) BadWidth(ctx context.Context, id int64, state string, year int) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE looms_%0*d SET state = $2 WHERE id = $1", 4, year)
	return one(d.db.ExecContext(ctx, stmt, id, state)) // want "unfencedwrite"
}

// BadQuoted quotes the name of the table.
func (d *Desk) BadQuoted(ctx context.Context, id int64, state string, table string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE %q SET state = $2 WHERE id = $1", table)
	return one(d.db.ExecContext(ctx, stmt, id, state)) // want "unfencedwrite"
}

// BadFprintf writes formatted pieces.
func (d *Desk) BadFprintf(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	fmt.Fprintf(&b, "UPDATE %s SET state = $%d", "looms", 2)
	fmt.Fprint(&b, " WHERE id = $1")
	return one(d.db.ExecContext(ctx, b.String(), id, state)) // want "unfencedwrite"
}

// BadBuffer has a buffer that begins with a text.
func (d *Desk) BadBuffer(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b := bytes.NewBufferString("UPDATE looms SET state = $2")
	b.Write([]byte(" WHERE id = $1"))
	return one(d.db.ExecContext(ctx, b.String(), id, state)) // want "unfencedwrite"
}

// BadHanded hands the builder to another function.
func (d *Desk) BadHanded(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE looms SET state = $2")
	pieces.Anywhere(&b)
	return one(d.db.ExecContext(ctx, b.String(), id, state)) // want "unfencedwrite"
}

// BadJoin joins conditions by OR.
func (d *Desk) BadJoin(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1", "fence < $2"}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE "+strings.Join(conds, " OR "), id, turn, state)) // want "staleadmitted"
}

// BadConds appends the comparison on one way only.
func (d *Desk) BadConds(ctx context.Context, id int64, state string, open bool) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1"}
	if open {
		conds = append(conds, "fence < $2")
	}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE "+strings.Join(conds, " AND "), id, turn, state)) // want "tokennotcompared"
}

// BadEmbedded sends such a file without a condition.
func (d *Desk) BadEmbedded(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, pieces.Plain(), id, state)) // want "unfencedwrite"
}

// BadFiles reads from it a file without a condition.
func (d *Desk) BadFiles(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt, err := pieces.Load("plain")
	if err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, stmt, id, state)) // want "unfencedwrite"
}

// BadMap takes one without a condition out of a map.
func (d *Desk) BadMap(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, pieces.Queries["plain"], id, state)) // want "unfencedwrite"
}

// BadSlice sends each of a list, and one compares nothing.
func (d *Desk) BadSlice(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, stmt := range []string{
		"UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2",
		"UPDATE reeds SET state = $3, fence = $2 WHERE id = $1",
	} {
		if err := one(d.db.ExecContext(ctx, stmt, id, turn, state)); err != nil { // want "tokennotcompared"
			return err
		}
	}
	return nil
}

// BadGenerated goes through generated code.
func (d *Desk) BadGenerated(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.q.ResetSpindle(ctx, id) // want "unfencedwrite"
}

// BadPrepared has a prepared statement in a field.
func (d *Desk) BadPrepared(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.plain.ExecContext(ctx, id, state)) // want "unfencedwrite"
}

// BadByName prepares under a name.
func (d *Desk) BadByName(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if _, err := d.conn.Prepare(ctx, "plain", "UPDATE looms SET state = $2 WHERE id = $1"); err != nil {
		return err
	}
	_, err = d.conn.Exec(ctx, "plain", id, state) // want "unfencedwrite"
	return err
}

// BadArgs appends the arguments in the wrong order.
func (d *Desk) BadArgs(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := []any{id}
	args = append(args, len(state))
	args = append(args, turn)
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $2, fence = $3 WHERE id = $1 AND fence < $2", args...)) // want "tokennotcompared"
}

// BadTagged binds the fields of a struct by their tags.
func (d *Desk) BadTagged(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.xdb.NamedExecContext(ctx, "UPDATE looms SET state = :state WHERE id = :id AND fence <= :fence", loom{ID: id, State: state, Turn: turn})) // want "fencenotadvanced"
}

// BadNamedMap binds the entries of a map.
func (d *Desk) BadNamedMap(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	args := map[string]any{"id": id, "state": state}
	args["fence"] = turn
	return one(d.xdb.NamedExecContext(ctx, "UPDATE looms SET state = :state, fence = :fence WHERE id = :id OR fence < :fence", args)) // want "staleadmitted"
}

// BadPgxNamed names its arguments.
func (d *Desk) BadPgxNamed(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	tag, err := d.conn.Exec(ctx, "UPDATE looms SET state = @state, fence = @fence WHERE id = @id AND fence > @fence", pgx.NamedArgs{"id": id, "state": state, "fence": turn}) // want "staleadmitted"
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// BadTemplate fills a template of constant text.
func (d *Desk) BadTemplate(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	if err := plainTpl.Execute(&b, map[string]any{"Table": "looms"}); err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, b.String(), id, state)) // want "unfencedwrite"
}

// BadTemplateHere lets a template write the condition.
func (d *Desk) BadTemplateHere(ctx context.Context, id int64, state string, cond string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t, err := template.New("advance").Parse("UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND {{ .Cond }}")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, struct{ Cond string }{cond}); err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state)) // want "unprovedwrite"
}

// BadOptions leaves the option out.
func (d *Desk) BadOptions(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt, args := render(id, turn, state)
	return one(d.db.ExecContext(ctx, stmt, args...)) // want "tokennotcompared"
}

// BadRange writes conditions in a loop.
func (d *Desk) BadRange(ctx context.Context, id int64, state string, cols []string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2")
	for _, c := range cols {
		b.WriteString(" " + c)
	}
	return one(d.db.ExecContext(ctx, b.String(), id, turn, state)) // want "unprovedwrite"
}
