package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/report"
)

const labels = `repo	commit	file	line	idiom	class	writes	notes
o/n	0	a.go	10	interface+callback	correctness	b.go:20:sql:fenced-epoch;b.go:90:sql:unfenced	a "quoted" note
o/n	0	a.go	40	direct	efficiency	-	
o/n	0	a.go	70	direct	correctness	b.go:50:sql:cas	
`

func TestScore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table.tsv")
	if err := os.WriteFile(name, []byte(labels), 0o666); err != nil {
		t.Fatal(err)
	}
	sites, err := readTable(name)
	if err != nil {
		t.Fatal(err)
	}
	rows := []report.Row{
		{File: "a.go", Line: 12, Boundaries: []report.Boundary{{File: "b.go", Line: 23, Guard: "owner"}, {File: "b.go", Line: 94, Guard: "none", Via: []string{"a.go:90", "b.go:95"}}}},
		{File: "a.go", Line: 70, Boundaries: []report.Boundary{{File: "b.go", Line: 50, Guard: "unknown"}}},
		{File: "a.go", Line: 43},
	}
	got := newTally()
	got.score("o/n", sites["o/n"], rows)
	want := map[string]count{
		"interface": {sites: 1, found: 1, writes: 2, reached: 1, right: 1}, // line 94 is four lines off
		"direct":    {sites: 2, found: 1, writes: 1, reached: 1},           // unknown is wrong; line 43 is three lines off
	}
	for k, w := range want {
		if got.idioms[k] != w {
			t.Errorf("%s: %+v, want %+v", k, got.idioms[k], w)
		}
	}
	if len(got.extra) != 1 {
		t.Errorf("rows without a label: %q", got.extra)
	}
	var b bytes.Buffer
	got.print(&b, true)
	for _, s := range []string{"2/3  66 %        2/3  66 %        1/2  50 %", "missed: o/n a.go:40 site (direct, efficiency)", "b.go:90 (its site is found) not reached", "is guarded, found unknown"} {
		if !strings.Contains(b.String(), s) {
			t.Errorf("%q is not in\n%s", s, b.String())
		}
	}
}

func TestTableErrors(t *testing.T) {
	for text, want := range map[string]string{
		"repo\tfile\n": `no column "line"`,
		"repo\tfile\tline\tidiom\tclass\twrites\no/n\ta.go\tx\td\tc\t-\n":            ":2: ",
		"repo\tfile\tline\tidiom\tclass\twrites\no/n\ta.go\t1\td\tc\tb.go:1:sql\n":   "is not file:line:kind:fence",
		"repo\tfile\tline\tidiom\tclass\twrites\no/n\ta.go\t1\td\tc\tb.go:1:s:odd\n": "unknown fence class",
	} {
		name := filepath.Join(t.TempDir(), "table.tsv")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readTable(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
