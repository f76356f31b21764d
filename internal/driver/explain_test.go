package driver

import (
	"slices"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("explain", "mid/mid.go:3", "./...")
	out.want(t, 0, "mid/mid.go:3  lock: unclassified, toy", "mid/mid.go:3  write: table:t", "unproved", "(lockclass)")
	if all := m.tool("explain", "mid/mid.go:3:15"); all.code != 0 || all.stdout != out.stdout {
		t.Errorf("with a column and without packages: got\n%s", all.stdout)
	}
	m.tool("explain", "mid/mid.go:1").want(t, 0, "no lock is taken here", "mid/mid.go:3  lock: toy")
	m.tool("explain", "far/far.go:1").want(t, 0, "nor elsewhere in this file")
	for _, c := range []struct {
		word string
		args []string
	}{
		{"explain takes FILE:LINE", nil},
		{"is not FILE:LINE", []string{"./..."}},
		{"is not FILE:LINE", []string{"mid/mid.go"}},
		{"is not FILE:LINE", []string{"mid/mid.go:0"}},
		{"is not FILE:LINE", []string{":3"}},
		{"no such file", []string{"mid/none.go:3"}},
		{"lines", []string{"mid/mid.go:3000"}},
		{"nowhere", []string{"mid/mid.go:3", "./nowhere"}},
		{"want text or json", []string{"-o", "xml", "mid/mid.go:3"}},
	} {
		m.tool(append([]string{"explain"}, c.args...)...).want(t, 2, c.word)
	}
	m.tool("help", "explain").want(t, 0, "usage: fencelint explain [flags] FILE:LINE [packages]")
}

func TestCutLine(t *testing.T) {
	for word, want := range map[string]string{"a.go:3": "a.go", `C:\a.go:3`: `C:\a.go`, "a.go:3:7": "a.go", "a:b.go:3": "a:b.go"} {
		if file, line, ok := cutLine(word); file != want || line != 3 || !ok {
			t.Errorf("%s: got %s, %d, %v", word, file, line, ok)
		}
	}
}

func TestAround(t *testing.T) {
	m := newModule(t, "-- a.go --\npackage a\n\nfunc f() {\n\trun(func() {\n\t\twrite(\n\t\t\t`x`,\n\t\t\tg(\n\t\t\t\t1))\n\t})\n}\n")
	for line, want := range map[int][]int{6: {5}, 8: {7, 5}, 9: {4}, 3: nil} {
		if got := around(m.dir+"/a.go", line); !slices.Equal(got, want) {
			t.Errorf("line %d: got %v, want %v", line, got, want)
		}
	}
	if strings.Contains(m.tool("help").stdout, "fencelint explain") == false {
		t.Error("the overview does not show explain")
	}
}
