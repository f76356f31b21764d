package flow

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A call through an interface may acquire a lock; which implementation is meant is
// known only where one is converted to the interface. So that its hold can be
// judged there, the events that would run in it are noted here.

// lockWords is what the name of an interface, of its package or of a method tells
// of locks. It only saves work: walking from every call through an interface would
// cost more than the rest of the analysis.
var lockWords = regexp.MustCompile(`(?i)lock|lease|lead|mutex|acquir|elect|obtain|own|claim|campaign|semaphor|exclusiv|fence|coordinat|tenure|sync|master|guard|hold`)

// endWords names the methods by which a lock that was had through an interface is
// given back.
var endWords = regexp.MustCompile(`(?i)^(un|re)?(lock|lease|sign)|release|unlock|close|free|stop|end|abandon|yield`)

// findPotential notes for each call that may acquire a lock what runs after its success.
func (f *fn) findPotential() {
	for _, s := range f.sites {
		call, ok := s.call.(*ssa.Call)
		if !ok {
			continue
		}
		for _, d := range s.events {
			if d.Kind == Dyn && d.src == nil && d.Dyn.Method != "" && mayAcquire(d) {
				f.potential(d, call)
			}
		}
	}
}

func mayAcquire(d *Event) bool {
	if endWords.MatchString(d.Dyn.Method) && !strings.EqualFold(d.Dyn.Method, "lock") {
		return false
	}
	i := strings.LastIndexByte(d.Dyn.Iface, '/')
	return lockWords.MatchString(d.Dyn.Iface[i+1:]) || lockWords.MatchString(d.Dyn.Method)
}

func (f *fn) potential(d *Event, call *ssa.Call) {
	s := newState()
	sig := call.Common().Signature()
	t := make([]abs, sig.Results().Len())
	for i := range t {
		switch r := sig.Results().At(i).Type(); {
		case isError(r):
			t[i] = abs{k: isNil}
		case isBoolean(r):
			t[i] = boolean(true)
		}
	}
	s.result(call, t)
	e := &explorer{f: f}
	e.visit = func(c ssa.CallInstruction, _ *state) bool {
		if c == call {
			return false
		}
		st := f.bySite[c]
		if st == nil {
			return true
		}
		if _, plain := c.(*ssa.Call); plain && f.endsPotential(d, st) {
			return false
		}
		for _, ev := range st.events {
			if ev != d && (ev.Kind == Write || ev.Kind == Dyn) && !slices.Contains(ev.Under, d) {
				ev.Under = append(ev.Under, d)
			}
		}
		return true
	}
	e.after(call, s)
}

// endsPotential reports whether a call gives back what the interface call acquired.
func (f *fn) endsPotential(d *Event, st *site) bool {
	for _, ev := range st.events {
		if ev.Kind != Dyn || !endWords.MatchString(ev.Dyn.Method) || ev.Recv == nil {
			continue
		}
		if ev.Recv.Equal(d.Recv) || ev.Recv.Any(func(u *term.Term) bool { return isResultOf(u, d) }) {
			return true
		}
	}
	return false
}

func isResultOf(u *term.Term, d *Event) bool {
	return u.Kind == term.Call && u.Site == d.Site && strings.HasPrefix(u.Str, dynPrefix)
}

// dynPrefix opens the name of a call whose target is not known.
const dynPrefix = "dyn "

// Acquired is an interface call that turned out to acquire a lock.
type Acquired struct {
	Acq    *Event   // the acquisition, in terms of the caller
	Writes []*Event // what runs in its hold, with the lease in its terms
}

// Acquires lists the acquisitions that the method of a concrete type makes where
// the interface is called, with the events of its hold.
func (a *Analysis) Acquires(s *Summary, d *Event, c Conversion) []Acquired {
	f := &fn{a: a, id: "conversion", heaped: finished}
	recv := c.Value
	if recv == nil {
		recv = term.NewUnknown("an implementation")
	}
	t, ok := f.concrete(c.Type, d.Dyn.Method, append([]*term.Term{recv}, d.Args...))
	if !ok || t.sum == nil {
		return nil
	}
	sub := &term.Subst{Params: t.args, Free: []*term.Term{}, Global: a.global, Call: refold, Site: c.Type}
	var out []Acquired
	for _, e := range t.sum.Events {
		if e.Kind != Acquire || !e.Hold.Escapes {
			continue
		}
		acq := f.copyEvent(nil, e, sub, true)
		acq.Chain = append(slices.Clone(d.Chain), e.Chain...)
		out = append(out, Acquired{acq, f.underOf(s, d, t, sub)})
	}
	return out
}

// underOf rewrites the events of the hold: what the interface call returned is
// what the method returns, and calls through interfaces on it find their targets.
func (f *fn) underOf(s *Summary, d *Event, t target, sub *term.Subst) []*Event {
	lease := &term.Subst{}
	lease.Call = func(u *term.Term) *term.Term {
		if isResultOf(u, d) {
			if u.N < len(t.sum.Results) && t.sum.Results[u.N] != nil {
				return sub.Apply(t.sum.Results[u.N])
			}
			return nil
		}
		return f.calledOn(u)
	}
	var out []*Event
	for _, w := range s.Events {
		if slices.Contains(w.Under, d) {
			n := f.copyEvent(nil, w, lease, true)
			n.Chain, n.Outcomes, n.After, n.Earlier = w.Chain, w.Outcomes, w.After, w.Earlier
			out = append(out, n)
		}
	}
	return out
}

// calledOn evaluates a call through an interface once the receiver is known.
func (f *fn) calledOn(u *term.Term) *term.Term {
	name, ok := strings.CutPrefix(u.Str, dynPrefix)
	if !ok {
		return refold(u)
	}
	if len(u.Args) == 0 || u.Args[0].Kind != term.Iface {
		return nil
	}
	t, ok := f.concrete(u.Args[0].Str, name[strings.LastIndexByte(name, '.')+1:], u.Args)
	if !ok {
		return nil
	}
	if t.sum == nil {
		return term.NewCall(t.key, "", u.N, t.args...)
	}
	if u.N >= len(t.sum.Results) || t.sum.Results[u.N] == nil {
		return nil
	}
	s := &term.Subst{Params: t.args, Free: []*term.Term{}, Global: f.a.global, Call: refold, Site: u.Site}
	return s.Apply(t.sum.Results[u.N])
}
