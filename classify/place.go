package classify

import (
	"cmp"
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// settle judges the place of a directive that has been read, and puts it there.
func (r *reader) settle(p *draft, l *layout) {
	s, gap := l.find(p.Pos)
	v := verbNamed(p.Verb)
	switch {
	case s == nil:
		in := around(l.sites, p.Pos)
		if in != nil && isStatement(in.node) && l.number(in.pos) < l.number(p.Pos) {
			p.fault("%s stands in the middle of the code that begins on line %d; put it on the line above that one", p.Verb, l.number(in.pos))
		} else {
			p.fault("%s stands on nothing; put it on the line above the code it is about, or behind that code", p.Verb)
		}
		l.doubt(p, cmp.Or(in, l.clause))
	case v == nil:
		l.doubt(p, s)
	case v.places&s.at == 0:
		p.fault("%s stands on %s; it goes on %s", v.name, s.at, v.places)
	default:
		if gap {
			p.fault("an empty line parts %s from the code below; delete the line", p.Verb)
		}
		r.suits(p, s, l.file)
		p.site = s
		r.put(p, v, s)
		l.keep(s)
	}
}

// isStatement reports whether n is code without a block of its own or around a type.
func isStatement(n ast.Node) bool {
	switch n.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.CallExpr:
		return true
	}
	return false
}

// doubt notes that a class may have been meant for s.
func (l *layout) doubt(p *draft, s *site) {
	if p.doubtful() {
		s.unread = true
		l.keep(s)
	}
}

// doubtful reports whether the directive is about a class that cannot be read.
func (p *draft) doubtful() bool {
	return p.Verb == verbLock || p.spell == verbLock
}

// suits judges what the place must have besides its kind.
func (r *reader) suits(p *draft, s *site, f *ast.File) {
	switch p.Verb {
	case verbWrites:
		r.suitsWrites(p, s)
	case verbStaleTest:
		d := s.node.(*ast.FuncDecl)
		name := r.fset.PositionFor(d.Pos(), false).Filename
		if !strings.HasSuffix(name, "_test.go") || !isTest(d, f) {
			p.fault("staletest stands on a function that is no test; it goes on func TestXxx(t *testing.T) in a _test.go file")
		}
	}
}

// suitsWrites judges that the parameters exist. Where the type of a field is
// declared out of sight, it believes them.
func (r *reader) suitsWrites(p *draft, s *site) {
	sig, known := r.signature(s.node)
	if !known {
		return
	}
	if sig == nil {
		p.fault("writes stands on a field that is no function; it goes on a function, an interface method or a field of function type")
		return
	}
	var params []string
	for _, f := range sig.Params.List {
		params = append(params, identNames("", f.Names)...)
	}
	all := "its parameters have no names"
	if len(params) > 0 {
		all = "its parameters are " + strings.Join(params, ", ")
	}
	p.Args = slices.DeleteFunc(p.Args, func(a Arg) bool {
		if a.Key != "fence" && a.Key != "idempotency" || a.Value != "_" && slices.Contains(params, a.Value) {
			return false
		}
		p.fault("%s=%s names no parameter%s", a.Key, clean(a.Value), didYouMean(a.Value, params, all))
		return true
	})
}

// signature is the function type of a declaration, interface method or field.
// It is nil if there is none; known is false if that cannot be seen here.
func (r *reader) signature(n ast.Node) (sig *ast.FuncType, known bool) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Type, true
	case *ast.Field:
		return r.funcType(n.Type)
	}
	return nil, true
}

func (r *reader) funcType(e ast.Expr) (sig *ast.FuncType, known bool) {
	seen := map[string]bool{}
	for {
		switch t := e.(type) {
		case *ast.FuncType:
			return t, true
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			under, ok := r.typeOf(t.Name)
			if !ok || seen[t.Name] {
				return nil, isPredeclared(t.Name)
			}
			seen[t.Name] = true
			e = under
		case *ast.SelectorExpr, *ast.BadExpr:
			return nil, false
		default:
			return nil, true
		}
	}
}

// typeOf gives the right side of a type declaration of the package.
func (r *reader) typeOf(name string) (ast.Expr, bool) {
	if r.types == nil {
		r.types = map[string]ast.Expr{}
		for _, f := range r.files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, sp := range g.Specs {
					if ts, ok := sp.(*ast.TypeSpec); ok {
						r.types[ts.Name.Name] = ts.Type
					}
				}
			}
		}
	}
	e, ok := r.types[name]
	return e, ok
}

// isPredeclared reports whether a type of this name is the language's own; none is a function.
func isPredeclared(name string) bool {
	switch name {
	case "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64",
		"int", "int8", "int16", "int32", "int64", "rune", "string",
		"uint", "uint8", "uint16", "uint32", "uint64", "uintptr":
		return true
	}
	return false
}

// isTest reports whether d is func TestXxx(t *testing.T).
func isTest(d *ast.FuncDecl, f *ast.File) bool {
	rest, ok := strings.CutPrefix(d.Name.Name, "Test")
	if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(first) {
		return false
	}
	params := d.Type.Params.List
	if d.Recv != nil || d.Type.TypeParams != nil || d.Type.Results.NumFields() > 0 || len(params) != 1 || len(params[0].Names) > 1 {
		return false
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch t := star.X.(type) {
	case *ast.Ident:
		return t.Name == "T" && importName(f, "testing") == "."
	case *ast.SelectorExpr:
		x, ok := t.X.(*ast.Ident)
		return ok && t.Sel.Name == "T" && x.Name == importName(f, "testing")
	}
	return false
}

// importName is the name by which f knows a package of the standard library, "" if not at all.
func importName(f *ast.File, path string) string {
	for _, im := range f.Imports {
		if p, err := strconv.Unquote(im.Path.Value); err != nil || p != path {
			continue
		}
		if im.Name != nil {
			return im.Name.Name
		}
		return path
	}
	return ""
}
