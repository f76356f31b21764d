package prove

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fencelint/fencelint/internal/flow"
)

// The way of a value through the variables of one function, as it is written: what it was
// assigned, decoded from, or sent by. The steps of its origin leave out what only hands it
// on, for they are told in terms in which that is done already.

// maxWay bounds the steps that are told of a way.
const maxWay = 8

// way notes, behind a step of a token, how the expression got its value.
func (t *tracer) way(e ast.Expr, depth int) {
	w := &wayBack{j: t.j, seen: make(map[types.Object]bool)}
	w.body = t.j.bodyAround(e.Pos())
	for range maxWay {
		v := w.variable(e)
		if v == nil || w.body == nil || w.seen[v] {
			return
		}
		w.seen[v] = true
		text, from := w.defined(v, e.Pos())
		if text == "" {
			return
		}
		t.steps = append(t.steps, Reason{Kind: Origin, Text: text, Place: t.j.a.PlaceOf(from.Pos()), Depth: depth})
		w.errs = isErrorsAs(from)
		e = from
	}
}

// isErrorsAs reports whether an expression is a call that finds an error in another one.
func isErrorsAs(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	return ok && types.ExprString(c.Fun) == "errors.As"
}

// bodyAround is the body of the declared function that a position is in.
func (j *judge) bodyAround(pos token.Pos) *ast.BlockStmt {
	for _, f := range j.u.Files {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && fd.Body.Pos() <= pos && pos < fd.Body.End() {
				return fd.Body
			}
		}
	}
	return nil
}

type wayBack struct {
	j    *judge
	body *ast.BlockStmt
	seen map[types.Object]bool
	errs bool // the value is in an error
}

// variable is the local variable from which an expression takes its value, nil if there is
// none, or several.
func (w *wayBack) variable(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := w.j.u.Info.ObjectOf(e).(*types.Var)
		if ok && !v.IsField() && v.Parent() != nil && v.Parent() != w.j.u.Pkg.Scope() && w.carries(v.Type()) {
			return v
		}
	case *ast.ParenExpr:
		return w.variable(e.X)
	case *ast.SelectorExpr:
		return w.variable(e.X)
	case *ast.IndexExpr:
		return w.variable(e.X)
	case *ast.SliceExpr:
		return w.variable(e.X)
	case *ast.StarExpr:
		return w.variable(e.X)
	case *ast.UnaryExpr:
		return w.variable(e.X)
	case *ast.TypeAssertExpr:
		return w.variable(e.X)
	case *ast.CallExpr:
		return w.argument(e)
	}
	return nil
}

// argument is the one local variable that a call is given, or whose method it is.
func (w *wayBack) argument(c *ast.CallExpr) types.Object {
	var only types.Object
	for _, a := range c.Args {
		if v := w.variable(a); v != nil && only == nil {
			only = v
		} else if v != nil && v != only {
			return nil
		}
	}
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && only == nil {
		return w.variable(sel.X)
	}
	return only
}

// carries reports whether a value may be on its way in one of a type: contexts and errors go
// with every call.
func (w *wayBack) carries(t types.Type) bool {
	return (w.errs || !isErrorType(t)) && t.String() != "context.Context"
}

func isErrorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// defined tells how a variable got its value last before a position, with the expression
// from which it has it.
func (w *wayBack) defined(v types.Object, before token.Pos) (text string, from ast.Expr) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && w.j.u.Info.ObjectOf(id) == v
	}
	ast.Inspect(w.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			if is(n.Chan) {
				text, from = "on "+v.Name()+" is sent "+shortened(types.ExprString(n.Value)), n.Value
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if is(l) && n.End() <= before {
					rhs := n.Rhs[min(i, len(n.Rhs)-1)]
					text, from = v.Name()+" is "+shortened(types.ExprString(rhs)), rhs
				}
			}
		case *ast.RangeStmt:
			if n.Pos() < before && (n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)) {
				text, from = v.Name()+" is one of "+shortened(types.ExprString(n.X)), n.X
			}
		case *ast.CallExpr:
			for _, a := range n.Args {
				if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND && is(u.X) && n.End() <= before && len(n.Args) > 1 {
					text, from = v.Name()+" is filled by "+shortened(types.ExprString(n)), withoutArgument(n, a)
				}
			}
		}
		return true
	})
	return text, from
}

// withoutArgument is a call without the argument that it fills.
func withoutArgument(c *ast.CallExpr, a ast.Expr) ast.Expr {
	out := *c
	out.Args = nil
	for _, b := range c.Args {
		if b != a {
			out.Args = append(out.Args, b)
		}
	}
	return &out
}

// sentAs is the expression that a call in this package sends as an argument of a statement,
// nil if that is not in sight.
func (t *tracer) sentAs(position int, at flow.Step) ast.Expr {
	c := t.j.models.FuncKey(t.w.Key)
	call := t.j.callAt(at.Pos)
	if c == nil || c.Sink == nil || call == nil || c.Sink.Args < 0 || call.Ellipsis.IsValid() {
		return nil
	}
	if n := c.Sink.Args + position; position >= 0 && n < len(call.Args) {
		return call.Args[n]
	}
	return nil
}
