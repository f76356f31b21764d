package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A function looks for something in a context, and takes something else where it is not
// there.

// lookup is a branch on whether a context carries something.
type lookup struct {
	found *term.Term // what it was asked for
	first bool       // it is there on the first way
}

// unlessCarried is a value that is taken on the way from one block to another, if the way is
// taken only where a context does not carry something.
func (f *fn) unlessCarried(v ssa.Value, t *term.Term, from, to *ssa.BasicBlock) *term.Term {
	if !mayBeCarried(v.Type()) || t.Kind == term.Unknown || t.Kind == term.Const || t.Kind == term.Alt {
		return t
	}
	for n := 0; n < maxLookups && from != nil; n++ {
		if l, ok := f.lookupAt(from); ok && to != nil && len(from.Succs) == 2 && from.Succs[0] != from.Succs[1] {
			if (to == from.Succs[0]) != l.first && (to == from.Succs[0] || to == from.Succs[1]) {
				typ := typeName(v.Type())
				if t.Kind == term.Iface {
					typ, t = t.Str, t.Args[0]
				}
				return term.NewUnless(typ, t, l.found)
			}
			return t
		}
		if to = from; len(from.Preds) != 1 {
			return t
		}
		from = from.Preds[0]
	}
	return t
}

// maxLookups bounds how many blocks a branch stands before what it chooses.
const maxLookups = 4

// mayBeCarried reports whether values of a type are clients, connections or transactions
// rather than data.
func mayBeCarried(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return !isError(t)
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	}
	return false
}

// lookupAt is the branch at the end of a block, if it asks whether a context carries
// something.
func (f *fn) lookupAt(b *ssa.BasicBlock) (lookup, bool) {
	in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return lookup{}, false
	}
	switch c := in.Cond.(type) {
	case *ssa.Extract:
		if v := lookedUpBy(c); v != nil {
			return f.lookupOf(v, true)
		}
	case *ssa.BinOp:
		if k, ok := c.Y.(*ssa.Const); ok && k.IsNil() && (c.Op == token.EQL || c.Op == token.NEQ) && mayBeCarried(c.X.Type()) {
			return f.lookupOf(c.X, c.Op == token.NEQ)
		}
	}
	return lookup{}, false
}

// lookedUpBy is what is there where an answer is yes, if it is the second one of an assertion
// or of a function that gives such an answer.
func lookedUpBy(ok *ssa.Extract) ssa.Value {
	if ok.Index != 1 {
		return nil
	}
	switch t := ok.Tuple.(type) {
	case *ssa.TypeAssert:
	case *ssa.Call:
		if g := t.Call.StaticCallee(); g == nil || !answersAssertion(g) {
			return nil
		}
	default:
		return nil
	}
	for _, r := range *ok.Tuple.Referrers() {
		if x, is := r.(*ssa.Extract); is && x.Index == 0 {
			return x
		}
	}
	return nil
}

// answersAssertion reports whether the second result of a function is whether an assertion
// holds, or no.
func answersAssertion(g *ssa.Function) bool {
	for _, b := range g.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) != 2 {
			return false
		}
		switch x := r.Results[1].(type) {
		case *ssa.Extract:
			if _, ok := x.Tuple.(*ssa.TypeAssert); !ok || x.Index != 1 {
				return false
			}
		case *ssa.Const:
		default:
			return false
		}
	}
	return len(g.Blocks) > 0
}

// lookupOf is the question whether a value that a context was asked for is there.
func (f *fn) lookupOf(v ssa.Value, first bool) (lookup, bool) {
	if !asksContext(v) {
		return lookup{}, false
	}
	t := term.Present(f.value(v))
	if t.Kind != term.Call || t.Str != term.ContextValue {
		return lookup{}, false
	}
	return lookup{t, first}, true
}

// asksContext reports whether a value may be what a context was asked for: it comes from a
// call that is given one.
func asksContext(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		return asksContext(v.Tuple)
	case *ssa.TypeAssert:
		return asksContext(v.X)
	case *ssa.Call:
		return v.Call.IsInvoke() && isContext(v.Call.Value.Type()) ||
			slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return isContext(a.Type()) })
	}
	return false
}

// isContext reports whether values of a type are contexts.
func isContext(t types.Type) bool { return typeName(t) == "context.Context" }
