package rule

import (
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/prove"
)

func TestNames(t *testing.T) {
	names := Names()
	for i, n := range names {
		if i > 0 && names[i-1] == n {
			t.Errorf("%s is listed twice", n)
		}
		if n != strings.ToLower(n) || strings.ContainsAny(n, " -_") {
			t.Errorf("%s is not written like the names of vet", n)
		}
	}
	if Known("unfencedwrites") || !Known("unfencedwrite") {
		t.Error("Known does not know")
	}
}

func TestNewIsValid(t *testing.T) {
	a := New(&Doc{Name: "lockclass", RawDocumentation: lint.RawDocumentation{Title: "t", Text: "x"}})
	if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
		t.Fatal(err)
	}
	if a.Requires[0] != prove.Analyzer || !strings.HasSuffix(a.URL, "/docs/rules/lockclass.md") {
		t.Errorf("got Requires %v, URL %s", a.Requires, a.URL)
	}
}

func TestPlacePrintsAsGiven(t *testing.T) {
	p := &Places{Fset: token.NewFileSet(), File: func(at prove.Place) string { return at.Pkg + "/" + at.File }}
	for _, c := range []struct {
		at   prove.Place
		want string
	}{
		{prove.Place{Pkg: "a/b", File: "x.go", Line: 1, Col: 1}, "a/b/x.go:1:1"},
		{prove.Place{Pkg: "a/b", File: "x.go", Line: 400, Col: 37}, "a/b/x.go:400:37"},
		{prove.Place{Pkg: "a/b", File: "x.go", Line: 7}, "a/b/x.go:7:1"},
		{prove.Place{Pkg: "a/b", File: "x.go"}, "-"},
		{prove.Place{Pkg: "a/b", File: "x.go", Line: 1 << 30, Col: 1}, "-"},
		{prove.Place{Pkg: "a/b", File: "x.go", Line: 1, Col: 1 << 40}, "-"},
		{prove.Place{Pkg: "a/b", File: "x.go", Line: -3, Col: -1}, "-"},
	} {
		if got := p.Fset.Position(p.Pos(c.at)).String(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.at, got, c.want)
		}
	}
}

func TestDiagnostic(t *testing.T) {
	fset := token.NewFileSet()
	own := fset.AddFile("own.go", -1, 100)
	f := prove.Finding{
		Rule: "unfencedwrite", Pos: own.Pos(3), End: own.Pos(9), Message: "a\x1b[31mb\nc",
		Related: []prove.Related{
			{Pos: own.Pos(1), Message: "here"},
			{Place: prove.Place{Pkg: "q", File: "q.go", Line: 5, Col: 2}, Message: "there"},
		},
	}
	d := Diagnostic(f, &Places{Fset: fset, File: func(at prove.Place) string { return at.File }})
	if d.Category != "unfencedwrite" || d.Message != `a\x1b[31mb c` || d.Pos != f.Pos || d.End != f.End {
		t.Errorf("got %+v", d)
	}
	if d.Related[0].Pos != own.Pos(1) || fset.Position(d.Related[1].Pos).String() != "q.go:5:2" {
		t.Errorf("related: %+v", d.Related)
	}
}

func TestLayout(t *testing.T) {
	dir := filepath.FromSlash("/src/app/internal/a")
	for _, c := range []struct {
		l    Layout
		pkg  string
		want string
	}{
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "ex.com/app/internal/a", "/src/app/internal/a/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "", "/src/app/internal/a/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a_test", dir}, "ex.com/app/internal/a", "/src/app/internal/a/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "ex.com/app/b [x.test]", "/src/app/b/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "ex.com/app", "/src/app/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "ex.com/application", "ex.com/application/f.go"},
		{Layout{"ex.com/app", "ex.com/app/internal/a", dir}, "other.org/z", "other.org/z/f.go"},
		{Layout{"", "ex.com/app/internal/a", dir}, "ex.com/app/b", "ex.com/app/b/f.go"},
		{Layout{"ex.com/app", "ex.com/app/c", dir}, "ex.com/app/b", "ex.com/app/b/f.go"},
	} {
		got := filepath.ToSlash(c.l.File(prove.Place{Pkg: c.pkg, File: "f.go"}))
		if got != c.want {
			t.Errorf("%+v, %s: got %s, want %s", c.l, c.pkg, got, c.want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("plain")
	f.Add("a\x1b[0m\x00\xff\u202e\u2028\ufffd\U000e0001")
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if strings.ContainsFunc(got, unprintable) {
			t.Errorf("%q became %q", s, got)
		}
		if Printable(got) != got {
			t.Errorf("%q changes a second time", got)
		}
	})
}
