package sql

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
)

func TestStatements(t *testing.T) {
	tests := []struct {
		d    Dialect
		text string
		want string // kinds and what is known of each
	}{
		{Postgres, "SELECT id, j.body AS b, count(*) FROM jobs j WHERE id = $1", "select read tables=jobs columns=id,b,count ( * ) params=$1"},
		{Postgres, "select 1", "select read columns=1"},
		{Postgres, "SELECT * FROM a.jobs, b LEFT JOIN c ON c.x = b.x WHERE EXISTS (SELECT 1 FROM d)", "select read tables=a.jobs,b,c,d columns=*"},
		{Postgres, "SELECT body FROM jobs WHERE id = $1 FOR UPDATE", "select read tables=jobs columns=body lock=update locked=jobs params=$1"},
		{Postgres, "SELECT body FROM jobs j JOIN o ON true FOR NO KEY UPDATE OF j SKIP LOCKED", "select read tables=jobs,o columns=body lock=update locked=jobs skip"},
		{Postgres, "SELECT 1 FROM locks FOR SHARE NOWAIT", "select read tables=locks columns=1 lock=share locked=locks"},
		{Postgres, "SELECT 1 FROM locks FOR KEY SHARE", "select read tables=locks columns=1"},
		{MySQL, "SELECT 1 FROM locks LOCK IN SHARE MODE", "select read tables=locks columns=1 lock=share locked=locks"},
		{Postgres, "WITH l AS (SELECT 1 FROM locks FOR UPDATE) SELECT * FROM l", "select read tables=locks columns=* locked=locks"},
		{Postgres, "WITH u AS (UPDATE jobs SET a = 1 RETURNING id) SELECT count(*) FROM u", "select columns=count ( * ) writes=update:jobs"},
		{Postgres, "SELECT pg_advisory_xact_lock($1, 7)", "select read columns=pg_advisory_xact_lock ( $1 , 7 ) calls=pg_advisory_xact_lock($1,7) params=$1"},
		{Postgres, "SELECT pg_try_advisory_lock(hashtext('x'))", "select read columns=pg_try_advisory_lock ( hashtext ( 'x' ) ) calls=pg_try_advisory_lock(hashtext ( 'x' ))"},
		{MySQL, "SELECT GET_LOCK('jobs', ?)", "select read columns=get_lock ( 'jobs' , ?1 ) calls=get_lock(\"jobs\",?1) params=?1"},
		{Postgres, "INSERT INTO jobs (id, epoch) VALUES ($1, nextval('s')) RETURNING epoch", "insert calls=nextval(\"s\") params=$1 returning=epoch writes=insert:jobs"},
		{Postgres, "UPDATE jobs SET a = $2 WHERE id = $1 RETURNING *, a + 1 AS b", "update params=$2,$1 returning=*,b writes=update:jobs"},
		{Postgres, "INSERT INTO a.jobs (id) VALUES (1) ON CONFLICT DO NOTHING", "insert writes=insert:a.jobs"},
		{Postgres, "INSERT INTO jobs (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1", "upsert writes=upsert:jobs"},
		{MySQL, "REPLACE INTO jobs (id) VALUES (1)", "upsert writes=replace:jobs"},
		{Cockroach, "UPSERT INTO jobs (id) VALUES (1)", "upsert writes=replace:jobs"},
		{GoogleSQL, "INSERT OR UPDATE INTO jobs (id) VALUES (1)", "insert writes=replace:jobs"},
		{GoogleSQL, "UPDATE @{LOCK_SCANNED_RANGES=exclusive} `Jobs` SET a = \"it\\\"s ' \" WHERE id = @id # no more ' here\nTHEN RETURN a", "update params=@id returning=a writes=update:jobs"},
		{Postgres, "DELETE FROM jobs", "delete writes=delete:jobs"},
		{Postgres, "TRUNCATE TABLE jobs, logs RESTART IDENTITY", "truncate writes=truncate:jobs,truncate:logs"},
		{Postgres, "DROP TABLE IF EXISTS a.jobs", "ddl writes=ddl:a.jobs"},
		{Postgres, "CREATE INDEX i ON jobs (a)", "ddl"},
		{Postgres, "COPY jobs (a, b) FROM STDIN", "insert writes=insert:jobs"},
		{Postgres, "COPY jobs TO STDOUT", "other"},
		{Postgres, "COPY (UPDATE jobs SET a = 1 RETURNING a) TO STDOUT", "insert"},
		{Postgres, "SELECT a, b INTO TEMP kept FROM jobs", "select tables=jobs columns=a,b writes=ddl:kept"},
		{SQLServer, "SELECT a INTO kept FROM jobs", "select tables=jobs columns=a writes=ddl:kept"},
		{MySQL, "SELECT a INTO OUTFILE '/x' FROM jobs", "select read columns=a problem=SELECT INTO problem=not understood"},
		{Postgres, "REFRESH MATERIALIZED VIEW CONCURRENTLY mv", "ddl writes=ddl:mv"},
		{Postgres, "DROP SCHEMA IF EXISTS app CASCADE", "ddl writes=ddl:app"},
		{Postgres, "CREATE SCHEMA app", "ddl"},
		{MySQL, "OPTIMIZE TABLE jobs", "other"},
		{Postgres, "GRANT SELECT ON TABLE jobs TO x", "other"},
		{Postgres, "CREATE FUNCTION f() RETURNS table (a int) AS 'x' LANGUAGE sql", "ddl"},
		{Postgres, "EXPLAIN SELECT 1", "other"},
		{Postgres, "EXPLAIN (ANALYZE, BUFFERS) UPDATE jobs SET a = 1", "update writes=update:jobs"},
		{Postgres, "EXPLAIN ANALYZE DELETE FROM jobs", "delete writes=delete:jobs"},
		{SQLServer, "SET NOCOUNT ON UPDATE jobs SET a = 1", "unknown problem=one statement follows another without a semicolon"},
		{SQLServer, "BEGIN TRAN DELETE FROM jobs COMMIT", "unknown problem=one statement follows another without a semicolon"},
		{Postgres, "DECLARE c CURSOR FOR SELECT a FROM jobs FOR UPDATE", "set"},
		{SQLServer, "SELECT a FROM jobs DELETE FROM jobs", "select tables=jobs columns=a problem=not understood"},
		{Postgres, "SELECT mark($1), app.now(), pg_catalog.now(), json_agg(x), lo_unlink(1) FROM g(2)", "select read columns=mark ( $1 ),app . now ( ),pg_catalog . now ( ),json_agg ( x ),lo_unlink ( 1 ) params=$1 foreign=mark,app.now,lo_unlink,g"},
		{MySQL, "DO apply(1)", "call problem=the block that it runs may write"},
		{MySQL, "LOAD DATA INFILE 'x' INTO TABLE jobs", "insert writes=insert:jobs"},
		{Postgres, "BEGIN; SET LOCAL lock_timeout = 1; LOCK TABLE jobs; COMMIT; ROLLBACK; SAVEPOINT a", "begin; set; lock; commit; rollback; other"},
		{Postgres, "CALL p($1)", "call params=$1 problem=the procedure that it calls may write"},
		{SQLServer, "EXEC sp_getapplock @Resource = 'x'", "call calls=sp_getapplock() params=@Resource problem=the procedure that it calls may write"},
		{SQLite, "CREATE TRIGGER x AFTER UPDATE ON t BEGIN UPDATE u SET a = 1; DELETE FROM v; END; SELECT 1", "ddl; select read columns=1"},
		{Postgres, "CREATE FUNCTION f() RETURNS int AS $$ BEGIN; RETURN 1; END $$ LANGUAGE plpgsql; SELECT 1", "ddl; select read columns=1"},
		{Postgres, " ;; ", ""},
		{Postgres, "", ""},
		{Postgres, "frobnicate jobs", "unknown problem=statement not understood"},
		{Postgres, "SELECT * FROM f($1) AS x(a, b), LATERAL (SELECT a) y, unnest(ARRAY[1]) WITH ORDINALITY", "select read columns=* params=$1 foreign=f"},
		{Postgres, "(SELECT 1 FROM a) UNION ALL (SELECT 2 FROM b) ORDER BY 1", "select read tables=a,b columns=1"},
		{Postgres, "VALUES (1), (2)", "select read"},
	}
	for _, tt := range tests {
		var got []string
		for _, st := range Parse(tt.text, nil, tt.d).Statements {
			got = append(got, describe(&st))
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, s, tt.want)
		}
	}
}

func describe(st *Statement) string {
	out := []string{st.Kind}
	add := func(name string, vals []string) {
		if len(vals) > 0 {
			out = append(out, name+"="+strings.Join(vals, ","))
		}
	}
	if st.Read {
		out = append(out, "read")
	}
	add("tables", st.Tables)
	add("columns", st.Columns)
	if st.RowLock != "" {
		out = append(out, "lock="+st.RowLock)
	}
	add("locked", st.Locked)
	if st.SkipLocked {
		out = append(out, "skip")
	}
	var calls, params, writes []string
	for _, c := range st.Calls {
		var args []string
		for _, a := range c.Args {
			args = append(args, fence.TermString(a))
		}
		calls = append(calls, c.Name+"("+strings.Join(args, ",")+")")
	}
	for _, p := range st.Params {
		params = append(params, string(p))
	}
	for _, m := range st.Mutations {
		writes = append(writes, m.Kind.String()+":"+m.Resource)
	}
	add("calls", calls)
	add("params", params)
	add("foreign", st.Foreign)
	add("returning", st.Returning)
	add("writes", writes)
	for _, p := range st.Problems {
		out = append(out, "problem="+p.Reason)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	tests := []struct {
		d    Dialect
		text string
		want string
	}{
		{Postgres, `a "B""c" 'd''e' E'f\'g' $1 $$h'$$ $x$i$$j$x$`, `a B""c d'e f'g $1 h' i$$j`},
		{Postgres, "a--b\nc/*d/*e*/f*/g", "a c g"},
		{MySQL, "a--b\nc -- d\ne/*f/*g*/h#i\nj", "a - - b c e h j"},
		{MySQL, "/*! a */ /*!50000 b */ c", "a b c"},
		{MySQL, "`a``b` \"c\" 'd\\'e' ? ?", "a``b c d'e ?1 ?2"},
		{SQLite, "[a b] ?3 ? :x @y $z", "a b ?3 ?4 :x @y $z"},
		{Postgres, "a::int a[1:2] :x ::y", "a :: int a [ 1 : 2 ] :x :: y"},
		{Postgres, "m ? 'k' AND n ?| $1 AND o = ? OR p @> q", "m ? k and n ?| $1 and o = ?1 or p @> q"},
		{Oracle, "q'[it's]' nq'!a'b!' :1 :x", "it's a'b :1 :x"},
		{Postgres, "1.5e-3 0x1F .5 1_000 2a", "1.5e-3 0x1F .5 1_000 2a"},
		{Postgres, "é = $2", "é = $2"},
		{Postgres, "x'10' b'1' n'a' u&'b'", "x'10 b'1 a u & b"},
		{SQLServer, "[dbo].[t] @p1 @@rowcount N'x'", "dbo . t @p1 @@ rowcount x"},
	}
	for _, tt := range tests {
		toks, problems := lex(tt.text, nil, tt.d)
		var got []string
		for _, x := range toks[:len(toks)-1] {
			got = append(got, x.text)
		}
		if s := strings.Join(got, " "); s != tt.want || len(problems) > 0 {
			t.Errorf("%s: %s\n got %s\nwant %s (%v)", tt.d, tt.text, s, tt.want, problems)
		}
	}
}

func TestUnclosed(t *testing.T) {
	for _, text := range []string{"UPDATE t SET a = 'x WHERE f < $2", "UPDATE t SET a = 1 /* WHERE f < $2", "UPDATE t SET a = $q$x WHERE f < $2", `UPDATE t SET "a = 1 WHERE f < $2`} {
		s := Parse(text, nil, Postgres)
		if len(s.Statements) != 1 || len(s.Statements[0].Problems) == 0 {
			t.Errorf("%s: no problem", text)
			continue
		}
		for _, m := range s.Statements[0].Mutations {
			if v := fence.Prove(m, nil); v.RejectsStale != fence.Unknown {
				t.Errorf("%s: rejects stale %v", text, v.RejectsStale)
			}
		}
	}
}

func TestProblemPlace(t *testing.T) {
	text := "SELECT 1;\nUPDATE t SET f = $2 WHERE f < $2 \uE000; SELECT 2"
	s := Parse(text, []Hole{{Reason: "tail is built at run time"}}, Postgres)
	p := s.Statements[1].Mutations[0].Problems
	if len(p) != 1 || p[0].Offset != strings.IndexRune(text, '\uE000') || !strings.Contains(p[0].Reason, "tail is built at run time") || p[0].Text != "…; SELECT 2" {
		t.Errorf("problems %+v", p)
	}
	if len(s.Statements[0].Problems)+len(s.Statements[2].Problems) > 0 {
		t.Error("the neighbours have problems too")
	}
}

func TestMutationDetails(t *testing.T) {
	s := Parse("INSERT INTO jobs (id, f, p) VALUES ($1, $2, 'x') ON CONFLICT (id, lower(k)) DO UPDATE SET f = EXCLUDED.f RETURNING id", nil, Postgres)
	m := s.Statements[0].Mutations[0]
	if m.OnConflict != "update" || !slices.Equal(m.ConflictOn, []string{"id"}) || !m.Returning || m.InsertPath != fence.Open {
		t.Errorf("%+v", m)
	}
	want := []fence.Assign{{Column: "id", Value: fence.Input{Arg: "$1"}}, {Column: "f", Value: fence.Input{Arg: "$2"}}, {Column: "p", Value: fence.Lit{Text: "x"}}}
	if !reflect.DeepEqual(m.InsertRow, want) {
		t.Errorf("row %v", m.InsertRow)
	}
	if got := m.Assigned("f"); got != fence.Term(fence.Input{Arg: "$2"}) {
		t.Errorf("f becomes %v", got)
	}
	for text, want := range map[string]string{
		"INSERT INTO t (a) VALUES (1)": "error", "INSERT IGNORE INTO t (a) VALUES (1)": "nothing", "REPLACE INTO t (a) VALUES (1)": "replace",
		"INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = a": "nothing", "INSERT INTO t (a) VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING": "nothing",
	} {
		if got := Parse(text, nil, MySQL).Statements[0].Mutations[0].OnConflict; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	s := Parse("SELECT payload FROM jobs WHERE id = $1 AND last_fence <= $2 FOR UPDATE", nil, Postgres)
	m := s.Statements[0].Check()
	if m == nil || m.Resource != "jobs" {
		t.Fatalf("check %+v", m)
	}
	if v := fence.Prove(m, func(a fence.Arg) bool { return a == "$2" }); v.RejectsStale != fence.Yes || v.Column != "last_fence" || v.Advances != "absent" {
		t.Errorf("verdict %+v", v)
	}
	if Parse("DELETE FROM jobs", nil, Postgres).Statements[0].Check() != nil {
		t.Error("a DELETE is no check")
	}
}

func TestFragments(t *testing.T) {
	token := func(a fence.Arg) bool { return a == "?2" }
	tests := []struct {
		text     string
		first    int
		want     fence.Tri
		problems int
	}{
		{"last_fence < ?", 1, fence.Yes, 0},
		{"jobs.last_fence < ?", 1, fence.Yes, 0},
		{"other.last_fence < ?", 1, fence.No, 0},
		{"id = ? AND last_fence < ?", 0, fence.Yes, 0},
		{"id = ? OR last_fence < ?", 0, fence.No, 0},
		{"last_fence < ? )", 1, fence.Unknown, 1},
		{"last_fence < ? -- )", 1, fence.Yes, 0},
		{"last_fence \uE000 ?", 1, fence.Unknown, 1},
		{"", 0, fence.Unknown, 1},
	}
	for _, tt := range tests {
		f := Context{Dialect: MySQL, Table: "jobs", First: tt.first, Holes: []Hole{{}}}.Condition(tt.text)
		v := fence.Prove(&fence.Mutation{Guard: f.Cond, Set: []fence.Assign{{Column: "last_fence", Value: fence.Input{Arg: "?2"}}}, Problems: f.Problems}, token)
		if v.RejectsStale != tt.want || (len(f.Problems) > 0) != (tt.problems > 0) {
			t.Errorf("%q: rejects stale %v, problems %v", tt.text, v.RejectsStale, f.Problems)
		}
	}
	f := Context{Table: "jobs"}.Value("GREATEST(last_fence, ?)")
	want := fence.Apply{Fn: fence.Greatest, Args: []fence.Term{fence.Stored{Column: "last_fence"}, fence.Input{Arg: "?1"}}}
	if !reflect.DeepEqual(f.Value, fence.Term(want)) || len(f.Problems) > 0 || !slices.Equal(f.Params, []fence.Arg{"?1"}) {
		t.Errorf("value %#v", f)
	}
}

func TestPlausible(t *testing.T) {
	for text, want := range map[string]string{
		"UPDATE t SET f = $1 WHERE f < $1":                                "[postgres]",
		"UPDATE t SET f = ? WHERE f < ?":                                  "[postgres mysql sqlite]",
		"INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE a = 1":      "[mysql]",
		"INSERT INTO t (a) VALUES (?) ON CONFLICT DO NOTHING":             "[postgres sqlite]",
		"UPDATE `t` SET f = ?":                                            "[mysql sqlite]",
		"UPDATE t SET f = @p1":                                            "[postgres sqlserver]",
		"UPDATE t SET f = :1":                                             "[sqlite oracle]",
		"UPDATE t SET f = 1":                                              "[postgres mysql sqlite sqlserver oracle]",
		"SELECT 1 FROM t FOR UPDATE SKIP LOCKED":                          "[postgres mysql oracle]",
		"UPDATE `t` SET f = $1":                                           "[postgres mysql sqlite sqlserver oracle]",
		"UPDATE t SET a = 'INSERT IGNORE', f = ? WHERE b::text = 'merge'": "[postgres]",
	} {
		if got := fmt.Sprint(Plausible(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestGuardTraps are texts that look guarded and are not, or the reverse.
func TestGuardTraps(t *testing.T) {
	token := func(a fence.Arg) bool { return a == "$2" || a == "?2" }
	tests := []struct {
		d    Dialect
		text string
		want fence.Tri
	}{
		{Postgres, "UPDATE t SET f = $2 WHERE (status <> '05' AND status = '5') OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE (o > 1 AND o < 2) OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE (o > 2 AND o < 1) OR f < $2", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 WHERE (s = 'é' AND s = 'e') OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE (s = 'a' AND s = 'A') OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE (s = 'a' AND s = 'b') OR f < $2", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 WHERE (random() < 0.5 AND NOT random() < 0.5) OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE (lower(s) = 'x' AND NOT lower(s) = 'x') OR f < $2", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 WHERE (s LIKE 'a%' AND EXISTS (SELECT 1 FROM u WHERE NOT s LIKE 'a%')) OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE EXISTS (SELECT 1 FROM u WHERE a = 1) AND NOT EXISTS (SELECT 1 FROM u WHERE a = 1) OR f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 WHERE id NOT IN (SELECT id FROM u WHERE v IS NULL) AND f < $2", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 FROM u WHERE u.f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 FROM t u WHERE u.f < $2", fence.No},
		{Postgres, "UPDATE t SET f = $2 FROM u LEFT JOIN w ON t.f < $2 WHERE u.id = t.id", fence.No},
		{Postgres, "UPDATE t SET f = $2 FROM u JOIN w ON t.f < $2 WHERE u.id = t.id", fence.Yes},
		{Postgres, "WITH t2 AS (SELECT * FROM t WHERE f < $2) UPDATE t SET f = $2 FROM t2 WHERE t.id = t2.id", fence.No},
		{Postgres, "WITH t AS (SELECT 1) UPDATE t SET f = $2 WHERE f < $2", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 WHERE f < $2 AND $2 = ANY('{1,2}')", fence.Yes},
		{Postgres, "UPDATE t SET f = $2 WHERE f < $2 UNION SELECT 1", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2 WHERE f < $2 'x'", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2 WHERE f <", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2 WHERE (f < $2", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2, WHERE f < $2", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2 WHERE f < $2)", fence.Unknown},
		{Postgres, "UPDATE t SET f = $2 WHERE f < $2 OR", fence.Unknown},
		{Postgres, "UPDATE t SET WHERE f < $2", fence.Unknown},
		{Postgres, "UPDATE SET f = $2 WHERE f < $2", fence.Unknown},
		{MySQL, "UPDATE t JOIN u ON u.id = t.id SET t.f = ?, u.f = ? WHERE t.f < ?2", fence.No},
		{MySQL, "UPDATE t JOIN u USING (id) SET t.a = 1, t.b = t.a, t.f = ?2 WHERE t.f < ?2", fence.Unknown},
		{MySQL, "UPDATE t SET f = ?2 WHERE f < ?2 || 0", fence.Yes},
		{MySQL, "UPDATE t SET f = ?2 WHERE ! (f >= ?2)", fence.Yes},
		{MySQL, "UPDATE t SET f = ?2 WHERE ! f >= ?2", fence.Yes},
		{Postgres, "INSERT INTO t (id, f) VALUES (1, $2) ON CONFLICT (id) DO UPDATE SET f = $2 WHERE t.f < $2 ON CONFLICT (x) DO UPDATE SET f = $2", fence.Unknown},
		{Postgres, "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.x THEN DO NOTHING WHEN MATCHED AND t.f < $2 THEN UPDATE SET f = $2", fence.Yes},
		{Postgres, "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND t.f < $2 THEN DO NOTHING WHEN MATCHED THEN UPDATE SET f = $2", fence.No},
		{Oracle, "MERGE INTO t USING s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET f = $2 WHERE t.f < $2 DELETE WHERE t.x = 1", fence.Yes},
	}
	for _, tt := range tests {
		worst := fence.Yes
		rank := map[fence.Tri]int{fence.No: 0, fence.Unknown: 1, fence.Yes: 2}
		n := 0
		var problems []string
		for _, st := range Parse(tt.text, nil, tt.d).Statements {
			for _, m := range st.Mutations {
				n++
				v := fence.Prove(m, token)
				if rank[v.RejectsStale] < rank[worst] {
					worst = v.RejectsStale
				}
				problems = append(problems, v.Problems...)
			}
		}
		if worst != tt.want || n == 0 {
			t.Errorf("%s: %v of %d, want %v (%q)", tt.text, worst, n, tt.want, problems)
		}
	}
}

// A hole before a column is its table where the same hole has named the table before.
func TestHoleQualifies(t *testing.T) {
	for _, tt := range []struct {
		text  string
		clear bool
	}{
		{"UPDATE \ue000 SET e = $1 WHERE \ue000.e < $1", true},
		{"UPDATE \"\ue000\" SET e = $1 WHERE \"\ue000\".e < $1", true},
		{"INSERT INTO \ue000 (id, e) VALUES ($2, $1) ON CONFLICT (id) DO UPDATE SET e = $1 WHERE \ue000.e < $1", true},
		{"UPDATE \ue000 SET e = $1 WHERE \ue001.e < $1", false},
		{"UPDATE t SET e = $1 WHERE \ue000.e < $1", false},
		{"UPDATE \ue000 SET e = $1 WHERE \ue000 < $1", false},
		{"UPDATE \ue000 SET e = $1 WHERE \"\ue000\".e < $1", false},
	} {
		s := Parse(tt.text, []Hole{{Reason: "a"}, {Reason: "b"}}, Postgres)
		if len(s.Statements) != 1 || len(s.Statements[0].Mutations) != 1 {
			t.Errorf("%q: %d statements", tt.text, len(s.Statements))
			continue
		}
		if m := s.Statements[0].Mutations[0]; (len(m.Problems) == 0) != tt.clear {
			t.Errorf("%q: problems %v, guard %v", tt.text, m.Problems, m.Guard)
		}
	}
}
