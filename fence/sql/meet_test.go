package sql_test

import (
	"testing"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/sql"
)

// rejects is what the last write of a statement proves, with each argument but $2 as
// the token.
func rejects(text string, d sql.Dialect) (fence.Tri, string) {
	ms := sql.Parse(text, nil, d).Statements[0].Mutations
	v := fence.Prove(ms[len(ms)-1], func(a fence.Arg) bool { return a != "$2" })
	return v.RejectsStale, v.Column + ": " + v.Apart
}

// TestQuotedNames: a name in quotes is another one than the same letters without, in
// the dialects that keep its case.
func TestQuotedNames(t *testing.T) {
	const gate = `WITH g AS (UPDATE fences SET epoch = $1 WHERE name = 'a' AND epoch <= $1 RETURNING 1) `
	const mysql = "WITH g AS (UPDATE fences SET epoch = ? WHERE name = 'a' AND epoch <= ? RETURNING 1) "
	for _, c := range []struct {
		d    sql.Dialect
		text string
		want fence.Tri
	}{
		{sql.Postgres, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM g)`, fence.Yes},
		{sql.Postgres, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM G)`, fence.Yes},
		{sql.Postgres, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM "g")`, fence.Yes},
		{sql.Postgres, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM "G")`, fence.No},
		{sql.Postgres, gate + `UPDATE orders SET state = 'paid' FROM "G" WHERE orders.id = 3`, fence.No},
		{sql.Oracle, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM "G")`, fence.Yes},
		{sql.Oracle, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM "g")`, fence.No},
		{sql.SQLServer, gate + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM [G])`, fence.Yes},
		{sql.SQLite, mysql + `UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM "G")`, fence.Yes},
		{sql.MySQL, mysql + "UPDATE orders SET state = 'paid' WHERE EXISTS (SELECT 1 FROM `G`)", fence.Yes},
		{sql.Postgres, `UPDATE jobs j SET epoch = $1 FROM caps "J" WHERE j.id = 3 AND "J".epoch <= $1`, fence.No},
		{sql.Postgres, `UPDATE jobs j SET epoch = $1 FROM caps "J" WHERE j.id = 3 AND j.epoch <= $1`, fence.Yes},
	} {
		if got, why := rejects(c.text, c.d); got != c.want {
			t.Errorf("%s %s: %v (%s), want %v", c.d, c.text, got, why, c.want)
		}
	}
}

// TestRowsMeet: an order of epochs is a guard only at a row that each owner meets.
func TestRowsMeet(t *testing.T) {
	const upsert = `INSERT INTO fences (name, epoch) VALUES ('a', $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`
	for _, c := range []struct {
		text string
		want fence.Tri
	}{
		{`UPDATE jobs SET epoch = $1 WHERE id = 3 AND epoch < $1`, fence.Yes},
		{`UPDATE jobs SET epoch = $1 WHERE id = $2 AND epoch < $1`, fence.Yes},
		{`UPDATE jobs SET epoch = $1, seq = $2 WHERE id = 3 AND (epoch < $1 OR epoch = $1 AND seq < $2)`, fence.Yes},
		{`UPDATE jobs SET state = 'x' WHERE id = 3 AND epoch = $1 AND claimed = $1`, fence.Yes},
		{`UPDATE jobs SET epoch = $1 WHERE name = md5($1::text) AND epoch < $1 AND name <> ''`, fence.Unknown},
		{`UPDATE jobs SET epoch = $1 FROM fences f WHERE jobs.id = 3 AND jobs.epoch < $1`, fence.Yes},
		{upsert, fence.Yes},
		{`INSERT INTO fences (name, epoch) VALUES ('a', $1), ('b', $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences (name, epoch) VALUES (lower('A'), $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences (name, epoch) VALUES ('A', $1) ON CONFLICT (lower(name)) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences (name, epoch) VALUES ('a', $1) ON CONFLICT ON CONSTRAINT fences_pk DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences (name, epoch) SELECT 'a', $1 ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences VALUES ('a', $1) ON CONFLICT (name) DO UPDATE SET epoch = $1 WHERE fences.epoch < $1`, fence.Yes},
		{`INSERT INTO fences (name, epoch) VALUES (gen_random_uuid(), $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`INSERT INTO fences (name, epoch) VALUES (md5(random()::text), $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`INSERT INTO fences (name, epoch) SELECT gen_random_uuid(), $1 ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`INSERT INTO fences (name, epoch) VALUES ('lock-' || $1, $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`INSERT INTO fences (name, gen, epoch) VALUES ('a', $1, $1) ON CONFLICT (name, gen) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`INSERT INTO fences (id, epoch) VALUES ((SELECT max(id) + 1 FROM fences), $1) ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Unknown},
		{`INSERT INTO fences (id, epoch) VALUES ((SELECT id FROM names WHERE name = 'a'), $1) ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Yes},
		{`INSERT INTO fences (epoch) VALUES ($1) ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Unknown},
		{`INSERT INTO fences (id, epoch) VALUES (DEFAULT, $1) ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.Unknown},
		{`INSERT INTO fences (epoch) VALUES ($1) ON CONFLICT ON CONSTRAINT fences_pk DO UPDATE SET epoch = EXCLUDED.epoch WHERE fences.epoch < EXCLUDED.epoch`, fence.No},
		{`MERGE INTO fences f USING (SELECT 'a' AS name, $1 AS epoch) s ON f.name = s.name WHEN MATCHED AND f.epoch < s.epoch THEN UPDATE SET epoch = s.epoch WHEN NOT MATCHED THEN INSERT (name, epoch) VALUES (s.name, s.epoch)`, fence.Yes},
		{`MERGE INTO fences f USING (SELECT gen_random_uuid() AS name, $1 AS epoch) s ON f.name = s.name WHEN MATCHED AND f.epoch < s.epoch THEN UPDATE SET epoch = s.epoch WHEN NOT MATCHED THEN INSERT (name, epoch) VALUES (s.name, s.epoch)`, fence.No},
		{`MERGE INTO fences f USING (SELECT $1 AS epoch) s ON f.gen = s.epoch WHEN MATCHED AND f.epoch < s.epoch THEN UPDATE SET epoch = s.epoch WHEN NOT MATCHED THEN INSERT (gen, epoch) VALUES (s.epoch, s.epoch)`, fence.No},
	} {
		if got, why := rejects(c.text, sql.Postgres); got != c.want {
			t.Errorf("%s: %v (%s), want %v", c.text, got, why, c.want)
		}
	}
}

// TestByToken: the row is chosen by the epoch itself; what is left of the guard is an
// equality with a column that only an insert moves.
func TestByToken(t *testing.T) {
	v := fence.ProveColumn(sql.Parse(`UPDATE jobs SET epoch = $1 WHERE id = $1 AND epoch < $1`, nil, sql.Postgres).Statements[0].Mutations[0], "epoch", func(fence.Arg) bool { return true })
	if v.RejectsStale != fence.No || v.Apart == "" {
		t.Errorf("epoch: %v %q", v.RejectsStale, v.Apart)
	}
}

// TestLowers: what moves a fence back, whatever order the token has with it.
func TestLowers(t *testing.T) {
	for set, want := range map[string]bool{
		"epoch = $1": false, "epoch = GREATEST(epoch, $1)": false, "epoch = epoch + 1": false, "state = 'x'": false, "epoch = epoch": false,
		"epoch = 0": true, "epoch = NULL": true, "epoch = epoch - 1": true, "epoch = $1 - 10": true, "epoch = LEAST(epoch, 5)": true,
		"epoch = CASE WHEN state = 'x' THEN 0 ELSE $1 END": true,
	} {
		m := sql.Parse("UPDATE fences SET "+set+" WHERE name = 'b'", nil, sql.Postgres).Statements[0].Mutations[0]
		if got := fence.Lowers(m, "epoch", func(fence.Arg) bool { return true }); got != want {
			t.Errorf("%s: %v", set, got)
		}
	}
}
