package oracle

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// gated writes a statement whose fence is in another table, in a part of its own: the
// row of k is written there, and the write to u asks for it in some way, or does not.
func (g *gen) gated() statement {
	g.args = nil
	g.table = "k"
	defer func() { g.table = "t" }()
	f := form{tok: g.t, pay: g.constant("777"), col: same, set: same, free: true}
	gate := func(name string) string {
		set := "f = " + g.newFence(f.tok, f.col)
		if g.IntN(3) == 0 {
			set = "n = n + 1"
		}
		return name + " AS (UPDATE k SET " + set + " WHERE id = 1 AND (" + g.effectGuard(f) + ") RETURNING id, f)"
	}
	text := "WITH " + gate("g")
	if g.IntN(5) == 0 { // one that hangs on the first
		text += ", h AS (INSERT INTO l SELECT id FROM g RETURNING 1)"
		text += " UPDATE u SET p = 777 WHERE id = 1 AND " + g.pick("EXISTS (SELECT 1 FROM h)", "(SELECT count(*) FROM h) = 1")
		return statement{text, g.args}
	}
	other := g.pick("u.o = 0", "u.o IS NULL", "u.s = 'a'", "1 = 0")
	switch g.IntN(8) {
	case 0:
		text += " UPDATE u SET p = 777 FROM g WHERE u.id = 1"
	case 1:
		text += " UPDATE u SET p = 777 FROM g WHERE u.id = g.id AND " + g.onGate(other)
	case 2:
		text += " UPDATE u SET p = 777 FROM (SELECT 1) AS x LEFT JOIN g ON true WHERE u.id = 1"
	case 3:
		text += " INSERT INTO u (id, p) SELECT 2, 777 FROM g"
	default:
		text += " UPDATE u SET p = 777 WHERE u.id = 1 AND (" + g.asked(other) + ")"
	}
	return statement{text, g.args}
}

// onGate is a condition on what the gate returns, or on something else.
func (g *gen) onGate(other string) string {
	if g.IntN(2) == 0 {
		return g.pick("g.f > 0", other)
	}
	return "g.f " + g.pick("=", "<=") + " " + g.t()
}

// asked is a condition that may or may not need the gate.
func (g *gen) asked(other string) string {
	ask := g.pick("EXISTS (SELECT 1 FROM g)", "EXISTS (SELECT FROM g)", "(SELECT count(*) FROM g) > 0", "(SELECT count(*) FROM g) = 1", "id IN (SELECT id FROM g)",
		"id = (SELECT id FROM g)", "1 = ANY (SELECT id FROM g)", "(SELECT true FROM g)", "(SELECT id FROM g) IS NOT NULL")
	switch g.IntN(8) {
	case 0:
		return "NOT " + ask
	case 1:
		return ask + " OR " + other
	case 2:
		return ask + " AND " + other
	case 3:
		return "NOT (NOT " + ask + " OR " + other + ")"
	case 4:
		return "COALESCE(" + ask + ", " + g.pick("true", "false") + ")"
	case 5:
		return "CASE WHEN " + other + " THEN " + ask + " ELSE " + g.pick("false", "true", ask) + " END"
	}
	return ask
}

// runGated tells for which classes the write to u happened.
func runGated(db *sql.DB, s statement) (out [4]bool, err error) {
	for _, token := range []int64{42, 5} {
		for _, f := range upsertFences {
			var was sql.NullInt64
			wrote, err := gatedOnce(db, s, token, f, &was)
			if err != nil {
				return out, err
			}
			if wrote {
				out[class(was, token)] = true
			}
		}
	}
	return out, nil
}

func gatedOnce(db *sql.DB, s statement, token int64, f string, was *sql.NullInt64) (bool, error) {
	tx, err := db.Begin()
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	if err := tx.QueryRow("UPDATE k SET f = " + f + " RETURNING f").Scan(was); err != nil {
		return false, err
	}
	if _, err := tx.Exec(s.text, runnable(s.args, token)...); err != nil {
		return false, err
	}
	var n int
	err = tx.QueryRow("SELECT count(*) FROM u WHERE p = 777").Scan(&n)
	return n > 0, err
}

func fillGated(t *testing.T, db *sql.DB) {
	t.Helper()
	run(t, db, "DROP TABLE IF EXISTS k, u, l, w", "CREATE TABLE k (id INTEGER PRIMARY KEY, f BIGINT, o INTEGER, s VARCHAR(10), q BIGINT, n INTEGER)", "INSERT INTO k VALUES (1, 1, 1, 'a', 6, 0)",
		"CREATE TABLE u (id INTEGER PRIMARY KEY, o INTEGER, s VARCHAR(10), p INTEGER)", "INSERT INTO u VALUES (1, 0, 'a', 1)",
		"CREATE TABLE l (id INTEGER)", "CREATE TABLE w (o INTEGER, s VARCHAR(10))", "INSERT INTO w (o, s) VALUES (1, 'a'), (2, 'b'), (42, 'xb'), (41, NULL), (NULL, 'a')")
}

// gateTally counts the outcomes of a run with gates.
type gateTally struct {
	tally
	proved int
}

func (c *gateTally) String() string { return fmt.Sprintf("%v; %d proved", &c.tally, c.proved) }

// compareGates runs n statements; plant may spoil the gated write first.
func compareGates(t *testing.T, seed uint64, n int, plant func(*fence.Mutation)) *gateTally {
	db := postgres.open(t)
	fillGated(t, db)
	c := &gateTally{}
	g := newGen(seed, fsql.Postgres)
	for c.statements < n {
		s := g.gated()
		s.text = strings.ReplaceAll(s.text, "%%", "%")
		real, err := runGated(db, s)
		if err != nil {
			if *verbose {
				t.Logf("refused: %v: %s", err, s.text)
			}
			if c.rejected++; c.rejected > n {
				t.Fatalf("the database refuses too much: %s: %v", s.text, err)
			}
			continue
		}
		c.statements++
		ms := fsql.Parse(s.text, nil, fsql.Postgres).Statements[0].Mutations
		m := ms[len(ms)-1]
		if plant != nil {
			plant(m)
		}
		v := fence.Prove(m, isToken(s.args))
		if len(v.Problems) > 0 {
			c.problems++
		}
		if v.RejectsStale == fence.Yes {
			c.proved++
		}
		if v.Column != "" && v.Column != "f" { // it takes another column for the fence
			continue
		}
		c.score(t, admissions(v), real, s.text, s.args, plant == nil)
	}
	return c
}

// TestGates: the verdict on a write that asks another one, or does not.
func TestGates(t *testing.T) {
	for _, seed := range append(fixedSeeds, *fresh) {
		t.Logf("seed %d: %v", seed, compareGates(t, seed, *count/2, nil))
	}
}
