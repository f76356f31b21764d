package flow

import (
	"go/constant"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// running tells which instructions of the package run in a hold only.
type running struct {
	a     *Analysis
	held  map[ssa.Instruction][]*tenure // by the walk from an acquisition
	funcs map[*ssa.Function][]entry     // functions that run in a hold from their first instruction on

	comes map[visit]bool // answers of always
}

// visit is an instruction, and how deep in calls it was asked for.
type visit struct {
	in    ssa.Instruction
	depth int
}

// entry is one way in which a function comes to run in a hold.
type entry struct {
	acq  *Event
	from ssa.Instruction // the call or literal, nil for what a region runs
}

// runsHeld follows the holds into the functions that they call, start and hand on.
// What is called from elsewhere too is left out.
func (a *Analysis) runsHeld() *running {
	r := &running{a: a, held: make(map[ssa.Instruction][]*tenure), funcs: make(map[*ssa.Function][]entry), comes: make(map[visit]bool)}
	for _, t := range a.tenures {
		if !a.tells(t) {
			continue
		}
		for in := range t.seen {
			r.held[in] = append(r.held[in], t)
		}
	}
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if e.Kind != Acquire || !e.lasting() || f.inTest() {
				continue
			}
			for _, id := range e.entries {
				if x := a.byID[id]; x != nil {
					r.enter(x.f, entry{acq: e})
				}
			}
		}
	}
	for _, f := range a.places.funcs {
		r.callees(f)
	}
	r.prune()
	return r
}

// tells reports whether what is set in a hold can carry a belief: it is that of a lock,
// or likely to be one.
func (a *Analysis) tells(t *tenure) bool {
	return t.acq.lasting() && !t.f.inTest() && len(t.seen) > 0 && (t.acq.Kind == Acquire || a.travelsOn(t.acq))
}

// lasting leaves out what is a lock only by directive, or a mark.
func (e *Event) lasting() bool { return !e.Hold.Maybe || e.Hold.Lock != nil }

func (r *running) enter(f *ssa.Function, e entry) {
	f = origin(f)
	if !slices.ContainsFunc(r.funcs[f], func(o entry) bool { return o.acq == e.acq && o.from == e.from }) {
		r.funcs[f] = append(r.funcs[f], e)
	}
}

// callees enters the functions that f calls or makes in a hold.
func (r *running) callees(f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, t := range r.held[in] {
				r.follow(in, t.acq, 0)
			}
		}
	}
	for _, e := range slices.Clone(r.funcs[f]) {
		r.followAll(f, e.acq, 0)
	}
}

// maxFollow bounds how deep a hold is followed into what it calls.
const maxFollow = 6

func (r *running) followAll(f *ssa.Function, acq *Event, depth int) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			r.follow(in, acq, depth)
		}
	}
}

func (r *running) follow(in ssa.Instruction, acq *Event, depth int) {
	if depth > maxFollow {
		return
	}
	for _, g := range r.starts(in) {
		if g = origin(g); r.a.byID[r.a.known.id(g)] == nil || slices.ContainsFunc(r.funcs[g], func(o entry) bool { return o.acq == acq && o.from == in }) {
			continue
		}
		r.enter(g, entry{acq, in})
		r.followAll(g, acq, depth+1)
	}
}

// starts lists the functions of the package that an instruction calls or hands on.
func (r *running) starts(in ssa.Instruction) []*ssa.Function {
	var out []*ssa.Function
	switch in := in.(type) {
	case *ssa.MakeClosure:
		out = append(out, r.target(in)...)
	case ssa.CallInstruction:
		if g := in.Common().StaticCallee(); g != nil {
			out = append(out, g)
		}
		for _, v := range in.Common().Args {
			out = append(out, r.target(v)...)
		}
	}
	return out
}

func (r *running) target(v ssa.Value) []*ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return []*ssa.Function{v}
	case *ssa.ChangeType:
		return r.target(v.X)
	case *ssa.MakeClosure:
		g := v.Fn.(*ssa.Function)
		if g.Synthetic != "" { // a method value
			if x := r.a.byID[r.a.known.id(g)]; x != nil {
				return []*ssa.Function{x.f}
			}
			return nil
		}
		return []*ssa.Function{g}
	}
	return nil
}

// prune leaves out the functions that are called outside of holds too.
func (r *running) prune() {
	for changed := true; changed; {
		changed = false
		for _, f := range r.a.places.funcs {
			if len(r.funcs[f]) == 0 {
				continue
			}
			kept := slices.DeleteFunc(slices.Clone(r.funcs[f]), func(e entry) bool { return e.from != nil && !r.runs(e.from) })
			if slices.ContainsFunc(r.a.places.calls[f], func(c ssa.CallInstruction) bool { return !r.runs(c) }) {
				kept = nil
			}
			if len(kept) != len(r.funcs[f]) {
				r.funcs[f], changed = kept, true
			}
		}
	}
	maps.DeleteFunc(r.funcs, func(_ *ssa.Function, es []entry) bool { return len(es) == 0 })
}

func (r *running) runs(in ssa.Instruction) bool {
	return len(r.held[in]) > 0 || len(r.funcs[in.Parent()]) > 0
}

// at says in which holds a mark is set, and to what.
func (r *running) at(m mark) ([]*Event, abs) {
	var acqs []*Event
	v := staticAbs(m.val)
	ts := r.held[m.in]
	if len(ts) > 0 && (!r.only(m.in) || slices.ContainsFunc(ts, func(t *tenure) bool { return t.refusedToo(m.in) })) {
		ts = nil
	}
	for _, t := range ts {
		acqs = append(acqs, t.acq)
		if vals := t.seen[m.in]; v.k == top && m.arg < len(vals) {
			v = vals[m.arg]
		}
	}
	for _, e := range r.funcs[m.in.Parent()] {
		acqs = append(acqs, e.acq)
	}
	if _, ok := m.in.(*ssa.Defer); ok {
		acqs = nil
	}
	return acqs, v
}

// staticAbs is what a value is wherever it is.
func staticAbs(v ssa.Value) abs {
	switch v := v.(type) {
	case nil:
		return abs{}
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return abs{k: wording, name: constant.StringVal(v.Value)}
		}
		return constAbs(v)
	case *ssa.Convert:
		return staticAbs(v.X)
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure:
		return abs{k: nonNil}
	}
	return abs{}
}

// lingers reports whether the hold goes on after an instruction that runs in it: it waits
// for its end, or outlasts the function. What is set just before the end tells that work
// was done, not that a lock is held.
func (r *running) lingers(in ssa.Instruction, depth int) bool {
	if r.a.function(in.Parent()).cancelsNext(in) {
		return false
	}
	for _, t := range r.held[in] {
		if t.acq.Hold.Escapes || t.acq.Belief != nil || t.waitsAfter(in) {
			return true
		}
	}
	f := in.Parent()
	for _, e := range r.funcs[f] {
		switch {
		case e.from == nil && e.acq.outlastsCallback(), e.acq.Belief != nil, r.a.function(f).waitsAfter(in):
			return true
		case e.from != nil && depth < maxFollow && r.lingers(e.from, depth+1):
			return true
		}
	}
	return false
}

// cancelsNext reports whether a context is cancelled after an instruction, before any wait.
func (f *fn) cancelsNext(in ssa.Instruction) bool {
	return f.leads(in, func(at ssa.Instruction) bool {
		c, ok := at.(*ssa.Call)
		return ok && isCancel(c.Common().Value.Type())
	}, func(at ssa.Instruction) bool { return f.a.waitsAt(at, 0) })
}

// outlastsCallback reports whether a region's lock is kept when the function that it
// runs returns.
func (e *Event) outlastsCallback() bool { return e.Lib == "leaderelection" }

func (t *tenure) waitsAfter(in ssa.Instruction) bool {
	for w := range t.seen {
		if w != in && t.f.a.waitsAt(w, 0) && comesAfter(in, w) {
			return true
		}
	}
	return false
}

func (f *fn) waitsAfter(in ssa.Instruction) bool {
	for _, b := range f.f.Blocks {
		for _, w := range b.Instrs {
			if w != in && f.a.waitsAt(w, 0) && comesAfter(in, w) {
				return true
			}
		}
	}
	return false
}

// waitsAt reports whether an instruction waits, or calls a function that does.
func (a *Analysis) waitsAt(in ssa.Instruction, depth int) bool {
	if pauses(in) {
		return true
	}
	if in, ok := in.(*ssa.Call); ok {
		key := a.known.called(in.Common()).key
		if waiters[key] && key != "time.Timer.Stop" || strings.HasPrefix(key, "k8s.io/apimachinery/pkg/util/wait.") {
			return true
		}
		callee := in.Common().StaticCallee()
		if callee == nil || depth >= maxTell || a.byID[a.known.id(callee)] == nil {
			return false
		}
		for _, b := range origin(callee).Blocks {
			for _, w := range b.Instrs {
				if a.waitsAt(w, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// origin is the place of the acquisition in which an event of a hold believes.
func (e *Event) origin() Place {
	if e.Belief != nil {
		return e.Belief.Place
	}
	return e.Chain[0].Place
}

// foreign makes a term of one function one of any: its parameters are not known.
func foreign(t *term.Term) *term.Term {
	if t == nil {
		return nil
	}
	return (&term.Subst{Params: []*term.Term{}, Free: []*term.Term{}}).Apply(t)
}

// only reports whether an instruction that a walk from an acquisition met is reached by
// no other way: a loop may come back to what is done before the acquisition.
func (r *running) only(in ssa.Instruction) bool {
	f := in.Parent()
	if len(r.funcs[f]) > 0 {
		return true
	}
	starts := make(map[ssa.Instruction]bool)
	for _, t := range r.held[in] {
		starts[t.start()] = true
	}
	first := f.Blocks[0].Instrs[0]
	if first == in || len(starts) == 0 {
		return false
	}
	return starts[first] || !r.a.function(f).leads(first, func(at ssa.Instruction) bool { return at == in }, func(at ssa.Instruction) bool { return starts[at] })
}

// refusedToo reports whether an instruction is reached, too, where the lock was refused, and the
// code looks at the refusal later.
func (t *tenure) refusedToo(in ssa.Instruction) bool {
	if t.asks != nil || t.acq.Belief != nil || t.f.f != in.Parent() || len(t.acq.Hold.Untested) > 0 {
		return false
	}
	call, ok := t.acq.site.call.(*ssa.Call)
	if !ok || t.f.isRegion(t.acq) {
		return false
	}
	met := false
	for _, st := range t.f.lockRefusals(t.acq, call) {
		x := &explorer{f: t.f}
		x.instr = func(at ssa.Instruction, _ *state) { met = met || at == in }
		x.visit = func(c ssa.CallInstruction, _ *state) bool {
			met = met || c == in
			return c != t.acq.site.call
		}
		s := newState()
		s.flags = st.flags
		s.result(call, st.tuple)
		x.after(call, s)
	}
	return met
}

// start is where the hold begins in the function.
func (t *tenure) start() ssa.Instruction {
	if q := t.asks; q != nil {
		return q.at
	}
	return t.acq.site.call
}

// always reports whether the hold comes by an instruction whenever the lock is acquired,
// unless something fails: what is set on some ways only is data, not a belief.
func (r *running) always(in ssa.Instruction, depth int) bool {
	at := visit{in, depth}
	if _, ok := r.comes[at]; !ok {
		r.comes[at] = r.alwaysAnew(in, depth)
	}
	return r.comes[at]
}

func (r *running) alwaysAnew(in ssa.Instruction, depth int) bool {
	for _, t := range r.held[in] {
		s := newState()
		switch q := t.asks; {
		case q != nil:
			q.set(s, q.yes)
		case t.acq.Belief != nil:
			s = t.f.believed(t.acq)
		default:
			s = t.f.granted(t.acq)
		}
		if !t.f.bypasses(in, t.start(), s) {
			return true
		}
	}
	f := r.a.function(in.Parent())
	for _, e := range r.funcs[in.Parent()] {
		if !f.bypasses(in, nil, newState()) && (e.from == nil || depth < maxFollow && r.always(e.from, depth+1)) {
			return true
		}
	}
	return false
}

// bypasses reports whether a way from an instruction, or from the beginning, to a return
// or a wait leaves out another.
func (f *fn) bypasses(in, from ssa.Instruction, s *state) bool {
	x := &explorer{f: f, until: in, fine: true}
	x.again = func(*state) []*state { return nil }
	x.visit = func(c ssa.CallInstruction, _ *state) bool {
		x.done = x.done || c == from || pauses(c)
		return !x.done
	}
	x.instr = func(w ssa.Instruction, _ *state) { x.done = x.done || pauses(w) }
	x.ret = func(_ *ssa.Return, tuple []abs, _ *state) { x.done = x.done || !f.failing(tuple) }
	if from == nil {
		x.fromEntry(s)
	} else {
		x.after(from, s)
	}
	return x.done
}
