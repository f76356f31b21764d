package prove

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// TestReadWrite goes over the corpus of statements: what is called proved by a fence
// refuses what is obsolete, and each reading has a verdict with a reason.
func TestReadWrite(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "fence", "sql", "testdata", "corpus.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	dialects := map[string]fsql.Dialect{"pg": fsql.Postgres, "my": fsql.MySQL, "li": fsql.SQLite, "ms": fsql.SQLServer, "or": fsql.Oracle, "co": fsql.Cockroach}
	count := make(map[string]int)
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 3 || line[0] == '#' {
			continue
		}
		for _, st := range fsql.Parse(strings.ReplaceAll(f[2], `\n`, "\n"), nil, dialects[f[0]]).Statements {
			for _, m := range st.Mutations {
				r := ReadWrite(m, nil, nil)
				count[r.Verdict]++
				if r.Reason == "" || (r.Rule == "") != (r.Verdict == "proved" || r.Guard == "cas") {
					t.Errorf("%s\n%+v", f[2], r)
				}
				if r.Verdict == "proved" && r.Guard == "fence" && (r.Proof.Less != fence.Never || len(r.Proof.Problems) > 0) {
					t.Errorf("%s\nis called proved, and an older token passes", f[2])
				}
			}
		}
	}
	if count["proved"] < 50 || count["refuted"] < 50 || count["unproved"] < 10 {
		t.Errorf("%v", count)
	}
}

func TestTokenOf(t *testing.T) {
	for _, c := range []struct {
		statement string
		want      []fence.Arg
	}{
		{"UPDATE a SET x = $1, fence = $2 WHERE id = $3 AND fence < $2", []fence.Arg{"$2"}},
		{"UPDATE a SET state = $1, fence = $2 WHERE id = $3 AND state = $1 AND fence < $2", []fence.Arg{"$2"}},
		{"UPDATE a SET x = ?, fence = ? WHERE id = ? AND fence < ?", []fence.Arg{"?2", "?4"}},
		{"DELETE FROM a WHERE id = $1 AND epoch <= $2", []fence.Arg{"$2"}},
		{"UPDATE a SET epoch = $2 WHERE id = $1", []fence.Arg{"$2"}},
		{"UPDATE a SET x = $2 WHERE id = $1 AND made < $3", nil},
		{"UPDATE a SET x = $1, version = $2 WHERE id = $3 AND version = $4", nil},
		{"UPDATE a SET x = :x, fence = :epoch WHERE id = :id AND fence < :epoch", []fence.Arg{":epoch"}},
	} {
		m := fsql.Parse(c.statement, nil, fsql.Plausible(c.statement)[0]).Statements[0].Mutations[0]
		if got, why := tokenOf(m); !slices.Equal(got, c.want) || (why == "") != (c.want == nil) {
			t.Errorf("%s: got %v (%s), want %v", c.statement, got, why, c.want)
		}
	}
}
