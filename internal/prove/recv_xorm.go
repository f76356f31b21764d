package prove

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { builders["xorm"] = xormForms }

var xormVerbs = map[string]string{
	"Update": "UPDATE", "Delete": "DELETE FROM", "Insert": "INSERT INTO", "InsertOne": "INSERT INTO",
}

// xormForms are the statements of a chain of xorm.
func xormForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	verb := xormVerbs[s.Method]
	if verb == "" || e.Recv == nil || strings.Contains(s.Recv, "Interface") {
		return nil, false
	}
	lists, roots := chains(e.Recv, pathOf(e.Key))
	if len(lists) == 0 {
		return failedForm(roots[0].Str, false), true
	}
	var out []built
	for i, steps := range lists {
		x := &xormChain{j: j, w: &writing{dollar: true}, q: &query{verb: verb}}
		if r := roots[i]; r != nil && r.Kind == term.Unknown {
			x.w.fail(r.Str)
		}
		if len(steps) == 0 && strings.Contains(s.Recv, "Session") {
			x.w.fail(outOfSight) // a session that is handed in may have conditions
		}
		x.run(steps, e.Args)
		out = append(out, built{x.w, e.Recv.Symbolic() && x.w.failed == outOfSight})
	}
	return out, true
}

type xormChain struct {
	j    *judge
	w    *writing
	q    *query
	cond clause // what the steps compare
	only []string
	but  []string
	all  bool
	auto bool // no version is compared
	id   *term.Term
}

// xormSteps gather their clause; a step that is not here is not followed.
var xormSteps map[string]func(*xormChain, step)

func init() { // the functions refer to the table
	names := func(list func(*xormChain) *[]string) func(*xormChain, step) {
		return func(x *xormChain, s step) {
			l, ok := strs(s.args[0])
			if !ok {
				x.w.fail("columns that are not written out")
			}
			*list(x) = append(*list(x), l...)
		}
	}
	no := func(*xormChain, step) {}
	xormSteps = map[string]func(*xormChain, step){
		"Where":          func(x *xormChain, s step) { x.join("AND", x.condition(s)) },
		"And":            func(x *xormChain, s step) { x.join("AND", x.condition(s)) },
		"Or":             func(x *xormChain, s step) { x.join("OR", x.condition(s)) },
		"ID":             func(x *xormChain, s step) { x.id = s.args[0] },
		"Id":             func(x *xormChain, s step) { x.id = s.args[0] },
		"Table":          (*xormChain).table,
		"Cols":           names(func(x *xormChain) *[]string { return &x.only }),
		"MustCols":       func(x *xormChain, _ step) { x.w.fail("columns that are stored though they are zero") },
		"Omit":           names(func(x *xormChain) *[]string { return &x.but }),
		"AllCols":        func(x *xormChain, _ step) { x.all = true },
		"NoVersionCheck": func(x *xormChain, _ step) { x.auto = true },
		"SetExpr": func(x *xormChain, s step) {
			x.q.sets = append(x.q.sets, func(w *writing) { name(s.args[0])(w); w.str(" = "); x.expression(w, s.args[1]) })
		},
		"Incr": func(x *xormChain, s step) { x.counted(s, "+") },
		"Decr": func(x *xormChain, s step) { x.counted(s, "-") },
		"In": func(x *xormChain, s step) {
			x.join("AND", func(w *writing) {
				name(s.args[0])(w)
				w.str(" IN (")
				w.arg(s.args[1])
				w.str(")")
			})
		},
	}
	for _, s := range strings.Fields("NewSession Context NoAutoCondition Limit OrderBy Desc Asc Unscoped Select NoAutoTime NoCache Begin") {
		xormSteps[s] = no
	}
}

// join puts a condition beside those before it, which stand in parentheses then.
func (x *xormChain) join(joint string, c clause) {
	before := x.cond
	if before == nil {
		x.cond = c
		return
	}
	x.cond = func(w *writing) {
		w.str("(")
		before(w)
		w.str(") ", joint, " (")
		c(w)
		w.str(")")
	}
}

func (x *xormChain) table(s step) {
	t := unboxed(s.args[0])
	if _, ok := term.StringValue(t); ok {
		x.q.table = name(t)
		return
	}
	x.tableOf(s.args[0])
}

// tableOf names the table of a record.
func (x *xormChain) tableOf(record *term.Term) {
	if typ := recordType(record); typ != "" && typ != "map" {
		x.q.table = words(x.j.tableName(typ, xormSnake(lastPart(typ))))
	}
}

// tableName is what the method TableName of a type gives, or else the name given.
func (j *judge) tableName(typ, other string) string {
	typ = strings.TrimPrefix(typ, listOf)
	for _, id := range []string{"(" + typ + ").TableName", "(*" + typ + ").TableName"} {
		if s, ok := term.StringValue(j.a.Applied(term.NewFunc(id), term.NewUnknown(""))); ok {
			return s
		}
	}
	return other
}

func (x *xormChain) counted(s step, op string) {
	x.q.sets = append(x.q.sets, func(w *writing) {
		name(s.args[0])(w)
		w.str(" = ")
		name(s.args[0])(w)
		w.str(" ", op, " ")
		if l, ok := elements(s.args[1]); ok && len(l) == 1 {
			w.arg(l[0])
			return
		}
		w.str("1")
	})
}

// condition writes the argument of Where: a text, or a condition of package builder.
func (x *xormChain) condition(s step) clause {
	q := unboxed(s.args[0])
	if q.Kind == term.Const || q.Kind == term.Concat {
		return format{value: x.expression}.text(q, argsOf(x.w, s, 1))
	}
	return x.built(s.args[0])
}

func (x *xormChain) built(t *term.Term) clause {
	op, c := operator(typeName(t)), unboxed(t)
	if c.Kind == term.Call && strings.Contains(c.Str, "xorm.io/builder.") && len(c.Args) > 0 {
		switch last := lastPart(c.Str); last {
		case "And", "Or":
			return junction(c.Args, last, x.built)
		case "Expr":
			return format{value: x.expression}.text(c.Args[0], argsOf(x.w, step{args: c.Args}, 1))
		}
	}
	es, ok := entries(c)
	if op == "" || !ok || len(es) == 0 {
		return failing("a condition that is not written out")
	}
	return func(w *writing) {
		for i, e := range es {
			if i > 0 {
				w.str(" AND ")
			}
			w.str(e.key, op)
			x.expression(w, e.value)
		}
	}
}

func (x *xormChain) expression(w *writing, t *term.Term) {
	v := unboxed(t)
	switch {
	case v.Kind == term.Call && strings.HasSuffix(v.Str, "builder.Expr"):
		x.built(v)(w)
	case t.Kind == term.Iface && strings.Contains(t.Str, "xorm.io/"):
		w.fail("a query within the statement")
	default:
		w.arg(v)
	}
}

func (x *xormChain) run(steps []step, args []*term.Term) {
	for _, s := range steps {
		f := xormSteps[s.name]
		if f == nil {
			x.w.fail("the step " + s.name + " of the chain is not followed")
			continue
		}
		f(x, s)
	}
	bean := args[0]
	if l, ok := elements(bean); ok && unboxed(bean).Kind == term.List { // of Insert and Delete
		if len(l) != 1 {
			x.w.fail("not one record")
			return
		}
		bean = l[0]
	}
	if x.q.table == nil {
		x.tableOf(bean)
	}
	if es, ok := entries(bean); ok && unboxed(bean).Str == "map" {
		for _, e := range es {
			x.store(e.key, func(w *writing) { x.expression(w, e.value) })
		}
	} else {
		x.record(bean)
	}
	if len(args) > 1 && x.q.verb == "UPDATE" {
		x.like(args[1])
	}
	if x.id != nil {
		x.join("AND", func(w *writing) { w.str("id = "); w.arg(x.id) })
	}
	if x.cond != nil {
		x.q.and(x.cond)
	}
	x.q.write(x.w)
}

func (x *xormChain) store(column string, value clause) {
	x.q.sets = append(x.q.sets, assign(column, value))
	x.q.cols, x.q.vals = append(x.q.cols, words(column)), append(x.q.vals, value)
}

// record stores the fields of a record: those that are named, or those that are not
// zero. The record of a deletion is a condition.
func (x *xormChain) record(bean *term.Term) {
	cs, ok := x.j.columns(bean, xormName)
	if !ok {
		x.w.fail("the type of the record is not in sight")
	}
	version := x.j.versionField(recordType(bean))
	for _, c := range cs {
		switch {
		case len(columnsNamed([]column{c}, x.but)) > 0:
		case x.q.verb == "DELETE FROM":
			x.same(c)
		case c.field == version && !x.auto && x.q.verb == "UPDATE":
			x.join("AND", func(w *writing) { w.str(c.name, " = "); w.arg(c.value) })
			x.q.sets = append(x.q.sets, words(c.name, " = ", c.name, " + 1"))
		case x.only != nil && len(columnsNamed([]column{c}, x.only)) == 0:
		case x.only == nil && !x.all && x.q.verb == "UPDATE" && (term.IsZero(c.value) || c.key):
		default:
			x.store(c.name, func(w *writing) { w.arg(c.value) })
		}
	}
}

// same adds the condition that a column equals the field of a record, which is left out
// where the field is zero.
func (x *xormChain) same(c column) {
	switch {
	case term.IsZero(c.value):
	case c.value.Kind == term.Const:
		x.join("AND", func(w *writing) { w.str(c.name, " = "); w.arg(c.value) })
	default:
		x.join("AND", func(w *writing) { // left out if it happens to be zero
			w.str(c.name, " = ")
			w.arg(c.value)
			w.str(" OR ")
			w.arg(c.value)
			w.str(" = 0")
		})
	}
}

// like adds the conditions that records give.
func (x *xormChain) like(beans *term.Term) {
	l, ok := elements(beans)
	if !ok {
		x.w.fail("a condition that is not written out")
	}
	for _, b := range l {
		if operator(typeName(b)) != "" {
			x.join("AND", x.built(b))
			continue
		}
		cs, ok := x.j.columns(b, xormName)
		if !ok {
			x.w.fail("a condition that is not written out")
		}
		for _, c := range cs {
			x.same(c)
		}
	}
}

// versionField is the field of a type that xorm compares and raises, "" if none.
func (j *judge) versionField(typ string) string {
	st := j.structOf(typ)
	if st == nil {
		return ""
	}
	for i := range st.NumFields() {
		for _, word := range strings.Fields(reflect.StructTag(st.Tag(i)).Get("xorm")) {
			if strings.EqualFold(word, "version") {
				return st.Field(i).Name()
			}
		}
	}
	return ""
}

// xormWords are the words of a tag that are no name of a column.
var xormWords = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(`<- -> pk null not autoincr default created updated deleted version utc local notnull index unique
		cache nocache comment extends unsigned collate json jsonb bit tinyint smallint mediumint int integer bigint unsigned char varchar
		nvarchar text tinytext mediumtext longtext date datetime time timestamp timestampz decimal numeric real float double blob bytea
		bool boolean uuid serial bigserial enum set`) {
		m[w] = true
	}
	return m
}()

// xormName is how xorm names the column of a field.
func xormName(field string, tag reflect.StructTag) (string, bool) {
	text := tag.Get("xorm")
	name, key := xormSnake(field), field == "Id" || field == "ID"
	for _, word := range strings.Fields(text) {
		low := strings.ToLower(word)
		switch {
		case word == "-", low == "extends":
			return "", false
		case low == "pk":
			key = true
		case strings.HasPrefix(word, "'"):
			name = strings.Trim(word, "'")
		case !strings.ContainsAny(word, "(,)") && !xormWords[low]:
			name = word
		}
	}
	return name, key
}

// xormSnake is the name that xorm makes of a name in Go: a line before each capital.
func xormSnake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
