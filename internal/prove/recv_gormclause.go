package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func (g *gormChain) onConflict(c *term.Term) {
	field := func(n string) *term.Term { return unboxed(fieldNamed(c, n)) }
	isTrue := func(t *term.Term) bool { return t.Kind == term.Const && t.Str == "true" }
	g.w.str(" ON CONFLICT")
	if cols, ok := elements(field("Columns")); ok && len(cols) > 0 {
		g.w.str(" (")
		for i, x := range cols {
			if i > 0 {
				g.w.str(", ")
			}
			g.column(x)
		}
		g.w.str(")")
	}
	if isTrue(field("DoNothing")) {
		g.w.str(" DO NOTHING")
		return
	}
	g.w.str(" DO UPDATE SET ")
	if isTrue(field("UpdateAll")) {
		for i, e := range g.columns(g.args[0]) {
			if i > 0 {
				g.w.str(", ")
			}
			g.w.str(e.key, " = excluded.", e.key)
		}
	} else {
		g.assignments(field("DoUpdates"))
	}
	g.conflictWhere(field("Where"))
}

func (g *gormChain) assignments(t *term.Term) {
	if t.Kind != term.Call || len(t.Args) == 0 {
		g.w.fail("assignments that are not written out")
		return
	}
	switch lastPart(t.Str) {
	case "AssignmentColumns":
		l, ok := elements(t.Args[0])
		if !ok {
			g.w.fail("columns that are not written out")
		}
		for i, c := range l {
			if i > 0 {
				g.w.str(", ")
			}
			g.w.parts = append(g.w.parts, unboxed(c))
			g.w.str(" = excluded.")
			g.w.parts = append(g.w.parts, unboxed(c))
		}
	case "Assignments":
		es, ok := entries(t.Args[0])
		if !ok {
			g.w.fail("assignments that are not written out")
		}
		for i, e := range es {
			if i > 0 {
				g.w.str(", ")
			}
			g.w.str(e.key, " = ")
			g.value(e.value)
		}
	default:
		g.w.fail("assignments that are not written out")
	}
}

func (g *gormChain) conflictWhere(w *term.Term) {
	if w.Kind != term.Struct {
		return
	}
	l, ok := elements(fieldNamed(w, "Exprs"))
	if !ok {
		g.w.fail("conditions that are not written out")
	}
	for i, x := range l {
		g.w.str(map[bool]string{true: " WHERE ", false: " AND "}[i == 0])
		g.expression(x)
	}
}

// column writes a column: clause.Column, or its name.
func (g *gormChain) column(t *term.Term) {
	t = unboxed(t)
	if t.Kind != term.Struct {
		g.w.parts = append(g.w.parts, t)
		return
	}
	if table, ok := term.StringValue(fieldNamed(t, "Table")); ok && table != "" && table != "~~~ct~~~" {
		g.w.str(table, ".")
	}
	g.w.parts = append(g.w.parts, unboxed(fieldNamed(t, "Name")))
}

// expression writes a clause.Expression.
func (g *gormChain) expression(t *term.Term) {
	name, inner := typeName(t), unboxed(t)
	op := operator(name)
	switch {
	case op != "" && inner.Kind == term.Struct:
		g.column(fieldNamed(inner, "Column"))
		if v := unboxed(fieldNamed(inner, "Value")); term.IsZero(v) && v.Typ != "int" && v.Typ != "string" && v.Typ != "bool" && !strings.ContainsAny(op, "<>") {
			g.w.str(" IS NULL")
			return
		}
		g.w.str(op)
		g.value(fieldNamed(inner, "Value"))
	case name == "Expr" && inner.Kind == term.Struct:
		vars, _ := elements(fieldNamed(inner, "Vars"))
		g.w.str("(")
		g.w.fragment(fieldNamed(inner, "SQL"), vars, g.value)
		g.w.str(")")
	case inner.Kind == term.Call && (lastPart(inner.Str) == "And" || lastPart(inner.Str) == "Or") && len(inner.Args) > 0:
		l, ok := elements(inner.Args[0])
		if !ok {
			g.w.fail("conditions that are not written out")
		}
		g.w.str("(")
		for i, x := range l {
			if i > 0 {
				g.w.str(" ", strings.ToUpper(lastPart(inner.Str)), " ")
			}
			g.expression(x)
		}
		g.w.str(")")
	case inner.Kind == term.Call && lastPart(inner.Str) == "Expr":
		g.w.str("(")
		g.sqlExpr(inner)
		g.w.str(")")
	default:
		g.w.fail("a condition that is not followed")
	}
}

func (g *gormChain) sqlExpr(c *term.Term) {
	var vals []*term.Term
	if len(c.Args) > 1 {
		vals, _ = elements(c.Args[1])
	}
	g.w.fragment(c.Args[0], vals, g.value)
}

func (g *gormChain) value(t *term.Term) {
	v := unboxed(t)
	switch {
	case v.Kind == term.Call && strings.HasSuffix(v.Str, "gorm.Expr"):
		g.sqlExpr(v)
	case typeName(t) == "Column" && v.Kind == term.Struct:
		g.column(v)
	case typeName(t) == "Expr" && v.Kind == term.Struct:
		g.expression(t)
	default:
		g.w.arg(v)
	}
}
