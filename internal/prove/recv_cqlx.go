package prove

import (
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { byLibrary["gocqlx"] = cqlxDecision }

// cqlxDecision judges a statement of Cassandra whose values are bound by their names.
func cqlxDecision(j *judge, p *pair, s *model.Sink) (decision, bool) {
	if s.Kind != "builder_terminal" || p.w.Recv == nil {
		return decision{}, false
	}
	path := pathOf(p.w.Key)
	lists, roots := chains(p.w.Recv, path)
	if len(lists) == 0 {
		return unreadable("table:?", j.callName(p.w), roots[0].Str, false), true
	}
	d := decision{}
	for i, steps := range lists {
		q := &cqlxQuery{j: j}
		q.run(steps)
		if q.text == nil && q.failed == "" {
			q.failed = outOfSight
		}
		if q.failed != "" {
			d = worse(d, unreadable("table:?", j.callName(p.w), q.failed, len(steps) == 0 && roots[i] != nil && roots[i].Symbolic()))
			continue
		}
		for _, t := range texts(j.widen(q.text)) {
			d = worse(d, j.cqlText(p, t, q.values()))
		}
	}
	return d, true
}

// cqlText judges a statement of CQL in one of its forms.
func (j *judge) cqlText(p *pair, t text, args *term.Term) decision {
	if t.none == "" {
		sql, reason := cqlToSQL(t.s)
		if reason != "" {
			return unreadable("table:?", j.callName(p.w), reason, false)
		}
		t.s = sql
	}
	return j.textDecision(p, t, args)
}

// cqlxQuery is a statement with the names of its values.
type cqlxQuery struct {
	j      *judge
	text   *term.Term
	names  []string
	bound  []column   // values by name
	list   *term.Term // values in order, nil if they are bound by name
	failed string
}

func (q *cqlxQuery) fail(reason string) {
	if q.failed == "" {
		q.failed = reason
	}
}

func (q *cqlxQuery) run(steps []step) {
	var built []step
	for _, s := range steps {
		switch {
		case strings.Contains(s.key, "/qb.") && (s.name == "Query" || s.name == "QueryContext"):
			q.build(built)
		case strings.Contains(s.key, "/qb."):
			built = append(built, s)
		case s.name == "Query" && len(s.args) == 2:
			q.begin(s.args[0], s.args[1])
		case s.name == "ContextQuery" && len(s.args) == 3:
			q.begin(s.args[1], s.args[2])
		case s.name == "BindMap":
			q.entries(s.args[0])
		case s.name == "BindStruct":
			q.fields(s.args[0])
		case s.name == "BindStructMap":
			q.fields(s.args[0])
			q.entries(s.args[1])
		case s.name == "Bind":
			q.list = orList(s.args[0])
		case cqlSteps[s.name], s.name == "Strict", s.name == "WithBindTransformer":
		default:
			q.fail("the step " + s.name + " of the query is not followed")
		}
	}
}

// begin takes the statement and the names, which a builder may have given out together.
func (q *cqlxQuery) begin(text, names *term.Term) {
	if text.Kind == term.Call && lastPart(text.Str) == "ToCql" && len(text.Args) == 1 {
		path := text.Str[:strings.Index(text.Str, "/qb.")+len("/qb")]
		lists, _ := chains(text.Args[0], path)
		if len(lists) != 1 {
			q.fail(outOfSight)
			return
		}
		q.build(lists[0])
		return
	}
	q.text = text
	l, ok := strs(names)
	if !ok {
		q.fail("names that are not written out")
	}
	q.names = l
}

func (q *cqlxQuery) entries(m *term.Term) {
	w := &writing{}
	for _, e := range sortedEntries(w, m) {
		q.bound = append(q.bound, column{name: e.key, value: e.value})
	}
	if w.failed != "" {
		q.fail(w.failed)
	}
}

func (q *cqlxQuery) fields(record *term.Term) {
	cs, ok := q.j.columns(record, cqlxName)
	if !ok {
		q.fail("the type of the record is not in sight")
	}
	q.bound = append(q.bound, cs...)
}

// cqlxName is how gocqlx names the column of a field.
func cqlxName(field string, tag reflect.StructTag) (string, bool) {
	name, _, _ := strings.Cut(tag.Get("db"), ",")
	switch name {
	case "-":
		return "", false
	case "":
		name = snake(field)
	}
	return name, false
}

// values are those of the names, in order.
func (q *cqlxQuery) values() *term.Term {
	if q.list != nil {
		return q.list
	}
	var out []*term.Term
	for _, n := range q.names {
		v := term.NewUnknown("a name that nothing is bound to")
		for _, c := range q.bound {
			if c.name == n {
				v = c.value
			}
		}
		out = append(out, v)
	}
	return term.NewList(false, out...)
}

// cqlxBuilt gathers the clauses of a builder, each with the names of its values.
type cqlxBuilt struct {
	verb, table                               string
	sets, cols, vals, where, cond             []string
	setNames, valNames, whereNames, condNames []string
	existence                                 string
}

// build writes the statement of a builder.
func (q *cqlxQuery) build(steps []step) {
	b := &cqlxBuilt{}
	for _, s := range steps {
		if !b.step(s) {
			q.fail("the step " + s.name + " of the builder is not followed")
		}
	}
	where := ""
	if len(b.where) > 0 {
		where = " WHERE " + strings.Join(b.where, " AND ")
	}
	cond := b.existence
	if len(b.cond) > 0 {
		cond = " IF " + strings.Join(b.cond, " AND ")
	}
	switch b.verb {
	case "Update":
		q.text = term.NewString("UPDATE " + b.table + " SET " + strings.Join(b.sets, ", ") + where + cond)
		q.names = append(append(b.setNames, b.whereNames...), b.condNames...)
	case "Delete":
		q.text = term.NewString("DELETE FROM " + b.table + where + cond)
		q.names = append(b.whereNames, b.condNames...)
	case "Insert":
		q.text = term.NewString("INSERT INTO " + b.table + " (" + strings.Join(b.cols, ", ") + ") VALUES (" + strings.Join(b.vals, ", ") + ")" + cond)
		q.names = b.valNames
	default:
		q.fail(outOfSight)
	}
}

func (b *cqlxBuilt) step(s step) bool {
	words := make([]string, len(s.args))
	for i, a := range s.args {
		words[i], _ = term.StringValue(unboxed(a))
	}
	switch s.name {
	case "Update", "Insert", "Delete":
		b.verb, b.table = s.name, words[0]
		return b.table != ""
	case "Set", "Add", "Columns":
		l, ok := strs(s.args[0])
		for _, c := range l {
			b.assign(s.name, c, c)
		}
		return ok
	case "SetNamed", "AddNamed", "NamedColumn":
		b.assign(s.name, words[0], words[1])
		return words[0] != "" && words[1] != ""
	case "SetLit":
		b.sets = append(b.sets, words[0]+" = "+words[1])
		return words[0] != "" && words[1] != ""
	case "LitColumn":
		b.cols, b.vals = append(b.cols, words[0]), append(b.vals, words[1])
		return words[0] != "" && words[1] != ""
	case "Where":
		return compared(s.args[0], &b.where, &b.whereNames)
	case "If":
		return compared(s.args[0], &b.cond, &b.condNames)
	case "Existing":
		b.existence = " IF EXISTS"
	case "Unique":
		b.existence = " IF NOT EXISTS"
	case "TTL", "Timestamp", "Timeout", "TTLNamed", "TimestampNamed", "TimeoutNamed":
	default:
		return false
	}
	return true
}

// assign stores the value with a name in a column.
func (b *cqlxBuilt) assign(step, column, name string) {
	switch {
	case strings.Contains(step, "Column"):
		b.cols, b.vals, b.valNames = append(b.cols, column), append(b.vals, "?"), append(b.valNames, name)
	case strings.HasPrefix(step, "Add"):
		b.sets, b.setNames = append(b.sets, column+" = "+column+" + ?"), append(b.setNames, name)
	default:
		b.sets, b.setNames = append(b.sets, column+" = ?"), append(b.setNames, name)
	}
}

// compared adds the comparisons of a list; false if one is not followed.
func compared(list *term.Term, to, names *[]string) bool {
	l, ok := elements(list)
	for _, t := range l {
		c := unboxed(t)
		if c.Kind != term.Call || !strings.Contains(c.Str, "/qb.") || len(c.Args) == 0 {
			return false
		}
		last := lastPart(c.Str)
		column, known := term.StringValue(unboxed(c.Args[0]))
		bare := strings.TrimSuffix(strings.TrimSuffix(last, "Named"), "Lit")
		op := operator(bare)
		if bare == "In" {
			op = " IN "
		}
		if !known || op == "" {
			return false
		}
		value, name := "?", column
		if len(c.Args) > 1 {
			word, known := term.StringValue(unboxed(c.Args[1]))
			if !known {
				return false
			}
			if name = word; strings.HasSuffix(last, "Lit") {
				value = word
			}
		}
		*to = append(*to, column+op+value)
		if value == "?" {
			*names = append(*names, name)
		}
	}
	return ok
}
