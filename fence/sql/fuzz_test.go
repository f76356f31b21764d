package sql

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fencelint/fencelint/fence"
)

var seeds = []string{
	"UPDATE jobs SET payload = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	"WITH g AS (UPDATE f SET e = $2 WHERE e < $2 RETURNING 1) UPDATE jobs SET p = $3 FROM g WHERE EXISTS (SELECT 1 FROM g)",
	"MERGE INTO t USING (VALUES ($1, $2)) AS s(a, b) ON t.a = s.a WHEN MATCHED AND t.b < s.b THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)",
	"INSERT INTO j (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b WHERE j.b < EXCLUDED.b RETURNING *",
	"INSERT INTO j SET a = 1, b = ? ON DUPLICATE KEY UPDATE b = IF(VALUES(b) > b, VALUES(b), b)",
	"DELETE j FROM jobs j INNER JOIN c ON c.id = j.c WHERE j.f <=> ? && NOT j.g || 1",
	"SELECT a.*, count(*) FROM a LEFT JOIN b USING (x), LATERAL (SELECT 1) z WHERE (a.x, b.y) IN ((1, 2)) GROUP BY 1 HAVING max(x) > 1 UNION ALL SELECT 1 ORDER BY 1 LIMIT 1 FOR UPDATE OF a SKIP LOCKED",
	"UPDATE t SET a[1] = CASE x WHEN 1 THEN 2 ELSE NULL END, (b, c) = (SELECT 1, 2) WHERE x BETWEEN SYMMETRIC 1 AND 2 AND y IS NOT DISTINCT FROM $1::numeric(10,2)",
	"CREATE TRIGGER x BEFORE UPDATE ON t BEGIN UPDATE u SET a = 1; END; SELECT pg_advisory_lock(1)",
	"UPDATE t SET a = '\uE000', \uE001 = 1 WHERE x = E'it\\'s' /* \uE002 */ AND y \uE003 5 -- z\r\n;",
	"UPDATE TOP (1) [t] WITH (UPDLOCK) SET a += 1 OUTPUT inserted.a WHERE [x] = @p1 AND a ->> '$.b' ? 'c' # d",
	"$$ a $b$ c $b$ ' \" ` [ { ( ) } ]", "((((((((((", "select case when case when", "insert into", "with a as (", "?::?:?", "/*/*/**/", "q'[it's]' || nq'!x!'",
}

func FuzzParse(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		ds := append(Dialects(), "")
		d := ds[int(n)%len(ds)]
		holes := []Hole{{Ident: n&8 != 0}, {Starts: ", "}, {Reason: "r"}}
		start := time.Now()
		s := Parse(text, holes, d)
		token := func(a fence.Arg) bool { return a != "$1" && a != "?1" }
		for _, st := range s.Statements {
			for _, m := range st.Mutations {
				v := fence.Prove(m, token)
				if len(v.Problems) > 0 && v.RejectsStale == fence.Yes {
					t.Errorf("a proof in spite of problems %q", v.Problems)
				}
				fence.ProveColumn(m, "a", token)
				fence.Fences(m)
			}
			for _, x := range st.Problems {
				if x.Offset < 0 || x.Offset > len(text) || x.Reason == "" {
					t.Errorf("bad problem %+v", x)
				}
			}
		}
		Context{Dialect: d, Holes: holes, Table: "t"}.Condition(text)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d bytes took %v", len(text), d)
		}
	})
}

// TestNonsense reads a megabyte of nonsense of several kinds in bounded time, and asks for
// a bounded amount of memory.
func TestNonsense(t *testing.T) {
	var longest time.Duration
	var most uint64
	size := 1 << 20
	if testing.Short() {
		size = 1 << 16
	}
	for _, piece := range []string{
		"(", ")", "((SELECT ", "SELECT ", "a=1 OR ", "NOT ", "- ", "'", "''", "$$", "$a$ $b$ ", "/*", "/*!", "?", "? ", "::", "[", "]", "a[", "a.", "with x as (", "update t set a = (",
		"case when ", "insert into t values (1),", "f < $2 AND ", "x = $1 + 1 OR ", "EXISTS (SELECT 1 FROM a WHERE ", ";", "; update t set f = $2 where f < $2", "\uE000", "\x00", "\xff", "a,", "from a join b on ",
		"coalesce(", "in (", "between 1 and ", "f IN ($2, 1, 2, 3) AND ", "`", "\"", "@", ":a", "begin create trigger x; ", "create function f() begin ; ", "merge into t using s on a = b when matched then update set f = $2 ",
	} {
		for _, prefix := range []string{"", "UPDATE t SET f = $2 WHERE "} {
			text := prefix + strings.Repeat(piece, size/len(piece))
			start, before := time.Now(), allocated()
			s := Parse(text, []Hole{{}}, Postgres)
			for _, st := range s.Statements {
				for _, m := range st.Mutations {
					fence.Prove(m, func(a fence.Arg) bool { return a == "$2" })
				}
			}
			d, n := time.Since(start), allocated()-before
			longest, most = max(longest, d), max(most, n)
			if d > 20*time.Second || n > 1<<30 {
				t.Errorf("%q %q: %v, %d MB", prefix, piece, d, n>>20)
			}
		}
	}
	t.Logf("%d bytes each: at most %v, %d MB asked for", size, longest, most>>20)
}

// allocated is what the process has asked for so far, given back or not.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
