package oracle

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// Table u has one row for each state (f, o); the payload is 1 before and 777
// when it was written.
var upsertFences = []string{"NULL", "0", "1", "4", "5", "6", "41", "42", "43", "100", "-1"}
var upsertOthers = []string{"NULL", "0", "1", "2", "5", "9"}

// statement is a random upsert or update with effects.
type statement struct {
	text string // %d stands for the row's id
	args []string
}

func (g *gen) effect() statement {
	g.args = nil
	excluded := g.IntN(2) == 0
	tok := func() string { return g.t() }
	pay := func() string { return "777" }
	head, where := "UPDATE u SET ", " WHERE id = %d"
	col := func(c string) string { return c }
	if excluded {
		values := fmt.Sprintf("(%%d, %s, 777)", g.t())
		switch g.d {
		case fsql.MySQL:
			head = "INSERT INTO u (id, f, p) VALUES " + values + " ON DUPLICATE KEY UPDATE "
			where = ""
			tok = g.either("VALUES(f)")
			pay = func() string { return g.pick("VALUES(p)", "777") }
		default:
			head = "INSERT INTO u (id, f, p) VALUES " + values + " ON CONFLICT (id) DO UPDATE SET "
			where = ""
			tok = g.either("EXCLUDED.f")
			pay = func() string { return g.pick("EXCLUDED.p", "777") }
			col = func(c string) string { return "u." + c }
		}
	}
	sets := []string{"f = " + g.newFence(tok, col), "p = " + g.newPayload(tok, pay, col)}
	if g.IntN(2) == 0 {
		sets[0], sets[1] = sets[1], sets[0]
	}
	if g.IntN(6) == 0 {
		sets = sets[:1]
	}
	text := head + strings.Join(sets, ", ")
	guard := ""
	if g.IntN(3) > 0 && !(excluded && g.d == fsql.MySQL) {
		guard = g.effectGuard(tok, col)
	}
	switch {
	case excluded && guard != "":
		text += " WHERE " + guard
	case guard != "":
		text += where + " AND (" + guard + ")"
	default:
		text += where
	}
	return statement{text, g.args}
}

// either names the new fence by the inserted row or by the token.
func (g *gen) either(name string) func() string {
	return func() string {
		if g.IntN(2) == 0 {
			return name
		}
		return g.t()
	}
}

func (g *gen) effectGuard(tok func() string, col func(string) string) string {
	f, o := col("f"), col("o")
	cmp := func() string { return f + " " + g.op() + " " + tok() }
	switch g.IntN(9) {
	case 0:
		return "COALESCE(" + f + ", 0) " + g.op() + " " + tok()
	case 1:
		return f + " IS NULL OR " + cmp()
	case 2:
		return cmp() + " AND " + o + " " + g.op() + " " + g.pick("0", "1", "2")
	case 3:
		return cmp() + " OR " + o + " = 2"
	case 4:
		return "(" + f + ", " + o + ") " + g.pick("<", "<=", "=") + " (" + tok() + ", 2)"
	case 5:
		return o + " IS NULL"
	}
	return cmp()
}

func (g *gen) newFence(tok func() string, col func(string) string) string {
	f, o := col("f"), col("o")
	big, small := "GREATEST", "LEAST"
	if g.d == fsql.SQLite {
		big, small = "max", "min"
	}
	switch g.IntN(13) {
	case 0, 1:
		return tok()
	case 2:
		return big + "(" + f + ", " + tok() + ")"
	case 3:
		return "CASE WHEN " + f + " " + g.op() + " " + tok() + " THEN " + tok() + " ELSE " + f + " END"
	case 4:
		return f + " + 1"
	case 5:
		return f
	case 6:
		return "COALESCE(" + f + ", " + tok() + ")"
	case 7:
		return small + "(" + f + ", " + tok() + ")"
	case 8:
		return "CASE WHEN " + o + " = 1 THEN " + tok() + " ELSE " + f + " END"
	case 9:
		return g.pick("NULL", "0")
	case 10:
		return tok() + " + 1"
	case 11:
		return "NULLIF(" + tok() + ", " + f + ")"
	}
	return big + "(COALESCE(" + f + ", 0), " + tok() + ")"
}

func (g *gen) newPayload(tok, pay func() string, col func(string) string) string {
	f, p := col("f"), col("p")
	switch g.IntN(6) {
	case 0, 1:
		return pay()
	case 2:
		if g.d == fsql.MySQL {
			return "IF(" + tok() + " " + g.op() + " " + f + ", " + pay() + ", " + p + ")"
		}
		return "CASE WHEN " + f + " IS NULL THEN " + pay() + " WHEN " + f + " " + g.op() + " " + tok() + " THEN " + pay() + " ELSE " + p + " END"
	case 3:
		return p
	}
	return "CASE WHEN " + f + " " + g.op() + " " + tok() + " THEN " + pay() + " ELSE " + p + " END"
}

// state is a row before and after.
type state struct {
	f, f2   sql.NullInt64
	written bool // the payload
}

// runEffect runs the statement once for every row and returns all states.
func runEffect(db *sql.DB, s statement, token int64) ([]state, error) {
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	for id := 1; id <= len(upsertFences)*len(upsertOthers); id++ {
		if _, err := tx.Exec(fmt.Sprintf(s.text, id), runnable(s.args, token)...); err != nil {
			return nil, err
		}
	}
	rows, err := tx.Query("SELECT f0, f, p FROM u ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []state
	for rows.Next() {
		var st state
		var p int64
		if err := rows.Scan(&st.f, &st.f2, &p); err != nil {
			return nil, err
		}
		st.written = p == 777
		out = append(out, st)
	}
	return out, rows.Err()
}

func fillEffects(t *testing.T, db *sql.DB) {
	run(t, db, "DROP TABLE IF EXISTS u", "CREATE TABLE u (id INTEGER PRIMARY KEY, f BIGINT, f0 BIGINT, o INTEGER, p INTEGER)")
	id := 0
	for _, f := range upsertFences {
		for _, o := range upsertOthers {
			id++
			run(t, db, fmt.Sprintf("INSERT INTO u (id, f, f0, o, p) VALUES (%d, %s, %s, %s, 1)", id, f, f, o))
		}
	}
}

// effectTally counts the outcomes of a run of upserts.
type effectTally struct {
	tally
	advances, wrongAdvance, wrongPayload, silent int
}

func (c *effectTally) String() string {
	return fmt.Sprintf("%v; advances confirmed %d, wrong %d; wrong on the payload %d; payload never written %d",
		&c.tally, c.advances, c.wrongAdvance, c.wrongPayload, c.silent)
}

func compareEffects(t *testing.T, d *database, seed uint64, n int, plant func(*fence.Mutation)) *effectTally {
	db := d.open(t)
	fillEffects(t, db)
	c := &effectTally{}
	g := newGen(seed, d.dialect)
	for c.statements < n {
		s := g.effect()
		var all []state
		var classes []int
		var err error
		for _, token := range []int64{42, 5} {
			var got []state
			if got, err = runEffect(db, s, token); err != nil {
				break
			}
			for _, st := range got {
				classes = append(classes, class(st.f, token)<<32|int(token))
			}
			all = append(all, got...)
		}
		if err != nil {
			if c.rejected++; c.rejected > n {
				t.Fatalf("the database refuses too much: %s: %v", s.text, err)
			}
			continue
		}
		c.statements++
		m := fsql.Parse(fmt.Sprintf(s.text, 1), nil, d.dialect).Statements[0].Mutations[0]
		if plant != nil {
			plant(m)
		}
		v := proveAs(m, isToken(s.args))
		if len(v.Problems) > 0 {
			c.problems++
		}
		c.check(t, v, s, all, classes, plant == nil)
	}
	return c
}

func (c *effectTally) check(t *testing.T, v fence.Verdict, s statement, all []state, classes []int, report bool) {
	var real [4]bool
	higher, written := true, false
	for i, st := range all {
		cl, token := classes[i]>>32, int64(classes[i]&0xffffffff)
		if !st.written && st.f == st.f2 {
			continue
		}
		real[cl] = true
		want := token
		if st.f.Valid {
			want = max(want, st.f.Int64)
		}
		higher = higher && st.f2.Valid && st.f2.Int64 == want
		written = written || cl == 2 && st.written
	}
	c.score(t, admissions(v), real, s.text, s.args, report)
	if v.Advances == "yes" && real != [4]bool{} {
		if higher {
			c.advances++
		} else {
			c.wrongAdvance++
			if report {
				t.Errorf("advances is not true: %s %v", s.text, s.args)
			}
		}
	}
	if written && v.Payload != fence.Yes || !written && v.Payload == fence.Yes && v.Greater == fence.Admitted && real[2] {
		c.wrongPayload++
		if report && written {
			t.Errorf("payload: verdict %v, written %v: %s %v", v.Payload, written, s.text, s.args)
		}
	}
	if real[2] && !written {
		c.silent++
	}
}

func TestEffects(t *testing.T) {
	for _, d := range databases {
		t.Run(string(d.dialect), func(t *testing.T) {
			for _, seed := range append(fixedSeeds, *fresh) {
				c := compareEffects(t, d, seed, *count/2, nil)
				t.Logf("seed %d: %v", seed, c)
			}
		})
	}
}
