package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// setIn is a value of this function with what setters of its library have put into it
// before it is read: each under the name of the setter, for its fields are not shown.
func (f *fn) setIn(base *term.Term, v ssa.Value, at ssa.Instruction) *term.Term {
	buf, ok := v.(*ssa.Alloc)
	if !ok {
		return base
	}
	for _, r := range *buf.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || !f.sets(c, buf) || !comesAfter(c, at) {
			continue
		}
		typ := typeName(deref(buf.Type()))
		if term.IsZero(base) {
			base = term.NewStruct(typ, f.siteOf(c), nil, nil)
		}
		if base.Kind != term.Struct {
			return base
		}
		value := f.value(c.Call.Args[1])
		if !f.before(c, at) {
			value = term.NewAlt(term.Nil, value)
		}
		base = withField(base, typ+"."+c.Call.StaticCallee().Name(), value)
	}
	return base
}

// sets reports whether a call is a step of a model that changes a value and gives nothing
// back.
func (f *fn) sets(c *ssa.Call, v ssa.Value) bool {
	callee := c.Call.StaticCallee()
	if callee == nil || len(c.Call.Args) != 2 || c.Call.Args[0] != v || callee.Signature.Results().Len() > 0 {
		return false
	}
	m := f.a.known.byKey(keyOfID(funcID(callee)))
	return m != nil && m.Sink != nil && m.Sink.Kind == "builder_step"
}
