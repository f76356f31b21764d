package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Loss says what becomes of the loss signal of an acquisition.
type Loss struct {
	// Dropped says that the signal was handed over and thrown away; Unasked that it
	// must be asked for, is not, and that the hold waits in a loop without an end.
	Dropped, Unasked bool
	What             string // the signal, in words
}

// Loss looks at the loss signal of an acquisition of the function with this id.
func (a *Analysis) Loss(id string, e *Event) Loss {
	f := a.byID[id]
	if f == nil || e.site == nil || e.site.call == nil {
		return Loss{}
	}
	l := f.lossEntry(e)
	if l == nil {
		return Loss{}
	}
	if f.isRegion(e) {
		return f.lossOfRegion(e, l)
	}
	for _, sig := range append([]model.Signal{l.Lost}, l.Lost.Alt...) {
		switch {
		case sig.Kind == "chan_close" && sig.At.Root == "ret":
			return f.lossOfResult(e, sig.At.Index, "the channel that is closed on a loss")
		case sig.Kind == "ctx_done" && sig.At.Root == "ret":
			return f.lossOfResult(e, sig.At.Index, "the context that ends on a loss")
		case sig.At.Root == "session":
			return f.lossOfSession(e)
		case sig.Kind == "callback" && sig.At.Root == "opt":
			return f.lossOfOption(e, l, sig)
		case sig.Kind == "callback" && sig.At.Root == "arg" && len(sig.At.Steps) > 0:
			return f.lossOfField(e, sig)
		case sig.Kind == "chan_value" && sig.At.Root == "ret" && len(sig.At.Steps) == 1 && sig.At.Steps[0].Call:
			return f.lossOfMethod(e, sig)
		case sig.Kind == "none" && !l.Session.IsZero():
			return f.lossOfConnection(e)
		}
	}
	return Loss{}
}

func (f *fn) lossEntry(e *Event) *model.Lock {
	r := e
	for r.src != nil {
		r = r.src
	}
	call := f.a.known.byKey(r.Key)
	if call == nil {
		return nil
	}
	for _, l := range call.Locks {
		if l.ID == r.Entry {
			return l
		}
	}
	return nil
}

// lossOfResult looks at a channel or context that the acquisition returns,
// through wrappers that hand it on.
func (f *fn) lossOfResult(e *Event, index int, what string) Loss {
	call, ok := e.site.call.(*ssa.Call)
	if !ok {
		return Loss{}
	}
	if e.src != nil {
		if index, ok = f.handedOn(call, e, index); !ok {
			return Loss{}
		}
	}
	v := resultValue(call, index)
	switch looked(v, make(map[ssa.Value]bool)) {
	case notUsed:
		return Loss{Dropped: true, What: what}
	case compared:
		return Loss{Unasked: f.waitsLong(e), What: what}
	}
	return Loss{}
}

// handedOn finds the result of a wrapper that is the library's signal.
func (f *fn) handedOn(call *ssa.Call, e *Event, index int) (int, bool) {
	for _, t := range f.targets(call) {
		if t.sum == nil {
			continue
		}
		for i, r := range t.sum.Results {
			for _, x := range r.Alternatives() {
				if x.Kind == term.Call && x.N == index && x.Str == e.Key {
					return i, true
				}
			}
		}
	}
	return 0, false
}

// resultValue is result n of a call, nil if nobody takes it.
func resultValue(call *ssa.Call, n int) ssa.Value {
	if call.Common().Signature().Results().Len() == 1 {
		return call
	}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == n {
			return x
		}
	}
	return nil
}

// use says how much is done with a value.
type use uint8

const (
	notUsed  use = iota
	compared     // with nil only
	used
)

func looked(v ssa.Value, seen map[ssa.Value]bool) use {
	if v == nil || v.Referrers() == nil || seen[v] {
		return notUsed
	}
	seen[v] = true
	most := notUsed
	for _, r := range *v.Referrers() {
		u := used
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.BinOp:
			u = compared
		case *ssa.Phi:
			u = looked(r, seen)
		case *ssa.Store:
			if al, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				u = looked(al, seen)
			} else if r.Addr == v {
				continue
			}
		case *ssa.UnOp:
			if r.Op == token.MUL {
				u = looked(r, seen)
			}
		case *ssa.MakeClosure:
			u = notUsed
			for i, b := range r.Bindings {
				if b == v {
					u = max(u, looked(r.Fn.(*ssa.Function).FreeVars[i], seen))
				}
			}
		}
		most = max(most, u)
	}
	return most
}

// lossOfSession looks whether the hold asks a session, made in visible code, for
// its end.
func (f *fn) lossOfSession(e *Event) Loss {
	unasked := Loss{Unasked: true, What: "the end of the session (Done)"}
	session := madeSession(e.Hold.Handle)
	switch {
	case session == nil:
		if kept := f.sessionsInField(e.Hold.Handle); len(kept) > 0 && f.waitsLong(e) && !f.a.anyoneAsks(kept) {
			return unasked
		}
	case !f.asked(session) && f.waitsLong(e):
		return unasked
	}
	return Loss{}
}

// madeSession is the session of a lock whose constructor call is in sight, nil if
// either is handed in.
func madeSession(handle *term.Term) *term.Term {
	h := unbox(handle)
	if h.Kind != term.Call || len(h.Args) == 0 {
		return nil
	}
	s := unbox(h.Args[0])
	if s.Kind != term.Call || !strings.HasSuffix(s.Str, ".NewSession") {
		return nil
	}
	return s
}

// asked reports whether the function asks the session, or hands it to code that
// is not seen.
func (f *fn) asked(session *term.Term) bool {
	for _, s := range f.sites {
		for _, ev := range s.events {
			if ev.Kind == Signal && ev.Recv != nil && (unbox(ev.Recv).Equal(session) || unknown(ev.Recv)) {
				return true
			}
		}
	}
	out := false
	f.everyCall(func(g *fn, c ssa.CallInstruction) {
		for _, a := range c.Common().Args {
			if isSession(a.Type()) && !f.a.knows(c) && !(g == f && g.value(a).Kind == term.Param) { // that is another session
				out = true
			}
		}
	})
	return out
}

func isSession(t types.Type) bool { return strings.HasSuffix(typeName(t), "/concurrency.Session") }

// knows reports whether what a call does is known: by a model or by its code.
func (a *Analysis) knows(c ssa.CallInstruction) bool {
	callee := c.Common().StaticCallee()
	if callee == nil {
		return false
	}
	callee = origin(callee)
	if obj, ok := callee.Object().(*types.Func); ok && a.known.of(obj).call != nil {
		return true
	}
	return a.byID[a.known.id(callee)] != nil || a.byName(a.known.id(callee)) != nil
}

// everyCall visits the calls of a function and of the literals in it.
func (f *fn) everyCall(visit func(*fn, ssa.CallInstruction)) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				visit(f, c)
			}
		}
	}
	for _, lit := range f.f.AnonFuncs {
		f.a.function(lit).everyCall(visit)
	}
}

// lossOfConnection looks at the events that came with the connection in which the
// lock lives.
func (f *fn) lossOfConnection(e *Event) Loss {
	h := unbox(e.Hold.Handle)
	if h.Kind != term.Call || len(h.Args) == 0 {
		return Loss{}
	}
	conn := unbox(h.Args[0])
	if conn.Kind != term.Call {
		return Loss{}
	}
	call, ok := f.instrAt(conn.Site).(*ssa.Call)
	if !ok {
		return Loss{}
	}
	res := call.Common().Signature().Results()
	for i := range res.Len() {
		if _, ok := res.At(i).Type().Underlying().(*types.Chan); ok && looked(resultValue(call, i), make(map[ssa.Value]bool)) == notUsed {
			return Loss{Dropped: true, What: "the channel of the connection's events, which shows that the session expired"}
		}
	}
	return Loss{}
}

// instrAt is the instruction of this function that a site names.
func (f *fn) instrAt(site string) ssa.Instruction {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && f.siteOf(c) == site {
				return in
			}
		}
	}
	return nil
}

// lossOfRegion looks at the context that the function under the lock is given.
func (f *fn) lossOfRegion(e *Event, l *model.Lock) Loss {
	var lits []*ssa.Function
	if e.src == nil {
		if !hasCtxLoss(l) {
			return Loss{}
		}
		lits = f.a.literals(f.pathOf(l.Callback, e))
		if f.stopHeard(e, l) {
			return Loss{}
		}
	} else {
		lits = f.handedContext(e)
	}
	for _, lit := range lits {
		if p := contextParam(lit); p != nil && looked(p, make(map[ssa.Value]bool)) == notUsed {
			return Loss{Dropped: true, What: "the context that ends on a loss"}
		}
	}
	return Loss{}
}

func hasCtxLoss(l *model.Lock) bool {
	for _, s := range append([]model.Signal{l.Lost}, l.Lost.Alt...) {
		if s.Kind == "ctx_done" && s.At.Root == "callback" {
			return true
		}
	}
	return false
}

// stopHeard reports whether the function that is called on a loss ends the work.
func (f *fn) stopHeard(e *Event, l *model.Lock) bool {
	for _, s := range append([]model.Signal{l.Lost}, l.Lost.Alt...) {
		if s.Kind != "callback" {
			continue
		}
		t := f.pathOf(s.At, e)
		if t == nil || t.Kind == term.Const {
			continue
		}
		lits := f.a.literals(t)
		if len(lits) == 0 {
			return true // not seen: counts as heard
		}
		for _, lit := range lits {
			if f.calleeTells(lit, 0) {
				return true
			}
		}
	}
	return false
}

// pathOf is the term at a path of the models, seen from a lock's event.
func (f *fn) pathOf(p model.Path, e *Event) *term.Term {
	var x *term.Term
	switch {
	case p.Root == "recv":
		x = e.Recv
	case p.Root == "arg" && p.Index >= 0 && p.Index < len(e.Args):
		if x = e.Args[p.Index]; p.Rest {
			x = term.NewAlt(flatten(e.Args[p.Index:])...)
		}
	}
	if x != nil && p.From != "" {
		x = madeFrom(x, p)
	}
	for _, s := range p.Steps {
		if x == nil || s.Call {
			return nil
		}
		x = f.stepInto(x, s.Name, e.site.call)
	}
	return x
}

// literals finds the functions of this package that a term names.
func (a *Analysis) literals(t *term.Term) []*ssa.Function {
	if t == nil {
		return nil
	}
	var out []*ssa.Function
	for _, v := range t.Alternatives() {
		if v.Kind == term.Closure || v.Kind == term.Func {
			if x := a.byID[v.Str]; x != nil {
				out = append(out, x.f)
			}
		}
	}
	return out
}

// handedContext lists the functions that a region wrapper is given here, if it
// hands them a context of its own and asks the lock for its loss.
func (f *fn) handedContext(e *Event) []*ssa.Function {
	signal := false
	for _, ev := range e.site.events {
		signal = signal || ev.Kind == Signal
	}
	if !signal {
		return nil
	}
	var out []*ssa.Function
	for _, ev := range e.site.events {
		if (ev.Kind == Dyn || ev.Kind == Resolved) && ev.src != nil && ev.Dyn.Method == "" && hasEvent(ev.Holds, e) && !handsItsOwn(ev.src) {
			out = append(out, f.a.literals(ev.Recv)...)
		}
	}
	return out
}

// handsItsOwn reports whether a wrapper is seen to hand on the context that it
// was given, which knows nothing of the lock.
func handsItsOwn(e *Event) bool {
	for e.src != nil {
		e = e.src
	}
	if e.site == nil || e.site.call == nil || len(e.site.call.Common().Args) == 0 {
		return false // in another package
	}
	_, own := source(e.site.call.Common().Args[0]).(*ssa.Parameter)
	return own
}

// contextParam is the first parameter of a function if it is a context.
func contextParam(fn *ssa.Function) *ssa.Parameter {
	if len(fn.Params) == 0 || typeName(fn.Params[0].Type()) != "context.Context" {
		return nil
	}
	return fn.Params[0]
}
