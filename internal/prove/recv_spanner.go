package prove

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

const (
	spannerLib  = "spanner"
	spannerPath = "cloud.google.com/go/spanner"
)

func init() { byLibrary[spannerLib] = spannerDecision }

// spannerDecision judges mutations, which have no condition: only what their transaction
// has compared before can refuse them.
func spannerDecision(j *judge, p *pair, s *model.Sink) (decision, bool) {
	if s.Input.IsZero() || s.Dialect != "" {
		return decision{}, false
	}
	d := decision{}
	for _, w := range j.spannerWritings(j.at(s.Input, p.w)) {
		one := j.builtDecision(p, w, w.failed == outOfSight)
		if w.failed != "" {
			if u := j.unguarded(p, &fence.Mutation{Kind: fence.Update, Resource: "?"}, nil); u.verdict == proved {
				u.receiver, u.shown = one.receiver, one.shown
				one = u
			}
		}
		d = worse(d, one)
	}
	return d, true
}

// spannerWritings are the mutations of a list in the words of SQL.
func (j *judge) spannerWritings(list *term.Term) []*writing {
	if list == nil {
		return nil
	}
	l, ok := mayHold(list)
	var out []*writing
	for _, m := range l {
		for _, a := range m.Alternatives() {
			out = append(out, j.spannerMutation(unboxed(a)))
		}
	}
	if !ok {
		w := &writing{}
		w.fail("mutations that are put together out of sight")
		if list.Symbolic() {
			w = &writing{failed: outOfSight}
		}
		out = append(out, w)
	}
	return out
}

// spannerVerbs are the functions that make a mutation.
var spannerVerbs = map[string]string{
	"Insert": "INSERT INTO", "Update": "UPDATE", "InsertOrUpdate": "UPSERT", "Replace": "UPSERT", "Delete": "DELETE FROM",
}

func (j *judge) spannerMutation(m *term.Term) *writing {
	w := &writing{dollar: true}
	fn := strings.TrimSuffix(strings.TrimSuffix(lastPart(m.Str), "Map"), "Struct")
	verb := spannerVerbs[fn]
	if m.Kind != term.Call || !strings.HasPrefix(m.Str, spannerPath+".") || verb == "" || len(m.Args) < 2 {
		w.fail("a mutation that is not written out")
		return w
	}
	q := &query{verb: verb, table: name(m.Args[0])}
	if t, ok := term.StringValue(unboxed(m.Args[0])); ok {
		q.table = words(t)
	}
	if verb != "DELETE FROM" {
		j.spannerColumns(w, q, m)
	}
	switch verb {
	case "INSERT INTO": // of each primary key, which comes first by custom, only the first is accepted
		q.conflict = words("CONFLICT DO NOTHING")
		if len(q.cols) > 0 {
			q.conflict = func(w *writing) { w.str("CONFLICT ("); q.cols[0](w); w.str(") DO NOTHING") }
		}
	case "UPSERT":
		q.verb, q.conflict = "INSERT INTO", words("CONFLICT (id) DO UPDATE")
		q.moves = q.sets
	}
	q.write(w)
	return w
}

// spannerColumns reads what a mutation stores: two lists, a map or a record.
func (j *judge) spannerColumns(w *writing, q *query, m *term.Term) {
	store := func(column string, value *term.Term) {
		v := func(w *writing) { w.arg(value) }
		q.sets = append(q.sets, assign(column, v))
		q.cols, q.vals = append(q.cols, words(column)), append(q.vals, v)
	}
	switch last := lastPart(m.Str); {
	case strings.HasSuffix(last, "Map"):
		for _, e := range sortedEntries(w, m.Args[1]) {
			store(e.key, e.value)
		}
	case strings.HasSuffix(last, "Struct"):
		cs, ok := j.columns(m.Args[1], spannerName)
		if !ok {
			w.fail("the type of the record is not in sight")
		}
		for _, c := range cs {
			store(c.name, c.value)
		}
	case len(m.Args) == 3:
		cols, known := strs(m.Args[1])
		vals, ok := elements(m.Args[2])
		if !known || !ok || len(cols) != len(vals) {
			w.fail("columns that are not written out")
			return
		}
		for i, c := range cols {
			store(c, vals[i])
		}
	}
}

// spannerName is how the library names the column of a field.
func spannerName(field string, tag reflect.StructTag) (string, bool) {
	name, _, _ := strings.Cut(tag.Get("spanner"), ";")
	switch name {
	case "-":
		return "", false
	case "":
		name = field
	}
	return name, false
}

// carried lists the statements of a record, or of a list of records, that have text and
// arguments as fields.
func carried(t *term.Term) []stated {
	if t == nil {
		return []stated{{stmt: term.NewUnknown("not an argument of the call")}}
	}
	if l := unboxed(t); l.Kind == term.List && len(l.Args) > 0 && !l.Open {
		var out []stated
		for _, e := range l.Args {
			out = append(out, carried(e)...)
		}
		return out
	}
	var out []stated
	for _, a := range t.Alternatives() {
		if a = unboxed(a); a.Kind != term.Struct {
			text := term.NewUnknown("that of a statement made elsewhere")
			switch {
			case a.Str == spannerPath+".NewStatement" && len(a.Args) == 1:
				text = a.Args[0]
			case a.Symbolic():
				text = term.NewField(spannerPath+".Statement.SQL", a)
			}
			out = append(out, stated{stmt: text})
			continue
		}
		s := stated{fieldNamed(a, "SQL"), fieldNamed(a, "Params")}
		if text, ok := term.StringValue(s.stmt); ok && strings.Contains(text, "$1") {
			s.args = numberedParams(s.args)
		}
		out = append(out, s)
	}
	return out
}

// numberedParams are the parameters p1, p2, ... in order, by which the dialect of
// PostgreSQL numbers them.
func numberedParams(params *term.Term) *term.Term {
	var list []*term.Term
	for i := range params.Args {
		list = append(list, term.NewElem(params, term.NewString("p"+strconv.Itoa(i+1))))
	}
	return term.NewList(false, list...)
}

// serialRead is a read of Spanner on which a value rests.
type serialRead struct {
	unit   *term.Term // of the transaction
	tables []string
}

// spannerRead finds the read that a value comes from, nil if there is none.
func (j *judge) spannerRead(t *term.Term) *serialRead {
	var found *serialRead
	t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call || !strings.HasPrefix(u.Str, spannerPath+".txReadOnly.") || len(u.Args) < 3 {
			return false
		}
		found = &serialRead{unit: spannerUnit(u.Args[0])}
		if strings.Contains(lastPart(u.Str), "Read") {
			if name, ok := term.StringValue(unboxed(u.Args[2])); ok {
				found.tables = []string{strings.ToLower(name)}
			}
			return true
		}
		for _, s := range carried(u.Args[2]) {
			for _, x := range texts(s.stmt) {
				for _, st := range j.parse(x.s, x.holes, fsql.GoogleSQL).Statements {
					found.tables = append(found.tables, st.Tables...)
				}
			}
		}
		return true
	})
	return found
}

// spannerUnit is the transaction whose embedded part a method was called on.
func spannerUnit(t *term.Term) *term.Term {
	for t = unboxed(t); t.Kind == term.Field && strings.HasPrefix(t.Str, spannerPath+"."); {
		t = unboxed(t.Args[0])
	}
	return t
}

// serialCompare: what a transaction of Spanner has read stays as it is until the commit,
// or the function is run again. A comparison in Go is a guard then.
func (j *judge) serialCompare(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	if s := j.models.FuncKey(p.w.Key); s == nil || s.Sink == nil || s.Sink.Lib != spannerLib || !j.isTx(p.w) || vague(unitOf(p.w)) {
		return decision{}, false
	}
	unit := spannerUnit(p.w.Recv)
	rests, compared := false, false
	for _, c := range p.w.Conds {
		r := j.spannerRead(c.Term)
		if r == nil || !r.unit.Equal(unit) {
			continue
		}
		rests = rests || slices.Contains(r.tables, m.Resource)
		if !j.rejectsStale(p, c, func(t *term.Term) bool { return j.spannerRead(t) != nil }) {
			compared = compared || j.comparedInMemory(p, c.Term)
			continue
		}
		switch {
		case relaxed(p, unit):
			return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown",
				reason: "the options of the transaction may leave what it has read open to change"}, true
		case !j.storedSomewhere(r.tables):
			return decision{verdict: refuted, rule: "fencenotadvanced", guard: "none",
				reason: "the row with the epoch is read and compared, but no code in sight stores a newer epoch in it"}, true
		}
		return j.refusedHere(p, c, decision{verdict: proved, guard: "fence", guarded: true,
			reason: "the row with the epoch is read and compared in the same transaction, which is serializable"}), true
	}
	if compared {
		return decision{verdict: refuted, rule: "staleadmitted", guard: "fence", reason: "the epoch that was read is compared, and an obsolete owner passes"}, true
	}
	for _, b := range bs {
		r := j.spannerRead(b.term)
		rests = rests || r != nil && r.unit.Equal(unit) && slices.Contains(r.tables, m.Resource)
	}
	if rests && !relaxed(p, unit) {
		return casWorth(p.class().Contract, decision{guard: "cas"}, false), true
	}
	return decision{}, false
}

// relaxed reports whether a transaction was begun with options that may lower its
// isolation.
func relaxed(p *pair, unit *term.Term) bool {
	key := flow.SuppliedBy(unit)
	if key == "" {
		key = unit.Str
	}
	if !strings.HasSuffix(key, "WithOptions") {
		return false
	}
	return slices.ContainsFunc(p.sum.Events, func(b *flow.Event) bool {
		if b.Kind != flow.Begin || b.Key != key || len(b.Args) == 0 {
			return false
		}
		level := fieldNamed(b.Args[len(b.Args)-1], "IsolationLevel")
		n, ok := term.IntValue(level)
		return !term.IsZero(level) && !(ok && n <= serializableLevel)
	})
}

// serializableLevel is the number of the isolation level, below which stands that none
// is asked for.
const serializableLevel = 1

// storedSomewhere reports whether a statement of the package writes one of the tables.
func (j *judge) storedSomewhere(tables []string) bool {
	for _, sum := range j.a.Functions() {
		for _, w := range sum.Events {
			if (w.Kind == flow.Write || w.Kind == flow.Acquire) && shares(j.tables(w), tables) {
				return true
			}
		}
	}
	return false
}
