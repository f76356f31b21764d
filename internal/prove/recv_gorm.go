package prove

import (
	"slices"
	"strings"
	"unicode"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// gormDecision judges a write of gorm by the chain that it ends.
func gormDecision(j *judge, p *pair, s *model.Sink) (decision, bool) {
	forms, ok := j.gormChains(p.w, s)
	d := decision{}
	for _, g := range forms {
		d = worse(d, j.gormForm(p, g, s.Method))
	}
	return d, ok
}

// gormForms are the statements of a chain of gorm.
func gormForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	forms, ok := j.gormChains(e, s)
	var out []built
	for _, g := range forms {
		out = append(out, built{g.w, false})
	}
	return out, ok
}

// gormChains are the forms of the chain that a write ends, put together.
func (j *judge) gormChains(e *flow.Event, s *model.Sink) ([]*gormChain, bool) {
	verb := gormVerbs[s.Method]
	generic := strings.Contains(s.Recv, "Interface")
	if verb == nil || e.Recv == nil || generic && len(e.Args) == 0 {
		return nil, false
	}
	lists, roots := chains(e.Recv, pathOf(e.Key))
	if len(lists) == 0 {
		g := &gormChain{j: j, w: &writing{}}
		g.w.fail(roots[0].Str)
		return []*gormChain{g}, true
	}
	var out []*gormChain
	for i, steps := range lists {
		g := &gormChain{j: j, w: &writing{dollar: true}, pkg: pathOf(e.Key), args: e.Args, name: j.gormColumn, generic: generic}
		if generic { // the context comes first
			g.args = e.Args[1:]
		}
		if r := roots[i]; r != nil && r.Kind == term.Unknown && r.Str != "" {
			g.w.fail(r.Str)
		}
		g.begin(steps)
		verb(g)
		out = append(out, g)
	}
	return out, true
}

// gormForm judges one form. Save, when its update meets no row, inserts the record
// again without the condition.
func (j *judge) gormForm(p *pair, g *gormChain, method string) decision {
	d := j.builtDecision(p, g.w, false)
	if method != "Save" || d.verdict != refuted {
		return d
	}
	conds := &gormChain{j: j, w: &writing{dollar: true}, steps: g.steps, pkg: g.pkg, name: g.name}
	conds.where()
	for _, t := range conds.w.args {
		b := j.presented(p, t)
		if j.ownEpoch(p, &b) {
			d.rule, d.guard, d.reason = "staleadmitted", "none", "when the condition refuses the update, Save inserts the record again, over the one that is there"
		}
	}
	return d
}

// gormSteps are the steps that are understood.
var gormSteps = func() map[string]bool {
	m := make(map[string]bool)
	for _, s := range strings.Fields("WithContext Session Debug Model Table Where Or Not Clauses Select Omit Unscoped Order Limit Set Begin New Transaction Connection Open DB Preload SavePoint InstanceSet G") {
		m[s] = true
	}
	return m
}()

var gormVerbs map[string]func(*gormChain)

func init() { // the functions refer to the table
	gormVerbs = map[string]func(*gormChain){
		"Update": (*gormChain).update, "UpdateColumn": (*gormChain).update,
		"Updates": (*gormChain).updates, "UpdateColumns": (*gormChain).updates,
		"Delete": (*gormChain).delete, "Create": (*gormChain).create, "Save": (*gormChain).save,
	}
}

type gormChain struct {
	j       *judge
	w       *writing
	steps   []step
	pkg     string
	args    []*term.Term // of the last call
	name    func(field string) string
	generic bool
}

// table is the name of the table: as given, or made of the model's type.
func (g *gormChain) table(record *term.Term) {
	for i := len(g.steps) - 1; i >= 0; i-- {
		if s := g.steps[i]; s.name == "Table" && len(s.args) > 0 {
			g.w.parts = append(g.w.parts, unboxed(s.args[0]))
			return
		}
	}
	if m := g.model(); m != nil {
		record = m
	}
	if g.generic {
		g.w.parts = append(g.w.parts, term.NewConvert("digits", term.NewUnknown("the table of the type argument")))
		return
	}
	name := ""
	if record != nil {
		name = lastPart(strings.TrimLeft(recordType(record), "*[]"))
	}
	if name == "" {
		g.w.fail("the table is not known")
		return
	}
	g.w.str(g.j.tableName(recordType(record), plural(snake(name))))
}

// model is the argument of Model, nil if there is none.
func (g *gormChain) model() *term.Term {
	for i := len(g.steps) - 1; i >= 0; i-- {
		if s := g.steps[i]; s.name == "Model" && len(s.args) > 0 {
			return s.args[0]
		}
	}
	return nil
}

func (g *gormChain) update() {
	g.w.str("UPDATE ")
	g.table(nil)
	g.w.str(" SET ")
	args := g.args
	if l, ok := elements(args[0]); ok && len(args) == 1 { // of the first gorm
		args = l
	}
	switch column, known := term.StringValue(unboxed(args[0])); {
	case len(args) != 2:
		g.w.fail("an update that is not written out")
	case !known:
		if only, but, maybe := g.picked(); only != nil || but != nil || maybe != nil {
			g.w.fail("an update that is not written out")
		}
		g.w.parts = append(g.w.parts, unboxed(args[0]))
		g.w.str(" = ")
		g.value(args[1])
	case len(g.pick([]entry{{column, args[1]}})) == 0:
		g.w.fail("the column that is updated is left out")
	default:
		g.w.str(column, " = ")
		g.value(args[1])
	}
	g.where()
}

func (g *gormChain) updates() {
	g.w.str("UPDATE ")
	g.table(g.args[0])
	g.w.str(" SET ")
	for i, e := range g.columns(g.args[0]) {
		if i > 0 {
			g.w.str(", ")
		}
		g.w.str(e.key, " = ")
		g.value(e.value)
	}
	g.where()
}

// columns are what a map or a record stores in an update.
func (g *gormChain) columns(t *term.Term) []entry {
	lasting := g.lasting(t)
	return slices.DeleteFunc(g.stored(t), func(e entry) bool { return slices.Contains(lasting, e.key) })
}

// stored are the columns of a map or a record: of a record the fields that are not zero,
// or those that are named.
func (g *gormChain) stored(t *term.Term) []entry {
	record := t
	t = term.Settle(unboxed(t))
	if es, ok := entries(t); ok && len(es) > 0 {
		return g.pick(es)
	}
	if only, _, _ := g.picked(); only != nil {
		return g.pick(g.whole(record))
	}
	es, ok := g.fieldsOf(t)
	if !ok {
		es = g.whole(record)
	}
	return g.pick(es)
}

// fieldsOf are the columns of a record that are known not to be zero.
func (g *gormChain) fieldsOf(t *term.Term) ([]entry, bool) {
	t = unboxed(t)
	if t.Kind != term.Struct || t.Open {
		return nil, false
	}
	var out []entry
	for i, n := range t.Names {
		if _, ok := term.KeyedString(n); ok {
			return nil, false
		}
		if !term.IsZero(t.Args[i]) {
			out = append(out, entry{g.name(n), t.Args[i]})
		}
	}
	return out, true
}

func (g *gormChain) delete() {
	g.w.str("DELETE FROM ")
	g.table(g.args[0])
	if len(g.args) > 1 {
		g.steps = append(slices.Clone(g.steps), gormInline(g.args[1])...)
	}
	g.steps = append(slices.Clone(g.steps), step{name: "Model", args: g.args[:1]})
	g.where()
}

// gormInline are the conditions that a call is given behind the record: as of Where, or the
// value of the key alone.
func gormInline(conds *term.Term) []step {
	l, ok := elements(conds)
	if !ok || len(l) == 0 {
		return nil
	}
	if k := unboxed(l[0]); len(l) == 1 && k.Kind != term.Const && k.Kind != term.Concat && k.Kind != term.Struct {
		l = []*term.Term{term.NewString("id = ?"), k}
	}
	return []step{{name: "Where", args: []*term.Term{l[0], term.NewList(false, l[1:]...)}}}
}

func (g *gormChain) insert() {
	g.args = append([]*term.Term{recordIn(g.args[0])}, g.args[1:]...)
	g.w.str("INSERT INTO ")
	g.table(g.args[0])
	es := g.columns(g.args[0])
	g.w.str(" (")
	for i, e := range es {
		if i > 0 {
			g.w.str(", ")
		}
		g.w.str(e.key)
	}
	g.w.str(") VALUES (")
	for i, e := range es {
		if i > 0 {
			g.w.str(", ")
		}
		g.value(e.value)
	}
	g.w.str(")")
}

func (g *gormChain) save() {
	g.insert()
	g.w.str(" ON CONFLICT (id) DO UPDATE SET ")
	for i, e := range g.columns(g.args[0]) {
		if i > 0 {
			g.w.str(", ")
		}
		g.w.str(e.key, " = excluded.", e.key)
	}
}

func (g *gormChain) create() {
	g.insert()
	for _, s := range g.steps {
		if s.name != "Clauses" {
			continue
		}
		l, ok := elements(s.args[0])
		if !ok {
			g.w.fail("clauses that are not written out")
		}
		for _, c := range l {
			switch c = term.Settle(c); typeName(c) {
			case "OnConflict":
				g.onConflict(unboxed(c))
			case "Returning", "Locking":
			default:
				g.w.fail("a clause that is not followed")
			}
		}
	}
}

// isNumber reports whether a query is the value of a primary key.
func isNumber(t *term.Term) bool {
	return t.Kind == term.Iface && (strings.HasPrefix(t.Str, "int") || strings.HasPrefix(t.Str, "uint"))
}

func (g *gormChain) equalities(q *term.Term) {
	es, ok := entries(q)
	if !ok {
		if es, ok = g.fieldsOf(q); !ok {
			g.w.fail("a condition that is not written out")
		}
	}
	if len(es) == 0 {
		g.w.str("1 = 1")
	}
	for i, e := range es {
		if i > 0 {
			g.w.str(" AND ")
		}
		if unboxed(e.value).Kind == term.List {
			g.w.str(e.key, " IN (")
			g.value(e.value)
			g.w.str(")")
			continue
		}
		g.w.str(e.key, " = ")
		g.value(e.value)
	}
}

func (g *gormChain) text(q *term.Term, vals []*term.Term) {
	s, ok := term.StringValue(q)
	switch {
	case ok && len(vals) == 1 && s != "" && !strings.ContainsAny(s, " ?<>=@("):
		g.w.str(s, " = ")
		g.value(vals[0])
	case ok && strings.Contains(s, "@") && !strings.Contains(s, "?"):
		g.named(s, vals)
	default:
		g.w.fragment(q, vals, g.value)
	}
}

// named writes a text with @name, bound by sql.Named or a map.
func (g *gormChain) named(s string, vals []*term.Term) {
	for {
		before, rest, found := strings.Cut(s, "@")
		g.w.str(before)
		if !found {
			return
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(rest)
		}
		v := namedValue(rest[:end], vals)
		if v == nil {
			g.w.fail("a named argument that is not found")
			return
		}
		g.value(v)
		s = rest[end:]
	}
}

func namedValue(name string, vals []*term.Term) *term.Term {
	for _, v := range vals {
		if es, ok := entries(v); ok {
			for _, e := range es {
				if e.key == name {
					return e.value
				}
			}
		}
	}
	return sqlNamed(name, vals)
}

// snake is the column that gorm makes of a field: LastFence is last_fence, ID is id.
func snake(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(rs[i-1]) || unicode.IsDigit(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) && rs[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// plural is the table of a record, by the plain rules of English.
func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsAny(s[len(s)-2:len(s)-1], "aeiou"):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}
