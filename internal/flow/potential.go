package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// A call through an interface may acquire a lock; which implementation is meant is
// known only where one is converted to the interface. So that its hold can be
// judged there, the call is an event of its own, of kind May: its hold is followed
// like that of an acquisition, out of functions that return while it lasts, and
// what runs in it is noted as being under it.

// endWords names the methods by which a lock that was had through an interface is
// given back. AcquireLease is none of them.
var endWords = pattern.New(`(?i)unlock|unlease|(?-i:Release|^release)|resign|relinquish|surrender|abandon|yield|close|^free|^stop|^end|^shutdown|^delete|^remove`)

// surelyEnds are those that say so on any object.
var surelyEnds = pattern.New(`(?i)unlock|unlease|(?-i:Release|^release)|resign|relinquish|surrender|abandon|yield`)

// regionEntry marks the May event of a call that runs what it is given while it
// may hold a lock.
const regionEntry = "region"

// mayAcquire reports whether a call through an interface is one that may take a lock.
func (a *Analysis) mayAcquire(d *DynCall) bool {
	k := [2]string{d.Iface, d.Method}
	may, ok := a.mayAcquires[k]
	if !ok {
		may = !endWords.MatchString(d.Method) && (d.locks() && !a.onlyTells(d) || d.givesLock() || a.acquirers()[d.Method] || a.Leases(d) || a.decl(d.Iface+"."+d.Method, "lock") != nil)
		if a.mayAcquires == nil {
			a.mayAcquires = make(map[[2]string]bool)
		}
		a.mayAcquires[k] = may
	}
	return may
}

// mayTake is mayAcquire for a call. One that can neither be given a context nor say that
// a lock was refused locks within the process, unless it is called what a lock's own
// method is called.
func (a *Analysis) mayTake(e *Event) bool {
	mute := len(e.Args) == 0 && e.Dyn.Results == "()"
	return a.mayAcquire(e.Dyn) && (!mute || plainVerbs[e.Dyn.Method] || a.acquirers()[e.Dyn.Method])
}

var plainVerbs = set("Lock", "Acquire", "Obtain", "Claim", "Campaign", "Elect", "Lease")

// mayLock reports whether a method of an interface may take a lock.
func (a *Analysis) mayLock(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for i := range iface.NumMethods() {
		if a.mayAcquire(&DynCall{Iface: typeName(t), Method: iface.Method(i).Name()}) {
			return true
		}
	}
	return false
}

// acquirers are the names of methods of imported packages that acquire a lock and
// return while it is held, or run a function in its hold.
func (a *Analysis) acquirers() map[string]bool {
	if a.acquiring != nil {
		return a.acquiring
	}
	a.acquiring = make(map[string]bool)
	for i := range a.decls { // a type's method that a directive classifies
		if name, ok := strings.CutPrefix(a.decls[i].Name, a.Pkg.Path()+"."); ok && a.decls[i].Verb == "lock" && strings.Contains(name, ".") {
			a.acquiring[name[lastDot(name):]] = true
		}
	}
	if a.Imported == nil {
		return a.acquiring
	}
	for id, f := range a.Imported.funcs {
		i := strings.LastIndexByte(id, ')')
		if f.entry.Takes&takesAcquiring != 0 && i > 0 && id[0] == '(' && !strings.Contains(id, "$") {
			a.acquiring[id[i+2:]] = true
		}
	}
	return a.acquiring
}

// may is the possible acquisition by a call through an interface. Its handle is
// what the call gives back.
func (e *Event) may(entry string) *Event {
	m := *e
	m.Kind, m.Entry, m.src = May, entry, nil // what a called function has is but a call
	args := append([]*term.Term{e.Recv}, e.Args...)
	m.Hold = &Hold{Handle: term.NewCall(DynPrefix+e.Dyn.Iface+"."+e.Dyn.Method, e.Site, 0, args...), Library: true}
	return &m
}

// mayRegion notes the call as one that may run in its hold what it is given: the
// events of literals, and calls of functions that the caller supplies.
func (f *fn) mayRegion(c ssa.CallInstruction, e *Event, given []*Event) []*Event {
	m := e.may(regionEntry)
	out := []*Event{m}
	for _, a := range e.Args {
		for _, v := range a.Alternatives() {
			if v.Kind != term.Param && v.Kind != term.Free && v.Kind != term.Field || !isCallable(c, v, e) {
				continue
			}
			out = append(out, &Event{
				Kind: Dyn, Key: "func value", Recv: v, Site: e.Site + "()", Chain: e.Chain, Dyn: &DynCall{}, Under: []*Event{m},
			})
		}
	}
	for _, g := range given {
		if g.Kind == Write || g.Kind == Dyn {
			g.Under = append(g.Under, m)
		}
	}
	if len(out) == 1 && len(given) == 0 {
		return nil
	}
	return out
}

// isCallable reports whether the argument of a call whose term is v is a function.
func isCallable(c ssa.CallInstruction, v *term.Term, e *Event) bool {
	sig := c.Common().Signature()
	for i, a := range e.Args {
		if a != v || i >= sig.Params().Len() {
			continue
		}
		if _, ok := sig.Params().At(i).Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// hasMay reports whether the call of e is also noted as one that may acquire.
func (e *Event) hasMay(among []*Event) bool {
	return slices.ContainsFunc(among, func(m *Event) bool {
		return (m.Kind == May || m.Kind == Resolved && m.Hold != nil) && m.Site == e.Site && m.Key == e.Key
	})
}

// hands reports whether an acquisition, possibly one, is handed to the caller, or holds
// what the caller supplies.
func (e *Event) hands() bool {
	return (e.Kind == Acquire || e.Kind == May) && e.Hold.Passes()
}

// findPotential follows the holds of possible acquisitions.
func (f *fn) findPotential() {
	for _, s := range f.sites {
		for _, m := range s.events {
			if m.Kind != May {
				continue
			}
			starts := m.Entry != regionEntry && f.startsHold(m)
			m.Hold.Escapes = false
			switch {
			case m.site.asks != nil, starts && m.isQuestion():
				f.believe(m)
				continue
			case starts:
				f.hold(m)
			}
			m.Hold.Given = f.runsParameter(m)
			m.Hold.Forwarded = f.forwards(m)
			if !starts && m.src != nil && !m.Hold.Library && (m.Async || !f.hasUnder(m)) {
				m.Kind = Resolved // the called function or goroutine keeps its lock to itself
			}
		}
	}
}

// hasUnder reports whether anything runs in the possible hold of m.
func (f *fn) hasUnder(m *Event) bool {
	for _, s := range f.sites {
		for _, e := range s.events {
			if hasEvent(e.Under, m) {
				return true
			}
		}
	}
	return false
}

// likelyGrant is what a call gives back when it acquired: no error, true, and the lock,
// if only one of the results can be that.
func likelyGrant(sig *types.Signature) []abs {
	t := make([]abs, sig.Results().Len())
	var objects []int
	for i := range t {
		switch r := sig.Results().At(i).Type(); {
		case isError(r):
			t[i] = abs{k: isNil}
		case isBoolean(r):
			t[i] = boolean(true)
		default:
			switch r.Underlying().(type) {
			case *types.Interface, *types.Pointer, *types.Signature:
				objects = append(objects, i)
			}
		}
	}
	if len(objects) == 1 {
		t[objects[0]] = abs{k: nonNil}
	}
	return t
}

// under marks the events of a site as running in the possible hold of m; false if
// it ends there.
func (f *fn) under(m *Event, st *site, s *state) bool {
	ends := false
	for _, ev := range st.events {
		if givesBack(ev, m) {
			switch {
			case ev.depends(), ev.Detached:
			case ev.Deferred:
				s.flags |= atReturn
			case !ev.Async:
				ends = true
			}
			continue
		}
		if (ev.Kind == Write || ev.Kind == Dyn) && ev.Site != m.Site && !hasEvent(ev.Under, m) {
			ev.Under = append(ev.Under, m)
		}
	}
	return !ends
}

// givesBack reports whether a call gives back what the interface call acquired.
func givesBack(ev, m *Event) bool {
	if ev.Kind != Dyn && ev.Kind != Resolved || ev.Dyn == nil || ev.Recv == nil {
		return false
	}
	of := func(u *term.Term) bool { return isResultOf(u, m) }
	if ev.Dyn.Method == "" {
		return of(ev.Recv) && ev.Dyn.ends() // came with the lock
	}
	return (ev.endsOn(m) || ev.Recv.Any(of)) && endWords.MatchString(ev.Dyn.Method)
}

// endsOn reports whether a call on the object that acquired gives the lock back; where
// there may be none, one that does nothing may stand in its place. A store that keeps locks
// beside its data deletes other things too.
func (e *Event) endsOn(m *Event) bool {
	return m.Recv != nil && oneOfBoth(e.Recv, m.Recv) && (surelyEnds.MatchString(e.Dyn.Method) || e.Dyn.locks())
}

// oneOfBoth reports whether two objects are the same on some way, and on the others one that
// the code has made itself.
func oneOfBoth(a, b *term.Term) bool {
	one := false
	for _, pair := range [2][2]*term.Term{{a, b}, {b, a}} {
		for _, x := range pair[0].Alternatives() {
			same := slices.ContainsFunc(pair[1].Alternatives(), x.Equal)
			if one = one || same; !same && x.Kind != term.Iface {
				return false
			}
		}
	}
	return one
}

// GivesBack reports whether a call through an interface gives back what another such
// call, which a directive declares a lock, acquired: it is no write.
func GivesBack(call, acq *Event) bool {
	if call.Dyn == nil || call.Recv == nil {
		return false
	}
	of := func(u *term.Term) bool {
		return u.Kind == term.Call && u.Site == acq.Site && u.Str == DynPrefix+acq.Key
	}
	if call.Dyn.Method == "" {
		return of(call.Recv) && call.Dyn.ends()
	}
	return endWords.MatchString(call.Dyn.Method) && (call.endsOn(acq) || call.Recv.Any(of))
}

// ends reports whether a function that came with a lock is one that gives it back, by its
// form.
func (d *DynCall) ends() bool {
	return d.Results == "()" || d.Results == "(error)" || d.Results == Cancels
}

func isResultOf(u *term.Term, m *Event) bool {
	h := m.Hold.Handle
	return u.Kind == term.Call && h.Kind == term.Call && u.Site == h.Site && u.Str == h.Str
}

// DynPrefix opens the name of a call whose target is not known.
const DynPrefix = "dyn "
