package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	p := New(`^a+$`)
	if !p.MatchString("aaa") || p.MatchString("ab") || p.Regexp().String() != `^a+$` {
		t.Error("the pattern does not match what it says")
	}
}

// Every pattern in the module compiles.
func TestAllCompile(t *testing.T) {
	n := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(x ast.Node) bool {
			call, ok := x.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "New" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); !ok || pkg.Name != "pattern" {
				return true
			}
			n++
			for _, text := range literals(t, path, call.Args[0]) {
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 20 {
		t.Errorf("only %d patterns found: does this test still look for them where they are?", n)
	}
}

// literals joins the literals that an expression adds up.
func literals(t *testing.T, path string, x ast.Expr) []string {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return []string{s}
	case *ast.BinaryExpr:
		return []string{strings.Join(append(literals(t, path, x.X), literals(t, path, x.Y)...), "")}
	}
	t.Errorf("%s: a pattern is no literal", path)
	return nil
}
