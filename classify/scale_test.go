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

// large is a file of about n lines: every tenth is a directive, on functions and
// on statements.
func large(n int) string {
	var b strings.Builder
	b.WriteString("package p\n\n")
	for i := 0; i < n; i += 20 {
		fmt.Fprintf(&b, "//fencelint:accept unfencedwrite reason=\"function %d\"\nfunc f%d(m *mutex) {\n", i, i)
		b.WriteString("\t// A comment.\n\t//fencelint:lock correctness contract=fence\n\tif err := m.Lock(); err != nil {\n\t\treturn\n\t}\n")
		b.WriteString(strings.Repeat("\tx, y = g(a, b, c), h(d)\n", 12) + "}\n")
	}
	return b.String()
}

func readTime(t testing.TB, src string) (*token.FileSet, *ast.File, *Set, time.Duration) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	s := Read(fset, []*ast.File{f}, testRules)
	return fset, f, s, time.Since(start)
}

func TestScale(t *testing.T) {
	const lines = 50_000
	deep := "package p\n\nfunc f() {\n" + strings.Repeat("//fencelint:lock correctness\nfor {\n", 4000) + strings.Repeat("}\n", 4000) + "}\n"
	stack := "package p\n\nfunc f() {\n" + strings.Repeat("//fencelint:lost\n", lines) + "g()\n}\n"
	var varied strings.Builder
	for i := range lines {
		fmt.Fprintf(&varied, "//fencelint:writes resource=r%d fence=n\n", i)
	}
	for _, tt := range []struct{ name, src string }{
		{"usual", large(lines)},
		{"stack of faulty directives", stack},
		{"stack of different directives", "package p\n\n" + varied.String() + "func f(n int) {}\n"},
		{"deep", deep},
		{"one statement", "package p\n\nvar v = []int{\n" + strings.Repeat("//fencelint:lock efficiency\nf(),\n", lines/2) + "}\n"},
		{"long values", "package p\n\nfunc f() {\n" + strings.Repeat("//fencelint:accept unfencedwrite reason=\""+strings.Repeat("word ", 1000)+"\"\ng()\n", 200) + "}\n"},
	} {
		_, f, s, took := readTime(t, tt.src)
		start := time.Now()
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				s.Stmt(call.Pos())
				s.Func(call.Pos())
				s.Accepted(call.Pos(), "unfencedwrite")
			}
			return true
		})
		asked := time.Since(start)
		t.Logf("%s: %d lines, read in %v, every call asked about in %v", tt.name, strings.Count(tt.src, "\n"), took, asked)
		// A tenth of this on a quiet machine; what is not linear takes minutes.
		if took+asked > 5*time.Second {
			t.Errorf("%s: took %v and %v, want less than five seconds", tt.name, took, asked)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, lines := range []int{10_000, 20_000, 40_000} {
		src := large(lines)
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Read(fset, []*ast.File{f}, testRules)
			}
		})
	}
}
