package prove

import (
	gc "go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { builders["ent-generated"] = entForms }

const (
	entPath    = "entgo.io/ent/generated"
	entSQLPath = "entgo.io/ent/dialect/sql"
)

// entForms are the statements of a builder that ent has generated.
func entForms(j *judge, ev *flow.Event, s *model.Sink) ([]built, bool) {
	if s.Kind != "builder_terminal" || ev.Recv == nil {
		return nil, false
	}
	return formsOfChain(ev, entPath, func(w *writing, steps []step) {
		e := &entChain{j: j, w: w, q: &query{}}
		e.entity = entityOf(ev.Recv)
		for _, st := range steps {
			e.step(st)
		}
		e.finish()
	}), true
}

// entityOf is the full name of the entity whose client begins a chain.
func entityOf(chain *term.Term) string {
	for chain.Kind == term.Alt || chain.Kind == term.Call && len(chain.Args) > 0 {
		if strings.HasPrefix(chain.Str, entPath+".Client.") && chain.Args[0].Kind == term.Iface {
			return chain.Args[0].Str
		}
		chain = chain.Args[0]
	}
	return ""
}

type entChain struct {
	j      *judge
	w      *writing
	q      *query
	entity string
	new    bool     // a conflict gives the columns their new values
	set    []string // columns of an insert
}

// entBegin are the methods of a client, with the verb of their statement.
var entBegin = map[string]string{
	"Update": "UPDATE", "UpdateOne": "UPDATE", "UpdateOneID": "UPDATE",
	"Create": "INSERT INTO", "CreateBulk": "INSERT INTO", "MapCreateBulk": "INSERT INTO",
	"Delete": "DELETE FROM", "DeleteOne": "DELETE FROM", "DeleteOneID": "DELETE FROM",
}

func (e *entChain) step(s step) {
	start := strings.HasPrefix(s.key, entPath+".Client.")
	verb := entBegin[s.name]
	switch {
	case start && verb != "":
		e.q.verb = verb
		e.q.table = words(e.constant("Table", plural(snake(lastPart(e.entity)))))
		if strings.HasSuffix(s.name, "One") || strings.HasSuffix(s.name, "ID") {
			e.q.and(e.byID(s))
		}
		if strings.HasSuffix(s.name, "Bulk") {
			e.bulk(s)
		}
	case s.name == "Where":
		l, ok := elements(s.args[0])
		if !ok {
			e.w.fail("a condition that is not written out")
		}
		for _, p := range l {
			e.q.conds = append(e.q.conds, e.oneOf(p))
		}
	case s.name == "OnConflict":
		e.onConflict(s)
	case s.name == "OnConflictColumns":
		e.conflict(s.args[0])
	case s.name == "UpdateNewValues":
		e.new = true
	case s.name == "Ignore" || s.name == "DoNothing":
		e.q.conflict = words("CONFLICT DO NOTHING")
	case s.name == "Update":
		e.w.fail("a function says what is updated in a conflict")
	case s.name == "Modify":
		e.w.fail("a function changes the statement")
	default:
		e.setter(s)
	}
}

// bulk reads what the first of many rows is made of; where that is not in sight, some
// column has some value.
func (e *entChain) bulk(s step) {
	var first [][]step
	if rows, _ := elements(s.args[0]); s.name == "CreateBulk" && len(rows) > 0 {
		first, _ = chains(unboxed(rows[0]), entPath)
	}
	if len(first) == 1 && len(first[0]) > 1 {
		for _, st := range first[0][1:] {
			e.step(st)
		}
		return
	}
	e.q.cols = append(e.q.cols, name(term.NewUnknown("a column of a row that is made elsewhere")))
	e.q.vals = append(e.q.vals, func(w *writing) { w.arg(s.args[0]) })
}

// byID writes the condition on the key: the id, or that of the entity given.
func (e *entChain) byID(s step) clause {
	return func(w *writing) {
		w.str("id = ")
		w.arg(s.args[len(s.args)-1])
	}
}

// setter reads the methods that are named after fields.
func (e *entChain) setter(s step) {
	assigned := func(field string, value clause) {
		column := e.constant("Field"+field, snake(field))
		e.q.sets = append(e.q.sets, assign(column, value))
		e.q.cols, e.q.vals = append(e.q.cols, words(column)), append(e.q.vals, value)
		e.set = append(e.set, column)
	}
	bound := func(w *writing) { w.arg(pointee(s.args[0])) }
	field, isSet := strings.CutPrefix(s.name, "Set")
	switch {
	case isSet && len(s.args) == 1 && unboxed(s.args[0]).Kind != term.List:
		assigned(strings.TrimPrefix(field, "Nillable"), bound)
	case strings.HasPrefix(s.name, "Add") && len(s.args) == 1 && e.isField(s.name[3:]):
		column := e.constant("Field"+s.name[3:], snake(s.name[3:]))
		assigned(s.name[3:], func(w *writing) { w.str(column, " + "); bound(w) })
	case strings.HasPrefix(s.name, "Clear") && len(s.args) == 0 && e.isField(s.name[5:]):
		assigned(s.name[5:], words("NULL"))
	case strings.HasPrefix(s.name, "Add"), strings.HasPrefix(s.name, "Remove"), strings.HasPrefix(s.name, "Clear"), strings.HasPrefix(s.name, "Append"), isSet:
		// edges, which are rows of other tables, and lists
	default:
		e.w.fail("the step " + s.name + " of the chain is not followed")
	}
}

// constantsPath is the package that ent generates for the entity.
func (e *entChain) constantsPath() string {
	i := strings.LastIndexByte(e.entity, '.')
	if i < 0 {
		return ""
	}
	return e.entity[:i] + "/" + strings.ToLower(e.entity[i+1:])
}

func (e *entChain) isField(name string) bool { return e.constant("Field"+name, "") != "" }

// constant is a constant of the package that ent generates for the entity, or else what
// ent makes of the name.
func (e *entChain) constant(name, other string) string {
	path := e.constantsPath()
	if path == "" {
		return other
	}
	var in []*types.Package
	for _, p := range e.j.u.Pkg.Imports() {
		in = append(append(in, p), p.Imports()...)
	}
	k := slices.IndexFunc(in, func(p *types.Package) bool { return p.Path() == path })
	if k < 0 {
		return other
	}
	if c, ok := in[k].Scope().Lookup(name).(*types.Const); ok && c.Val().Kind() == gc.String {
		return gc.StringVal(c.Val())
	}
	return other
}

// oneOf is a condition among others: an expression stands there as it is written, so that an
// OR in it opens what stands beside it.
func (e *entChain) oneOf(t *term.Term) condition {
	return condition{joint: "AND", write: e.predicate(t), bare: lastPart(unboxed(t).Str) == "ExprP"}
}

// predicate writes a condition of the entity's package, or of package sql.
func (e *entChain) predicate(t *term.Term) clause {
	c := unboxed(t)
	if edge := e.edgeAsked(c); edge != "" {
		return words("EXISTS (SELECT 1 FROM " + edge + ")")
	}
	if c.Kind != term.Call || !strings.HasPrefix(c.Str, entSQLPath+".") {
		return failing("a condition that is not written out")
	}
	last := lastPart(c.Str)
	op := operator(strings.TrimPrefix(last, "Field"))
	switch {
	case op != "" && len(c.Args) == 2:
		return func(w *writing) { name(c.Args[0])(w); w.str(op); e.value(w, c.Args[1]) }
	case (last == "FieldIn" || last == "In") && len(c.Args) == 2:
		return func(w *writing) { name(c.Args[0])(w); w.str(" IN ("); w.arg(c.Args[1]); w.str(")") }
	case (last == "FieldIsNull" || last == "IsNull") && len(c.Args) == 1:
		return func(w *writing) { name(c.Args[0])(w); w.str(" IS NULL") }
	case (last == "FieldNotNull" || last == "NotNull") && len(c.Args) == 1:
		return func(w *writing) { name(c.Args[0])(w); w.str(" IS NOT NULL") }
	case (last == "NotPredicates" || last == "Not") && len(c.Args) == 1:
		return func(w *writing) { w.str("NOT ("); junction(c.Args, "AND", e.predicate)(w); w.str(")") }
	case (last == "AndPredicates" || last == "And") && len(c.Args) == 1:
		return junctionOf(c.Args, "AND", e.oneOf)
	case (last == "OrPredicates" || last == "Or") && len(c.Args) == 1:
		return junctionOf(c.Args, "OR", e.oneOf)
	case last == "ExprP" && len(c.Args) == 2:
		return func(w *writing) { format{value: e.value}.text(c.Args[0], argsOf(w, step{args: c.Args}, 1))(w) }
	}
	return failing("the condition " + last + " is not followed")
}

// edgeAsked is the edge of which a condition demands that there is one, made by HasEdge or
// HasEdgeWith of the entity's package; "" for other conditions. What it asks of the rows
// of the other table says nothing of the row that is written.
func (e *entChain) edgeAsked(c *term.Term) string {
	path := e.constantsPath()
	if c.Kind != term.Closure && c.Kind != term.Func || path == "" {
		return ""
	}
	made, isLiteral := strings.CutPrefix(c.Str, path+".Has")
	edge, _, inner := strings.Cut(made, "$")
	if !isLiteral || !inner {
		return ""
	}
	return snake(strings.TrimSuffix(edge, "With"))
}

func (e *entChain) value(w *writing, t *term.Term) {
	if v := unboxed(t); v.Kind == term.Call && strings.HasPrefix(v.Str, entSQLPath+".") {
		w.fail("an expression that is not followed")
		return
	}
	w.arg(unboxed(t))
}

func (e *entChain) conflict(columns *term.Term) {
	cols, ok := strs(columns)
	if !ok {
		e.w.fail("columns that are not written out")
	}
	e.q.conflict = words("CONFLICT (", strings.Join(cols, ", "), ") DO UPDATE")
}

// onConflict reads the options of OnConflict.
func (e *entChain) onConflict(s step) {
	l, ok := elements(s.args[0])
	if !ok {
		e.w.fail("what happens in a conflict is not written out")
	}
	for _, o := range l {
		o = unboxed(o)
		if o.Kind != term.Call || !strings.HasPrefix(o.Str, entSQLPath+".") {
			e.w.fail("what happens in a conflict is not written out")
			continue
		}
		switch last := lastPart(o.Str); last {
		case "ConflictColumns":
			e.conflict(o.Args[0])
		case "UpdateWhere":
			e.q.conds = append(e.q.conds, e.oneOf(o.Args[0]))
		case "ResolveWithNewValues":
			e.new = true
		case "ResolveWithIgnore", "DoNothing":
			e.q.conflict = words("CONFLICT DO NOTHING")
		case "ConflictWhere", "ConflictConstraint":
		default:
			e.w.fail("the option " + last + " is not followed")
		}
	}
}

func (e *entChain) finish() {
	q := e.q
	if q.verb == "INSERT INTO" {
		switch {
		case q.conflict == nil && e.new:
			q.conflict = words("CONFLICT (id) DO UPDATE")
			fallthrough
		case e.new:
			for _, c := range e.set {
				q.moves = append(q.moves, words(c, " = EXCLUDED.", c))
			}
		}
		if q.conflict == nil {
			q.conds = nil
		}
	}
	q.write(e.w)
}
