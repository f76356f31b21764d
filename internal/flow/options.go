package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Functional options: a function ranges over functions that its caller gives it, and
// calls each on a value of its own. What the value holds then is known once the
// functions are.

// optionsCall is the term of a value after a list of functions was called on it.
const optionsCall = "options"

// opened is a value of this function that unknown functions were called on before it is
// read, as far as they are known.
func (f *fn) opened(base *term.Term, v ssa.Value, at ssa.Instruction) *term.Term {
	buf, ok := v.(*ssa.Alloc)
	if !ok || base.Kind != term.Struct {
		return base
	}
	for _, r := range *buf.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || c.Common().IsInvoke() || c.Common().StaticCallee() != nil || !comesAfter(c, at) {
			continue
		}
		if _, ok := c.Common().Value.(*ssa.Builtin); ok || !f.unresolvedFunction(c) {
			continue
		}
		list := f.ranged(c, buf)
		if list == nil || comesAfter(at, c) {
			return term.NewUnknown("what a function that is not known makes of it")
		}
		given := term.NewCall(optionsCall, f.siteOf(c), 0, base, list)
		if storedAfter(c, buf, at) {
			base = term.NewAlt(base, given)
		} else {
			base = given
		}
	}
	return base
}

// storedAfter reports whether the field that is read, or any if all are, gets another value
// after a call.
func storedAfter(c *ssa.Call, buf *ssa.Alloc, at ssa.Instruction) bool {
	read, one := at.(*ssa.FieldAddr)
	between := func(in ssa.Instruction) bool { return comesAfter(c, in) && comesAfter(in, at) }
	for _, r := range *buf.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if (!one || r.Field == read.Field) && slices.ContainsFunc(storesIn(r), func(st *ssa.Store) bool { return between(st) }) {
				return true
			}
		case *ssa.Store:
			if r.Addr == buf && between(r) {
				return true
			}
		}
	}
	return false
}

// unresolvedFunction reports whether a call runs a function that is not known here.
func (f *fn) unresolvedFunction(c *ssa.Call) bool {
	return slices.ContainsFunc(f.targets(c), func(t target) bool { return t.dyn != nil })
}

// ranged is the list whose functions a loop calls one by one on a value, nil if the
// call is not of that shape.
func (f *fn) ranged(c *ssa.Call, buf ssa.Value) *term.Term {
	if len(c.Common().Args) != 1 || c.Common().Args[0] != buf {
		return nil
	}
	load, ok := c.Common().Value.(*ssa.UnOp)
	if !ok {
		return nil
	}
	elem, ok := load.X.(*ssa.IndexAddr)
	if !ok || !inLoop(c.Block()) || elem.Block() != c.Block() {
		return nil
	}
	return f.value(elem.X)
}

// withOptions computes a value once the functions are known that were called on it; nil
// while they are not.
func (f *fn) withOptions(u *term.Term) *term.Term {
	cur, list := u.Args[0], u.Args[1]
	if list.Equal(term.Nil) {
		return complete(cur)
	}
	if cur.Kind != term.Struct || list.Kind != term.List || list.Open {
		return nil
	}
	for _, o := range list.Args {
		if cur = f.withOption(cur, o); cur == nil {
			return nil
		}
	}
	return complete(cur)
}

// complete is a value on which all functions were called: nobody else has it, so that a
// field that none of them set is zero, whatever the package stores in other values.
func complete(s *term.Term) *term.Term {
	if s.Kind != term.Struct || s.Open {
		return s
	}
	return term.NewStruct(s.Str, "", s.Names, s.Args)
}

// withOption is a value after one function was called on it.
func (f *fn) withOption(cur, option *term.Term) *term.Term {
	if option.Kind != term.Closure && option.Kind != term.Func {
		return nil
	}
	sum := f.a.byName(option.Str)
	if sum == nil {
		return nil
	}
	free := option.Args
	if free == nil {
		free = []*term.Term{}
	}
	sub := &term.Subst{Params: []*term.Term{cur}, Free: free, Global: f.a.global, Call: refold, Field: unsetIsZero}
	out := cur
	for _, st := range sum.Stores {
		if st.To.Kind != term.Field || st.To.Args[0].Kind != term.Param || !st.inField() {
			return nil
		}
		value := sub.Apply(st.Value)
		if st.Perhaps {
			value = term.NewAlt(term.NewField(st.To.Str, out), value)
		}
		out = withField(out, st.To.Str, value)
	}
	return out
}

// unsetIsZero is a field of a value on which functions are called: nobody else has it, so
// that one that is not set is zero.
func unsetIsZero(name string, base *term.Term) *term.Term {
	t := term.NewField(name, base)
	if t.Kind == term.Field && base.Kind == term.Struct && !base.Open {
		return term.NewConst("zero", "0")
	}
	return t
}

// withField is a struct with another value in one field.
func withField(s *term.Term, name string, v *term.Term) *term.Term {
	names, vals := slices.Clone(s.Names), slices.Clone(s.Args)
	if i := slices.Index(names, name); i >= 0 {
		vals[i] = v
	} else {
		names, vals = append(names, name), append(vals, v)
	}
	t := term.NewStruct(s.Str, s.Site, names, vals)
	if t.Kind == term.Struct {
		t.Open = s.Open
	}
	return t
}
