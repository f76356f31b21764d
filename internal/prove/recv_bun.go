package prove

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { builders["bun"] = bunForms }

// bunForms are the statements of a chain of bun.
func bunForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	if s.Kind != "builder_terminal" || e.Recv == nil {
		return nil, false
	}
	return formsOfChain(e, bunPath, func(w *writing, steps []step) {
		b := &recordChain{j: j, w: w, q: &query{}, orm: &bunORM}
		b.run(steps)
	}), true
}

// recordORM is a library whose chains begin with a record and hold conditions as text.
type recordORM struct {
	path  string
	steps map[string]func(*recordChain, step)
	name  naming
	// field and tag name the table of a record, and tag its columns.
	field, tag string
}

const bunPath = "github.com/uptrace/bun"

var bunORM = recordORM{path: bunPath, name: bunName, field: "BaseModel", tag: "bun"}

// recordChain gathers the clauses of one chain.
type recordChain struct {
	j     *judge
	w     *writing
	q     *query
	model *term.Term // the record, nil if there is none
	name  string     // of its table
	alias string
	only  []string          // the columns that are named
	but   []string          // those that are left out
	exprs map[string]clause // by the name of the column: what is stored in place of the field
	byKey clause            // the condition of WherePK
	omit  bool
	bulk  bool // the records are a table to which the update is joined
	orm   *recordORM
}

// none is a step that changes nothing in which rows are written, and how.
func none(*recordChain, step) {}

func init() { // the functions refer to the tables
	bunORM.steps = recordSteps()
	for _, s := range strings.Fields("Returning Conn Comment Order OrderExpr ForceDelete WhereDeleted WhereAllWithDeleted") {
		bunORM.steps[s] = none
	}
}

// recordSteps gather their clause; a step that is not here is not followed.
func recordSteps() map[string]func(*recordChain, step) {
	return map[string]func(*recordChain, step){
		"NewUpdate": func(b *recordChain, _ step) { b.q.verb = "UPDATE" },
		"NewInsert": func(b *recordChain, _ step) { b.q.verb = "INSERT INTO" },
		"NewDelete": func(b *recordChain, _ step) { b.q.verb = "DELETE FROM" },
		"NewRaw":    func(b *recordChain, s step) { b.text(s)(b.w) },
		"Model":     (*recordChain).record,
		"Table": func(b *recordChain, s step) {
			if ts, ok := strs(s.args[0]); ok && len(ts) == 1 {
				b.name = ts[0]
				return
			}
			b.w.fail("the table is not known")
		},
		"TableExpr":      func(b *recordChain, s step) { b.q.table = b.text(s) },
		"ModelTableExpr": func(b *recordChain, s step) { b.q.table = b.text(s) },
		"Column":         func(b *recordChain, s step) { b.only = append(b.only, b.names(s)...) },
		"ExcludeColumn":  func(b *recordChain, s step) { b.but = append(b.but, b.names(s)...) },
		"OmitZero":       func(b *recordChain, _ step) { b.omit = true },
		"Set":            func(b *recordChain, s step) { b.q.sets = append(b.q.sets, b.text(s)) },
		"SetColumn": func(b *recordChain, s step) {
			column := unboxed(s.args[0])
			value := b.text(step{args: s.args[1:]})
			b.q.sets = append(b.q.sets, func(w *writing) { name(column)(w); w.str(" = "); value(w) })
		},
		"Value":      (*recordChain).value,
		"Where":      func(b *recordChain, s step) { b.condition("AND", s) },
		"WhereOr":    func(b *recordChain, s step) { b.condition("OR", s) },
		"Apply":      (*recordChain).apply,
		"WhereGroup": (*recordChain).group,
		"WherePK":    func(b *recordChain, s step) { b.byKey = b.primaryKey(s) },
		"Bulk":       func(b *recordChain, _ step) { b.bulk = true },
		"On":         func(b *recordChain, s step) { b.q.conflict = b.text(s) },
		"Ignore":     func(b *recordChain, _ step) { b.q.conflict = words("CONFLICT DO NOTHING") },
	}
}

func (b *recordChain) gather(steps []step) {
	for _, s := range steps {
		f := b.orm.steps[s.name]
		if f == nil {
			b.w.fail("the step " + s.name + " of the chain is not followed")
			continue
		}
		f(b, s)
	}
}

func (b *recordChain) run(steps []step) {
	b.gather(steps)
	if steps[0].name == "NewRaw" {
		return
	}
	b.table()
	switch b.q.verb {
	case "UPDATE":
		if b.bulk {
			b.join()
			break
		}
		if b.model != nil && !term.IsZero(unboxed(b.model)) && (len(b.q.sets) == 0 || b.only != nil && b.orm == &bunORM) {
			b.q.sets = append(b.stored(), b.q.sets...)
		}
	case "INSERT INTO":
		b.insert()
	}
	if b.byKey != nil { // bun writes it last, so that an OR before it opens it, too
		b.q.and(b.byKey)
	}
	b.q.write(b.w)
}

func (b *recordChain) names(s step) []string {
	out, ok := strs(s.args[0])
	if !ok {
		b.w.fail("columns that are not written out")
	}
	return out
}

func (b *recordChain) text(s step) clause {
	f := format{value: ormValue, named: b.known}
	return f.text(s.args[0], argsOf(b.w, s, 1))
}

// known are the names that bun itself fills in.
func (b *recordChain) known(name string) clause {
	switch name {
	case "TableAlias":
		return func(w *writing) { w.str(b.called()) }
	case "TableName":
		return func(w *writing) { w.str(b.name) }
	}
	return nil
}

func (b *recordChain) called() string {
	if b.alias != "" {
		return b.alias
	}
	return b.name
}

func (b *recordChain) condition(joint string, s step) {
	if text, ok := term.StringValue(unboxed(s.args[0])); ok && text == "" {
		return
	}
	b.q.conds = append(b.q.conds, condition{joint: joint, write: b.text(s)})
}

// apply goes on with the steps that functions add.
func (b *recordChain) apply(s step) {
	steps, ok := b.j.addedBy(s.args[0], b.orm.path)
	if !ok {
		b.w.fail("a function that is not in sight adds to the chain")
	}
	b.gather(steps)
}

// group is one condition made of those that a function adds.
func (b *recordChain) group(s step) {
	joint, known := term.StringValue(unboxed(s.args[0]))
	if !known {
		b.w.fail("a group of conditions that is not written out")
		return
	}
	b.grouped(strings.TrimSpace(joint), s.args[1])
}

func (b *recordChain) grouped(joint string, fn *term.Term) {
	steps, ok := b.j.addedBy(fn, b.orm.path)
	if !ok || slices.ContainsFunc(steps, func(s step) bool { return !strings.HasPrefix(s.name, "Where") }) {
		b.w.fail("a group of conditions that is not written out")
		return
	}
	before := b.q.conds
	b.q.conds = nil
	b.gather(steps)
	inner := b.q.conds
	b.q.conds = append(before, condition{joint: joint, write: func(w *writing) { w.conditions("", inner) }})
}

// record is the argument of Model: its type names the table.
func (b *recordChain) record(s step) {
	b.model = s.args[0]
	if l, ok := elements(b.model); ok && len(l) == 1 {
		b.model = l[0]
	}
	typ := recordType(b.model)
	if typ == "" || strings.HasPrefix(typ, "[]") {
		if each := oneOf(b.model); each != nil {
			b.model, typ = each, recordType(each)
		}
	}
	base := lastPart(typ)
	if strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[") || typ == "" {
		b.w.fail("the record is not written out")
		return
	}
	b.name, b.alias = plural(snake(base)), snake(base)
	for i, part := range strings.Split(b.j.fieldTag(typ+"."+b.orm.field, b.orm.tag), ",") {
		switch k, v, ok := strings.Cut(part, ":"); {
		case ok && k == "table":
			b.name = v
		case ok && k == "alias":
			b.alias = v
		case !ok && i == 0 && k != "":
			b.name = k
		}
	}
}

// oneOf stands for each of the records in a list; nil if none of them is seen. What the chain
// itself puts into the list comes later.
func oneOf(list *term.Term) *term.Term {
	typ, each := "", []*term.Term(nil)
	for _, a := range pointee(list).Alternatives() {
		if a.Kind == term.Call && a.N >= flow.OutParam {
			continue
		}
		added, whole := mayHold(a)
		if a.Kind == term.Op && a.Str == "append" && len(a.Args) == 2 {
			last, _ := mayHold(a.Args[1])
			added = append(slices.Clone(added), last...)
		}
		for _, r := range added {
			if r = pointee(r); r.Kind != term.Struct || typ != "" && r.Str != typ {
				return nil
			}
			typ, each = r.Str, append(each, r)
		}
		if !whole {
			each = append(each, term.NewUnknown("it is in a list that is not written out"))
		}
	}
	if typ == "" {
		return nil
	}
	return term.NewIface(typ, term.NewAlt(each...))
}

func (b *recordChain) table() {
	if b.q.table != nil || b.name == "" {
		return
	}
	if b.alias == "" {
		b.q.table = words(b.name)
		return
	}
	b.q.table = words(b.name, " AS ", b.alias)
}

// bunName is how bun names the column of a field.
func bunName(field string, tag reflect.StructTag) (string, bool) {
	parts := strings.Split(tag.Get("bun"), ",")
	name, key := snake(field), false
	if parts[0] != "" && !strings.Contains(parts[0], ":") {
		name = parts[0]
	}
	for _, p := range parts[1:] {
		key = key || p == "pk"
		if strings.HasPrefix(p, "rel:") || p == "scanonly" || strings.HasPrefix(p, "m2m:") {
			return "", false
		}
	}
	if name == "-" || field == "BaseModel" || strings.HasPrefix(parts[0], "rel:") {
		return "", false
	}
	return name, key
}

// columns are those of the record that the statement writes.
func (b *recordChain) columns() []column {
	if b.model == nil {
		b.w.fail("what is stored is not written out")
		return nil
	}
	all, ok := b.j.columns(b.model, b.orm.name)
	if !ok {
		b.w.fail("the type of the record is not in sight")
	}
	if b.only != nil {
		return columnsNamed(all, b.only)
	}
	var out []column
	for _, c := range all {
		if !c.key && len(columnsNamed([]column{c}, b.but)) == 0 && !(b.omit && term.IsZero(c.value)) {
			out = append(out, c)
		}
	}
	return out
}

// join updates the rows from a table of the records, by their key.
func (b *recordChain) join() {
	all, ok := b.j.columns(orZero(b.model), b.orm.name)
	if !ok {
		b.w.fail("the type of the record is not in sight")
	}
	keys := slices.DeleteFunc(all, func(c column) bool { return !c.key })
	if len(keys) == 0 {
		b.w.fail("the primary key of the record is not known")
	}
	cols := slices.Concat(keys, b.columns())
	for _, c := range cols[len(keys):] {
		b.q.sets = append(b.q.sets, words(c.name, " = _data.", c.name))
	}
	b.q.from = func(w *writing) {
		w.str("(VALUES (")
		for i, c := range cols {
			w.str(map[bool]string{true: ", "}[i > 0])
			w.arg(c.value)
		}
		w.str(")) AS _data (")
		for i, c := range cols {
			w.str(map[bool]string{true: ", "}[i > 0], c.name)
		}
		w.str(")")
	}
	for i, c := range keys {
		at := condition{joint: "AND", write: words(b.called(), ".", c.name, " = _data.", c.name)}
		b.q.conds = slices.Insert(b.q.conds, i, at)
	}
}

func (b *recordChain) stored() []clause {
	var out []clause
	for _, c := range b.columns() {
		out = append(out, assign(c.name, b.of(c)))
	}
	return out
}

// value takes an expression for the column of the record.
func (b *recordChain) value(s step) {
	column, ok := term.StringValue(unboxed(s.args[0]))
	if !ok {
		b.w.fail("columns that are not written out")
		return
	}
	if b.exprs == nil {
		b.exprs = make(map[string]clause)
	}
	b.exprs[column] = b.text(step{args: s.args[1:]})
}

// of is what a column is given: what the record holds in it, or an expression.
func (b *recordChain) of(c column) clause {
	if e := b.exprs[c.name]; e != nil {
		return e
	}
	return func(w *writing) { w.arg(c.value) }
}

func (b *recordChain) insert() {
	q := b.q
	all, ok := b.j.columns(orZero(b.model), b.orm.name)
	if !ok || term.IsZero(unboxed(b.model)) {
		b.w.fail("what is stored is not written out")
	}
	for _, c := range all {
		if len(columnsNamed([]column{c}, b.but)) == 0 && (b.only == nil || len(columnsNamed([]column{c}, b.only)) > 0) {
			q.cols, q.vals = append(q.cols, words(c.name)), append(q.vals, b.of(c))
		}
	}
	q.moves, q.sets = q.sets, nil
	if q.conflict != nil && len(q.moves) == 0 {
		q.moves = b.excluded()
	}
}

// excluded are the assignments of DO UPDATE where none is written.
func (b *recordChain) excluded() []clause {
	probe := &writing{}
	b.q.conflict(probe)
	text, _ := term.StringValue(term.NewConcat(probe.parts...))
	if !strings.HasSuffix(strings.ToUpper(text), " DO UPDATE") {
		return nil
	}
	var out []clause
	for _, c := range b.columns() {
		out = append(out, words(c.name, " = EXCLUDED.", c.name))
	}
	return out
}

// primaryKey is the condition on the columns named, or on the primary key.
func (b *recordChain) primaryKey(s step) clause {
	var cols []string
	if len(s.args) > 0 {
		cols = b.names(s)
	}
	return func(w *writing) {
		all, ok := b.j.columns(orZero(b.model), b.orm.name)
		n := 0
		for _, c := range all {
			if cols == nil && !c.key || cols != nil && len(columnsNamed([]column{c}, cols)) == 0 {
				continue
			}
			if n++; n > 1 {
				w.str(" AND ")
			}
			w.str(b.called(), ".", c.name, " = ")
			w.arg(c.value)
		}
		if !ok || n == 0 {
			w.fail("the primary key of the record is not known")
		}
	}
}
