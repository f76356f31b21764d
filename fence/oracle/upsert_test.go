package oracle

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// Table u has one row for each state (f, o); the payload is 1 before and 777
// when it was written.
var upsertFences = []string{"NULL", "0", "1", "4", "5", "6", "41", "42", "43", "100", "-1"}
var upsertOthers = []string{"NULL", "0", "1", "2", "5", "9"}

// state is a row before and after.
type state struct {
	f, f2   sql.NullInt64
	written bool // the payload, or the other column
}

// runEffect runs the statement once for every row and returns all states.
func runEffect(db *sql.DB, s statement, token int64) ([]state, error) {
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	for id := 1; id <= len(upsertFences)*len(upsertOthers); id++ {
		if _, err := tx.Exec(s.at(id), runnable(s.args, token)...); err != nil {
			return nil, err
		}
	}
	rows, err := tx.Query("SELECT f0, f, p, q FROM u ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []state
	for rows.Next() {
		var st state
		var p int64
		var q sql.NullInt64
		if err := rows.Scan(&st.f, &st.f2, &p, &q); err != nil {
			return nil, err
		}
		st.written = p == 777 || q != sql.NullInt64{Int64: 6, Valid: true}
		out = append(out, st)
	}
	return out, rows.Err()
}

func fillEffects(t *testing.T, db *sql.DB) {
	run(t, db, "DROP TABLE IF EXISTS u", "CREATE TABLE u (id INTEGER PRIMARY KEY, f BIGINT, f0 BIGINT, o INTEGER, s VARCHAR(10), p INTEGER, q BIGINT)",
		"DROP TABLE IF EXISTS w", "CREATE TABLE w (o INTEGER, s VARCHAR(10))", "INSERT INTO w (o, s) VALUES (1, 'a'), (2, 'b'), (42, 'xb'), (41, NULL), (NULL, 'a')")
	id := 0
	for _, f := range upsertFences {
		for _, o := range upsertOthers {
			id++
			run(t, db, fmt.Sprintf("INSERT INTO u (id, f, f0, o, s, p, q) VALUES (%d, %s, %s, %s, %s, 1, 6)", id, f, f, o, texts[id%len(texts)]))
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
			if *verbose {
				t.Logf("refused: %v: %s", err, s.at(1))
			}
			if c.rejected++; c.rejected > n {
				t.Fatalf("the database refuses too much: %s: %v", s.at(1), err)
			}
			continue
		}
		c.statements++
		m := fsql.Parse(s.at(1), nil, d.dialect).Statements[0].Mutations[0]
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
	if len(v.Problems) > 0 {
		return
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
