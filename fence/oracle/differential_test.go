package oracle

import (
	"database/sql"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

var (
	count = flag.Int("statements", 500, "random statements a database and seed")
	fresh = flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the fresh run; it is printed")
)

// fixed seeds keep past findings in the run.
var fixedSeeds = []uint64{1, 2}

var fences = []string{"NULL", "0", "1", "2", "3", "4", "5", "6", "7", "8", "39", "40", "41", "42", "43", "44", "45", "46", "-1", "-5", "-42", "100", "9", "1000", "20000000000", "30000000000"}
var others = []string{"NULL", "-3", "1", "1.5", "2", "9", "42"}
var texts = []string{"NULL", "'a'", "'xb'"}
var tokens = []int64{42, 5, 1, 7, 43, 1000, 20000000000}

// tally counts the outcomes of a run.
type tally struct {
	statements, rejected, problems, unsound, exact, classes int
	modes                                                   map[string]int
}

func (c *tally) String() string {
	return fmt.Sprintf("%d statements, %d refused by the database, %d with problems, %d unsound, exact on all classes %.1f %%",
		c.statements, c.rejected, c.problems, c.unsound, 100*float64(c.exact)/float64(max(1, c.statements-c.problems)))
}

// runnable gives a statement its arguments for one token.
func runnable(args []string, token int64) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if a == "t" {
			out[i] = token
			continue
		}
		n, _ := strconv.ParseInt(a, 10, 64)
		out[i] = n
	}
	return out
}

// isToken tells which parameters carry the token.
func isToken(args []string) func(fence.Arg) bool {
	return func(a fence.Arg) bool {
		i, ok := a.Position()
		return ok && i < len(args) && args[i] == "t"
	}
}

// class names the order of a fence and the token.
func class(f sql.NullInt64, t int64) int {
	switch {
	case !f.Valid:
		return 3
	case t < f.Int64:
		return 0
	case t == f.Int64:
		return 1
	}
	return 2
}

func admissions(v fence.Verdict) [4]fence.Admission {
	return [4]fence.Admission{v.Less, v.Equal, v.Greater, v.Null}
}

func run(t *testing.T, db *sql.DB, stmts ...string) {
	t.Helper()
	for _, s := range stmts {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// fill makes table t with every combination of values.
func fill(t *testing.T, d *database, db *sql.DB) {
	t.Helper()
	run(t, db, "DROP TABLE IF EXISTS t", "CREATE TABLE t (id INTEGER PRIMARY KEY, f BIGINT, o DECIMAL(6,1), s VARCHAR(10), p INTEGER NOT NULL DEFAULT 0)")
	var rows []string
	for _, f := range fences {
		for _, o := range others {
			for _, s := range texts {
				rows = append(rows, fmt.Sprintf("(%d, %s, %s, %s)", len(rows)+1, f, o, s))
			}
		}
	}
	run(t, db, "INSERT INTO t (id, f, o, s) VALUES "+strings.Join(rows, ", "))
	run(t, db, "DROP TABLE IF EXISTS w", "CREATE TABLE w (o INTEGER, s VARCHAR(10))",
		"INSERT INTO w (o, s) VALUES (1, 'a'), (2, 'b'), (42, 'xb'), (41, NULL), (NULL, 'a')")
}

// admitted runs the statement and tells for which classes a row was written.
func admitted(db *sql.DB, text string, args []string) (out [4]bool, err error) {
	for _, token := range tokens {
		got, err := admittedOne(db, text, runnable(args, token), token)
		if err != nil {
			return out, err
		}
		for i := range out {
			out[i] = out[i] || got[i]
		}
	}
	return out, nil
}

func admittedOne(db *sql.DB, text string, args []any, token int64) (out [4]bool, err error) {
	tx, err := db.Begin()
	if err != nil {
		return out, err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(text, args...); err != nil {
		return out, err
	}
	rows, err := tx.Query("SELECT DISTINCT f FROM t WHERE p = 1")
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() {
		var f sql.NullInt64
		if err := rows.Scan(&f); err != nil {
			return out, err
		}
		out[class(f, token)] = true
	}
	return out, rows.Err()
}

// compareUpdates runs n random guards; plant may spoil a mutation first.
func compareUpdates(t *testing.T, d *database, seed uint64, n int, plant func(*fence.Mutation)) *tally {
	db := d.open(t)
	fill(t, d, db)
	c := &tally{}
	g := newGen(seed, d.dialect)
	for c.statements < n {
		g.args = nil
		text := "UPDATE t SET p = 1 WHERE " + g.cond(3)
		args := g.args
		if c.statements%10 == 0 && d == postgres { // each run leaves the old rows behind
			run(t, db, "VACUUM t")
		}
		real, err := admitted(db, text, args)
		if err != nil {
			c.rejected++
			if c.rejected > n {
				t.Fatalf("the database refuses too much: %s: %v", text, err)
			}
			continue
		}
		c.statements++
		m := fsql.Parse(text, nil, d.dialect).Statements[0].Mutations[0]
		if plant != nil {
			plant(m)
		}
		v := proveAs(m, isToken(args))
		if len(v.Problems) > 0 {
			c.problems++
			if plant == nil {
				t.Logf("problem %q in %s", v.Problems, text)
			}
		}
		c.score(t, admissions(v), real, text, args, plant == nil)
	}
	return c
}

// proveAs proves m with column f as the fence: a random guard may compare the
// token with other columns too.
func proveAs(m *fence.Mutation, token func(fence.Arg) bool) fence.Verdict {
	return fence.ProveColumn(m, "f", token)
}

func (c *tally) score(t *testing.T, got [4]fence.Admission, real [4]bool, text string, args []string, report bool) {
	exact := true
	for i := range got {
		c.classes++
		switch {
		case got[i] == fence.Never && real[i]:
			c.unsound++
			exact = false
			if report {
				t.Errorf("unsound: class %d is admitted by the database: %s %v", i, text, args)
			}
		case got[i] == fence.Never, got[i] == fence.Admitted && real[i]:
		default:
			exact = false
		}
	}
	if exact {
		c.exact++
	} else if report && testing.Verbose() && *verbose {
		t.Logf("inexact: %v %v: %q %v", got, real, text, args)
	}
}

var verbose = flag.Bool("inexact", false, "print statements on which the verdict is not exact")

func TestUpdates(t *testing.T) {
	for _, d := range databases {
		t.Run(string(d.dialect), func(t *testing.T) {
			for _, seed := range append(fixedSeeds, *fresh) {
				c := compareUpdates(t, d, seed, *count, nil)
				t.Logf("seed %d: %v", seed, c)
			}
		})
	}
}
