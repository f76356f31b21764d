package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tidb "github.com/pingcap/tidb/pkg/parser"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// grammar is a parser of somebody else, for one dialect.
type grammar struct {
	name    string
	dialect fsql.Dialect
	read    func(string) ([]reading, error)
}

func grammars() []grammar {
	p := tidb.New()
	return []grammar{
		{"PostgreSQL", fsql.Postgres, readPostgres},
		{"TiDB", fsql.MySQL, func(s string) ([]reading, error) { return readMySQL(p, s) }},
	}
}

// parserTally counts what became of the statements given to a grammar.
type parserTally struct{ all, refused, dark, other, compared, agreed int }

func (c *parserTally) String() string {
	return fmt.Sprintf("%d statements: %d not accepted there, %d not understood here, %d write nothing that is compared, %d compared, %d agreed", c.all, c.refused, c.dark, c.other, c.compared, c.agreed)
}

// compare gives a text to both parsers.
func (c *parserTally) compare(t *testing.T, g grammar, text string) {
	c.all++
	theirs, err := g.read(text)
	if err != nil {
		c.refused++
		return
	}
	var ours []*fence.Mutation
	for _, st := range fsql.Parse(text, nil, g.dialect).Statements {
		for _, m := range st.Mutations {
			if len(m.Problems) > 0 {
				c.dark++
				return
			}
			if m.Kind != fence.Truncate && m.Kind != fence.DDL {
				ours = append(ours, m)
			}
		}
	}
	if len(theirs) == 0 {
		c.other++
		return
	}
	c.compared++
	if why := differ(ours, theirs); why != "" {
		t.Errorf("%s reads it otherwise: %s\n%s", g.name, text, why)
		return
	}
	c.agreed++
}

// differ says where two readings part, "" if they do not.
func differ(ours []*fence.Mutation, theirs []reading) string {
	tables := func() string {
		var have, want []string
		for _, m := range ours {
			have = append(have, m.Resource)
		}
		for _, r := range theirs {
			want = append(want, r.table)
		}
		return fmt.Sprintf("tables %q, there %q", have, want)
	}
	if len(ours) == 1 && len(theirs) == 1 {
		return differOne(ours[0], &theirs[0])
	}
	if len(theirs) == 1 { // MERGE, or a join: several writes, one table if it is told
		for _, m := range ours {
			if theirs[0].table != "" && m.Resource != theirs[0].table {
				return tables()
			}
		}
		return ""
	}
	if len(ours) != len(theirs) {
		return tables()
	}
	for i, m := range ours {
		if why := differOne(m, &theirs[i]); why != "" {
			return why
		}
	}
	return ""
}

func differOne(m *fence.Mutation, r *reading) string {
	if r.table != "" && m.Resource != r.table {
		return fmt.Sprintf("table %q, there %q", m.Resource, r.table)
	}
	var cols, into []string
	for _, a := range m.Set {
		cols = append(cols, a.Column)
	}
	for _, a := range m.InsertRow {
		if a.Column != "" {
			into = append(into, a.Column)
		}
	}
	kept := m.Kind == fence.Insert && m.OnConflict == "nothing" // it assigns columns to themselves
	if !kept && m.Kind != fence.Merge && !slices.Equal(cols, r.cols) {
		return fmt.Sprintf("assigns %q, there %q", cols, r.cols)
	}
	if r.plain && !slices.Equal(into, r.into) && m.Kind != fence.Merge {
		return fmt.Sprintf("inserts %q, there %q", into, r.into)
	}
	if !r.plain {
		return ""
	}
	if a, b := condTree(m.Guard), condTree(r.where); !agree(a, b) {
		return fmt.Sprintf("condition %v\n    there %v", a, b)
	}
	for i, s := range r.sets {
		if kept {
			break
		}
		if a, b := termTree(m.Set[i].Value), termTree(s.Value); !agree(a, b) {
			return fmt.Sprintf("%s = %v, there %v", s.Column, a, b)
		}
	}
	return ""
}

// tables of statements; each gives a dialect and a text.
func corpusTexts(t *testing.T, d fsql.Dialect) []string {
	t.Helper()
	short := map[fsql.Dialect]string{fsql.Postgres: "pg", fsql.MySQL: "my"}[d]
	var out []string
	files := []string{"../sql/testdata/corpus.tsv", "../sql/testdata/judged.tsv"}
	if dir := os.Getenv("FENCELINT_RESEARCH"); dir != "" {
		files = append(files, filepath.Join(dir, "sql-corpus.tsv"))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			if len(f) > 2 && (f[0] == short || f[1] == string(d)) {
				text := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(f[2])
				if d == fsql.Postgres {
					text = numbered(text)
				}
				out = append(out, text)
			}
		}
	}
	return out
}

var named = regexp.MustCompile(`(^|[^:\w'])[:@]([a-z]\w*)`)

// numbered replaces :name and @name, which libraries do before PostgreSQL sees a text.
func numbered(text string) string {
	var names []string
	return named.ReplaceAllStringFunc(text, func(s string) string {
		part := named.FindStringSubmatch(s)
		i := slices.Index(names, part[2])
		if i < 0 {
			i = len(names)
			names = append(names, part[2])
		}
		return fmt.Sprintf("%s$%d", part[1], i+1)
	})
}

// TestParserCorpus compares the reading of every statement of the tables.
func TestParserCorpus(t *testing.T) {
	for _, g := range grammars() {
		t.Run(g.name, func(t *testing.T) {
			c := &parserTally{}
			for _, s := range corpusTexts(t, g.dialect) {
				c.compare(t, g, s)
			}
			t.Log(c)
			if c.compared*2 < c.all {
				t.Errorf("less than half could be compared")
			}
		})
	}
}

// TestParserRandom compares the reading of random guards, upserts, and of operators
// without parentheses.
func TestParserRandom(t *testing.T) {
	for _, g := range grammars() {
		t.Run(g.name, func(t *testing.T) {
			for _, seed := range append(fixedSeeds, *fresh) {
				guards, effects, flat := &parserTally{}, &parserTally{}, &parserTally{}
				r := newGen(seed, g.dialect)
				for range *count {
					r.args = nil
					guards.compare(t, g, "UPDATE t SET p = 1 WHERE "+r.cond(3))
					s := r.effect()
					effects.compare(t, g, s.at(1))
					flat.compare(t, g, "UPDATE t SET p = 1 WHERE "+r.flat(1+r.IntN(6)))
				}
				t.Logf("seed %d: guards: %v", seed, guards)
				t.Logf("seed %d: upserts and assignments: %v", seed, effects)
				t.Logf("seed %d: operators: %v", seed, flat)
			}
		})
	}
}

// TestParserNotices shows that the comparison would tell such misreadings.
func TestParserNotices(t *testing.T) {
	const right = "UPDATE t SET p = $2, f = $1 WHERE id = $3 AND f < $1"
	for _, wrong := range []string{
		"UPDATE u SET p = $2, f = $1 WHERE id = $3 AND f < $1",
		"UPDATE t SET p = $2, g = $1 WHERE id = $3 AND f < $1",
		"UPDATE t SET p = $2, f = $2 WHERE id = $3 AND f < $1",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3 AND f <= $1",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3 AND f < $2",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3 AND g < $1",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3 OR f < $1",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3 AND NOT f < $1",
		"UPDATE t SET p = $2, f = $1 WHERE id = $3",
		"UPDATE t SET p = $2, f = $1 WHERE (id = $3) = (f < $1)",
		"UPDATE t SET p = $2, f = COALESCE($1, 0) WHERE id = $3 AND f < $1",
		"UPDATE t SET p = $2, f = $1 FROM u WHERE id = $3 AND g < $1; UPDATE t SET p = 1",
	} {
		theirs, err := readPostgres(wrong)
		if err != nil {
			t.Fatal(err)
		}
		ours := fsql.Parse(right, nil, fsql.Postgres).Statements[0].Mutations
		if differ(ours, theirs) == "" {
			t.Errorf("not noticed: %s", wrong)
		}
	}
}
