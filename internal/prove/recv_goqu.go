package prove

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { builders["goqu-exec"] = goquForms }

const goquPath = "github.com/doug-martin/goqu/v9"

// goquDecision judges a statement of goqu, whose datasets are values.
func goquForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	if s.Kind != "builder_terminal" || e.Recv == nil {
		return nil, false
	}
	return formsOfChain(e, goquPath, func(w *writing, steps []step) { goquWrite(j, w, steps) }), true
}

func goquWrite(j *judge, w *writing, steps []step) {
	g := &goquChain{j: j, q: &query{}}
	for _, s := range steps {
		f := goquSteps[s.name]
		if f == nil {
			w.fail("the step " + s.name + " of the chain is not followed")
			continue
		}
		f(g, w, s)
	}
	if g.q.verb == "" && g.selects {
		w.str("SELECT 1") // which rows it reads does not matter
		return
	}
	g.q.write(w)
}

type goquChain struct {
	j       *judge
	q       *query
	selects bool
}

// goquSteps gather their clause; a step that is not here is not followed.
var goquSteps map[string]func(*goquChain, *writing, step)

func init() { // the functions refer to the table
	begin := func(verb string) func(*goquChain, *writing, step) {
		return func(g *goquChain, w *writing, s step) {
			if g.q.verb = verb; verb == "INSERT INTO" {
				g.q.conds = nil // those of the query before it stay there
			}
			g.table(s)
		}
	}
	none := func(*goquChain, *writing, step) {}
	goquSteps = map[string]func(*goquChain, *writing, step){
		"Update": begin("UPDATE"), "Insert": begin("INSERT INTO"), "Delete": begin("DELETE FROM"),
		"Table": func(g *goquChain, _ *writing, s step) { g.table(s) },
		"Into":  func(g *goquChain, _ *writing, s step) { g.table(s) },
		"From": func(g *goquChain, w *writing, s step) {
			if g.q.verb == "UPDATE" {
				w.fail("an update from another table")
			}
			g.selects = true
			g.table(s)
		},
		"Select": func(g *goquChain, _ *writing, s step) { g.selects = true },
		"Set":    func(g *goquChain, w *writing, s step) { g.q.sets = g.assignments(w, s.args[0]) },
		"Where": func(g *goquChain, w *writing, s step) {
			for _, e := range goquList(w, s.args[0]) {
				g.q.conds = append(g.q.conds, g.oneOf(e))
			}
		},
		"ClearWhere": func(g *goquChain, _ *writing, _ step) { g.q.conds = nil },
		"Rows":       (*goquChain).rows,
		"OnConflict": (*goquChain).onConflict,
	}
	for _, s := range strings.Fields("Prepared WithDialect SetDialect Dialect Returning Executor Order OrderAppend") {
		goquSteps[s] = none
	}
}

// table keeps the name of the table, if a step gives one.
func (g *goquChain) table(s step) {
	if len(s.args) == 0 {
		return
	}
	t := s.args[0]
	if l, ok := elements(t); ok && len(l) == 1 {
		t = l[0]
	}
	if t = unboxed(t); t.Kind == term.Const && t.Typ == "string" {
		g.q.table = words(t.Str)
		return
	}
	g.q.table = g.value(t)
}

func goquList(w *writing, t *term.Term) []*term.Term {
	l, ok := elements(t)
	if !ok {
		w.fail("a list that is not written out")
	}
	return l
}

// assignments are the entries of a map, or the fields of a record.
func (g *goquChain) assignments(w *writing, t *term.Term) []clause {
	var out []clause
	for _, e := range g.stored(w, t) {
		out = append(out, assign(e.key, g.value(e.value)))
	}
	return out
}

func (g *goquChain) stored(w *writing, t *term.Term) []entry {
	if es, ok := entries(t); ok && (len(es) > 0 || unboxed(t).Str == "map") {
		slices.SortFunc(es, func(x, y entry) int { return strings.Compare(x.key, y.key) })
		return es
	}
	cs, ok := g.j.columns(t, goquName)
	if !ok {
		w.fail("what is stored is not written out")
	}
	var out []entry
	for _, c := range cs {
		out = append(out, entry{c.name, c.value})
	}
	return out
}

// goquName is how goqu names the column of a field; what it may leave out is not told.
func goquName(field string, tag reflect.StructTag) (string, bool) {
	name, _, _ := strings.Cut(tag.Get("db"), ",")
	switch {
	case name == "-", tag.Get("goqu") != "":
		return "", false
	case name == "":
		name = strings.ToLower(field)
	}
	return name, false
}

func (g *goquChain) rows(w *writing, s step) {
	l := goquList(w, s.args[0])
	if len(l) != 1 {
		w.fail("several rows at once")
		return
	}
	g.q.cols, g.q.vals = nil, nil // the rows of a step before are forgotten
	for _, e := range g.stored(w, l[0]) {
		g.q.cols, g.q.vals = append(g.q.cols, words(e.key)), append(g.q.vals, g.value(e.value))
	}
}

func (g *goquChain) onConflict(w *writing, s step) {
	c := unboxed(s.args[0])
	if c.Kind == term.Call && strings.HasSuffix(c.Str, "ConflictUpdateExpression.Where") && len(c.Args) == 2 {
		for _, e := range goquList(w, c.Args[1]) {
			g.q.conds = append(g.q.conds, g.oneOf(e))
		}
		c = unboxed(c.Args[0])
	}
	switch {
	case c.Kind == term.Call && c.Str == goquPath+".DoNothing":
		g.q.conflict = words("CONFLICT DO NOTHING")
	case c.Kind == term.Call && c.Str == goquPath+".DoUpdate" && len(c.Args) == 2:
		target := unboxed(c.Args[0])
		g.q.conflict = func(w *writing) { w.str("CONFLICT ("); name(target)(w); w.str(") DO UPDATE") }
		g.q.moves = g.assignments(w, c.Args[1])
	default:
		w.fail("what happens in a conflict is not written out")
	}
}

// oneOf is a condition among others: a literal stands there as it is written, so that an OR in
// it opens what stands beside it.
func (g *goquChain) oneOf(t *term.Term) condition {
	last := lastPart(unboxed(t).Str)
	return condition{joint: "AND", write: g.condition(t), bare: unboxed(t).Kind == term.Call && (last == "L" || last == "Literal")}
}

// condition writes an expression.
func (g *goquChain) condition(t *term.Term) clause {
	typ, c := typeName(t), unboxed(t)
	if c.Kind == term.Struct && c.Str == "map" {
		return g.mapped(c, map[bool]string{true: " OR ", false: " AND "}[typ == "ExOr"], typ == "Ex" || typ == "ExOr")
	}
	if c.Kind != term.Call || !strings.Contains(c.Str, goquPath) {
		return failing("a condition that is not written out")
	}
	switch last := lastPart(c.Str); {
	case (last == "And" || last == "Or") && len(c.Args) == 1:
		return junctionOf(c.Args, last, g.oneOf)
	case strings.Contains(c.Str, "exp.Comparable.") && operator(last) != "" && len(c.Args) == 2:
		return g.comparison(g.value(c.Args[0]), operator(last), c.Args[1])
	case last == "IsNull" && len(c.Args) == 1:
		return g.comparison(g.value(c.Args[0]), " = ", term.Nil)
	case last == "IsNotNull" && len(c.Args) == 1:
		return g.comparison(g.value(c.Args[0]), " <> ", term.Nil)
	case last == "In" && len(c.Args) == 2:
		return g.comparison(g.value(c.Args[0]), " = ", c.Args[1])
	case last == "L" || last == "Literal":
		return g.literal(c)
	}
	return failing("a condition that is not followed")
}

// mapped writes a map of columns. The operators of one column are joined with OR.
func (g *goquChain) mapped(m *term.Term, op string, known bool) clause {
	es, ok := entries(m)
	if !ok || !known || len(es) == 0 {
		return failing("a condition that is not written out")
	}
	slices.SortFunc(es, func(x, y entry) int { return strings.Compare(x.key, y.key) })
	return func(w *writing) {
		for i, e := range es {
			if i > 0 {
				w.str(op)
			}
			w.str("(")
			g.entry(e)(w)
			w.str(")")
		}
	}
}

func (g *goquChain) entry(e entry) clause {
	if typeName(e.value) != "Op" {
		return g.comparison(words(e.key), " = ", e.value)
	}
	ops, ok := entries(e.value)
	if !ok || len(ops) == 0 {
		return failing("a condition that is not written out")
	}
	return func(w *writing) {
		for i, o := range ops {
			op := operator(o.key)
			if op == "" {
				w.fail("the operator " + o.key + " is not followed")
				return
			}
			if i > 0 {
				w.str(" OR ")
			}
			g.comparison(words(e.key), op, o.value)(w)
		}
	}
}

func (g *goquChain) comparison(left clause, op string, right *term.Term) clause {
	return func(w *writing) {
		left(w)
		switch v := unboxed(right); {
		case v.Kind == term.Const && v.Typ == "nil":
			w.str(map[bool]string{true: " IS NOT NULL", false: " IS NULL"}[op == " <> "])
		case v.Kind == term.List:
			w.str(map[bool]string{true: " NOT IN (", false: " IN ("}[op == " <> "])
			w.arg(v)
			w.str(")")
		default:
			w.str(op)
			g.value(right)(w)
		}
	}
}

func (g *goquChain) literal(c *term.Term) clause {
	f := format{value: func(w *writing, t *term.Term) { g.value(t)(w) }}
	return func(w *writing) { f.text(c.Args[0], argsOf(w, step{args: c.Args}, 1))(w) }
}

// value writes a column, a literal, a function, or a value that is bound.
func (g *goquChain) value(t *term.Term) clause {
	v := unboxed(t)
	if v.Kind != term.Call || !strings.Contains(v.Str, goquPath) {
		if strings.Contains(t.Str, goquPath) && t.Kind == term.Iface {
			return failing("a query within the statement")
		}
		return func(w *writing) { w.arg(v) }
	}
	switch last := lastPart(v.Str); {
	case (last == "C" || last == "I" || last == "T") && len(v.Args) == 1:
		return name(v.Args[0])
	case last == "L" || last == "Literal":
		return g.literal(v)
	case last == "V" && len(v.Args) == 1:
		return g.value(v.Args[0])
	case last == "COALESCE" && len(v.Args) == 1:
		return func(w *writing) {
			w.str("COALESCE(")
			for i, a := range goquList(w, v.Args[0]) {
				if i > 0 {
					w.str(", ")
				}
				g.value(a)(w)
			}
			w.str(")")
		}
	}
	return failing("an expression that is not followed")
}
