package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// What fields hold that nobody is seen to set on the way.

// widen puts in place of fields that nobody set on the way what any code of the
// package stores in them.
func (j *judge) widen(t *term.Term) *term.Term {
	s := &term.Subst{Field: func(name string, base *term.Term) *term.Term {
		f := term.NewField(name, base)
		if f.Kind != term.Field {
			return f
		}
		if j.leftOut(f) {
			return term.NewConst("zero", "0")
		}
		vals := j.a.FieldValues(name)
		if len(vals) == 0 {
			return f
		}
		if slices.ContainsFunc(vals, func(v *term.Term) bool { return j.a.MayLack(name, v) }) {
			vals = append(slices.Clone(vals), term.NewConst("zero", "0"))
		}
		return term.NewAlt(vals...)
	}}
	return s.Apply(t)
}

// leftOut reports whether a field of a value that is made in sight was not set when it was
// made, and is not set later.
func (j *judge) leftOut(f *term.Term) bool {
	base := f.Args[0]
	return base.Kind == term.Struct && base.Str != "map" && !base.Open && j.a.Unset(f.Str)
}
