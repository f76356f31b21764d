package drift

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/model"
)

// TestReach fails where a call is not known by the object to which the type
// checker resolves it.
func TestReach(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "./reach")
	if err != nil {
		t.Fatal(err)
	}
	pkg := pkgs[0]
	for _, e := range pkg.Errors {
		t.Fatal(e)
	}
	want := make(map[int]string)
	for _, g := range pkg.Syntax[0].Comments {
		for _, c := range g.List {
			want[pkg.Fset.Position(c.Pos()).Line] = strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
		}
	}
	got := make(map[int]string)
	ast.Inspect(pkg.Syntax[0], func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if fn, ok := pkg.TypesInfo.Uses[id].(*types.Func); ok {
			// The last call of a line counts: the outermost of a chain.
			c := model.Builtin().Func(fn)
			if c == nil {
				c = model.Builtin().Shape(fn)
			}
			if s := summary(c); s != "" {
				got[pkg.Fset.Position(id.Pos()).Line] = s
			}
		}
		return true
	})
	calls := 0
	for line, w := range want {
		if line < 30 {
			continue // comments of the head
		}
		calls++
		if got[line] != w {
			t.Errorf("reach.go:%d: %q, want %q", line, got[line], w)
		}
	}
	if calls < 50 {
		t.Errorf("only %d calls", calls)
	}
}

// summary is the roles of a call's entries and the kind of its effect.
func summary(c *model.Call) string {
	if c == nil {
		return ""
	}
	var words []string
	for _, l := range c.Locks {
		words = append(words, string(l.Role))
	}
	for _, l := range c.Depends {
		words = append(words, "?"+string(l.Role))
	}
	switch {
	case c.Sink == nil:
	case c.Sink.ByShape:
		words = append(words, "~"+c.Sink.Kind)
	default:
		words = append(words, c.Sink.Kind)
	}
	if c.Neutral {
		words = append(words, "neutral")
	}
	return strings.Join(words, " ")
}
