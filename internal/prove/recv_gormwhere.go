package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// where joins the conditions of the chain in their order, each in parentheses of
// its own: AND binds before OR, so a later Or opens what stands before it.
func (g *gormChain) where() {
	m := g.model()
	if m == nil {
		g.conditions(" WHERE ")
		return
	}
	record := term.Settle(unboxed(m))
	if g.onlyOrs() {
		g.keyFirst(record)
		return
	}
	n := g.conditions(" WHERE ")
	for _, e := range g.keyOf(record) {
		g.w.str(map[bool]string{true: " WHERE ", false: " AND "}[n == 0])
		g.w.str(e.key, " = ")
		g.value(e.value)
		n++
	}
}

// onlyOrs reports whether all conditions of the chain are alternatives: gorm then begins with
// the key of the record, to which they are alternatives, too. Its first version does not.
func (g *gormChain) onlyOrs() bool {
	conds := g.inOrder()
	return len(conds) > 0 && !strings.Contains(g.pkg, "jinzhu") && !slices.ContainsFunc(conds, func(s step) bool {
		return s.name != "Or" && !(s.name == "Where" && onlyOr(s.args[0]))
	})
}

// keyFirst writes the conditions behind the key of the record. One that is not seen has one.
func (g *gormChain) keyFirst(record *term.Term) {
	keys := g.keyOf(record)
	if len(keys) == 0 && record.Kind != term.Struct && !term.IsZero(record) {
		keys = []entry{{"id", term.NewUnknown("the key of a record that is not written out")}}
	}
	for i, e := range keys {
		g.w.str(map[bool]string{true: " WHERE ", false: " AND "}[i == 0])
		g.w.str(e.key, " = ")
		g.value(e.value)
	}
	g.conditions(map[bool]string{true: " WHERE ", false: " OR "}[len(keys) == 0])
}

// keyOf is the primary key of a record, if it is set.
func (g *gormChain) keyOf(record *term.Term) []entry {
	if record.Kind != term.Struct {
		return nil
	}
	es, _ := g.fieldsOf(record)
	return slices.DeleteFunc(es, func(e entry) bool { return e.key != "id" })
}

func (g *gormChain) conditions(first string) int {
	n := 0
	for _, s := range g.inOrder() {
		joint, ok := map[string]string{"Where": " AND ", "Not": " AND NOT ", "Or": " OR "}[s.name]
		if !ok || len(s.args) == 0 {
			continue
		}
		if s.name == "Where" && onlyOr(s.args[0]) {
			joint = " OR "
		}
		if n == 0 {
			joint = first
			if s.name == "Not" {
				joint += "NOT "
			}
		}
		n++
		if g.loose(s.args[0]) {
			g.w.str(joint)
			g.condition(s.args)
			continue
		}
		g.w.str(joint, "(")
		g.condition(s.args)
		g.w.str(")")
	}
	return n
}

// loose reports whether gorm writes the text of a condition without parentheses, and that makes
// a difference: it looks for AND and OR between blanks, and finds none at the ends of lines.
func (g *gormChain) loose(q *term.Term) bool {
	text, ok := term.StringValue(unboxed(q))
	text = strings.ToUpper(text)
	return ok && !strings.Contains(g.pkg, "jinzhu") && strings.Contains(text, "OR") && !strings.Contains(text, " AND ") && !strings.Contains(text, " OR ")
}

// condition writes the query of Where: a text, a map, a record, or a group.
func (g *gormChain) condition(args []*term.Term) {
	q := term.Settle(unboxed(args[0]))
	var vals []*term.Term
	if len(args) > 1 {
		l, ok := elements(args[1])
		if !ok {
			g.w.fail("arguments that are not written out")
		}
		vals = l
	}
	switch {
	case q.Kind == term.Call && strings.HasPrefix(q.Str, g.pkg+".DB."):
		lists, _ := chains(q, g.pkg)
		if len(lists) != 1 {
			g.w.fail("a group of conditions that is not written out")
			return
		}
		inner := &gormChain{j: g.j, w: g.w, steps: lists[0], pkg: g.pkg, name: g.name}
		if inner.conditions("") == 0 {
			g.w.fail("a group of conditions that is not written out")
		}
	case q.Kind == term.Struct && operator(typeName(args[0])) == "" && typeName(args[0]) != "Expr":
		g.equalities(q)
	case q.Kind == term.Struct || q.Kind == term.Call:
		g.expression(args[0])
		for _, v := range vals { // each is a condition of its own
			if onlyOr(v) {
				g.w.fail("a condition that is joined by OR to all before it")
			}
			g.w.str(" AND ")
			g.expression(v)
		}
	case isNumber(args[0]):
		g.w.str("id = ")
		g.value(q)
	default:
		g.text(q, vals)
	}
}

// onlyOr reports whether a condition is clause.Or of a single one, which is joined by OR to
// those before it.
func onlyOr(t *term.Term) bool {
	c := unboxed(t)
	if c.Kind != term.Call || lastPart(c.Str) != "Or" || !strings.Contains(c.Str, "/clause.") || len(c.Args) == 0 {
		return false
	}
	l, ok := elements(c.Args[0])
	return !ok || len(l) == 1
}
