package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// What a type's method does where the interface is called by which a lock may be taken.

// implementation is the method of a concrete type that a call through an interface
// runs, with the substitution that brings its events to the call.
func (a *Analysis) implementation(m *Event, c Conversion) (*fn, target, *term.Subst, bool) {
	f := &fn{a: a, id: "conversion", heaped: finished}
	t, ok := f.concrete(c.Type, m.Dyn.Method, append([]*term.Term{valueOf(c, m)}, m.Args...))
	sub := &term.Subst{Params: t.args, Free: []*term.Term{}, Global: a.global, Call: refold, Site: c.Type}
	return f, t, sub, ok
}

// valueOf is the value on which the method is called: that which the call names, or what is
// converted. One that is not known is some object, the same for what one call does with it,
// and with fields of which nothing is known.
func valueOf(c Conversion, m *Event) *term.Term {
	if m.Recv != nil {
		if one := TheOne(m.Recv); one != nil && one.Str == c.Type {
			return one.Args[0]
		}
	}
	if c.Value == nil {
		return term.NewCall(objectBehind+c.Iface, m.Site, 0)
	}
	return c.Value
}

const objectBehind = "the object behind "

// OfUnseen reports whether a value is part of an object behind an interface of which only
// the type is known.
func OfUnseen(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool { return u.Kind == term.Call && strings.HasPrefix(u.Str, objectBehind) })
}

// Knows reports whether it is known what a type's method does; it is not if the type
// has the method of an interface that it embeds.
func (a *Analysis) Knows(m *Event, c Conversion) bool {
	_, t, _, ok := a.implementation(m, c)
	return ok && t.dyn == nil
}

// Grants lists the acquisitions that a concrete type's method makes where the
// interface is called, in terms of the caller. Those of kind May are made through
// a further interface, as in a decorator.
func (a *Analysis) Grants(m *Event, c Conversion) []*Event {
	f, t, sub, ok := a.implementation(m, c)
	if !ok {
		return nil
	}
	if t.sum == nil {
		return f.grantsOfModel(m, t)
	}
	var out []*Event
	for _, e := range t.sum.Events {
		if e.Kind != Acquire && e.Kind != May || !(e.Hold.Escapes && m.Entry == "" || e.Hold.Given && m.Entry == regionEntry) {
			continue
		}
		acq := f.copyEvent(nil, e, sub, true)
		acq.Chain = append(slices.Clone(m.Chain), e.Chain...)
		out = append(out, acq)
	}
	return out
}

// grantsOfModel is the acquisition by a library's own type that was converted.
func (f *fn) grantsOfModel(m *Event, t target) []*Event {
	if t.call == nil {
		return nil
	}
	var out []*Event
	for _, l := range t.call.Locks {
		kind, ok := lockKind(l)
		if !ok || kind != Acquire || (l.Role == "region") != (m.Entry == regionEntry) {
			continue
		}
		recv, args := split(t)
		h := &Hold{Handle: recv, Lib: l.Lib, Library: true, Maybe: l.Maybe}
		if h.Handle == nil {
			h.Handle = term.NewUnknown("a lock behind an interface")
		}
		out = append(out, &Event{Kind: Acquire, Key: t.key, Entry: l.ID, Lib: l.Lib, Recv: recv, Args: args, Site: m.Site, Chain: m.Chain, Hold: h})
	}
	return out
}

// Inside lists the events in the hold of a possible acquisition: what the interface
// call returned is what the method of the concrete type returns, and calls through
// interfaces on it find their targets. Pairs that a called function has, other than
// a literal, are left out.
func (a *Analysis) Inside(s *Summary, m *Event, c Conversion) []*Event {
	f, t, sub, ok := a.implementation(m, c)
	if !ok {
		return nil
	}
	lease := &term.Subst{}
	lease.Call = func(u *term.Term) *term.Term {
		if isResultOf(u, m) {
			if t.sum != nil && u.N < len(t.sum.Results) && t.sum.Results[u.N] != nil {
				return sub.Apply(t.sum.Results[u.N])
			}
			return nil
		}
		if m.Entry == regionEntry && t.sum != nil && isSuppliedBy(u, m) {
			return sub.Apply(suppliedArg(t.sum, u.N))
		}
		if m.Recv != nil && len(u.Args) > 0 && u.Args[0].Equal(m.Recv) && strings.HasPrefix(u.Str, DynPrefix) {
			args := append([]*term.Term{term.NewIface(c.Type, valueOf(c, m))}, u.Args[1:]...)
			u = term.NewCall(u.Str, u.Site, u.N, args...) // another call on the same object
		}
		return f.calledOn(u)
	}
	var out []*Event
	for _, w := range s.Events {
		if !hasEvent(w.Under, m) || m.Recv != nil && w.needsOther(m.Recv, c.Type) || !m.Hold.Library && m.src != nil && w.src != nil && m.SameCall(w) && hasEvent(w.src.Under, m.src) {
			continue
		}
		n := f.copyEvent(nil, w, lease, true)
		n.Chain, n.Outcomes, n.After, n.Earlier, n.Sealed = w.Chain, w.Outcomes, w.After, w.Earlier, w.Sealed
		out = append(out, n)
	}
	return out
}

// isSuppliedBy reports whether u is an argument that the call of m gives to a function
// which it runs.
func isSuppliedBy(u *term.Term, m *Event) bool {
	return u.Kind == term.Call && u.Site == m.Site && SuppliedBy(u) == m.Key
}

// suppliedArg is argument n of the functions that a method was given and runs; nil if
// it runs none with so many.
func suppliedArg(s *Summary, n int) *term.Term {
	var out []*term.Term
	for _, e := range s.Events {
		if e.Kind != Dyn || e.Dyn.Method != "" || e.Recv == nil || e.Recv.Kind != term.Param {
			continue
		}
		if n >= len(e.Args) || e.Args[n] == nil {
			return nil
		}
		out = append(out, e.Args[n])
	}
	if len(out) == 0 {
		return nil
	}
	return term.NewAlt(out...)
}

// TheOne is the only type that an interface value can have where it is not nil; nil if
// there are several, or one is not known.
func TheOne(t *term.Term) *term.Term {
	var one *term.Term
	for _, v := range t.Alternatives() {
		if v.Kind == term.Const {
			continue // a nil interface cannot be called
		}
		if v.Kind != term.Iface || one != nil {
			return nil
		}
		one = v
	}
	return one
}

// calledOn evaluates a call through an interface once the receiver is known.
func (f *fn) calledOn(u *term.Term) *term.Term {
	if u.Str == optionsCall {
		return f.withOptions(u)
	}
	if strings.HasPrefix(u.Str, translated) && len(u.Args) > 1 {
		return f.a.runTranslation(u)
	}
	name, ok := strings.CutPrefix(u.Str, DynPrefix)
	if !ok {
		return refold(u)
	}
	if len(u.Args) == 0 {
		return nil
	}
	if name == "." {
		return f.calledFunction(u)
	}
	method := name[strings.LastIndexByte(name, '.')+1:]
	if recv := TheOne(u.Args[0]); recv != nil {
		return f.methodOn(u, recv, method)
	}
	if u.Args[0].Kind != term.Alt || len(u.Args[0].Args) > maxClosed {
		return nil
	}
	return eachOf(u.Args[0], func(recv *term.Term) *term.Term {
		if recv.Kind != term.Iface {
			return nil
		}
		return f.methodOn(u, recv, method)
	})
}

// calledWithin is calledOn for the calls in what another call gives, up to a depth: a function
// may be given itself.
func (f *fn) calledWithin(u *term.Term) *term.Term {
	if f.a.within >= maxNested {
		return refold(u)
	}
	f.a.within++
	defer func() { f.a.within-- }()
	return f.calledOn(u)
}

// methodOn evaluates the call of a method on a value whose type is known; nil if it is not.
func (f *fn) methodOn(u, recv *term.Term, method string) *term.Term {
	args := append([]*term.Term{recv}, u.Args[1:]...)
	t, ok := f.concrete(recv.Str, method, args)
	if !ok {
		return nil
	}
	if t.sum == nil {
		return term.NewCall(t.key, "", u.N, t.args...)
	}
	if u.N >= len(t.sum.Results) || t.sum.Results[u.N] == nil {
		return nil
	}
	s := &term.Subst{Params: t.args, Free: []*term.Term{}, Global: f.a.global, Call: f.calledWithin, Site: u.Site}
	return s.Apply(t.sum.Results[u.N])
}

// ofLibrary is the result of a call of a function value that is a library's.
func ofLibrary(u *term.Term, t target) *term.Term {
	site := u.Site
	if ofArguments(t) {
		site = ""
	}
	c := term.NewCall(t.key, site, u.N, t.args...)
	return cmp.Or(refold(c), c)
}

// calledFunction evaluates the call of a function value once the function is known; nil
// if it is not, or may be one of several of which some are not.
func (f *fn) calledFunction(u *term.Term) *term.Term {
	return eachOf(u.Args[0], func(v *term.Term) *term.Term {
		if v.Kind != term.Closure && v.Kind != term.Func && v.Kind != term.Bound {
			return nil
		}
		var out []*term.Term
		for _, t := range f.applied(v, u.Args[1:], nil) {
			if t.sum == nil && t.dyn == nil && t.key != "" {
				out = append(out, ofLibrary(u, t))
				continue
			}
			if t.sum == nil || u.N >= len(t.sum.Results) || t.sum.Results[u.N] == nil {
				return nil
			}
			free := t.free
			if free == nil {
				free = []*term.Term{}
			}
			s := &term.Subst{Params: t.args, Free: free, Global: f.a.global, Call: f.calledWithin, Site: u.Site}
			out = append(out, s.Apply(t.sum.Results[u.N]))
		}
		if len(out) == 0 {
			return nil
		}
		return term.NewAlt(out...)
	})
}

// eachOf maps the values that a term may have, leaving out nil; nil if one of them has
// no result.
func eachOf(t *term.Term, f func(*term.Term) *term.Term) *term.Term {
	var out []*term.Term
	for _, a := range t.Alternatives() {
		if a.Equal(term.Nil) {
			continue
		}
		r := f(a)
		if r == nil {
			return nil
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil
	}
	return term.NewAlt(out...)
}
