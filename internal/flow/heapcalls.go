package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What the functions store in records that a call runs, now or later, and what is stored in
// a way that has no types.

// heapOfCall notes what the functions store that a call can run.
func (f *fn) heapOfCall(c ssa.CallInstruction) {
	f.heapOfGiven(c)
	if c.Common().StaticCallee() != nil {
		// Most functions store nothing that a caller sees; their arguments need no look.
		if sum := f.staticSummary(c.Common()); sum == nil || !slices.ContainsFunc(sum.Stores, Store.inRecord) {
			return
		}
	}
	_, beside := c.(*ssa.Go)
	_, late := c.(*ssa.Defer)
	for _, t := range f.targets(c) {
		w := write{at: c, beside: beside, late: late}
		if t.sum != nil {
			sub := func() *term.Subst { return f.substFor(c, t) }
			f.heapOfStores(t.sum.Stores, sub, argumentsOf(c), w)
		} else if c.Common().IsInvoke() && t.dyn != nil {
			w.perhaps = true
			f.heapOfImplementers(c, t, w)
		}
	}
}

// heapOfImplementers notes what the methods of this package store in a record that they may
// be given by a call through an interface.
func (f *fn) heapOfImplementers(c ssa.CallInstruction, t target, w write) {
	common := c.Common()
	if !slices.ContainsFunc(common.Args, pointsToRecord) {
		return
	}
	for _, m := range f.a.methodsBehind(common.Method) {
		sum := f.a.byName(m)
		if sum == nil || !slices.ContainsFunc(sum.Stores, Store.inRecord) {
			continue
		}
		sub := func() *term.Subst {
			s := f.substFor(c, t)
			s.Params = append([]*term.Term{term.NewUnknown("one of the types behind an interface")}, s.Params[1:]...)
			return s
		}
		f.heapOfStores(sum.Stores, sub, nil, w)
	}
}

// methodsBehind lists the methods of this package that a call through an interface of it
// may reach.
func (a *Analysis) methodsBehind(m *types.Func) []string {
	if m.Pkg() != a.Pkg {
		return nil
	}
	if out, done := a.behind[m]; done {
		return out
	}
	var out []string
	iface, _ := m.Signature().Recv().Type().Underlying().(*types.Interface)
	for _, name := range a.Pkg.Scope().Names() {
		tn, ok := a.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || iface == nil || types.IsInterface(tn.Type()) {
			continue
		}
		if n, ok := tn.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 || !types.Implements(types.NewPointer(n), iface) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, a.Pkg, m.Name())
		if fn, ok := obj.(*types.Func); ok {
			out = append(out, fn.FullName())
		}
	}
	a.behind[m] = out
	return out
}

// heapOfGiven notes what functions store that capture nothing, and that a call is given to
// run.
func (f *fn) heapOfGiven(c ssa.CallInstruction) {
	for _, v := range c.Common().Args {
		if conv, ok := v.(*ssa.ChangeType); ok {
			v = conv.X
		}
		if g, ok := v.(*ssa.Function); ok {
			f.heapOfRunLater(f.value(g), c)
		}
	}
}

// heapOfUnsafe notes that a record is written to by an address without a type.
func (f *fn) heapOfUnsafe(cv *ssa.Convert) {
	if !isUnsafe(cv.Type()) || !pointsToRecord(cv.X) || !writtenUnsafely(cv, make(map[ssa.Value]bool)) {
		return
	}
	base := f.placeOf(cv.X)
	w := write{at: cv, val: term.NewUnknown("what is written by an unsafe pointer"), perhaps: true, beside: true}
	f.heap = append(f.heap, heapStore{write: w, field: wholeMark, base: base, path: f.pathTo(cv.X), again: f.later(base, cv.X)})
}

// setsByReflection reports whether the function sets anything by package reflect.
func (f *fn) setsByReflection() bool {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && strings.HasPrefix(callKey(c.Common()), "reflect.Value.Set") {
				return true
			}
		}
	}
	return false
}

// writtenUnsafely reports whether an address is used for more than to read what is there.
func writtenUnsafely(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Convert, *ssa.BinOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Phi, *ssa.ChangeType:
			if writtenUnsafely(r.(ssa.Value), seen) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// heapOfLiteral notes what a function value stores which is not called where it is made.
func (f *fn) heapOfLiteral(m *ssa.MakeClosure) {
	if !onlyCalled(m) {
		f.heapOfRunLater(f.value(m), m)
	}
}

// heapOfRunLater notes what a function value stores that runs some time behind an
// instruction.
func (f *fn) heapOfRunLater(fv *term.Term, in ssa.Instruction) {
	for _, t := range f.applied(fv, nil, nil) {
		if t.sum == nil || !slices.ContainsFunc(t.sum.Stores, Store.inRecord) {
			continue
		}
		sub := func() *term.Subst {
			return &term.Subst{
				Params: append([]*term.Term{}, t.args...), Free: t.free, Site: f.siteOf(in), Global: f.a.global, Call: f.calledOn,
				Field: func(name string, base *term.Term) *term.Term { return f.fieldAt(name, base, in) },
			}
		}
		f.heapOfStores(t.sum.Stores, sub, nil, write{at: in, beside: true})
	}
}

// onlyCalled reports whether a literal runs only where calls, goroutines and deferred calls
// name it.
func onlyCalled(m *ssa.MakeClosure) bool {
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if r.Common().Value != m || slices.Contains(r.Common().Args, ssa.Value(m)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// heapOfStores notes what a function stores, in terms of the one that runs it.
func (f *fn) heapOfStores(stores []Store, sub func() *term.Subst, arg func(int) ssa.Value, w write) {
	s := sub()
	for _, st := range stores {
		if !st.inRecord() {
			continue
		}
		h := heapStore{write: w, field: entryName(st.To.Str, s), base: s.Apply(st.To.Args[0])}
		h.val, h.perhaps = s.Apply(st.Value), st.Perhaps
		h.path = f.pathIn(s, st.To.Args[0], arg)
		f.indexed = f.indexed || strings.HasPrefix(h.field, indexBegin)
		if isField(h.base) {
			h.again = func() *term.Term { return sub().Apply(st.To.Args[0]) }
		}
		if st.Value.Any(readsField) {
			h.anew = func() *term.Term { return sub().Apply(st.Value) }
		}
		f.heap = append(f.heap, h)
	}
}

// readsField reports whether a term is what a field holds that is known to a caller.
func readsField(t *term.Term) bool {
	return t.Kind == term.Field && t.Args[0].Any(func(u *term.Term) bool { return u.Kind == term.Param || u.Kind == term.Free })
}
