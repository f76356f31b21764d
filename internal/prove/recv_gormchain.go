package prove

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// begin takes the steps that count: those of functions come last, and a new session
// forgets what was before it.
func (g *gormChain) begin(steps []step) {
	var added []step
	for _, s := range steps {
		switch {
		case s.name == "Scopes":
			more, ok := g.j.addedBy(s.args[0], g.pkg)
			if !ok {
				g.w.fail("a function that is not in sight adds to the chain")
			}
			added = append(added, more...)
		case s.name == "New" || s.name == "Session" && len(s.args) > 0 && !term.IsZero(fieldNamed(term.Settle(s.args[0]), "NewDB")):
			g.steps, added = nil, nil
		default:
			g.steps = append(g.steps, s)
		}
	}
	g.steps = append(g.steps, added...)
	for _, st := range g.steps {
		if !gormSteps[st.name] {
			g.w.fail("the step " + st.name + " of the chain is not followed")
		}
	}
}

// picked are the columns that Select names, nil for all, those that Omit leaves out, and those
// of which one or the other happens on some ways only.
func (g *gormChain) picked() (only, but, maybe []string) {
	for _, s := range g.steps {
		if s.name != "Select" && s.name != "Omit" || len(s.args) == 0 {
			continue
		}
		var l, more []string
		for _, a := range s.args {
			if c, isText := term.StringValue(unboxed(a)); isText {
				l = append(l, c)
				continue
			}
			always, perhaps, whole := gathered(a)
			named, ok := strs(term.NewList(false, always...))
			some, ok2 := strs(term.NewList(false, perhaps...))
			if !whole || !ok || !ok2 {
				g.w.fail("columns that are not written out")
			}
			l, more = append(l, named...), append(more, some...)
		}
		maybe = append(maybe, more...)
		if s.name == "Select" {
			only = append(l, more...)
		} else {
			but = strings.Split(strings.ReplaceAll(strings.Join(l, ","), " ", ""), ",")
		}
	}
	return only, but, maybe
}

// gormNamed reports whether a column is among names, which may be those of fields.
func gormNamed(column string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return n == column || snake(n) == column || n == "*" })
}

// pick keeps what Select and Omit leave of the columns.
func (g *gormChain) pick(es []entry) []entry {
	only, but, maybe := g.picked()
	var out []entry
	for _, e := range es {
		if gormNamed(e.key, maybe) {
			e.value = term.NewAlt(e.value, term.NewUnknown("a column that is stored on some ways only"))
		}
		if (only == nil || gormNamed(e.key, only)) && !gormNamed(e.key, but) {
			out = append(out, e)
		}
	}
	return out
}

// whole are all columns of a record, with what is known of their values.
func (g *gormChain) whole(record *term.Term) []entry {
	cs, ok := g.j.columns(record, gormName)
	if !ok {
		g.w.fail("what is stored is not written out")
	}
	var out []entry
	for _, c := range cs {
		out = append(out, entry{c.name, c.value})
	}
	return out
}

// gormName is how gorm names the column of a field.
func gormName(field string, tag reflect.StructTag) (string, bool) {
	name, key := snake(field), field == "ID"
	for _, part := range strings.Split(tag.Get("gorm"), ";") {
		k, v, ok := strings.Cut(strings.TrimSpace(part), ":")
		switch k = strings.ToLower(k); {
		case k == "-":
			return "", false
		case ok && k == "column":
			name = strings.TrimSpace(v)
		case k == "primarykey" || k == "primary_key":
			key = true
		}
	}
	return name, key
}

// lasting are the columns that an update leaves as they are: the tags of their fields permit
// only to read them, or to store them once.
func (g *gormChain) lasting(record *term.Term) []string {
	if m := g.model(); m != nil {
		record = m
	}
	typ := recordType(record)
	st := g.j.structOf(typ)
	if st == nil {
		return nil
	}
	var out []string
	for i := range st.NumFields() {
		tag := reflect.StructTag(st.Tag(i)).Get("gorm")
		if tag == "" {
			continue
		}
		reads, writes := false, ""
		for _, part := range strings.Split(strings.ToLower(tag), ";") {
			k, v, _ := strings.Cut(strings.TrimSpace(part), ":")
			if k == "<-" {
				writes = "<-" + v
			}
			reads = reads || k == "->"
		}
		if writes == "<-create" || writes == "<-false" || reads && writes == "" {
			out = append(out, g.j.gormColumn(typ+"."+st.Field(i).Name()))
		}
	}
	return out
}

// inOrder puts the conditions in the order in which they are written: the second gorm
// does not begin with one of Or, and the first has all of them at the end.
func (g *gormChain) inOrder() []step {
	var conds, ors []step
	for _, s := range g.steps {
		switch {
		case len(s.args) == 0:
		case s.name == "Or" && strings.Contains(g.pkg, "jinzhu"):
			ors = append(ors, s)
		case s.name == "Where" || s.name == "Not" || s.name == "Or":
			conds = append(conds, s)
		case s.name == "Clauses":
			conds = append(conds, clauseWheres(s)...)
		}
	}
	if i := slices.IndexFunc(conds, func(s step) bool { return s.name != "Or" }); i > 0 {
		conds[0], conds[i] = conds[i], conds[0]
	}
	return append(conds, ors...)
}

// clauseWheres are the conditions that a clause.Where among the clauses holds.
func clauseWheres(s step) []step {
	l, _ := elements(s.args[0])
	var out []step
	for _, c := range l {
		if typeName(c) != "Where" {
			continue
		}
		exprs, ok := elements(fieldNamed(c, "Exprs"))
		if !ok || len(exprs) == 0 {
			exprs = []*term.Term{term.NewUnknown("a clause that is not written out")}
		}
		out = append(out, step{name: "Where", args: []*term.Term{exprs[0], term.NewList(false, exprs[1:]...)}})
	}
	return out
}
