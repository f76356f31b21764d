package flow

import (
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// An interface value has one type at a time. Where it may have one of several, what a method
// of one type does never meets what a method of another does on the same value.

// typeChoice is a type that an interface value has where an event happens.
type typeChoice struct {
	of *term.Term
	as string
}

// chosenType is the type that a value has if it is one of several; nil if the value may be
// another one each time.
func chosenType(of *term.Term, as string) *typeChoice {
	if of.Any(func(u *term.Term) bool { return u.Kind == term.Unknown || u.Kind == term.Elem }) {
		return nil
	}
	return &typeChoice{of, as}
}

// inType notes on what a target causes for which type of the called value it is the target.
func (t *target) inType(es []*Event) []*Event {
	if t.typed != nil {
		for _, e := range es {
			e.typed = append(slices.Clip(e.typed), *t.typed)
		}
	}
	return es
}

// substituted are the types of values as the caller has these.
func substituted(ts []typeChoice, sub *term.Subst) []typeChoice {
	if len(ts) == 0 {
		return nil
	}
	out := make([]typeChoice, len(ts))
	for i, t := range ts {
		out[i] = typeChoice{sub.Apply(t.of), t.as}
	}
	return out
}

// ofOtherTypes reports whether two events happen for different types of one value.
func ofOtherTypes(a, b *Event) bool {
	return slices.ContainsFunc(a.typed, func(t typeChoice) bool { return b.needsOther(t.of, t.as) })
}

// needsOther reports whether an event happens only where a value has another type than one.
func (e *Event) needsOther(of *term.Term, as string) bool {
	return slices.ContainsFunc(e.typed, func(t typeChoice) bool { return t.as != as && t.of.Equal(of) })
}
