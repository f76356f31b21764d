package classify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

var testRules = []string{"casnotfence", "missingidempotency", "unfencedwrite", "unprovedwrite"}

// pkg is a package in memory, read.
type pkg struct {
	*Set
	t    testing.TB
	fset *token.FileSet
	srcs []string
	base []token.Pos
}

// read parses sources as a.go, b.go, ... or, if a source begins with
// "-- name --\n", as that file.
func read(t testing.TB, srcs ...string) *pkg {
	t.Helper()
	p := &pkg{t: t, fset: token.NewFileSet()}
	var files []*ast.File
	for i, src := range srcs {
		name := string(rune('a'+i)) + ".go"
		if rest, ok := strings.CutPrefix(src, "-- "); ok {
			name, src, _ = strings.Cut(rest, " --\n")
		}
		f, err := parser.ParseFile(p.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		files = append(files, f)
		p.srcs = append(p.srcs, src)
		p.base = append(p.base, token.Pos(p.fset.File(f.Package).Base()))
	}
	p.Set = Read(p.fset, files, testRules)
	return p
}

// pos is where a text that occurs once begins.
func (p *pkg) pos(text string) token.Pos {
	p.t.Helper()
	for i, src := range p.srcs {
		if strings.Count(src, text) > 1 {
			p.t.Fatalf("%q occurs more than once", text)
		}
		if at := strings.Index(src, text); at >= 0 {
			return p.base[i] + token.Pos(at)
		}
	}
	p.t.Fatalf("%q does not occur", text)
	return token.NoPos
}

// show prints problems as "file:line: message".
func (p *pkg) show(list []Problem) string {
	var b strings.Builder
	for _, pr := range list {
		at := p.fset.PositionFor(pr.Pos, false)
		fmt.Fprintf(&b, "%s:%d: %s\n", at.Filename, at.Line, pr.Message)
	}
	return b.String()
}

func (p *pkg) clean() {
	p.t.Helper()
	if got := p.show(p.Problems()); got != "" {
		p.t.Errorf("problems:\n%s", got)
	}
}

func classOf(l *Lock) string {
	if l == nil {
		return "none"
	}
	return string(l.Class)
}
