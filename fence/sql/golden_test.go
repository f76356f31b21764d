package sql

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
)

var update = flag.Bool("update", false, "rewrite the verdicts of testdata/corpus.tsv; read the difference before you commit it")

// fields gives a verdict in the words of a corpus.
func fields(v fence.Verdict) []string {
	yn := func(t fence.Tri) string {
		return map[fence.Tri]string{fence.Yes: "y", fence.No: "n", fence.Unknown: "?"}[t]
	}
	null, adv := v.NullRule, v.Advances
	if null == "na" {
		null = "n/a"
	}
	if adv == "na" {
		adv = "n/a"
	}
	return []string{v.RejectsStale.String(), yn(v.AdmitsEqual), yn(v.Progress), null, adv, v.Shape}
}

// details says in words what the six fields of a verdict leave out.
func details(v fence.Verdict) string {
	var out []string
	add := func(cond bool, format string, args ...any) {
		if cond {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(v.Column != "", "fence=%s", strings.TrimPrefix(v.Table+"."+v.Column, "."))
	add(v.Insert != fence.Closed, "insert=%s", v.Insert)
	add(len(v.StoredIn) > 0, "stored=%s", strings.Join(v.StoredIn, ","))
	if v.Replay != nil {
		out = append(out, fmt.Sprintf("replay=%s:%s", v.Replay.Kind, v.Replay.Column))
	}
	for _, c := range v.Cas {
		add(c.Moved, "cas=%s:%s", c.Column, c.Arg)
	}
	for _, o := range v.Others {
		add(true, "other=%s.%s:%v", o.Table, o.Column, o.Locked)
	}
	add(len(v.Casts) > 0, "casts=%s", strings.Join(v.Casts, ","))
	add(v.RejectsStale == fence.Yes && v.ZeroToken == fence.Admitted, "zero")
	add(v.RejectsStale == fence.Yes && v.NullToken == fence.Admitted, "null")
	add(v.Payload == fence.No, "silent")
	add(v.Monotone, "monotone")
	for _, p := range v.Problems {
		add(true, "problem=%s", p)
	}
	return strings.Join(out, " ")
}

// TestCorpus compares every mutation of every statement of the corpus with the
// verdict beside it.
func TestCorpus(t *testing.T) {
	const path = "testdata/corpus.tsv"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 3 {
			t.Fatalf("line %d: %d fields", i+1, len(f))
		}
		text, holes := Marked(strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(f[2]))
		got := verdicts(Parse(text, holes, shortDialect[f[0]]), strings.Fields(f[1]))
		want := ""
		if len(f) > 3 {
			want = f[3]
		}
		if got != want {
			if *update {
				lines[i] = strings.Join(append(f[:3:3], got), "\t")
				continue
			}
			t.Errorf("line %d: %s\n got %s\nwant %s", i+1, f[2], got, want)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var shortDialect = map[string]Dialect{"pg": Postgres, "my": MySQL, "li": SQLite, "ms": SQLServer, "or": Oracle, "co": Cockroach}

func verdicts(s *Script, tokens []string) string {
	token := func(a fence.Arg) bool {
		for _, t := range tokens {
			if string(a) == t {
				return true
			}
		}
		return false
	}
	var out []string
	for _, st := range s.Statements {
		if len(st.Mutations) == 0 {
			x := st.Kind
			if st.RowLock != "" {
				x += " locks=" + st.RowLock
			}
			if len(st.Problems) > 0 {
				x += " problem=" + st.Problems[0].Reason
			}
			out = append(out, x)
		}
		for _, m := range st.Mutations {
			v := fence.Prove(m, token)
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", m.Kind, m.Resource, strings.Join(fields(v), " "), details(v))))
		}
	}
	return strings.Join(out, "; ")
}
