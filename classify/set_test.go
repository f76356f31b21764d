package classify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"time"
)

const accepts = `//fencelint:accept unprovedwrite reason="judged elsewhere"
package p

//fencelint:accept unfencedwrite reason=function
func f() {
	one()
	//fencelint:accept casnotfence reason=outer
	for {
		two()
		//fencelint:accept casnotfence reason=inner
		//fencelint:accept missingidempotency reason=inner compensation="a letter" until=2027-03-31 owner=editors
		x(three(), func() {
			four()
		})
	}
}

//fencelint:accept unfencedwrite reason=type
type t struct {
	//fencelint:accept unfencedwrite reason=field
	a int
	b int
}

//fencelint:accept unfencedwrite reason=variable
var v = five()

func g() {
	six() //fencelint:accept unfencedwrite
	//fencelint:accept unfencedwrite reason=x until=2027-02-30
	seven()
}
`

func TestAccepted(t *testing.T) {
	tests := []struct{ text, rule, want string }{
		{"one()", "unfencedwrite", "function"},
		{"two()", "unfencedwrite", "function"},
		{"two()", "casnotfence", "outer"},
		{"three()", "casnotfence", "inner"},
		{"four()", "casnotfence", "inner"},
		{"four()", "missingidempotency", "inner"},
		{"four()", "unfencedwrite", "function"},
		{"four()", "unprovedwrite", "none"},
		{"one()", "casnotfence", "none"},
		{"a int", "unfencedwrite", "field"},
		{"b int", "unfencedwrite", "type"},
		{"five()", "unfencedwrite", "variable"},
		{"six()", "unfencedwrite", ""},
		{"seven()", "unfencedwrite", "x"},
		{"package p", "unprovedwrite", "judged elsewhere"},
		{"p\n\n//", "unprovedwrite", "judged elsewhere"},
		{"package p", "unfencedwrite", "none"},
	}
	for _, tt := range tests {
		p := read(t, accepts)
		got := "none"
		if a := p.Accepted(p.pos(tt.text), tt.rule); a != nil {
			got = a.Reason
		}
		if got != tt.want {
			t.Errorf("%s of %s: got %q, want %q", tt.rule, tt.text, got, tt.want)
		}
	}

	p := read(t, accepts)
	var order []string
	for _, a := range p.AcceptsOn(p.pos("four()")) {
		order = append(order, a.Rule+" "+a.Reason)
	}
	if got, want := strings.Join(order, ", "), "casnotfence inner, missingidempotency inner, casnotfence outer, unfencedwrite function"; got != want {
		t.Errorf("AcceptsOn: got %s, want %s", got, want)
	}
	if got := len(p.Accepts()); got != 10 {
		t.Errorf("Accepts: got %d, want 10", got)
	}
	a := p.Accepted(p.pos("four()"), "missingidempotency")
	if a.Compensation != "a letter" || a.Until != "2027-03-31" || a.Owner != "editors" || a.Dir.Verb != "accept" {
		t.Errorf("accept = %+v", a)
	}

	p = read(t, "package p\n", "//fencelint:accept unprovedwrite reason=other\npackage p\n")
	if a := p.Accepted(p.pos("package p\n"[:0]+"//fencelint")-1, "unprovedwrite"); a != nil {
		t.Error("an accept on the package clause covers what is outside it")
	}
	if a := p.Accepted(p.base[0], "unprovedwrite"); a == nil {
		t.Error("an accept on another file's package clause is not found")
	}
}

func TestUnused(t *testing.T) {
	p := read(t, accepts)
	if got := len(p.Problems()); got != 2 {
		t.Fatalf("problems:\n%s", p.show(p.Problems()))
	}
	// Two of the ten are faulty: they are problems already.
	if got := len(p.Unused()); got != 8 {
		t.Errorf("nothing is used: got\n%s", p.show(p.Unused()))
	}
	p.Accepted(p.pos("two()"), "casnotfence")
	p.AcceptsOn(p.pos("four()"))
	p.Accepted(p.pos("one()"), "unfencedwrite")
	for _, a := range p.AcceptsOn(p.pos("package p")) {
		a.Use()
	}
	got := p.show(p.Unused())
	want := "a.go:10: accept casnotfence\na.go:11: accept missingidempotency\na.go:18: accept unfencedwrite\na.go:20: accept unfencedwrite\na.go:25: accept unfencedwrite\n"
	if short := strings.ReplaceAll(got, " holds no finding back; delete it, or put it on the statement or declaration of the finding", ""); short != want {
		t.Errorf("got\n%s", got)
	}

	p = read(t, "package p\n\n//fencelint:accept unfencedwrites reason=x\nfunc f() { g() }\n")
	if len(p.Problems()) != 1 || len(p.Unused()) != 0 || len(p.Accepts()) != 0 || p.Accepted(p.pos("g()"), "unfencedwrite") != nil {
		t.Error("an accept of an unknown rule is more than a problem")
	}
}

func TestExpired(t *testing.T) {
	p := read(t, accepts)
	for day, want := range map[string]int{"2027-03-30": 0, "2027-03-31": 0, "2027-04-01": 1, "2999-01-01": 1} {
		today, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Expired(today); len(got) != want {
			t.Errorf("%s: got %s", day, p.show(got))
		}
	}
	late := time.Date(2027, 3, 31, 23, 59, 0, 0, time.FixedZone("", -8*3600))
	if got := p.Expired(late); len(got) != 0 {
		t.Errorf("the last day ends at midnight where today is: got %s", p.show(got))
	}
}

func TestEmpty(t *testing.T) {
	p := read(t, "package p\n\n// f does.\nfunc f() {}\n")
	if !p.Empty() || p.Stmt(p.pos("f() {")) != nil || p.Func(p.pos("f() {")) != nil || p.Package() != nil || p.Decls() != nil ||
		p.Accepted(p.pos("package"), "x") != nil || p.Unread(1) || p.Stmt(token.NoPos) != nil || p.On("f", "lock") != nil {
		t.Error("a package without directives says something")
	}
	if s := Read(token.NewFileSet(), nil, nil); !s.Empty() || s.Package() != nil {
		t.Error("no package says something")
	}
}

// TestSeveralFiles keeps the files of a package apart, in whatever order they were parsed.
func TestSeveralFiles(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for i := range 5 {
		class := []string{"efficiency", "correctness"}[i%2]
		f, err := parser.ParseFile(fset, fmt.Sprint(i, ".go"), fmt.Sprintf("package p\n\n//fencelint:lock %s\nfunc f%d() {}\n\n//fencelint:lok\n", class, i), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append([]*ast.File{f}, files...)
	}
	s := Read(fset, files, nil)
	for i := range 5 {
		want := []string{"efficiency", "correctness"}[i%2]
		if got := classOf(s.Func(files[4-i].Decls[0].Pos())); got != want {
			t.Errorf("file %d: got %s, want %s", i, got, want)
		}
		if got := classOf(s.Decl(fmt.Sprint("f", i))); got != want {
			t.Errorf("f%d: got %s, want %s", i, got, want)
		}
	}
	for i, p := range s.Problems() {
		if name := fset.Position(p.Pos).Filename; name != fmt.Sprint(4-i, ".go") {
			t.Errorf("problem %d is in %s", i, name)
		}
	}
	if s := Read(fset, files, nil); len(s.Problems()) != 5 {
		t.Errorf("%d problems", len(s.Problems()))
	}
}

// TestAnyRule: without rules, accept takes every name.
func TestAnyRule(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", "package p\n\n//fencelint:accept whatever reason=x\nfunc f() {}\n", parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if s := Read(fset, []*ast.File{f}, nil); len(s.Problems()) != 0 || s.Accepted(f.Decls[0].Pos(), "whatever") == nil {
		t.Errorf("problems: %v", s.Problems())
	}
}
