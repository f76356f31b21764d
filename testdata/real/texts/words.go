package texts

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

var tables = map[string]string{"looms": "state", "reeds": "tension", "bobbins": "colour"}

// columns has more entries than each of them could stand for in one text.
var columns = []struct{ table, name, key string }{
	{"looms", "state", "id"}, {"reeds", "tension", "reed_id"}, {"bobbins", "colour", "bobbin_id"},
	{"shuttles", "side", "shuttle_id"}, {"warps", "length", "warp_id"},
}

// GoodDoubled quotes a name and doubles the quotes in it.
func (d *Desk) GoodDoubled(ctx context.Context, id int64, state string, table string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	name := `"` + strings.ReplaceAll(table, `"`, `""`) + `"`
	return one(d.db.ExecContext(ctx, "UPDATE "+name+" SET state = $3, fence = $2 WHERE id = $1 AND "+name+".fence < $2", id, turn, state))
}

// BadDoubled doubles quotes in what it does not quote.
func (d *Desk) BadDoubled(ctx context.Context, id int64, state string, table string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	cond := strings.ReplaceAll(table, `"`, `""`)
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND "+cond, id, turn, state)) // want "unprovedwrite"
}

// GoodSanitized lets the driver quote a name.
func (d *Desk) GoodSanitized(ctx context.Context, id int64, state string, table string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, "UPDATE "+pgx.Identifier{"mill", table}.Sanitize()+" SET state = $3, fence = $2 WHERE id = $1 AND fence < $2", id, turn, state))
}

// BadSanitized lets the driver quote a name.
func (d *Desk) BadSanitized(ctx context.Context, id int64, state string, table string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(d.db.ExecContext(ctx, "UPDATE "+pgx.Identifier{"mill", table}.Sanitize()+" SET state = $2 WHERE id = $1", id, state)) // want "unfencedwrite"
}

// GoodNamed makes a table for this run alone.
func (d *Desk) GoodNamed(ctx context.Context, id int64, state string, sum []byte) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	tmp := "looms_" + hex.EncodeToString(sum)
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 FROM "+tmp+" WHERE looms.id = "+tmp+".id AND looms.id = $1 AND looms.fence < $2", id, turn, state))
}

// BadNamed makes a table for this run alone.
func (d *Desk) BadNamed(ctx context.Context, id int64, state string, sum []byte) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	tmp := "looms_" + hex.EncodeToString(sum)
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $2 FROM "+tmp+" WHERE looms.id = "+tmp+".id AND looms.id = $1", id, state)) // want "unfencedwrite"
}

// GoodEntries goes over the entries of a map.
func (d *Desk) GoodEntries(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for table, column := range tables {
		stmt := fmt.Sprintf("UPDATE %s SET %s = $3, fence = $2 WHERE id = $1 AND fence < $2", table, column)
		if err := one(d.db.ExecContext(ctx, stmt, id, turn, state)); err != nil {
			return err
		}
	}
	return nil
}

// BadEntries goes over the entries of a map.
func (d *Desk) BadEntries(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for table, column := range tables {
		stmt := fmt.Sprintf("UPDATE %s SET %s = $2 WHERE id = $1", table, column)
		if err := one(d.db.ExecContext(ctx, stmt, id, state)); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// GoodColumns goes over many tables and columns.
func (d *Desk) GoodColumns(ctx context.Context, id int64, state string) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, c := range columns {
		stmt := "UPDATE " + c.table + " SET " + c.name + " = $3, fence = $2 WHERE " + c.key + " = $1 AND fence < $2"
		if err := one(d.db.ExecContext(ctx, stmt, id, turn, state)); err != nil {
			return err
		}
	}
	return nil
}

// BadColumns goes over many tables and columns.
func (d *Desk) BadColumns(ctx context.Context, id int64, state string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, c := range columns {
		stmt := "UPDATE " + c.table + " SET " + c.name + " = $2 WHERE " + c.key + " = $1"
		if err := one(d.db.ExecContext(ctx, stmt, id, state)); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// GoodListed joins conditions that a loop makes, each of one form.
func (d *Desk) GoodListed(ctx context.Context, id int64, state string, n int) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var conds []string
	for range n {
		conds = append(conds, "state <> 'shut'")
	}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2 AND "+strings.Join(conds, " AND "), id, turn, state))
}

// BadListed joins conditions that a loop makes by OR.
func (d *Desk) BadListed(ctx context.Context, id int64, state string, n int) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var conds []string
	for range n {
		conds = append(conds, "state <> 'shut'")
	}
	return one(d.db.ExecContext(ctx, "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2 OR "+strings.Join(conds, " OR "), id, turn, state)) // want "staleadmitted"
}
