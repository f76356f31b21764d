package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// maxChain bounds the calls kept of a long way: the first and the last ones.
const maxChain = 12

// collect builds the sites of the function: its calls with what they can cause.
func (f *fn) collect() {
	f.bySite = make(map[ssa.Instruction]*site)
	f.targeted = make(map[ssa.CallInstruction][]target)
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				f.addSite(c, f.eventsOf(c))
			}
		}
	}
	f.detached()
	f.toldLocks() // which a directive may stand on
	f.claims()
	f.byHand()
	f.spoken()
	f.questions()
}

func (f *fn) addSite(c ssa.CallInstruction, events []*Event) {
	if len(events) == 0 {
		return
	}
	s := &site{call: c, events: events}
	for _, e := range events {
		e.site = s
		if _, ok := c.(*ssa.Defer); ok {
			e.Deferred = true
		}
		if _, ok := c.(*ssa.Go); ok {
			e.Async = true
		}
	}
	f.sites = append(f.sites, s)
	f.bySite[c] = s
}

// eventsOf lists what a call can cause.
func (f *fn) eventsOf(c ssa.CallInstruction) []*Event {
	if f.silent(c) {
		return nil
	}
	var out []*Event
	targets := f.targets(c)
	f.targeted[c] = targets // its arguments are known from now on
	for _, t := range targets {
		out = append(out, f.eventsOfTarget(c, t, 0)...)
	}
	if len(targets) > 1 {
		for _, e := range out {
			e.perhaps = true
		}
	}
	return out
}

// maxExpand bounds how often the target of a call is found only after another
// call's arguments were put in its place.
const maxExpand = 3

// maxExpanded bounds the targets that are put in place of unknown calls in one
// function: tables of functions that call through tables grow without bound.
const maxExpanded = 40

func (f *fn) eventsOfTarget(c ssa.CallInstruction, t target, depth int) []*Event {
	out := t.inType(f.causedBy(c, t, depth))
	if t.unless == nil {
		return out
	}
	for _, e := range out {
		e.Conds = joinConds([]Cond{{Term: term.Carries(t.unless)}}, e.Conds)
	}
	return out
}

func (f *fn) causedBy(c ssa.CallInstruction, t target, depth int) []*Event {
	if d := f.declared(c, t); d != nil {
		return append([]*Event{d}, f.callbacks(c, t, depth)...)
	}
	if t.sum == nil && isStream(keyOr(t)) {
		if out := f.streamed(c, t, depth); len(out) > 0 {
			return out
		}
	}
	switch {
	case callsReflected[t.key]:
		return f.reflected(c, t, depth)
	case t.call != nil:
		return append(f.hooked(c, t, depth, f.modelEvents(c, t)), f.callbacks(c, t, depth)...)
	case t.sum != nil:
		return f.copies(c, t, depth)
	case t.dyn != nil:
		return f.dynEvents(c, t)
	}
	return f.callbacks(c, t, depth)
}

func (f *fn) step(c ssa.CallInstruction) Step {
	pos := f.a.callPos(c)
	return Step{Pos: pos, Place: f.a.place(pos), Func: f.id}
}

// copies brings the events of a called function into this one: its parameters
// become the arguments, and the way grows by the call.
func (f *fn) copies(c ssa.CallInstruction, t target, depth int) []*Event {
	sub := f.substFor(c, t)
	events := t.sum.essential()
	out := make([]*Event, len(events))
	for i, e := range events {
		out[i] = f.copyEvent(c, e, sub, t.own)
		if e.Kind == May && !e.Hold.Passes() && !t.own {
			out[i].Kind = Resolved // the called function keeps its lock to itself
		}
	}
	relink(events, out)
	if depth >= maxExpand {
		return out
	}
	for _, e := range out[:len(events):len(events)] {
		if e.Kind == Dyn && !(len(e.Holds) > 0 && e.Dyn.Method != "" && !handlers[e.Dyn.Iface]) {
			more := f.expand(c, e, depth)
			if e.Dyn.Method != "" && (f.a.mayTake(e) || e.hasMay(out)) {
				more = slices.DeleteFunc(more, (*Event).hands) // judged where the type is converted
			}
			out = append(out, more...)
			stopBehind(out, e, more)
		}
	}
	return out
}

// stopBehind: what a call with an unknown target turned out to write comes before what that
// call comes before, and stops it, where its caller is told of each refusal.
func stopBehind(all []*Event, call *Event, written []*Event) {
	var stops []*Event
	for _, w := range written {
		lost := func(o Outcome) bool { return o.Returns == "" && !o.Observed }
		if w.Kind == Write && !w.Async && w.certain() && len(w.seeds) > 0 && !slices.ContainsFunc(w.seeds, lost) {
			stops = append(stops, w)
		}
	}
	if len(stops) == 0 {
		return
	}
	for _, v := range all {
		if hasEvent(v.behind, call) {
			v.After = append(slices.Clone(v.After), stops...)
		}
	}
}

// relink gives copies the relations of their originals, among the copies.
func relink(from, to []*Event) {
	if !slices.ContainsFunc(from, (*Event).related) {
		return
	}
	twin := make(map[*Event]*Event, len(from))
	for i, e := range from {
		twin[e] = to[i]
	}
	for i, e := range from {
		to[i].Holds = twins(e.Holds, twin)
		to[i].After = twins(to[i].beforeOf(e), twin)
		for k := range to[i].Cases {
			to[i].Cases[k].After = twins(to[i].Cases[k].After, twin)
		}
		to[i].behind = twins(e.behind, twin)
		to[i].Earlier = twins(e.Earlier, twin)
		to[i].Under = slices.DeleteFunc(twins(e.Under, twin), func(m *Event) bool { return m.Kind != May })
		to[i].Sealed, to[i].Settled = twins(e.Sealed, twin), twins(e.Settled, twin)
	}
}

// related reports whether an event has relations to others.
func (e *Event) related() bool {
	return len(e.Cases)+len(e.Holds)+len(e.After)+len(e.behind)+len(e.Earlier)+len(e.Under)+len(e.Sealed)+len(e.Settled) > 0
}

func twins(es []*Event, twin map[*Event]*Event) []*Event {
	var out []*Event
	for _, e := range es {
		if t := twin[e]; t != nil {
			out = append(out, t)
		}
	}
	return out
}

// copyEvent is e as the caller sees it, without its relations to other events.
func (f *fn) copyEvent(c ssa.CallInstruction, e *Event, sub *term.Subst, own bool) *Event {
	n := *e
	if e.Belief != nil {
		sub = sameTerms // its terms speak of the acquisition, not of the caller's values
	}
	n.src, n.site, n.seeds, n.Joined, n.perhaps, n.later = e, nil, e.Outcomes, false, false, false
	n.awaited = e.Async && e.Joined
	n.Holds, n.After, n.behind, n.Open, n.Outcomes, n.Under, n.Earlier, n.Sealed, n.Settled, n.entries = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	n.typed = substituted(e.typed, sub)
	args := e.Args
	if len(e.Cases) > 0 {
		args = f.a.decideCases(&n, e, sub)
	}
	if n.Recv != nil {
		if n.Recv = sub.Apply(n.Recv); n.Recv.NotChosen() {
			n.Kind = Resolved
		}
	}
	n.Conds = nil
	for _, x := range e.Conds {
		t := sub.Apply(x.Term)
		if ordersGiven(x.Term) && !f.informs(t) && !ordersGiven(t) {
			continue // what was handed in is no answer of anybody
		}
		n.Conds = append(n.Conds, Cond{t, x.Want, x.Null, x.At})
		if !x.Want && term.Carried(t) {
			n.Kind = Resolved // nothing is called: the context carries something else
		}
	}
	n.Args = applyAll(sub, args)
	if e.Kind == Write && f.guardedKey(e.Key) {
		n.Args = f.withReads(n.Args, n.Recv, c)
	}
	if e.Hold != nil {
		h := *e.Hold
		h.Handle = sub.Apply(h.Handle)
		h.Library = e.Hold.Library && own
		n.Hold = &h
	}
	if !own {
		n.Chain = prepend(f.step(c), e.Chain)
	}
	return &n
}

// sameTerms leaves terms as they are.
var sameTerms = new(term.Subst)

func prepend(s Step, chain []Step) []Step {
	out := make([]Step, 0, len(chain)+1)
	out = append(append(out, s), chain...)
	if len(out) > maxChain {
		out = append(out[:maxChain/2:maxChain/2], out[len(out)-maxChain/2:]...)
	}
	return out
}

// expand replaces the call of an unknown target by what the target causes, once
// the terms tell which it is. The call itself stays if another may be meant.
func (f *fn) expand(c ssa.CallInstruction, d *Event, depth int) []*Event {
	var out []*Event
	targets := f.dynTargets(d)
	for _, t := range targets {
		if t.dyn != nil {
			continue
		}
		if f.expanded++; f.expanded > maxExpanded {
			return append(out, f.lost([]*Event{d})) // the call stays as well: others may know its target
		}
		for _, h := range d.Holds {
			h.entries = append(h.entries, t.id)
		}
		for _, e := range f.eventsOfTarget(c, t, depth+1) {
			if !t.own {
				e.Chain = f.chainThrough(c, d, e.Chain)
			}
			e.Holds = append(slices.Clone(d.Holds), e.Holds...)
			e.Under = append(slices.Clone(d.Under), e.Under...)
			e.After = append(slices.Clone(d.After), e.After...)
			e.behind = append(slices.Clone(d.behind), e.behind...)
			e.Earlier = append(slices.Clone(d.Earlier), e.Earlier...)
			e.Conds = joinConds(e.Conds, d.Conds)
			if e.Kind == Write && e.src == nil {
				e.seeds = f.a.refusedBy(t)
			}
			e.seeds = compose(e.seeds, d.seeds)
			e.awaited = (e.awaited || !e.Async) && (d.awaited || !d.Async)
			e.Async, e.perhaps = e.Async || d.Async, e.perhaps || !d.certain() || len(targets) > 1
			e.placed(d)
			e.Detached, e.Tasked = e.Detached || d.Detached, e.Tasked || d.Tasked
			out = append(out, e)
		}
		d.Kind = Resolved
	}
	return out
}

// refusedBy is what a library's function gives back when it is refused, where it is called as a
// function value.
func (a *Analysis) refusedBy(t target) []Outcome {
	if t.call == nil || t.call.Sink == nil || t.call.Sink.Profile == nil {
		return nil
	}
	sig := cmp.Or(t.sig, a.methodSignature(t.id))
	if sig == nil {
		return nil
	}
	if tuple := refusalTuple(t.call.Sink, sig); tuple != nil {
		return []Outcome{{Returns: tupleCode(tuple)}}
	}
	return nil
}

// methodSignature is that of a method by its full name, nil if its type is not in sight.
func (a *Analysis) methodSignature(id string) *types.Signature {
	i := strings.LastIndexByte(id, '.')
	if i < 0 || !strings.HasPrefix(id, "(") {
		return nil
	}
	t := a.typeOf(strings.Trim(id[:i], "()"))
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, id[i+1:])
	if m, ok := obj.(*types.Func); ok {
		return m.Signature()
	}
	return nil
}

// chainThrough is the way over the call in this function and the one in the
// function that was handed the target.
func (f *fn) chainThrough(c ssa.CallInstruction, d *Event, rest []Step) []Step {
	if len(rest) > 0 && rest[0].Pos == f.a.callPos(c) {
		rest = rest[1:]
	}
	out := slices.Clone(d.Chain)
	return append(out, rest...)
}

// dynTargets resolves the call of a Dyn event with the terms that it has now.
func (f *fn) dynTargets(d *Event) []target {
	if d.Dyn.Method == "" {
		if len(d.Args) == 0 {
			return f.applied(d.Recv, nil, nil)
		}
		return f.applied(d.Recv, d.Args, nil)
	}
	var out []target
	alts := d.Recv.Alternatives()
	for _, r := range alts {
		if r.Kind != term.Iface {
			continue
		}
		if t, ok := f.concrete(r.Str, d.Dyn.Method, append([]*term.Term{r}, d.Args...)); ok {
			if len(alts) > 1 {
				t.typed = chosenType(d.Recv, r.Str)
			}
			out = append(out, t)
		}
	}
	return out
}

// dynEvents notes a call whose target the caller may know.
func (f *fn) dynEvents(c ssa.CallInstruction, t target) []*Event {
	if !f.matters(t) {
		return f.callbacks(c, t, 0)
	}
	if e := f.givenBack(c, t); e != nil {
		return []*Event{e}
	}
	e := &Event{Kind: Dyn, Key: t.key, Recv: t.args[0], Args: t.args[1:], Site: f.siteOf(c), Chain: []Step{f.step(c)}, Dyn: t.dyn, from: t.from}
	if !c.Common().IsInvoke() && isCancel(c.Common().Value.Type()) {
		e.Dyn = &DynCall{Results: Cancels}
	}
	given := f.callbacks(c, t, 0)
	if e.Dyn.Method == "" || !f.a.mayTake(e) {
		return append([]*Event{e}, given...)
	}
	out := []*Event{e, e.may("")}
	if region := f.mayRegion(c, e, given); region != nil {
		out = append(out, region...)
	}
	return append(out, given...)
}

// matters leaves out interfaces that are not the project's own: what libraries do
// behind theirs is known by the models or is no effect.
func (f *fn) matters(t target) bool {
	if t.dyn.Iface == "" {
		return t.dyn.Method == ""
	}
	if strings.HasPrefix(t.dyn.Iface, unnamed) {
		return !asksErrors[t.dyn.Method]
	}
	return f.a.own(t.dyn.Iface) || handlers[t.dyn.Iface]
}

// handlers are the interfaces of libraries through which they call the project's own
// code, and that code calls other code of the project.
var handlers = set("net/http.Handler")

// own reports whether an interface is the project's.
func (a *Analysis) own(iface string) bool {
	i := strings.LastIndexByte(iface, '.')
	if i < 0 {
		return false // error
	}
	return sameHouse(iface[:i], a.Pkg.Path()) && !a.Models.Leaf(iface[:i])
}

// detached adds what literals do that nobody is seen to call: handlers, fields.
func (f *fn) detached() {
	if len(f.f.AnonFuncs) == 0 {
		return
	}
	used := make(map[string]bool)
	for _, s := range f.sites {
		for _, e := range s.events {
			for src := e; src != nil; src = src.src {
				if len(src.Chain) > 0 {
					used[src.Chain[0].Func] = true
				}
			}
		}
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			m, ok := in.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			lit, ok := m.Fn.(*ssa.Function)
			if !ok || lit.Synthetic != "" || used[f.a.known.id(lit)] {
				continue
			}
			f.detachedLiteral(f.bindings(m), f.a.known.id(lit))
		}
	}
	for _, lit := range f.f.AnonFuncs {
		if len(lit.FreeVars) == 0 && !used[f.a.known.id(lit)] {
			f.detachedLiteral([]*term.Term{}, f.a.known.id(lit))
		}
	}
}

func (f *fn) detachedLiteral(free []*term.Term, id string) {
	sum := f.a.byName(id)
	if sum == nil || len(sum.Events) == 0 {
		return
	}
	params := make([]*term.Term, sum.Params)
	for i := range params {
		params[i] = term.NewUnknown("an argument of a function literal that nobody is seen to call")
	}
	sub := &term.Subst{Params: params, Free: free, Global: f.a.global, Call: refold, Site: id}
	s := &site{}
	for _, e := range sum.Events {
		n := f.copyEvent(nil, e, sub, true)
		n.Detached, n.site, n.Outcomes = true, s, e.Outcomes
		s.events = append(s.events, n)
	}
	relink(sum.Events, s.events)
	f.sites = append(f.sites, s)
}
