package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Decl finds a directive of one verb on a declaration of this or an imported
// package, by qualified name; nil if there is none.
func (a *Analysis) Decl(name, verb string) *Decl { return a.decl(name, verb) }

// NameOf is what a function of this package calls its parameter of that number, the
// receiver being the first, or the variable of that number that it captures; "" if it
// has no name for it.
func (a *Analysis) NameOf(id string, n int, captured bool) string {
	x := a.byID[id]
	name := ""
	switch {
	case x == nil:
	case captured && n < len(x.f.FreeVars):
		name = x.f.FreeVars[n].Name()
	case !captured && n < len(x.f.Params):
		name = x.f.Params[n].Name()
	}
	return strings.TrimPrefix(name, "_")
}

// PlaceOf turns a position of this package into a place.
func (a *Analysis) PlaceOf(pos token.Pos) Place { return a.place(pos) }

// CallPos finds the call of this package through which the function that a site is seen
// from gets at what the site names: the site itself, unless that lies in a called function.
func (a *Analysis) CallPos(site string) (token.Pos, bool) {
	id, rest, ok := strings.Cut(site, "@")
	if !ok {
		return token.NoPos, false
	}
	n, _, _ := strings.Cut(rest, "/")
	return a.SitePos(id + "@" + n)
}

// SiteBefore reports whether a site, as a caller may name it, and another one are in one
// function, and the first one stands before the other.
func SiteBefore(site, other string) bool {
	id, n, ok := cutSite(other)
	in, m, ok2 := cutSite(site)
	return ok && ok2 && m < n && (in == id || strings.HasSuffix(in, "/"+id))
}

// cutSite takes a site apart into its function and the number of the instruction.
func cutSite(site string) (id string, n int, ok bool) {
	i := strings.LastIndexByte(site, '@')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(site[i+1:])
	return site[:i], n, err == nil
}

// SitePos finds the instruction that a site of this package names.
func (a *Analysis) SitePos(site string) (token.Pos, bool) {
	in := a.instruction(site)
	if in == nil || !in.Pos().IsValid() {
		return token.NoPos, false
	}
	if start, ok := a.starts[in.Pos()]; ok {
		return start, true
	}
	return in.Pos(), true
}

// instruction is what a site of this package names, nil if it names none.
func (a *Analysis) instruction(site string) ssa.Instruction {
	id, n, ok := cutSite(term.InnermostSite(site))
	f := a.byID[id]
	if !ok || f == nil {
		return nil
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if f.ordinal(in) == n {
				return in
			}
		}
	}
	return nil
}

// DropsError reports whether the call that a site of this package names gives an error that
// nobody looks at: what it gives beside that may be nothing at all.
func (a *Analysis) DropsError(site string) bool {
	c, ok := a.instruction(site).(*ssa.Call)
	if !ok {
		return false
	}
	results := c.Call.Signature().Results()
	last := results.Len() - 1
	if last < 1 || !isError(results.At(last).Type()) {
		return false
	}
	return !slices.ContainsFunc(*c.Referrers(), func(r ssa.Instruction) bool {
		x, ok := r.(*ssa.Extract)
		return ok && x.Index == last && len(*x.Referrers()) > 0
	})
}

// Applied is what a function value gives back for arguments, as far as its code is seen.
func (a *Analysis) Applied(fv *term.Term, args ...*term.Term) *term.Term {
	if fv.Kind == term.Func || fv.Kind == term.Closure {
		if sum := a.byName(fv.Str); sum != nil && len(sum.Results) > 0 && sum.Results[0] != nil {
			return (&term.Subst{Params: args, Free: fv.Args, Global: a.global}).Apply(sum.Results[0])
		}
	}
	return term.NewUnknown("the result of a function that is not in sight")
}

// Implement lists what the method of a concrete type causes where the interface
// was called under an obligation.
func (a *Analysis) Implement(hold, call *Event, c Conversion) []*Event {
	f := &fn{a: a, id: "obligation", heaped: finished}
	t, ok := f.concrete(c.Type, call.Dyn.Method, append([]*term.Term{valueOf(c, call)}, call.Args...))
	if !ok {
		return nil
	}
	return f.run(t, hold, call, c.Type)
}

// Supplied lists what a function value causes where it was called in a hold, taken
// from what keeps it.
func (a *Analysis) Supplied(hold, call *Event, v *term.Term) []*Event {
	f := &fn{a: a, id: "supplied", heaped: finished}
	var out []*Event
	for _, t := range f.applied(v, call.Args, nil) {
		if t.dyn == nil {
			out = append(out, f.run(t, hold, call, t.id)...)
		}
	}
	return out
}

// run gives the events of a target in terms of the hold in which it is called.
func (f *fn) run(t target, hold, call *Event, site string) []*Event {
	free := t.free
	if free == nil {
		free = []*term.Term{}
	}
	sub := &term.Subst{Params: t.args, Free: free, Global: f.a.global, Call: refold, Site: site}
	if t.sum == nil {
		return f.implementedByModel(t, call)
	}
	out := make([]*Event, len(t.sum.Events))
	for i, e := range t.sum.Events {
		n := f.copyEvent(nil, e, sub, true)
		n.Chain = append(slices.Clone(call.Chain), e.Chain...)
		n.Outcomes = compose(n.seeds, call.Outcomes)
		n.Conds = joinConds(n.Conds, call.Conds)
		n.Holds = []*Event{hold}
		out[i] = n
	}
	twin := make(map[*Event]*Event)
	for i, e := range t.sum.Events {
		twin[e] = out[i]
	}
	for i, e := range t.sum.Events {
		out[i].After = twins(out[i].beforeOf(e), twin)
		out[i].Earlier = twins(e.Earlier, twin)
		out[i].Sealed = twins(e.Sealed, twin)
		for k := range out[i].Outcomes {
			out[i].Outcomes[k].Reaches = append(twins(out[i].Outcomes[k].Reaches, twin), onlyOf(out[i].Outcomes[k].Reaches, hold)...)
		}
	}
	return out
}

// onlyOf keeps the events that stand in the hold itself.
func onlyOf(es []*Event, hold *Event) []*Event {
	var out []*Event
	for _, e := range es {
		if hasEvent(e.Holds, hold) {
			out = append(out, e)
		}
	}
	return out
}

func (f *fn) implementedByModel(t target, call *Event) []*Event {
	if t.call == nil || t.call.Sink == nil || !effects[t.call.Sink.Boundary] {
		return nil
	}
	recv, args := split(t)
	return []*Event{{Kind: Write, Key: t.key, Recv: recv, Args: args, Site: call.Site, Chain: call.Chain, Outcomes: call.Outcomes}}
}

// maxResult bounds the terms of results that travel.
const maxResult = 80

// Export is the fact of the package.
func (a *Analysis) Export(duties []*Obligation) *Fact {
	f := &Fact{Decls: a.decls, Obligations: duties}
	want := make(map[string]bool)
	for _, x := range a.order {
		if x.travels() {
			a.exportFunc(x.sum, want)
		}
	}
	a.passOn(want)
	f.Conversions = a.exportConversions()
	a.passOnMade(f.Conversions, want)
	for _, id := range sortedKeys(want) {
		if x := a.byID[id]; x != nil {
			f.Funcs = append(f.Funcs, trimmed(x.summary()))
		} else {
			f.Handed = append(f.Handed, id)
		}
	}
	f.imported, f.within = a.Imported, a.keptWithin
	f.recordsOf = func(others []string) []Record { return a.recordsIn(f.Funcs, others) }
	f.Globals = a.exportGlobals()
	f.Mays = a.exportMays()
	f.Carriers = a.exportCarriers()
	if a.Imported != nil {
		f.Pending = a.Imported.PendingFuncs()
		for _, k := range sortedKeys(a.Imported.Decls) {
			f.Decls = append(f.Decls, *a.Imported.Decls[k])
		}
	}
	return f
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// travels reports whether other packages can call the function: it is exported,
// or a method, which an interface can reach.
func (f *fn) travels() bool { return f.exported() && !f.sum.Test }

func (f *fn) exported() bool {
	obj, ok := f.f.Object().(*types.Func)
	return ok && f.f.Synthetic == "" && obj.Exported()
}

// exportFunc adds a summary that says something, and the functions that its
// terms name.
func (a *Analysis) exportFunc(s *Summary, want map[string]bool) {
	if want[s.ID] || !s.speaks() {
		return
	}
	want[s.ID] = true
	s.names(func(id string) { a.exportNamed(id, want) })
}

// names visits the functions that the terms of a summary name.
func (s *Summary) names(visit func(id string)) {
	in := func(t *term.Term) {
		if t == nil {
			return
		}
		t.Any(func(u *term.Term) bool {
			if u.Kind == term.Closure || u.Kind == term.Func || u.Kind == term.Bound {
				visit(u.Str)
			}
			return false
		})
	}
	for _, e := range s.Events {
		e.eachTerm(in)
	}
	for _, t := range s.Results {
		in(t)
	}
	for _, g := range s.Given {
		for _, t := range g.Results {
			in(t)
		}
	}
	for _, st := range s.Stores {
		in(st.Value)
	}
}

// exportNamed adds a function by its name. What others know of it is handed on as it is,
// with the functions that it names.
func (a *Analysis) exportNamed(id string, want map[string]bool) {
	switch {
	case a.byID[id] != nil:
		a.exportFunc(a.byID[id].summary(), want)
	case a.Imported.knowsFunc(id):
		want[id] = true
	}
}

// speaks reports whether a summary tells more than silence.
func (s *Summary) speaks() bool {
	if len(s.Events)+len(s.Stores)+len(s.Signals) > 0 {
		return true
	}
	for _, t := range s.Results {
		if t.Kind != term.Unknown && t.Size() <= maxResult {
			return true
		}
	}
	return false
}

// trimmed leaves out the results that are too large to travel, and the tests.
func trimmed(s *Summary) *Summary {
	c := *s
	c.Events = s.essential()
	c.Post, c.Yes, c.No = smallConds(s.Post), smallConds(s.Yes), smallConds(s.No)
	c.Results = slices.Clone(s.Results)
	for i, t := range c.Results {
		if t.Size() > maxResult {
			c.Results[i] = term.NewUnknown("a result that is too large to follow")
		}
	}
	if slices.ContainsFunc(c.Given, func(g Given) bool {
		return slices.ContainsFunc(g.Results, func(t *term.Term) bool { return t.Size() > maxResult })
	}) {
		c.Given = nil
	}
	return &c
}

// smallConds drops decisions whose terms are too large to travel.
func smallConds(cs []Cond) []Cond {
	var out []Cond
	for _, c := range cs {
		if c.Term.Size() <= maxResult {
			out = append(out, c)
		}
	}
	return out
}

// passOn adds the summaries of the methods of other packages' types that occur
// in this package's exported declarations: drivers hand on direct imports only.
func (a *Analysis) passOn(want map[string]bool) {
	if a.Imported == nil || len(a.Imported.funcs) == 0 {
		return
	}
	named := a.namedInAPI()
	lockers := make(map[string]bool) // types that become interfaces somewhere: whoever calls those must see how they lock
	for _, c := range a.Imported.Conversions {
		if c.Lock {
			lockers[strings.TrimPrefix(c.Type, "*")] = true
		}
	}
	for id, f := range a.Imported.funcs {
		key := keyOfID(id)
		i := strings.LastIndexByte(key, '.')
		if i >= 0 && (named[key[:i]] || lockers[key[:i]] && f.entry.Takes&takesPassing != 0) {
			want[id] = true
		}
	}
}

// namedIn collects the named types that a type mentions.
func namedIn(t types.Type, seen map[*types.Named]bool, depth int) {
	if depth > 6 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Origin()
		if seen[o] {
			return
		}
		seen[o] = true
		for i := range o.NumMethods() {
			if m := o.Method(i); m.Exported() {
				namedIn(m.Type(), seen, depth+1)
			}
		}
		if o.Obj().Pkg() != nil {
			namedIn(o.Underlying(), seen, depth+1)
		}
	case *types.Pointer:
		namedIn(t.Elem(), seen, depth)
	case *types.Slice:
		namedIn(t.Elem(), seen, depth)
	case *types.Map:
		namedIn(t.Elem(), seen, depth)
	case *types.Signature:
		namedInTuple(t.Params(), seen, depth)
		namedInTuple(t.Results(), seen, depth)
	case *types.Struct:
		for i := range t.NumFields() {
			if t.Field(i).Exported() {
				namedIn(t.Field(i).Type(), seen, depth+1)
			}
		}
	}
}

func namedInTuple(t *types.Tuple, seen map[*types.Named]bool, depth int) {
	for i := range t.Len() {
		namedIn(t.At(i).Type(), seen, depth+1)
	}
}

// exportGlobals lists the exported package variables that are data.
func (a *Analysis) exportGlobals() []Global {
	var out []Global
	for _, name := range a.Pkg.Scope().Names() {
		v, ok := a.Pkg.Scope().Lookup(name).(*types.Var)
		if !ok || !v.Exported() {
			continue
		}
		g := term.NewGlobal(a.Pkg.Path() + "." + name)
		if t := a.global(g); t.Kind != term.Global && t.Size() <= maxResult {
			out = append(out, Global{Name: g.Str, Value: t})
		}
	}
	return out
}
