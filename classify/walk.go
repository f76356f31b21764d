package classify

import (
	"go/ast"
	"go/token"
)

// decl adds the sites of one declaration of a file.
func (l *layout) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		l.add(&site{pos: d.Pos(), end: d.End(), at: atFunc, names: named(methodName(d)), node: d})
	case *ast.GenDecl:
		l.group(d)
	}
	l.inside(d)
}

// group adds a declaration with var, const or type.
func (l *layout) group(d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		return
	}
	if !d.Lparen.IsValid() && len(d.Specs) == 1 {
		l.spec(d.Specs[0], d)
		return
	}
	g := l.add(&site{pos: d.Pos(), end: d.End(), at: atGroup, node: d})
	for _, sp := range d.Specs {
		if s := l.spec(sp, sp); s != nil {
			g.names = append(g.names, s.names...)
		}
	}
}

// spec adds one specification, which is all of n, and its members.
func (l *layout) spec(sp ast.Spec, n ast.Node) *site {
	switch sp := sp.(type) {
	case *ast.TypeSpec:
		s := l.add(&site{pos: n.Pos(), end: n.End(), at: atType, names: named(sp.Name.Name), node: sp})
		l.members(sp.Name.Name, sp.Type)
		return s
	case *ast.ValueSpec:
		s := l.add(&site{pos: n.Pos(), end: n.End(), at: atVar, names: identNames("", sp.Names), node: sp})
		if len(s.names) == 1 && sp.Type != nil {
			l.members(s.names[0], sp.Type)
		}
		return s
	}
	return nil
}

// members adds the fields and interface methods of a type that is called name.
func (l *layout) members(name string, typ ast.Expr) {
	for {
		switch t := typ.(type) {
		case *ast.ParenExpr:
			typ = t.X
		case *ast.StarExpr:
			typ = t.X
		case *ast.ArrayType:
			typ = t.Elt
		case *ast.MapType:
			typ = t.Value
		case *ast.StructType:
			l.fields(name, t.Fields, atField)
			return
		case *ast.InterfaceType:
			l.fields(name, t.Methods, atMethod)
			return
		default:
			return
		}
	}
}

func (l *layout) fields(name string, list *ast.FieldList, at place) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		names := identNames(name+".", f.Names)
		if len(f.Names) == 0 {
			if at == atMethod {
				continue // an embedded interface or a union has no name of its own
			}
			names = named(name + "." + baseName(f.Type))
		}
		l.add(&site{pos: f.Pos(), end: f.End(), at: at, names: names, node: f})
		if len(names) == 1 && at == atField {
			l.members(names[0], f.Type)
		}
	}
}

// inside adds the statements and elements of a declaration, and marks its lines.
func (l *layout) inside(d ast.Node) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.CommentGroup:
			return false
		case *ast.BlockStmt:
			l.stmts(n.List)
		case *ast.CaseClause:
			l.stmts(n.Body)
		case *ast.CommClause:
			l.stmts(n.Body)
		case *ast.LabeledStmt:
			l.code(n.Stmt)
		case *ast.IfStmt:
			if e, ok := n.Else.(*ast.IfStmt); ok {
				l.code(e).elseIf = true
			}
		case *ast.DeclStmt:
			l.local(n)
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				l.code(e)
			}
		case *ast.CallExpr:
			l.arguments(n)
		}
		l.mark(n.Pos(), n.End())
		return true
	})
}

func (l *layout) code(n ast.Node) *site {
	return l.add(&site{pos: n.Pos(), end: n.End(), at: atStmt, node: n})
}

func (l *layout) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.code(s)
	}
}

// local adds the lines of a parenthesised declaration in a function.
func (l *layout) local(d *ast.DeclStmt) {
	if g, ok := d.Decl.(*ast.GenDecl); ok && g.Lparen.IsValid() {
		for _, sp := range g.Specs {
			l.code(sp)
		}
	}
}

// arguments adds those that are code of their own: functions, literals, and calls such as
// options, one of which may acquire a lock.
func (l *layout) arguments(call *ast.CallExpr) {
	for _, a := range call.Args {
		x := ast.Unparen(a)
		if u, ok := x.(*ast.UnaryExpr); ok {
			x = u.X
		}
		switch x.(type) {
		case *ast.FuncLit, *ast.CompositeLit, *ast.CallExpr:
			l.code(a)
		}
	}
}

func methodName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return baseName(d.Recv.List[0].Type) + "." + d.Name.Name
}

// baseName is the name of a receiver's or embedded field's type.
func baseName(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.ParenExpr:
			e = t.X
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.SelectorExpr:
			return t.Sel.Name
		case *ast.Ident:
			return t.Name
		default:
			return "_"
		}
	}
}

func identNames(prefix string, ids []*ast.Ident) []string {
	var names []string
	for _, id := range ids {
		names = append(names, prefix+id.Name)
	}
	return names
}

func named(name string) []string { return []string{name} }
