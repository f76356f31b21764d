package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// A call through an interface for which no type was found may still have one: a type that
// makes no write that is known is not handed on, and what other people's code does is not
// looked into. Which of the two it is decides what a reader has to do.

// unimplemented is the decision about a call whose implementation was not found.
func (j *judge) unimplemented(p *pair) decision {
	d := p.w.Dyn
	if flow.Unnamed(d.Iface) {
		return j.opaqueCall(p, "interface:"+d.Method, "no implementation of the method "+d.Method+" is visible here")
	}
	reason, ok := j.unchosen[p.w.Key]
	if !ok {
		reason = j.whyUnchosen(p)
		j.unchosen[p.w.Key] = reason
	}
	return j.opaqueCall(p, "interface:"+shortKey(d.Iface), reason)
}

// whyUnchosen says why it is not known what a call through an interface does.
func (j *judge) whyUnchosen(p *pair) string {
	iface, o := shortKey(p.w.Dyn.Iface), &flow.Obligation{Hold: p.acq, Call: p.w}
	seen, foreign := j.implementersBy(p.w)
	writes := func(t string) bool { return j.mayReach(o, t) }
	switch i := slices.IndexFunc(seen, writes); {
	case i >= 0:
		return "nothing is seen to choose what implements " + iface + ", and " + someOf(seen[i:i+1]) + ", which does, may write"
	case len(foreign) > 0:
		return "what implements " + iface + " here is not looked into: " + someOf(foreign)
	case len(seen) > 0:
		return "what implements " + iface + " here (" + someOf(seen) + ") is not seen to write, and another may be supplied"
	}
	return "no implementation of " + shortKey(p.w.Key) + " is visible here"
}

// implementersBy are the types that have the methods of a call's interface: those of which it
// is known what they do, and other people's.
func (j *judge) implementersBy(w *flow.Event) (seen, foreign []string) {
	types, _ := j.implementers(w.Dyn)
	for _, t := range types {
		if j.a.LookedInto(typesPackage(t), lastPlace(w).Pkg) {
			seen = append(seen, t)
		} else {
			foreign = append(foreign, t)
		}
	}
	return seen, foreign
}

// harmless reports whether a call through an interface makes no write, whatever type of the
// program is meant: each that has the methods was looked into.
func (j *judge) harmless(o *flow.Obligation) bool {
	known, ok := j.writesNot[o.Call.Key]
	if !ok {
		seen, foreign := j.implementersBy(o.Call)
		known = len(seen) > 0 && len(foreign) == 0 && !slices.ContainsFunc(seen, func(t string) bool { return j.mayReach(o, t) })
		j.writesNot[o.Call.Key] = known
	}
	return known
}

// mayReach reports whether a type's method makes a write, or a call of which that is not known.
func (j *judge) mayReach(o *flow.Obligation, t string) bool {
	return slices.ContainsFunc(j.a.Implement(o.Hold, o.Call, flow.Conversion{Type: t}), func(w *flow.Event) bool {
		return w.Kind == flow.Write || w.Kind == flow.Dyn && mayWrite(w)
	})
}

// someOf names the first of several types.
func someOf(types []string) string {
	first := shortKey(strings.TrimPrefix(types[0], "*"))
	if len(types) == 1 {
		return first
	}
	return fmt.Sprintf("%s, and %d more", first, len(types)-1)
}
