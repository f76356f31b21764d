package classify

import (
	"go/token"
	"strings"
	"testing"
)

// TestStatement asks for the class of the statement around marks. In the source
// E, C stand for a directive with a class; want maps a text to the class there.
func TestStatement(t *testing.T) {
	tests := []struct {
		name, body string
		want       map[string]string
	}{
		{"line above", "C\nm.Lock()\nn.Lock()", map[string]string{"m.Lock": "correctness", "n.Lock": "none"}},
		{"behind", "m.Lock() C\nn.Lock()", map[string]string{"m.Lock": "correctness", "n.Lock": "none"}},
		{"behind the end of a call", "l, err := lc.Obtain(ctx,\n\tkey, ttl) C\nn.Lock()",
			map[string]string{"lc.Obtain": "correctness", "n.Lock": "none"}},
		{"behind the beginning of a call", "l, err := lc.Obtain(ctx, C\n\tkey, ttl)", map[string]string{"lc.Obtain": "correctness"}},
		{"header of if", "C\nif err := m.Lock(); err != nil {\n\tn.Lock()\n}", map[string]string{"m.Lock": "correctness"}},
		{"behind the header of if", "if err := m.Lock(); err != nil { C\n}", map[string]string{"m.Lock": "correctness"}},
		{"else if", "if a {\n\tx()\n\t//\n\tC\n} else if m.Lock() {\n}", map[string]string{"m.Lock": "correctness", "x()": "none"}},
		{"behind else if", "if a {\n} else if m.Lock() { C\n}", map[string]string{"m.Lock": "correctness"}},
		{"switch", "C\nswitch m.Lock() {\n}", map[string]string{"m.Lock": "correctness"}},
		{"for", "C\nfor m.Lock() {\n}", map[string]string{"m.Lock": "correctness"}},
		{"range", "C\nfor range m.Locks() {\n}", map[string]string{"m.Locks": "correctness"}},
		{"select", "C\nselect {\ncase <-m.Lock():\n}", map[string]string{"m.Lock": "correctness"}},
		{"clause of select", "select {\ncase <-a:\n\tx()\nC\ncase <-m.Lock():\n\ty()\n}",
			map[string]string{"m.Lock": "correctness", "x()": "none", "y()": "correctness"}},
		{"clause of switch", "switch {\nE\ncase m.Lock():\ndefault:\n\tx()\n}", map[string]string{"m.Lock": "efficiency", "x()": "none"}},
		{"go", "C\ngo m.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"defer", "C\ndefer m.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"return", "C\nreturn m.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"send", "C\nc <- m.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"label", "outer:\nC\nfor m.Lock() {\n}", map[string]string{"m.Lock": "correctness"}},
		{"above a label", "C\nouter:\nfor m.Lock() {\n}", map[string]string{"m.Lock": "correctness"}},
		{"var", "C\nvar m = m.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"var group", "var (\n\tC\n\ta = m.Lock()\n\tb = n.Lock()\n)", map[string]string{"m.Lock": "correctness", "n.Lock": "none"}},
		{"element of a literal", "run(config{\n\tA: a.f,\n\tC\n\tB: b.f,\n})", map[string]string{"a.f": "none", "b.f": "correctness", "run": "none"}},
		{"behind an element", "run(config{\n\tA: a.f,\n\tB: b.f, C\n})", map[string]string{"a.f": "none", "b.f": "correctness"}},
		{"element without a key", "_ = []int{\n\tC\n\tm.Lock(),\n}", map[string]string{"m.Lock": "correctness"}},
		{"function argument", "run(ctx,\n\tC\n\tfunc() { m.Lock() })", map[string]string{"run": "none", "m.Lock": "correctness"}},
		{"literal argument", "run(ctx,\n\tC\n\t&config{f: m.Lock()})", map[string]string{"run": "none", "m.Lock": "correctness"}},
		{"call argument", "run(ctx,\n\tC\n\twith(m.Lock()))", map[string]string{"run": "none", "m.Lock": "correctness"}},
		{"behind a call argument", "run(ctx,\n\twith(m.Lock()), C\n\tno(n.Lock()))", map[string]string{"run": "none", "m.Lock": "correctness", "n.Lock": "none"}},
		{"behind the last call argument", "run(ctx,\n\twith(m.Lock())) C", map[string]string{"run": "correctness"}},
		{"in a function literal", "go func() {\n\tC\n\tm.Lock()\n\tn.Lock()\n}()", map[string]string{"m.Lock": "correctness", "n.Lock": "none"}},
		{"around a function literal", "C\ngo func() {\n\tm.Lock()\n}()", map[string]string{"m.Lock": "correctness"}},
		{"nearest", "C\nfor {\n\tE\n\tm.Lock()\n\tn.Lock()\n}", map[string]string{"m.Lock": "efficiency", "n.Lock": "correctness"}},
		{"stack", "//fencelint:accept casnotfence reason=x\n// why\nC\n/* and\nwhy */\n// else\nm.Lock()", map[string]string{"m.Lock": "correctness"}},
		{"behind the tail of a call", "x := g(a,\n\tfunc() int { return 1 }, b) C\nh()", map[string]string{"g(a": "correctness", "h()": "none"}},
		{"behind the tail of go", "go func() {\n\tm.Lock() }() C", map[string]string{"go func": "correctness", "m.Lock": "correctness"}},
		{"behind a clause on one line", "switch {\ncase m.Lock(): x() C\n}", map[string]string{"m.Lock": "correctness", "x()": "correctness"}},
		{"as cgo writes it", "C\n/*line z.go:90:2*/m.Lock()\n/*line z.go:91:2*/n.Lock()", map[string]string{"m.Lock": "correctness", "n.Lock": "none"}},
		{"bare block", "C\n{\n\tm.Lock()\n}", map[string]string{"m.Lock": "correctness"}},
		{"after a raw string", "x(`\n//fencelint:lok\n`)\nC\nm.Lock()", map[string]string{"m.Lock": "correctness"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.NewReplacer("C\n", "//fencelint:lock correctness\n", "E\n", "//fencelint:lock efficiency\n").Replace(tt.body + "\n")
			src := "package p\n\nfunc f() {\n" + body + "}\n"
			for _, src := range []string{src, strings.ReplaceAll(src, "\n", "\r\n"), "package p\n//line x.go:1\n//line y.go:1\n" + src[len("package p\n"):]} {
				p := read(t, src)
				p.clean()
				for text, want := range tt.want {
					if got := classOf(p.Stmt(p.pos(text))); got != want {
						t.Errorf("%s: got %s, want %s\n%s", text, got, want, src)
					}
				}
			}
		})
	}
}

// TestMisplaced has directives that stand on nothing, or apart from it.
func TestMisplaced(t *testing.T) {
	const nothing = "stands on nothing"
	tests := []struct{ name, src, want string }{
		{"end of a function", "func f() {\n\tx()\n\t$\n}", nothing},
		{"empty function", "func f() {\n\t$\n}", nothing},
		{"end of a literal", "func f() {\n\tx(func() {\n\t\t$\n\t}, func() {\n\t})\n}", nothing},
		{"end of a block before else", "func f() {\n\tif a {\n\t\t$\n\t} else {\n\t\tx()\n\t}\n}", nothing},
		{"behind the brace of a block", "func f() {\n\tif a {\n\t} $\n}", nothing},
		{"behind the brace of a function", "func f() {\n\tx()\n} $", nothing},
		{"end of the file", "func f() {}\n\n$", nothing},
		{"import", "$\nimport \"fmt\"", nothing},
		{"import group", "import (\n\t$\n\t\"fmt\"\n)", nothing},
		{"argument", "func f() {\n\tx(a,\n\t\t$\n\t\tb)\n}", "in the middle of the code that begins on line 4"},
		{"chain", "func f() {\n\tx().\n\t\t$\n\t\ty()\n}", "in the middle of the code that begins on line 4"},
		{"parameter", "func f(\n\t$\n\ta int,\n) {\n}", nothing},
		{"end of a struct", "type t struct {\n\ta int\n\t$\n}", nothing},
		{"embedded interface", "type t interface {\n\t$\n\ti\n}", nothing},
		{"field of a local type", "func f() {\n\ttype t struct {\n\t\t$\n\t\ta int\n\t}\n}", nothing},
		{"empty line, statement", "func f() {\n\t$\n\n\tx()\n}", "an empty line parts"},
		{"empty line, function", "$\n\n// f\nfunc f() {\n}", "an empty line parts"},
		{"empty line in a stack", "func f() {\n\t$\n\n\t// more\n\tx()\n}", "an empty line parts"},
	}
	for _, tt := range tests {
		for _, src := range []string{tt.src, strings.ReplaceAll(tt.src, "\n", "\r\n")} {
			p := read(t, "package p\n\n"+strings.Replace(src, "$", "//fencelint:lock correctness", 1)+"\n")
			got := p.Problems()
			if len(got) != 1 || !strings.Contains(got[0].Message, tt.want) {
				t.Errorf("%s: got %q, want one problem with %q", tt.name, p.show(got), tt.want)
				continue
			}
			if pos := p.pos("//fencelint"); got[0].Pos != pos || got[0].End != pos+token.Pos(len("//fencelint:lock correctness")) {
				t.Errorf("%s: the problem is at %d to %d, want it at the directive", tt.name, got[0].Pos, got[0].End)
			}
		}
	}
}

// TestUnread has faulty class directives. One that cannot be read leaves the
// class to the next place outwards and keeps silence about a missing one.
func TestUnread(t *testing.T) {
	tests := []struct {
		name, body  string
		class       string
		unread, bad bool
	}{
		{"word", "//fencelint:lock eficiency\nm.Lock()", "none", true, true},
		{"verb", "//fencelint:lok efficiency\nm.Lock()", "none", true, true},
		{"blank", "// fencelint:lock efficiency\nm.Lock()", "none", true, true},
		{"block", "/*fencelint:lock efficiency*/ m.Lock()", "none", true, true},
		{"large", "//Fencelint:Lock efficiency\nm.Lock()", "none", true, true},
		{"key", "//fencelint:lock correctness contrat=fence\nm.Lock()", "correctness", false, true},
		{"empty line", "//fencelint:lock correctness\n\nm.Lock()", "correctness", false, true},
		{"inside", "m.Lock(a,\n//fencelint:lock correctness\nb)", "none", true, true},
		{"other verb", "//fencelint:acept unfencedwrite reason=x\nm.Lock()", "none", false, true},
		{"second is right", "//fencelint:lock eficiency\n//fencelint:lock efficiency\nm.Lock()", "efficiency", true, true},
		{"none", "m.Lock()", "none", false, false},
	}
	for _, tt := range tests {
		p := read(t, "package p\n\nfunc f() {\n"+tt.body+"\n}\n\nfunc g() { other() }\n")
		pos := p.pos("m.Lock")
		if got := classOf(p.Stmt(pos)); got != tt.class {
			t.Errorf("%s: class %s, want %s", tt.name, got, tt.class)
		}
		if got := p.Unread(pos); got != tt.unread {
			t.Errorf("%s: Unread = %v", tt.name, got)
		}
		if p.Unread(p.pos("other")) {
			t.Errorf("%s: another function is unread too", tt.name)
		}
		if got := len(p.Problems()); got != map[bool]int{true: 1}[tt.bad] {
			t.Errorf("%s: %d problems", tt.name, got)
		}
	}

	p := read(t, "//fencelint:lock\npackage p\n\nfunc f() { m.Lock() }\n\n//fencelint:lock nothing\nvar v int\n")
	if !p.Unread(p.pos("m.Lock")) || !p.UnreadDecl("v") || p.UnreadDecl("f") {
		t.Error("a class that cannot be read on the package or a variable is not seen")
	}
}

func TestDeclarations(t *testing.T) {
	p := read(t, `// Package p is here.
//
//fencelint:lock efficiency

//go:build linux

package p

import "sync"

//fencelint:lock correctness
func F() { inF() }

//fencelint:lock efficiency
func (t *T[K]) M() { inM() }

// T is a type.
//
//fencelint:lock correctness
type T[K any] struct {
	// A field.
	//fencelint:lock efficiency
	f, g int
	h    int //fencelint:lock correctness
	//fencelint:lock efficiency
	*sync.Mutex
	in []struct {
		//fencelint:lock correctness
		deep int
	}
}

type (
	//fencelint:lock efficiency
	I interface {
		//fencelint:acquires
		//fencelint:lock correctness
		Lock() error
		Unlock() //fencelint:releases
	}
	J interface{ Other() }
)

//fencelint:lock correctness
var v, w = 1, inV()

//fencelint:lock correctness
const (
	c = 1
	//fencelint:lock efficiency
	d = 2
)

var anon struct {
	//fencelint:lock correctness
	m int
}

type (
	//fencelint:resource name=rows fence=turn
	row struct{}
)
`)
	p.clean()
	for name, want := range map[string]string{
		"": "efficiency", "F": "correctness", "T.M": "efficiency", "T": "correctness", "T.f": "efficiency", "T.g": "efficiency",
		"T.h": "correctness", "T.Mutex": "efficiency", "T.in": "none", "T.in.deep": "correctness", "I": "efficiency", "I.Lock": "correctness",
		"I.Unlock": "none", "J": "none", "J.Other": "none", "v": "correctness", "w": "correctness", "c": "correctness", "d": "efficiency",
		"anon": "none", "anon.m": "correctness", "M": "none", "f": "none",
	} {
		if got := classOf(p.Decl(name)); got != want {
			t.Errorf("Decl(%q): got %s, want %s", name, got, want)
		}
	}
	for text, want := range map[string]string{"inF()": "correctness", "inM()": "efficiency", "inV()": "none"} {
		if got := classOf(p.Func(p.pos(text))); got != want {
			t.Errorf("Func at %s: got %s, want %s", text, got, want)
		}
		if got := classOf(p.Stmt(p.pos(text))); got != "none" {
			t.Errorf("Stmt at %s: got %s, want none", text, got)
		}
	}
	if classOf(p.Package()) != "efficiency" {
		t.Error("Package has no class")
	}
	if len(p.On("I.Lock", "acquires")) != 1 || len(p.On("I.Unlock", "releases")) != 1 || len(p.On("I.Lock", "lock")) != 1 || len(p.On("I", "acquires")) != 0 {
		t.Error("On does not find the roles of the interface")
	}
	if on := p.On("row", "resource"); len(on) != 1 || on[0].Arg("name") != "rows" || on[0].Arg("fence") != "turn" {
		t.Errorf("On(row, resource) = %v", on)
	}
	var got []string
	for _, n := range p.Decls() {
		got = append(got, n.Name+" "+n.Dir.Verb)
		if (n.Lock != nil) != (n.Dir.Verb == "lock") {
			t.Errorf("Decls: %s %s has lock %v", n.Name, n.Dir.Verb, n.Lock)
		}
	}
	want := " lock,F lock,I lock,I.Lock lock,I.Lock acquires,I.Unlock releases,T lock,T.M lock,T.Mutex lock,T.f lock,T.g lock,T.h lock," +
		"T.in.deep lock,anon.m lock,c lock,d lock,row resource,v lock,w lock"
	if s := strings.Join(got, ","); s != want {
		t.Errorf("Decls:\n got %s\nwant %s", s, want)
	}
}

func TestEnclosing(t *testing.T) {
	p := read(t, "//fencelint:admin reason=package\npackage p\n\n//fencelint:admin reason=one\nfunc init() { a() }\n\n//fencelint:admin reason=two\nfunc init() { b() }\n\nfunc f() { c() }\n")
	p.clean()
	for text, want := range map[string]string{"a()": "one", "b()": "two", "c()": "package"} {
		if d := p.Enclosing(p.pos(text), "admin"); d == nil || d.Arg("reason") != want {
			t.Errorf("Enclosing at %s = %+v, want reason %s", text, d, want)
		}
	}
	if d := p.Enclosing(p.pos("a()"), "root"); d != nil {
		t.Errorf("Enclosing finds %+v", d)
	}
}

func TestInBlock(t *testing.T) {
	p := read(t, `package p

func f() {
	//fencelint:lock correctness
	if a.Try() {
		b()
	} else if zz() {
		d()
	}
	//fencelint:lock correctness
	run(e(), func() { g() })
}
`)
	p.clean()
	for text, want := range map[string]bool{"a.Try": false, "b()": true, "zz()": false, "d()": true, "run": false, "e()": false, "g()": true} {
		l := p.Stmt(p.pos(text))
		if l == nil {
			t.Fatalf("no class at %s", text)
		}
		if got := p.InBlock(l.Dir, p.pos(text)); got != want {
			t.Errorf("InBlock at %s = %v", text, got)
		}
	}
}

// TestTwice has two directives at one place, or two that disagree.
func TestTwice(t *testing.T) {
	tests := []struct {
		name, src, want string // want is the line of the problem and part of its message
	}{
		{"two classes", "package p\n\n//fencelint:lock correctness\n//fencelint:lock efficiency\nfunc f() {}\n", "a.go:4: a second class for one place"},
		{"one class twice", "package p\n\n//fencelint:lock correctness\n//fencelint:lock correctness\nfunc f() {}\n", "a.go:4: a second class"},
		{"above and behind", "package p\n\n//fencelint:lock correctness\nfunc f() {} //fencelint:lock efficiency\n", "a.go:4: a second class"},
		{"two accepts", "package p\n\n//fencelint:accept casnotfence reason=a\n//fencelint:accept casnotfence reason=b\nfunc f() {}\n", "a.go:4: a second accept casnotfence"},
		{"accepts of two rules", "package p\n\n//fencelint:accept casnotfence reason=a\n//fencelint:accept unfencedwrite reason=b\nfunc f() {}\n", ""},
		{"two roles", "package p\n\n//fencelint:acquires\n//fencelint:acquires\nfunc f() {}\n", "a.go:4: a second acquires for one place"},
		{"different roles", "package p\n\n//fencelint:acquires\n//fencelint:token\nfunc f() {}\n", ""},
		{"two resources", "package p\n\n//fencelint:writes resource=a\n//fencelint:writes resource=b\nfunc f() {}\n", ""},
		{"one resource twice", "package p\n\n//fencelint:writes resource=a\n//fencelint:writes resource=a kind=store\nfunc f() {}\n", "a.go:4: a second writes a for one place"},
		{"two fences", "//fencelint:resource name=a fence=x\npackage p\n\n//fencelint:resource name=a fence=y\ntype r struct{}\n", "a.go:4: resource a has two fence columns, x and y"},
		{"one fence", "//fencelint:resource name=a\npackage p\n\n//fencelint:resource name=a fence=y\ntype r struct{}\n", ""},
		{"nearer class", "//fencelint:lock efficiency\npackage p\n\n//fencelint:lock correctness\nfunc f() {}\n", ""},
		{"group and member", "package p\n\n//fencelint:lock efficiency\nvar (\n//fencelint:lock correctness\na = 1\n)\n", ""},
	}
	for _, tt := range tests {
		p := read(t, tt.src)
		if got := p.show(p.Problems()); tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") > 1 {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}

	p := read(t, "//fencelint:lock efficiency\npackage p\n", "package p\n", "//fencelint:lock efficiency\npackage p\n", "//fencelint:lock correctness\npackage p\n")
	if got := p.show(p.Problems()); !strings.HasPrefix(got, "d.go:1: the package has two classes that disagree") {
		t.Errorf("two package clauses: got %q", got)
	}
	if classOf(p.Package()) != "efficiency" {
		t.Error("the class of the first clause does not count")
	}
	if p = read(t, "package p\n\n//fencelint:lock efficiency\n//fencelint:lock correctness\nfunc f() {}\n"); classOf(p.Decl("f")) != "efficiency" {
		t.Error("the first of two classes does not count")
	}
}

// TestSuits has what a place needs besides its kind.
func TestSuits(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"testing\"\n\t\"db\"\n)\n\n"
	const dotted = "package p\n\nimport . \"testing\"\n\n"
	const renamed = "package p\n\nimport tt \"testing\"\n\n"
	stale, loans := "//fencelint:staletest resource=a\n", "//fencelint:writes resource=a fence=turn\n"
	tests := []struct {
		name, file, src string
		ok              bool
	}{
		{"test", "a_test.go", head + stale + "func TestA(t *testing.T) {}", true},
		{"no name for t", "a_test.go", head + stale + "func Test(*testing.T) {}", true},
		{"underscore", "a_test.go", head + stale + "func Test_a(t *testing.T) {}", true},
		{"dot import", "a_test.go", dotted + stale + "func TestA(t *T) {}", true},
		{"renamed", "a_test.go", renamed + stale + "func TestA(t *tt.T) {}", true},
		{"other file", "a.go", head + stale + "func TestA(t *testing.T) {}", false},
		{"small letter", "a_test.go", head + stale + "func Testa(t *testing.T) {}", false},
		{"other name", "a_test.go", head + stale + "func HelpA(t *testing.T) {}", false},
		{"main", "a_test.go", head + stale + "func TestMain(m *testing.M) {}", false},
		{"benchmark", "a_test.go", head + stale + "func BenchmarkA(b *testing.B) {}", false},
		{"method", "a_test.go", head + stale + "func (s *suite) TestA(t *testing.T) {}", false},
		{"result", "a_test.go", head + stale + "func TestA(t *testing.T) error { return nil }", false},
		{"two parameters", "a_test.go", head + stale + "func TestA(t, u *testing.T) {}", false},
		{"no parameter", "a_test.go", head + stale + "func TestA() {}", false},
		{"wrong package", "a_test.go", head + stale + "func TestA(t *db.T) {}", false},

		{"field of function type", "a.go", head + "type s struct {\n" + loans + "f func(turn int)\n}", true},
		{"field of a declared type", "a.go", head + "type s struct {\n" + loans + "f (g)\n}\n\ntype g h\n\ntype h = func(turn int)", true},
		{"its parameter is missing", "a.go", head + "type s struct {\n" + loans + "f g\n}\n\ntype g func(int)", false},
		{"field of a generic type", "a.go", head + "type s struct {\n" + loans + "f g[int, int]\n}\n\ntype g[K, V any] func(turn K, v V)", true},
		{"field of a type elsewhere", "a.go", head + "type s struct {\n" + loans + "f db.Func\n}", true},
		{"field of an unknown type", "a.go", head + "type s struct {\n" + loans + "f fromDot\n}", true},
		{"field of another type", "a.go", head + "type s struct {\n" + loans + "f int\n}", false},
		{"field of struct type", "a.go", head + "type s struct {\n" + loans + "f *g\n}\n\ntype g func(turn int)", false},
		{"field of a circular type", "a.go", head + "type s struct {\n" + loans + "f g\n}\n\ntype g h\n\ntype h g", true},
		{"receiver is no parameter", "a.go", head + loans + "func (turn t) F() {}", false},
		{"method", "a.go", head + loans + "func (s t) F(id, turn int) {}", true},
		{"result is no parameter", "a.go", head + loans + "func F() (turn int) { return }", false},
	}
	for _, tt := range tests {
		p := read(t, "-- "+tt.file+" --\n"+tt.src+"\n")
		if got := p.Problems(); (len(got) == 0) != tt.ok || len(got) > 1 {
			t.Errorf("%s: got problems %q, want ok %v", tt.name, p.show(got), tt.ok)
		}
	}
}

// TestDropped: a role whose need is not met has no effect, one with a wrong
// detail has what is right.
func TestDropped(t *testing.T) {
	p := read(t, "package p\n\n//fencelint:writes fence=n\nfunc F(n int) {}\n\n//fencelint:writes resource=a fence=m kind=stor\nfunc G(n int) {}\n\n//fencelint:admin reaso=x\nfunc H() {}\n")
	if got := len(p.Problems()); got != 3 {
		t.Fatalf("%d problems", got)
	}
	if len(p.On("F", "writes")) != 0 || len(p.On("H", "admin")) != 1 {
		t.Error("a role without its need counts, or one with a wrong detail does not")
	}
	g := p.On("G", "writes")
	if len(g) != 1 || g[0].Arg("resource") != "a" || g[0].Arg("fence") != "" || g[0].Arg("kind") != "" {
		t.Errorf("G: %+v", g)
	}
}
