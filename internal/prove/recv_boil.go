package prove

import (
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() {
	builders["sqlboiler-generated"] = boilForms
	builders["sqlboiler-queries"] = boilQuery
}

const boilPath = "github.com/aarondl/sqlboiler/generated"

// boilQuery is a statement that queries.Raw holds as text; what is put together otherwise
// is not followed.
func boilQuery(_ *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	if s.Kind != "builder_terminal" || e.Recv == nil {
		return nil, false
	}
	return formsOfChain(e, pathOf(e.Key), func(w *writing, steps []step) {
		last := steps[len(steps)-1]
		if len(steps) != 1 || last.name != "Raw" || len(last.args) != 2 {
			w.fail(outOfSight)
			return
		}
		l, ok := elements(last.args[1])
		if !ok {
			w.fail("arguments that are not written out")
		}
		w.parts = append(w.parts, unboxed(last.args[0]))
		w.args = l
	}), true
}

// boilForms are what a generated model writes: records by their primary key alone, queries
// by the conditions that they began with.
func boilForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	if s.Boundary != "store" || len(e.Args) == 0 {
		return nil, false
	}
	of, name, _ := strings.Cut(strings.TrimPrefix(e.Key, boilPath+"."), ".")
	var out []built
	switch of {
	case "Query":
		for _, q := range e.Args[0].Alternatives() {
			for _, w := range j.boilQueries(unboxed(q), name, e.Args) {
				out = append(out, built{w, q.Symbolic() && w.failed == outOfSight})
			}
		}
	default:
		b := &boilWriting{j: j, w: &writing{dollar: true}, q: &query{}}
		b.record(name, e.Args)
		out = append(out, built{b.w, false})
	}
	return out, true
}

// boilWriting puts one statement together.
type boilWriting struct {
	j    *judge
	w    *writing
	q    *query
	bare bool // conditions stand without parentheses
}

// boilQueries are the statements that a query can become.
func (j *judge) boilQueries(q *term.Term, name string, args []*term.Term) []*writing {
	if q.Kind != term.Call || q.Str != boilPath+".Begin" || len(q.Args) != 2 {
		w := &writing{}
		w.fail(outOfSight)
		return []*writing{w}
	}
	table, _ := term.StringValue(q.Args[0])
	var out []*writing
	for _, mods := range q.Args[1].Alternatives() {
		b := &boilWriting{j: j, w: &writing{dollar: true}, q: &query{verb: "UPDATE", table: words(snake(table))}}
		l, ok := elements(mods)
		if !ok {
			b.w.fail("conditions that are put together out of sight")
		}
		b.mods(l)
		if name == "DeleteAll" {
			b.q.verb = "DELETE FROM"
		} else {
			b.set(args[len(args)-1])
		}
		b.q.write(b.w)
		out = append(out, b.w)
	}
	return out
}

func (b *boilWriting) set(m *term.Term) {
	for _, e := range sortedEntries(b.w, m) {
		b.q.sets = append(b.q.sets, assign(lastPart(strings.ReplaceAll(e.key, `"`, "")), b.value(e.value)))
	}
}

// value is one that is bound; the types that may be NULL hold another.
func (b *boilWriting) value(t *term.Term) clause {
	v := unboxed(t)
	if v.Kind == term.Call && len(v.Args) == 1 && strings.Contains(v.Str, "/null") && strings.HasSuffix(v.Str, "From") {
		v = v.Args[0]
	}
	return func(w *writing) { w.arg(v) }
}

// mods gathers conditions. Where some of them are grouped, the library writes the others
// without parentheses.
func (b *boilWriting) mods(l []*term.Term) {
	for _, m := range l {
		m = unboxed(m)
		b.bare = b.bare || m.Kind == term.Call && lastPart(m.Str) == "Expr"
	}
	for _, m := range l {
		if c, joint := b.mod(unboxed(m)); c != nil {
			b.q.conds = append(b.q.conds, condition{joint: joint, write: c, bare: b.bare})
		}
	}
}

// boilNothing are modifiers that leave the rows as they are.
var boilNothing = map[string]bool{"Comment": true, "Select": true, "OrderBy": true, "Load": true, "For": true, "Distinct": true}

// mod is the condition that a modifier adds, nil for none.
func (b *boilWriting) mod(m *term.Term) (c clause, joint string) {
	name := lastPart(m.Str)
	text := func() clause {
		return format{value: func(w *writing, t *term.Term) { b.value(t)(w) }}.text(m.Args[0], argsOf(b.w, step{args: m.Args}, 1))
	}
	switch {
	case m.Kind != term.Call || len(m.Args) == 0 || !strings.Contains(m.Str, "/sqlboiler/"):
		b.w.fail("a condition that is not written out")
	case strings.Contains(m.Str, "/qmhelper."):
		return b.helped(name, m.Args), "AND"
	case name == "Where" || name == "And":
		return text(), "AND"
	case name == "Or":
		return text(), "OR"
	case name == "Or2":
		c, _ = b.mod(unboxed(m.Args[0]))
		return c, "OR"
	case name == "WhereIn" || name == "AndIn" || name == "WhereNotIn" || name == "AndNotIn":
		return b.in(m.Args), "AND"
	case name == "Expr":
		return b.group(m.Args[0]), "AND"
	case !boilNothing[name]:
		b.w.fail("the modifier " + name + " is not followed")
	}
	return nil, ""
}

// helped is a condition of package qmhelper, by which the helpers of columns compare.
func (b *boilWriting) helped(name string, args []*term.Term) clause {
	column := b.column(args[0])
	switch {
	case name == "Where" && len(args) == 3:
		op, ok := term.StringValue(unboxed(args[1]))
		if !ok {
			return failing("an operator that is not known")
		}
		value := b.value(args[2])
		return func(w *writing) { column(w); w.str(" ", op, " "); value(w) }
	case name == "WhereIsNull":
		return func(w *writing) { column(w); w.str(" IS NULL") }
	case name == "WhereIsNotNull":
		return func(w *writing) { column(w); w.str(" IS NOT NULL") }
	case name == "WhereNullEQ" && len(args) == 3 && term.IsZero(unboxed(args[1])):
		value := b.value(args[2]) // IS NULL, where that is what it compares with
		return func(w *writing) { column(w); w.str(" IS NOT DISTINCT FROM "); value(w) }
	}
	return failing("the condition " + name + " is not followed")
}

// column is the name that a helper was made with, or else what is generated from the
// name of its field.
func (b *boilWriting) column(t *term.Term) clause {
	if s, ok := term.StringValue(unboxed(t)); ok {
		return words(lastPart(strings.ReplaceAll(s, `"`, "")))
	}
	if t.Kind == term.Field && lastPart(t.Str) == "field" && t.Args[0].Kind == term.Field {
		return words(snake(lastPart(t.Args[0].Str)))
	}
	return failing("the column of a condition is not known")
}

// in is a condition whose one question mark stands for all arguments.
func (b *boilWriting) in(args []*term.Term) clause {
	text, ok := term.StringValue(unboxed(args[0]))
	before, after, found := strings.Cut(text, "?")
	if !ok || !found || strings.Contains(after, "?") {
		return failing("a condition that is not written out")
	}
	return func(w *writing) {
		w.str(before, "(")
		w.arg(args[1])
		w.str(")", after)
	}
}

func (b *boilWriting) group(list *term.Term) clause {
	l, ok := elements(list)
	if !ok || len(l) == 0 {
		return failing("a group of conditions that is not written out")
	}
	inner := &boilWriting{j: b.j, w: b.w, q: &query{}, bare: true}
	inner.mods(l)
	return func(w *writing) {
		w.str("(")
		w.conditions("", inner.q.conds)
		w.str(")")
	}
}

// record writes what a record, or a list of records, does by its primary key.
func (b *boilWriting) record(name string, args []*term.Term) {
	b.q.table = words(tableLike(recordType(args[0])))
	b.q.and(words("id = 0"))
	switch name {
	case "DeleteAll", "Delete":
		b.q.verb = "DELETE FROM"
		b.q.write(b.w)
		return
	case "UpdateAll":
		b.q.verb = "UPDATE"
		b.set(args[len(args)-1])
		b.q.write(b.w)
		return
	}
	b.columns(args)
	switch b.q.verb = "INSERT INTO"; name {
	case "Update":
		b.q.verb = "UPDATE"
	case "Insert":
	case "Upsert":
		b.q.conds = nil
		b.upsert(args)
	}
	b.q.write(b.w)
}

// columns are those of the record that are stored: all, or those that are named.
func (b *boilWriting) columns(args []*term.Term) {
	cs, ok := b.j.columns(args[0], boilName)
	if !ok {
		cs = []column{{name: "unknown", value: term.NewUnknown("a record that is not in sight")}}
	}
	only, named := boilColumns(args[len(args)-1], "Whitelist")
	but, _ := boilColumns(args[len(args)-1], "Blacklist")
	for _, c := range cs {
		if c.key || named && len(columnsNamed([]column{c}, only)) == 0 || len(columnsNamed([]column{c}, but)) > 0 {
			continue
		}
		value := b.value(c.value)
		b.q.sets = append(b.q.sets, assign(c.name, value))
		b.q.cols, b.q.vals = append(b.q.cols, words(c.name)), append(b.q.vals, value)
	}
}

// boilColumns are those that boil.Whitelist and the like name.
func boilColumns(t *term.Term, by string) ([]string, bool) {
	if t.Kind != term.Call || lastPart(t.Str) != by || len(t.Args) != 1 {
		return nil, false
	}
	return strs(t.Args[0])
}

func (b *boilWriting) upsert(args []*term.Term) {
	flag := -1
	for i, a := range args {
		if a.Kind == term.Const && a.Typ == "bool" && flag < 0 {
			flag = i
		}
	}
	target := "id"
	if flag >= 0 && flag+1 < len(args) {
		if l, ok := strs(args[flag+1]); ok && len(l) > 0 {
			target = strings.Join(l, ", ")
		}
		if args[flag].Str != "true" {
			b.q.conflict = words("CONFLICT (" + target + ") DO NOTHING")
			return
		}
	}
	if l, ok := elements(args[len(args)-1]); !ok || len(l) > 0 {
		b.w.fail("the options of Upsert are not followed")
	}
	b.q.conflict, b.q.moves = words("CONFLICT ("+target+") DO UPDATE"), b.q.sets
}

// boilName is how sqlboiler names the column of a field.
func boilName(field string, tag reflect.StructTag) (string, bool) {
	name, _, _ := strings.Cut(tag.Get("boil"), ",")
	if name == "-" || name == "" {
		return "", false
	}
	return name, name == "id"
}
