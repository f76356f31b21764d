package flow

import (
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// maxEvents bounds the events of one summary. What is left out is replaced by
// one write of which nothing is known, so that nothing is proved by silence.
const maxEvents = 300

func (f *fn) summarise() *Summary {
	sum := &Summary{ID: f.id, Params: len(f.f.Params), Test: f.inTest()}
	f.collect()
	f.findHolds()
	f.findPotential()
	f.implementedRegion()
	f.addConds()
	for _, s := range f.sites {
		sum.Events = append(sum.Events, s.events...)
	}
	if len(sum.Events) > maxEvents {
		kept, left := weightiest(sum.Events)
		if sum.Events = kept; len(left) > 0 {
			sum.Events = append(kept, f.lost(left))
		}
	}
	f.findOutcomes(sum)
	f.leaseOutcomes(sum)
	f.markJoined()
	f.order(sum)
	f.findCases(sum)
	f.earlier(sum)
	f.seal(sum)
	sum.Results = f.translation(f.results())
	sum.Given = f.givenCases(sum)
	sum.Stores = f.stores()
	leftIn(sum)
	f.promises(sum)
	sum.Signals = f.signals()
	return sum
}

// weightiest keeps as many events as a summary may have, in their order, and gives those
// that are left out: calls of unknown targets before locks and writes. Code that hands on
// generated accessors has hundreds of them. Nothing is missed by a call whose targets were
// found: what they cause stands beside it.
func weightiest(es []*Event) (kept, left []*Event) {
	es = slices.DeleteFunc(slices.Clone(es), func(e *Event) bool { return e.Kind == Resolved })
	room := maxEvents
	for _, e := range es {
		if e.Kind != Dyn {
			room--
		}
	}
	for _, e := range es {
		switch {
		case len(kept) == maxEvents, e.Kind == Dyn && room <= 0, e.isLost():
			left = append(left, e)
			continue
		case e.Kind == Dyn:
			room--
		}
		kept = append(kept, e)
	}
	return kept, left
}

// isLost reports whether an event stands for those that a called function had no room for.
func (e *Event) isLost() bool { return e.Kind == Write && e.Key == "" && e.Decl == nil }

// leftIn adds to what a caller knows of a lock the fields in which the function has left
// it: it may be given back from there.
func leftIn(sum *Summary) {
	for _, e := range sum.Events {
		if e.Kind != Acquire || !e.Hold.Passes() || e.Hold.Handle == nil {
			continue
		}
		known := e.Hold.Handle.Alternatives()
		for _, s := range sum.Stores {
			if v := unbox(s.Value); s.inField() && v.Kind != term.Const && v.Kind != term.Unknown &&
				slices.ContainsFunc(known, func(h *term.Term) bool { return unbox(h).Equal(v) }) {
				e.Hold.Handle = term.NewAlt(e.Hold.Handle, s.To)
			}
		}
	}
}

func (f *fn) inTest() bool {
	return f.f.Pos().IsValid() && isTestFile(f.a.Fset.Position(f.f.Pos()).Filename) || testsOthers(outermost(f.f))
}

// testsOthers reports whether a function is given the state of a test or a benchmark: it
// is one, whatever its file is called, such as those that a package offers to check what
// implements its interfaces.
func testsOthers(f *ssa.Function) bool {
	for v := range f.Signature.Params().Variables() {
		if name := namedOf(v.Type()); name != nil && name.Pkg() != nil && name.Pkg().Path() == "testing" && testStates[name.Name()] {
			return true
		}
	}
	return false
}

var testStates = set("T", "B", "F", "TB")

// cameWith reports whether an event came up from a called function together with the hold in
// which it runs: what is in that hold is known there.
func cameWith(e, h *Event) bool {
	return e.site == h.site && e.src != nil && h.src != nil && hasEvent(e.src.Holds, h.src)
}

// lost stands for the events beyond the limit, in whatever holds they run. It stands at
// the first of them.
func (f *fn) lost(left []*Event) *Event {
	e := &Event{Kind: Write, Key: "", Site: f.id, Chain: left[0].begins(), site: &site{}}
	for _, l := range left {
		if len(e.Holds) == 0 && len(l.Holds) > 0 {
			e.Chain = l.begins()
		}
		for _, h := range l.Holds {
			if !hasEvent(e.Holds, h) && !cameWith(l, h) {
				e.Holds = append(e.Holds, h)
			}
		}
		for _, h := range l.Under {
			if !hasEvent(e.Under, h) {
				e.Under = append(e.Under, h)
			}
		}
	}
	return e
}

// begins is the chain up to its first step that is written somewhere: the code of a
// package's initialisation is not.
func (e *Event) begins() []Step {
	for i, s := range e.Chain {
		if s.Place.Line > 0 {
			return e.Chain[: i+1 : i+1]
		}
	}
	return e.Chain
}

// results joins what the returns give back. The zero value that goes with an
// error is left out: nobody is to use it.
func (f *fn) results() []*term.Term {
	n := f.f.Signature.Results().Len()
	if n == 0 {
		return nil
	}
	vals := make([][]*term.Term, n)
	f.returns(func(r *ssa.Return, i int, v ssa.Value) {
		t := f.asGivenBack(f.opened(f.value(v), v, r), v, r)
		if hasNothing(r, v, t) {
			t = nothing
		}
		if !f.fails(r) || i == n-1 || !blank(t) {
			vals[i] = append(vals[i], f.unlessCarried(v, f.filledBy(t), r.Block(), nil))
		}
	})
	out := make([]*term.Term, n)
	for i := range out {
		if isError(f.f.Signature.Results().At(i).Type()) {
			out[i] = errorOf(vals[i])
			continue
		}
		out[i] = term.NewAlt(vals[i]...)
	}
	return out
}

// returns visits what the function returns, but what stands beside an error and says nothing.
func (f *fn) returns(visit func(r *ssa.Return, i int, v ssa.Value)) {
	n := f.f.Signature.Results().Len()
	for _, b := range f.f.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(r.Results) != n || b == f.f.Recover && !f.recovers() || !f.mayRun(r) {
			continue
		}
		for i, v := range r.Results {
			said, kept := asReturned(r, v)
			if f.fails(r) && i < n-1 && isZeroConst(said) || n == 1 && isZeroConst(said) && f.withoutReceiver(b) {
				continue
			}
			if kept {
				v = said
			}
			visit(r, i, v)
		}
	}
}

// fails reports whether a return tells of an error.
func (f *fn) fails(r *ssa.Return) bool {
	n := len(r.Results)
	if n < 2 || !isError(f.f.Signature.Results().At(n-1).Type()) {
		return false
	}
	err, _ := asReturned(r, r.Results[n-1])
	return !isNilConst(err) && !mayBeNil(err, r)
}

// asReturned is a result as the statement has it, and whether that is what comes out: a
// function with deferred calls keeps its results in variables while they run, and those that
// other code can reach may be changed there.
func asReturned(r *ssa.Return, v ssa.Value) (said ssa.Value, same bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != r.Block() {
		return v, true
	}
	at, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v, true
	}
	if st := storedBefore(load); st != nil {
		return st.Val, kept(at)
	}
	return v, true
}

// blank reports whether a value is a record of which nothing was set.
func blank(t *term.Term) bool {
	return t.Kind == term.Struct && t.Site == "" && !t.Open && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !term.IsZero(a) })
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

func isZeroConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && term.IsZero(constTerm(c)) || ok && c.Value != nil && c.Value.ExactString() == `""`
}

// order finds which writes are certain, and which always come before others.
func (f *fn) order(sum *Summary) {
	for _, s := range f.sites {
		must, known := false, false
		for _, e := range s.events {
			if e.Kind != Write && e.Kind != Release && e.Kind != Dyn || e.Detached || e.Async || e.Deferred {
				continue
			}
			if !known {
				must, known = f.certain(s.call), true
			}
			e.Must = must && e.certain()
		}
	}
	var writes, calls []*Event
	for _, e := range sum.Events {
		switch {
		case e.Detached || e.site.call == nil:
		case e.Kind == Write:
			writes = append(writes, e)
		case e.Kind == Dyn:
			calls = append(calls, e)
		}
	}
	if len(writes) > maxOrdered {
		return // without an order nothing is proved by what comes before
	}
	f.orderCalls(calls, writes)
	for _, w := range writes {
		for _, v := range writes {
			if f.precedes(w, v, w.Outcomes) {
				v.After = append(v.After, w)
			}
		}
		for _, v := range calls {
			if v.isGiven(w.Recv) && f.precedes(w, v, w.Outcomes) {
				v.After = append(v.After, w)
			}
		}
	}
}

// orderCalls finds which calls with unknown targets come before others, and before writes,
// and stop them when they say no: what they do is known where the target is.
func (f *fn) orderCalls(calls, writes []*Event) {
	if len(calls) > maxOrdered {
		return
	}
	for _, d := range calls {
		if len(d.Outcomes) == 0 {
			continue
		}
		for _, list := range [2][]*Event{calls, writes} {
			for _, v := range list {
				if v != d && f.precedes(d, v, d.Outcomes) {
					v.behind = append(v.behind, d)
				}
			}
		}
	}
}

// isGiven reports whether a call of what is not known hands a transaction on.
func (e *Event) isGiven(unit *term.Term) bool {
	if unit == nil {
		return false
	}
	unit = unbox(unit)
	return slices.ContainsFunc(e.Args, func(a *term.Term) bool { return a.Any(unit.Equal) })
}

const maxOrdered = 100

// precedes reports whether w always happens before v, which its refusal prevents.
func (f *fn) precedes(w, v *Event, refused []Outcome) bool {
	if w.site == v.site || w.Async || w.Deferred || !w.certain() {
		return false
	}
	if !f.comesFirst(w.site.call, v.site.call) {
		return false
	}
	for _, o := range refused {
		if slices.Contains(o.Reaches, v) || slices.Contains(o.calls, v) {
			return false
		}
	}
	return true
}

// certain reports whether each return without an error has the call behind it.
func (f *fn) certain(c ssa.CallInstruction) bool {
	if f.onEachPath(c.Block()) {
		return true
	}
	free := false
	e := &explorer{f: f}
	e.visit = func(at ssa.CallInstruction, _ *state) bool { return at != c }
	e.ret = func(r *ssa.Return, tuple []abs, _ *state) {
		n := len(tuple)
		if n > 0 && isError(f.f.Signature.Results().At(n-1).Type()) && tuple[n-1].k == nonNil {
			return
		}
		free, e.done = true, true
	}
	e.fromEntry(newState())
	return !free && !e.capped
}

// onEachPath reports whether no return can be reached but by way of a block: then there is
// no need to walk.
func (f *fn) onEachPath(b *ssa.BasicBlock) bool {
	for _, end := range f.f.Blocks {
		if _, ok := end.Instrs[len(end.Instrs)-1].(*ssa.Return); ok && !b.Dominates(end) {
			return false
		}
	}
	return true
}

func scenario(i int) string { return "r" + strconv.Itoa(i) }
