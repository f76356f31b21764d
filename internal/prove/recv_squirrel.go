package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// squirrelForms are the statements of a builder of squirrel. Its builders are values: only
// what the chain of results holds is part of the statement.
func squirrelForms(_ *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	builder, pkg := e.Recv, pathOf(e.Key)
	if s.Stmt >= 0 && s.Stmt < len(e.Args) { // of a function that is given both
		builder, pkg = e.Args[s.Stmt], e.Key[:strings.LastIndexByte(e.Key, '.')]
	}
	if s.Kind != "builder_terminal" || builder == nil {
		return nil, false
	}
	var out []built
	for _, w := range squirrel(builder, pkg) {
		out = append(out, built{w, builder.Symbolic() && w.failed == outOfSight})
	}
	return out, true
}

const outOfSight = "the statement is begun out of sight"

// squirrel writes the statements that a builder can stand for.
func squirrel(builder *term.Term, pkg string) []*writing {
	lists, roots := chains(builder, pkg)
	if len(lists) == 0 {
		w := &writing{}
		w.fail(roots[0].Str)
		return []*writing{w}
	}
	var out []*writing
	for i, steps := range lists {
		w := &writing{}
		out = append(out, w)
		b := &squirrelChain{w: w, steps: steps}
		if roots[i] != nil && (roots[i].Kind != term.Global || len(steps) == 0) {
			w.fail(outOfSight)
			continue
		}
		b.write()
	}
	return out
}

type squirrelChain struct {
	w     *writing
	steps []step
}

// squirrelSteps are the steps that are understood; those with false change nothing
// in which rows are written.
var squirrelSteps = map[string]bool{
	"Update": true, "Insert": true, "Delete": true, "Replace": true, "Table": true, "From": true, "Into": true,
	"Set": true, "SetMap": true, "Where": true, "Columns": true, "Values": true, "Suffix": true, "SuffixExpr": true, "Prefix": true, "PrefixExpr": true,
	"PlaceholderFormat": true, "RunWith": false, "OrderBy": false, "Limit": false, "Returning": false,
}

func (b *squirrelChain) write() {
	verb := ""
	var table *term.Term
	for _, s := range b.steps {
		if _, ok := squirrelSteps[s.name]; !ok {
			b.w.fail("the step " + s.name + " of the builder is not followed")
		}
		switch s.name {
		case "Update", "Insert", "Delete", "Replace":
			verb, table = s.name, s.args[len(s.args)-1]
		case "Table", "From", "Into":
			table = s.args[0]
		case "PlaceholderFormat":
			b.w.dollar = !strings.HasSuffix(unboxed(s.args[0]).Str, "Question")
		}
	}
	verbs := map[string]func(*squirrelChain, *term.Term){
		"Update": (*squirrelChain).update, "Delete": (*squirrelChain).delete,
		"Insert":  func(b *squirrelChain, t *term.Term) { b.insert("INSERT INTO ", t) },
		"Replace": func(b *squirrelChain, t *term.Term) { b.insert("REPLACE INTO ", t) },
	}
	f := verbs[verb]
	if f == nil {
		b.w.fail(outOfSight)
		return
	}
	b.texts("Prefix", "")
	f(b, table)
	b.texts("Suffix", " ")
}

func (b *squirrelChain) update(table *term.Term) {
	b.w.str("UPDATE ")
	b.w.parts = append(b.w.parts, unboxed(table))
	b.w.str(" SET ")
	n := 0
	set := func(column, value *term.Term) {
		if n++; n > 1 {
			b.w.str(", ")
		}
		b.w.parts = append(b.w.parts, unboxed(column))
		b.w.str(" = ")
		b.value(value)
	}
	for _, s := range b.steps {
		switch s.name {
		case "Set":
			set(s.args[0], s.args[1])
		case "SetMap":
			for _, e := range b.mapOf(s.args[0]) {
				set(term.NewString(e.key), e.value)
			}
		}
	}
	b.where()
}

func (b *squirrelChain) mapOf(t *term.Term) []entry {
	es, ok := entries(t)
	if !ok {
		b.w.fail("a map that is not written out")
	}
	slices.SortFunc(es, func(x, y entry) int { return strings.Compare(x.key, y.key) })
	return es
}

func (b *squirrelChain) delete(table *term.Term) {
	b.w.str("DELETE FROM ")
	b.w.parts = append(b.w.parts, unboxed(table))
	b.where()
}

func (b *squirrelChain) insert(verb string, table *term.Term) {
	var columns, values []*term.Term
	for _, s := range b.steps {
		switch s.name {
		case "Columns", "Values":
			l, ok := elements(s.args[0])
			if !ok {
				b.w.fail("columns that are not written out")
			}
			if s.name == "Columns" {
				columns = append(columns, l...)
			} else if values = append(values, l...); len(values) > len(l) {
				b.w.fail("several rows at once")
			}
		case "SetMap":
			for _, e := range b.mapOf(s.args[0]) {
				columns, values = append(columns, term.NewString(e.key)), append(values, e.value)
			}
		}
	}
	b.w.str(verb)
	b.w.parts = append(b.w.parts, unboxed(table))
	b.w.str(" (")
	for i, c := range columns {
		if i > 0 {
			b.w.str(", ")
		}
		b.w.parts = append(b.w.parts, unboxed(c))
	}
	b.w.str(") VALUES (")
	for i, v := range values {
		if i > 0 {
			b.w.str(", ")
		}
		b.value(v)
	}
	b.w.str(")")
}

// where joins the conditions as squirrel does: texts stand without parentheses.
func (b *squirrelChain) where() {
	n := 0
	for _, s := range b.steps {
		if s.name != "Where" {
			continue
		}
		if text, ok := term.StringValue(unboxed(s.args[0])); ok && text == "" {
			continue
		}
		if n++; n == 1 {
			b.w.str(" WHERE ")
		} else {
			b.w.str(" AND ")
		}
		var args []*term.Term
		if len(s.args) > 1 {
			l, ok := elements(s.args[1])
			if !ok {
				b.w.fail("arguments that are not written out")
			}
			args = l
		}
		b.predicate(s.args[0], args)
	}
}

func (b *squirrelChain) predicate(t *term.Term, args []*term.Term) {
	name, inner := typeName(t), unboxed(t)
	op := operator(name)
	known := op != ""
	switch {
	case known || inner.Kind == term.Struct && !strings.Contains(inner.Str, "squirrel"):
		if !known {
			op = " = " // a plain map
		}
		b.comparisons(inner, op)
	case name == "And" || name == "Or":
		b.junction(inner, " "+strings.ToUpper(name)+" ")
	case inner.Kind == term.Call && lastPart(inner.Str) == "Expr":
		b.expr(inner)
	case inner.Kind == term.Const || inner.Kind == term.Concat:
		b.w.fragment(inner, args, b.value)
	default:
		b.w.fail("a condition that is not written out")
	}
}

func (b *squirrelChain) comparisons(m *term.Term, op string) {
	es := b.mapOf(m)
	if len(es) == 0 {
		b.w.str(map[bool]string{true: "(1=1)", false: "(1=0)"}[op != " <> "])
	}
	for i, e := range es {
		if i > 0 {
			b.w.str(" AND ")
		}
		v := unboxed(e.value)
		switch {
		case term.IsZero(v) && v.Typ == "nil" && op == " = ":
			b.w.str(e.key, " IS NULL")
		case term.IsZero(v) && v.Typ == "nil":
			b.w.str(e.key, " IS NOT NULL")
		case v.Kind == term.List && op == " = ":
			b.w.str(e.key, " IN (")
			b.value(v)
			b.w.str(")")
		case v.Kind == term.List:
			b.w.str(e.key, " NOT IN (")
			b.value(v)
			b.w.str(")")
		default:
			b.w.str(e.key, op)
			b.value(v)
		}
	}
}

func (b *squirrelChain) junction(l *term.Term, op string) {
	es, ok := elements(l)
	if !ok {
		b.w.fail("a condition that is not written out")
		return
	}
	b.w.str("(")
	if len(es) == 0 {
		b.w.str(map[bool]string{true: "1=1", false: "1=0"}[op == " AND "])
	}
	for i, e := range es {
		if i > 0 {
			b.w.str(op)
		}
		b.predicate(e, nil)
	}
	b.w.str(")")
}

// expr writes sq.Expr(text, args...).
func (b *squirrelChain) expr(c *term.Term) {
	args := c.Args
	if len(args) == 0 {
		b.w.fail("an expression without text")
		return
	}
	var vals []*term.Term
	if len(args) > 1 {
		l, ok := elements(args[1])
		if !ok {
			b.w.fail("arguments that are not written out")
		}
		vals = l
	}
	b.w.fragment(args[0], vals, b.value)
}

func (b *squirrelChain) value(t *term.Term) {
	v := unboxed(t)
	if v.Kind == term.Call && strings.HasSuffix(v.Str, "squirrel.Expr") {
		b.expr(v)
		return
	}
	b.w.arg(v)
}

// texts writes what stands before or behind the statement.
func (b *squirrelChain) texts(step, before string) {
	after := map[string]string{"": " ", " ": ""}[before]
	for _, s := range b.steps {
		switch s.name {
		case step:
			b.w.str(before)
			b.expr(term.NewCall("squirrel.Expr", "", 0, s.args...))
			b.w.str(after)
		case step + "Expr":
			b.w.str(before)
			b.value(s.args[0])
			b.w.str(after)
		}
	}
}

// takenOut is the statement of a builder whose text and arguments were taken out, by
// ToSql, and handed on together.
func (j *judge) takenOut(text, args *term.Term) (stmt, vals *term.Term, ok bool) {
	if args == nil || !fromToSQL(text) || !fromToSQL(args) || !text.Args[0].Equal(args.Args[0]) {
		return nil, nil, false
	}
	builder := text.Args[0]
	var ws []*writing
	switch {
	case strings.HasPrefix(text.Str, goquPath+"."):
		lists, _ := chains(builder, goquPath)
		for _, steps := range lists {
			w := &writing{dollar: true}
			goquWrite(j, w, steps)
			ws = append(ws, w)
		}
	default:
		ws = squirrel(builder, pathOf(builder.Alternatives()[0].Str))
	}
	if len(ws) == 0 || slices.ContainsFunc(ws, func(w *writing) bool { return w.failed != "" }) {
		return nil, nil, false
	}
	var texts, lists []*term.Term
	for _, w := range ws {
		t, v := w.statement()
		texts, lists = append(texts, t), append(lists, v)
	}
	return term.NewAlt(texts...), term.NewAlt(lists...), true // the number of arguments tells which belong together
}

func fromToSQL(t *term.Term) bool {
	if t.Kind != term.Call || len(t.Args) != 1 {
		return false
	}
	for _, b := range t.Args[0].Alternatives() {
		if b.Kind != term.Call {
			return false
		}
	}
	last := lastPart(t.Str)
	return strings.Contains(t.Str, "squirrel.") && (last == "ToSql" || last == "MustSql") || strings.HasPrefix(t.Str, goquPath+".") && last == "ToSQL"
}
