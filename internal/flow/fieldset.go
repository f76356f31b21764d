package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// setByCall adds what a method of the code stores in fields of the record that it is called
// on: what is made by a constructor has what its setters are given. What a method makes of the
// record itself depends on when it is called.
func (f *fn) setByCall(c ssa.CallInstruction, addr ssa.Value, names []string, vals []*term.Term) ([]string, []*term.Term) {
	call, ok := c.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 || call.Call.Args[0] != addr || slices.Contains(call.Call.Args[1:], addr) {
		return names, vals
	}
	sum := f.staticSummary(&call.Call)
	if sum == nil {
		return names, vals
	}
	var sub *term.Subst
	for _, st := range sum.Stores {
		if !st.inField() || !isReceiver(st.To.Args[0]) || st.Value.Any(isReceiver) {
			continue
		}
		if sub == nil {
			sub = f.argsOfSetter(call)
		}
		names, vals = withPart(names, vals, st.To.Str, sub.Apply(st.Value))
	}
	return names, vals
}

func isReceiver(t *term.Term) bool { return t.Kind == term.Param && t.N == 0 }

// argsOfSetter puts what a call is given in place of the parameters, but for the receiver, whose
// value may be under way.
func (f *fn) argsOfSetter(c *ssa.Call) *term.Subst {
	args := []*term.Term{term.NewParam(0)} // not asked for
	for _, a := range c.Call.Args[1:] {
		args = append(args, f.value(a))
	}
	return &term.Subst{Params: args, Free: []*term.Term{}, Site: f.siteOf(c), Global: f.a.global, Call: f.calledOn}
}

// asGivenBack is a record that this function makes as it stands where it is given back: a
// number that is set on some of the ways there only may be 0.
func (f *fn) asGivenBack(t *term.Term, v ssa.Value, at *ssa.Return) *term.Term {
	if m, ok := v.(*ssa.MakeInterface); ok && t.Kind == term.Iface {
		inner := f.asGivenBack(t.Args[0], m.X, at)
		if inner == t.Args[0] {
			return t
		}
		return term.NewIface(t.Str, inner)
	}
	a, ok := v.(*ssa.Alloc)
	if !ok || t.Kind != term.Struct || t.Open || t.Site == "" || t.Site != f.siteOf(a) {
		return t
	}
	vals := slices.Clone(t.Args)
	for i, name := range t.Names {
		if !isNumber(fieldTypeOf(a, name)) || term.IsZero(vals[i]) {
			continue
		}
		if now := f.storedAt(name, t, at); slices.ContainsFunc(now.Alternatives(), term.IsZero) {
			vals[i] = now
		}
	}
	if slices.Equal(vals, t.Args) {
		return t
	}
	return term.NewStruct(t.Str, t.Site, t.Names, vals)
}
