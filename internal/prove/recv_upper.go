package prove

import (
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { builders["upper-db"] = upperForms }

const upperPath = "github.com/upper/db/v4"

// upperDecision judges what upper/db writes: by a chain, by the result of a search, or by
// a record, whose key is the only condition.
func upperForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	switch {
	case s.Dialect != "" || e.Recv == nil:
		return nil, false
	case s.Kind == "builder_terminal", s.Recv == "Result":
		return formsOfChain(e, upperPath, func(w *writing, steps []step) {
			u := &upperChain{j: j, w: w, q: &query{}}
			u.run(steps)
			u.end(s, e.Args)
			u.q.write(w)
		}), true
	}
	w := &writing{dollar: true}
	u := &upperChain{j: j, w: w, q: &query{verb: "UPDATE", table: words(tableLike(recordType(e.Args[0])))}}
	u.record(s, e.Args[0])
	u.q.write(w)
	return []built{{w, false}}, true
}

// upperChain gathers the clauses of one chain.
type upperChain struct {
	j    *judge
	w    *writing
	q    *query
	cols []string
}

// upperVerbs begin a statement on a table.
var upperVerbs = map[string]string{"Update": "UPDATE", "DeleteFrom": "DELETE FROM", "InsertInto": "INSERT INTO", "Collection": "UPDATE"}

func (u *upperChain) run(steps []step) {
	for _, s := range steps {
		switch verb := upperVerbs[s.name]; {
		case verb != "":
			u.q.verb = verb
			u.q.table = name(s.args[0])
		case s.name == "SQL", s.name == "WithContext", s.name == "OrderBy", s.name == "Select", s.name == "Returning":
		case s.name == "Where":
			u.q.conds = nil // the conditions before it are forgotten
			u.conditions(s.args[0])
		case s.name == "And", s.name == "Find":
			u.conditions(s.args[0])
		case s.name == "Set":
			u.set(s.args[0])
		case s.name == "Columns":
			u.cols, _ = strs(s.args[0])
		case s.name == "Values":
			u.values(s.args[0])
		default:
			u.w.fail("the step " + s.name + " of the chain is not followed")
		}
	}
}

// end adds what the last call of a chain says.
func (u *upperChain) end(s *model.Sink, args []*term.Term) {
	switch s.Recv + "." + s.Method {
	case "Result.Update":
		u.assigned(args[0])
	case "Result.Delete":
		u.q.verb = "DELETE FROM"
	}
}

// record writes a record by its key.
func (u *upperChain) record(s *model.Sink, record *term.Term) {
	u.q.and(words("id = 0"))
	switch {
	case strings.HasPrefix(s.Method, "Insert"):
		u.q.verb, u.q.conds = "INSERT INTO", nil
		u.assigned(record)
	case s.Method == "Delete":
		u.q.verb = "DELETE FROM"
	default:
		u.assigned(record)
	}
}

// conditions joins what Where, And and Find are given. A text stands without parentheses
// there, so that an OR in it opens what stands before it.
func (u *upperChain) conditions(list *term.Term) {
	l, ok := elements(list)
	if !ok {
		u.w.fail("a condition that is not written out")
		return
	}
	if c := u.text(l); c != nil {
		u.q.conds = append(u.q.conds, condition{joint: "AND", write: c, bare: true})
		return
	}
	for _, t := range l {
		u.q.conds = append(u.q.conds, u.condition(t))
	}
}

// text is a condition that is written out, or a column and its value; nil for others.
func (u *upperChain) text(l []*term.Term) clause {
	if len(l) == 0 {
		return nil
	}
	first := unboxed(l[0])
	s, ok := term.StringValue(first)
	switch {
	case !ok && first.Kind != term.Concat:
		return nil
	case !ok || strings.Contains(s, "?") || len(l) == 1:
		return format{value: u.value}.text(first, l[1:])
	case len(l) == 2:
		return u.comparison(s, l[1])
	}
	return u.comparison(s, term.NewList(false, l[1:]...))
}

// comparison writes one entry of a condition: the operator stands behind the column's
// name, or in the value.
func (u *upperChain) comparison(key string, value *term.Term) clause {
	column, op, _ := strings.Cut(strings.TrimSpace(key), " ")
	v := unboxed(value)
	if v.Kind == term.Call && strings.HasPrefix(v.Str, upperPath+".") && len(v.Args) <= 1 {
		switch last := lastPart(v.Str); {
		case last == "IsNull":
			return words(column, " IS NULL")
		case last == "IsNotNull":
			return words(column, " IS NOT NULL")
		case operator(last) != "" && len(v.Args) == 1:
			op, v = strings.TrimSpace(operator(last)), unboxed(v.Args[0])
		}
	}
	return func(w *writing) {
		switch {
		case v.Kind == term.Const && v.Typ == "nil" && (op == "" || op == "="):
			w.str(column, " IS NULL")
		case v.Kind == term.List:
			w.str(column, " ", orWord(op, "IN"), " (")
			w.arg(v)
			w.str(")")
		default:
			w.str(column, " ", orWord(op, "="), " ")
			u.value(w, v)
		}
	}
}

// condition writes a map, a junction, or a text made by db.Raw.
func (u *upperChain) condition(t *term.Term) condition {
	c := unboxed(t)
	switch {
	case c.Kind == term.Struct && c.Str == "map":
		return condition{joint: "AND", write: u.mapped(c)}
	case c.Kind != term.Call || !strings.HasPrefix(c.Str, upperPath+"."):
	case lastPart(c.Str) == "Raw":
		return condition{joint: "AND", write: format{value: u.value}.text(c.Args[0], argsOf(u.w, step{args: c.Args}, 1)), bare: true}
	case lastPart(c.Str) == "And" || lastPart(c.Str) == "Or": // of conditions, or of an expression and more
		return condition{joint: "AND", write: junction(c.Args, lastPart(c.Str), u.inner)}
	}
	return condition{joint: "AND", write: failing("a condition that is not written out")}
}

func (u *upperChain) inner(t *term.Term) clause { return u.condition(t).write }

func (u *upperChain) mapped(m *term.Term) clause {
	es := sortedEntries(u.w, m)
	if len(es) == 0 {
		return failing("a condition that is not written out")
	}
	return func(w *writing) {
		for i, e := range es {
			if i > 0 {
				w.str(" AND ")
			}
			u.comparison(e.key, e.value)(w)
		}
	}
}

// set reads columns and values, a map or a record.
func (u *upperChain) set(list *term.Term) {
	l, ok := elements(list)
	if !ok {
		u.w.fail("what is stored is not written out")
		return
	}
	if len(l) == 1 {
		if _, text := term.StringValue(unboxed(l[0])); !text {
			u.assigned(l[0])
			return
		}
	}
	for i := 0; i < len(l); i++ {
		text, ok := term.StringValue(unboxed(l[i]))
		column, value, found := strings.Cut(text, "=")
		if !found {
			value = "?"
		}
		n := strings.Count(value, "?")
		if !ok || i+n >= len(l) {
			u.w.fail("what is stored is not written out")
			return
		}
		args := l[i+1 : i+1+n]
		u.q.sets = append(u.q.sets, assign(strings.TrimSpace(column), format{value: u.value}.text(term.NewString(value), args)))
		i += n
	}
}

// assigned stores the entries of a map or the fields of a record.
func (u *upperChain) assigned(t *term.Term) {
	store := func(column string, value *term.Term) {
		c := func(w *writing) { u.value(w, value) }
		u.q.sets = append(u.q.sets, assign(column, c))
		u.q.cols, u.q.vals = append(u.q.cols, words(column)), append(u.q.vals, c)
	}
	if unboxed(t).Kind == term.Struct && unboxed(t).Str == "map" {
		for _, e := range sortedEntries(u.w, t) {
			store(e.key, e.value)
		}
		return
	}
	cs, ok := u.j.columns(t, upperName)
	if !ok {
		u.w.fail("what is stored is not written out")
	}
	for _, c := range cs {
		store(c.name, c.value)
	}
}

// upperName is how upper/db names the column of a field.
func upperName(field string, tag reflect.StructTag) (string, bool) {
	name, _, _ := strings.Cut(tag.Get("db"), ",")
	switch name {
	case "-":
		return "", false
	case "":
		name = field
	}
	return name, name == "id"
}

// values are those of an insert, for the columns before them, or a map or a record.
func (u *upperChain) values(list *term.Term) {
	l, ok := elements(list)
	switch {
	case ok && len(l) == 1 && len(u.cols) == 0:
		u.assigned(l[0])
	case !ok || len(l) != len(u.cols):
		u.w.fail("what is stored is not written out")
	}
	for i, c := range u.cols {
		if i < len(l) {
			u.q.cols, u.q.vals = append(u.q.cols, words(c)), append(u.q.vals, func(w *writing) { u.value(w, l[i]) })
		}
	}
}

// value writes a value that is bound, or a text made by db.Raw.
func (u *upperChain) value(w *writing, t *term.Term) {
	v := unboxed(t)
	switch {
	case v.Kind != term.Call || !strings.HasPrefix(v.Str, upperPath+"."):
		w.arg(v)
	case lastPart(v.Str) == "Raw" && len(v.Args) > 0:
		format{value: u.value}.text(v.Args[0], argsOf(w, step{args: v.Args}, 1))(w)
	default:
		w.fail("an expression that is not followed")
	}
}
