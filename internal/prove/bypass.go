package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
)

// Writes beside all holds to what a lock protects. Those of one package are compared with
// what protects their resource there, and in the packages that it imports. Packages that do
// not import each other meet in the program: each passes on what it writes beside all holds,
// and main compares.

// protection is what is known of a resource that a lock protects.
type protection struct {
	columns []string // fences and owners' columns
	by      flow.Step
	fenced  bool // something compares them
}

// protect notes that a guarded write, a claim, or the hold of a correctness lock protects a
// table.
func (j *judge) protect(table string, columns []string, by flow.Step, fenced bool) {
	if table == "" {
		return
	}
	if j.protected == nil {
		j.protected = make(map[string]*protection)
	}
	x := j.protected[table]
	if x == nil {
		x = &protection{by: by}
		j.protected[table] = x
	}
	if fenced && !x.fenced {
		x.fenced, x.by = true, by
	}
	for _, c := range columns {
		if c != "" && !slices.Contains(x.columns, c) {
			x.columns = append(x.columns, c)
		}
	}
}

// bypasses reports the unguarded writes to protected tables that no visible hold
// reaches.
func (j *judge) bypasses(sums []*flow.Summary) {
	j.protectedByClaims(sums)
	for _, t := range j.a.Imported.Touches {
		switch t.How {
		case flow.Fenced:
			j.protect(t.Resource, t.Columns, t.Step, true)
		case flow.InHold:
			j.protect(plainResource(t.Resource), nil, t.Step, false)
		}
	}
	if len(j.protected) == 0 && !j.isOverheard() {
		return
	}
	held := make(map[*flow.Event]bool)
	taken := make(map[flow.Place]bool) // where callers declare to take the lock, which goes past nothing
	for _, s := range sums {
		for _, w := range s.Events {
			if n := len(w.Chain); w.Kind == flow.Acquire && n > 1 {
				taken[w.Chain[n-1].Place] = true
			}
			if len(w.Holds) > 0 || j.supply[rootEvent(w)] {
				held[rootEvent(w)] = true
			}
		}
	}
	for _, w := range j.implementing { // a hold reaches it through an interface
		held[rootEvent(w)] = true
	}
	lockers := j.lockers(sums)
	for _, s := range sums {
		if s.Test || lockers[receiverOf(s.ID)] && ast.IsExported(lastPart(plainName(s.ID))) {
			continue // whether its caller has the lock is decided elsewhere
		}
		for _, w := range s.Events {
			if w.Kind == flow.Write && w.Source() == nil && w.Decl == nil && !held[w] && w.Chain[0].Pos.IsValid() && !taken[w.Chain[0].Place] {
				j.bypass(s, w)
			}
		}
	}
}

func rootEvent(e *flow.Event) *flow.Event {
	for e.Source() != nil {
		e = e.Source()
	}
	return e
}

func (j *judge) protectedByClaims(sums []*flow.Summary) {
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind != flow.Acquire || e.Source() != nil || e.Hold.Lock == nil || e.Hold.Lock.Class != "correctness" {
				continue
			}
			if c := j.claimOf(e); c != nil {
				cols := slices.Clone(c.counted)
				for col := range c.signed {
					cols = append(cols, col)
				}
				slices.Sort(cols)
				j.protect(c.table, cols, e.Chain[0], true)
			}
		}
	}
}

func (j *judge) bypass(s *flow.Summary, w *flow.Event) {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || j.set.Enclosing(w.Chain[0].Pos, "admin") != nil || j.claims(s, w) {
		return
	}
	for _, l := range j.loweredForms(w, c.Sink) {
		r := plainResource(l.written())
		if r == "" || !overwrites(l.mutation) {
			continue
		}
		cols := comparedColumns(l.mutation)
		switch x := j.protected[r]; {
		case x == nil:
			j.passOnBare(s, w, r, cols)
		case !x.guards(cols):
			j.reportBypass(s, w, r, x)
			return
		}
	}
	if r := j.plainKey(w, c.Sink); r == "" {
		return
	} else if x := j.protected[r]; x != nil {
		j.reportBypass(s, w, r, x)
	} else {
		j.passOnBare(s, w, r, nil)
	}
}

// plainResource is a resource without the word that it is a table.
func plainResource(r string) string { return strings.TrimPrefix(r, "table:") }

// isOverheard reports whether other packages get to know what this one writes.
func (j *judge) isOverheard() bool { return j.o.Facts != FactUnused && !j.u.Foreign }

// passOnBare notes a write of which it is for a package that knows more to say whether
// something protects what it overwrites.
func (j *judge) passOnBare(s *flow.Summary, w *flow.Event, resource string, cols []string) {
	if !j.isOverheard() || j.set.Accepted(w.Chain[0].Pos, "bypasswrite") != nil {
		return
	}
	t := flow.Touch{How: flow.Bare, Resource: resource, Columns: cols, Step: w.Chain[0]}
	same := func(o flow.Touch) bool {
		return o.Resource == resource && o.Step.Func == t.Step.Func && slices.Equal(o.Columns, cols)
	}
	if !slices.ContainsFunc(j.bare, same) {
		j.bare = append(j.bare, t)
	}
}

// overwrites leaves out inserts, which touch no row of an owner.
func overwrites(m *fence.Mutation) bool { return m.Kind != fence.Insert && m.Kind != fence.DDL }

// comparedColumns lists the columns that the condition of a statement mentions, in order.
func comparedColumns(m *fence.Mutation) []string {
	var out []string
	fence.WalkCond(m.Guard, func(fence.Cond) {}, func(t fence.Term) {
		if c, ok := t.(fence.Stored); ok {
			out = append(out, c.Column)
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// guards reports whether a statement that compares some columns compares one that protects
// the resource; where they are not known, one that is named like a fence.
func (x *protection) guards(cols []string) bool {
	return slices.ContainsFunc(cols, func(c string) bool {
		return slices.Contains(x.columns, c) || len(x.columns) == 0 && fenceWords.MatchString(c)
	})
}

func (j *judge) reportBypass(s *flow.Summary, w *flow.Event, table string, x *protection) {
	pos := w.Chain[0].Pos
	j.add(Finding{
		Rule: "bypasswrite", Pos: pos, End: j.endOf(pos),
		Message: funcName(s.ID) + x.bypassed(table),
		Related: []Related{{Place: x.by.Place, Pos: x.by.Pos, Message: "it is protected here"}},
		Key:     strings.Join([]string{"bypasswrite", plainName(s.ID), table, w.Key}, "|"),
	})
}

// bypassed says what it means that something writes past the protection of a resource.
func (x *protection) bypassed(resource string) string {
	return " writes " + resourceWords(resource) + " without the lock and without its guard, while " + x.by.Place.String() +
		" protects it: whatever the owner checks, this write goes past it. Compare " +
		orWord(strings.Join(slices.Sorted(slices.Values(x.columns)), " or "), "the fence") + " here too, take the lock, or mark the function with //fencelint:admin if only an operator runs it."
}

// meet reports, in a program, the writes of its packages that go past what others of them
// protect, and that do not know of each other. It stands at the package clause.
func (j *judge) meet() {
	if !j.closes() {
		return
	}
	reached := make(map[flow.Place]bool)
	for _, t := range j.reachedWrites() {
		reached[t.Step.Place] = true
	}
	pos := j.clause()
	for _, t := range j.a.Imported.Touches {
		x := j.protected[t.Resource]
		if t.How != flow.Bare || x == nil || !x.fenced || x.guards(t.Columns) || reached[t.Step.Place] {
			continue
		}
		j.add(Finding{
			Rule: "bypasswrite", Pos: pos, End: pos + token.Pos(len("package")),
			Message: "In this program, " + funcName(t.Step.Func) + " (" + t.Step.Place.String() + ")" + x.bypassed(t.Resource),
			Related: []Related{
				{Place: t.Step.Place, Pos: t.Step.Pos, Message: "it is written here"},
				{Place: x.by.Place, Pos: x.by.Pos, Message: "it is protected here"},
			},
			Key: strings.Join([]string{"bypasswrite", plainName(t.Step.Func), t.Resource, "program"}, "|"),
		})
	}
}

// reachedWrites are the writes of other packages that some hold is seen to reach: here, or
// in a package that this one imports.
func (j *judge) reachedWrites() []flow.Touch {
	var out []flow.Touch
	seen := make(map[flow.Place]bool)
	add := func(w *flow.Event) {
		last := w.Chain[len(w.Chain)-1]
		if last.Place.Pkg != j.u.Pkg.Path() && !seen[last.Place] {
			seen[last.Place] = true
			out = append(out, flow.Touch{How: flow.Reached, Step: last})
		}
	}
	for _, s := range j.a.Functions() {
		for _, w := range s.Events {
			held := w.Kind == flow.Write && (len(w.Holds) > 0 || j.supply[rootEvent(w)])
			if !s.Test && (held || w.Kind == flow.Acquire || w.Kind == flow.Release) { // a lock's own writes go past nothing
				add(w)
			}
		}
	}
	for _, w := range j.implementing {
		add(w)
	}
	for _, t := range j.a.Imported.Touches {
		if t.How == flow.Reached && !seen[t.Step.Place] {
			out = append(out, t)
		}
	}
	return out
}

// touched is what packages that import this one have to know of the resources that it, and
// those that it imports, write.
func (j *judge) touched() []flow.Touch {
	out := slices.Concat(j.protects(), j.bare, j.reachedWrites())
	for _, t := range j.a.Imported.Touches {
		if t.How != flow.Reached {
			out = append(out, t)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(j.protected)) {
		if x := j.protected[r]; x.fenced && x.by.Place.Pkg == j.u.Pkg.Path() {
			out = append(out, flow.Touch{How: flow.Fenced, Resource: r, Columns: slices.Sorted(slices.Values(x.columns)), Step: x.by})
		}
	}
	slices.SortStableFunc(out, func(a, b flow.Touch) int {
		return cmp.Or(cmp.Compare(a.How, b.How), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Step.Func, b.Step.Func), comparePlaces(a.Step.Place, b.Step.Place))
	})
	return out
}

// resourceWords are the words by which a message names a resource.
func resourceWords(r string) string {
	if kind, name, ok := strings.Cut(r, ":"); ok {
		return name + " (" + kind + ")"
	}
	return "table " + r
}
