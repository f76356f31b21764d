package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// clause writes a part of a statement.
type clause func(*writing)

// query is a statement whose clauses a builder gathers in any order.
type query struct {
	verb       string // UPDATE, INSERT INTO, DELETE FROM
	table      clause
	sets       []clause // column = value
	from       clause   // what an update is joined to
	cols, vals []clause // of an insert
	conflict   clause   // up to DO UPDATE SET or DO NOTHING
	moves      []clause // assignments of DO UPDATE
	conds      []condition
}

// condition is joined to the ones before it: each stands in parentheses of its own, and
// AND binds before OR, so that a later OR opens what stands before it.
type condition struct {
	joint string // AND, OR, AND NOT
	write clause
	bare  bool // without parentheses
}

func (q *query) and(c clause) { q.conds = append(q.conds, condition{joint: "AND", write: c}) }

// write puts the clauses in order. Conditions of an insert belong to DO UPDATE.
func (q *query) write(w *writing) {
	if q.table == nil || q.verb == "" {
		w.fail(outOfSight)
		return
	}
	w.str(q.verb, " ")
	q.table(w)
	switch q.verb {
	case "UPDATE":
		if len(q.sets) == 0 {
			w.fail("what is stored is not written out")
		}
		w.str(" SET ")
		w.list(q.sets)
		if q.from != nil {
			w.str(" FROM ")
			q.from(w)
		}
	case "INSERT INTO":
		if len(q.cols) == 0 {
			w.fail("what is stored is not written out")
		}
		w.str(" (")
		w.list(q.cols)
		w.str(") VALUES (")
		w.list(q.vals)
		w.str(")")
		if q.conflict == nil {
			return
		}
		w.str(" ON ")
		q.conflict(w)
		if len(q.moves) > 0 {
			w.str(" SET ")
			w.list(q.moves)
		}
	}
	w.conditions(" WHERE ", q.conds)
}

// list writes clauses with commas between them.
func (w *writing) list(cs []clause) {
	for i, c := range cs {
		if i > 0 {
			w.str(", ")
		}
		c(w)
	}
}

func (w *writing) conditions(first string, conds []condition) {
	for i, c := range conds {
		_, not, _ := strings.Cut(c.joint, " ")
		switch {
		case i == 0 && not != "":
			w.str(first, not, " ")
		case i == 0:
			w.str(first)
		default:
			w.str(" ", c.joint, " ")
		}
		if c.bare {
			c.write(w)
			continue
		}
		w.str("(")
		c.write(w)
		w.str(")")
	}
}

// operators are the comparisons, by the names that libraries have for them.
var operators = map[string]string{
	"eq": " = ", "ne": " <> ", "neq": " <> ", "noteq": " <> ", "lt": " < ", "lte": " <= ", "ltoreq": " <= ", "gt": " > ", "gte": " >= ", "gtoreq": " >= ",
	"like": " LIKE ", "notlike": " NOT LIKE ",
}

// operator is the comparison that a library calls so, in whatever letters; "" for none.
func operator(name string) string { return operators[strings.ToLower(name)] }

// junction joins conditions, or those in a list, with AND or OR; write writes one.
func junction(args []*term.Term, joint string, write func(*term.Term) clause) clause {
	return junctionOf(args, joint, func(t *term.Term) condition { return condition{write: write(t)} })
}

// junctionOf is the same for a library that writes some conditions without parentheses.
func junctionOf(args []*term.Term, joint string, one func(*term.Term) condition) clause {
	var parts []*term.Term
	for _, a := range args {
		if unboxed(a).Kind != term.List {
			parts = append(parts, a)
			continue
		}
		l, ok := elements(a)
		if !ok {
			return failing("a list of conditions that is not written out")
		}
		parts = append(parts, l...)
	}
	if len(parts) == 0 {
		return failing("a condition that is not written out")
	}
	conds := make([]condition, len(parts))
	for i, p := range parts {
		conds[i] = one(p)
		conds[i].joint = strings.ToUpper(joint)
	}
	return func(w *writing) { w.conditions("", conds) }
}

// failing is a clause that cannot be written.
func failing(reason string) clause { return func(w *writing) { w.fail(reason) } }

// orZero is t, or the zero constant for none.
func orZero(t *term.Term) *term.Term {
	if t == nil {
		return term.Nil
	}
	return t
}

// tableLike is what a table is called that keeps records of a type, as far as is known.
func tableLike(typ string) string {
	if typ == "" || typ == "map" {
		return "rows"
	}
	return plural(snake(lastPart(typ)))
}

// words is a clause of known text.
func words(s ...string) clause { return func(w *writing) { w.str(s...) } }

// name writes a term as it stands: the name of a table or a column.
func name(t *term.Term) clause {
	return func(w *writing) { w.parts = append(w.parts, unboxed(t)) }
}

// assign writes column = value.
func assign(column string, value clause) clause {
	return func(w *writing) { w.str(column, " = "); value(w) }
}

// columnsNamed keeps the columns with the given names.
func columnsNamed(cs []column, names []string) []column {
	var out []column
	for _, n := range names {
		for _, c := range cs {
			if c.name == n || c.field == n {
				out = append(out, c)
			}
		}
	}
	return out
}

// sortedEntries are those of a map, by their keys.
func sortedEntries(w *writing, t *term.Term) []entry {
	es, ok := entries(t)
	if !ok {
		w.fail("a map that is not written out")
	}
	slices.SortFunc(es, func(x, y entry) int { return strings.Compare(x.key, y.key) })
	return es
}

// strs are the constants of an argument list, false if some are not known.
func strs(t *term.Term) ([]string, bool) {
	es, ok := elements(t)
	if !ok {
		return nil, false
	}
	var out []string
	for _, e := range es {
		s, ok := term.StringValue(unboxed(e))
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}
