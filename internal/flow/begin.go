package flow

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A statement is often written above the call that sends it: its text, the request that
// is filled in, the builder on which clauses are called. Who looks for the write looks
// there, so a place knows the line on which it begins.

// beginnings finds those lines, by the first character of the call.
type beginnings struct {
	a     *Analysis
	lines map[token.Pos]int
	given map[*types.Var]token.Pos // where a variable was last given a value that it did not have a part in

	matters map[*types.Package]bool // whether a model speaks of it
}

func (a *Analysis) beginnings() map[token.Pos]int {
	b := &beginnings{a: a, lines: make(map[token.Pos]int), given: make(map[*types.Var]token.Pos), matters: make(map[*types.Package]bool)}
	for _, f := range a.Files {
		ast.Inspect(f, b.visit)
	}
	return b.lines
}

func (b *beginnings) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		b.assigned(n)
	case *ast.CallExpr:
		b.call(n)
	}
	return true
}

func (b *beginnings) assigned(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return // added to what there is
	}
	for i, l := range s.Lhs {
		v := b.local(l)
		if v == nil || len(s.Rhs) == len(s.Lhs) && b.mentions(s.Rhs[i], v) {
			continue
		}
		b.given[v] = s.Pos()
	}
}

func (b *beginnings) mentions(e ast.Expr, v *types.Var) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && b.a.Info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// call notes where what a library's function is given begins.
func (b *beginnings) call(c *ast.CallExpr) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	callee, ok := b.a.Info.Uses[sel.Sel].(*types.Func)
	if !ok || callee.Pkg() == nil || callee.Pkg() == b.a.Pkg || !b.known(callee.Pkg()) {
		return
	}
	first := c.Pos()
	for _, e := range append(b.statements(c, callee), root(sel.X)) {
		v := b.local(e)
		if v == nil || !b.states(v.Type(), callee.Pkg()) {
			continue
		}
		if at, ok := b.given[v]; ok && at < first {
			first = at
		}
	}
	if first != c.Pos() {
		b.lines[c.Pos()] = b.a.Fset.Position(first).Line
	}
}

func (b *beginnings) known(p *types.Package) bool {
	yes, ok := b.matters[p]
	if !ok {
		yes = b.a.Models.Matters(p.Path())
		b.matters[p] = yes
	}
	return yes
}

// statements are the arguments with the text or the request.
func (b *beginnings) statements(c *ast.CallExpr, callee *types.Func) []ast.Expr {
	known := b.a.known.of(callee).call
	if known == nil || known.Sink == nil {
		return nil
	}
	var out []ast.Expr
	if s := known.Sink; s.Stmt >= 0 && s.Stmt < len(c.Args) {
		out = append(out, c.Args[s.Stmt])
	}
	if in := known.Sink.Input; in.Root == "arg" && in.Index >= 0 && in.Index < len(c.Args) {
		out = append(out, c.Args[in.Index])
	}
	return out
}

// root is the expression on which a chain of calls begins.
func root(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			e = x.Fun
		case *ast.SelectorExpr:
			e = x.X
		default:
			return x
		}
	}
}

// local is the variable of a function that an expression names, nil for others.
func (b *beginnings) local(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := b.a.Info.ObjectOf(id).(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return nil
	}
	return v
}

// carries are the values on which statements are sent: they begin none.
var carries = set("pool", "conn", "tx", "client", "batch")

// states reports whether a value of a type can be a statement or a request of a library.
func (b *beginnings) states(t types.Type, lib *types.Package) bool {
	if basic, ok := t.Underlying().(*types.Basic); ok {
		return basic.Kind() == types.String
	}
	obj := namedOf(t)
	return obj != nil && obj.Pkg() == lib && !carries[b.a.Models.Carrier(t)]
}
