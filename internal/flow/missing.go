package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A number that a context is asked for may not be there: it is zero then, where nobody looks
// at the answer to whether it is.

// OrZero is the term of a number that a context carries, or is zero.
const OrZero = "the number of a context, or zero"

// foldOrZero is the number where it is known to be there.
func foldOrZero(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 {
		return nil
	}
	out := make([]*term.Term, len(args[0].Alternatives()))
	for i, t := range args[0].Alternatives() {
		if out[i] = t; t.Any(lookedFor) {
			out[i] = term.NewCall(OrZero, "", 0, t)
		}
	}
	return term.NewAlt(out...)
}

func lookedFor(t *term.Term) bool { return t.Kind == term.Call && t.Str == term.ContextValue }

// MayLack reports whether a context that a term is asked of is handed in from somewhere that
// nobody sees, or is empty.
func MayLack(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		if !lookedFor(u) || len(u.Args) == 0 {
			return false
		}
		ctx := u.Args[0]
		for ctx.Kind == term.Call && len(ctx.Args) > 0 && strings.HasPrefix(ctx.Str, "context.With") {
			ctx = ctx.Args[0]
		}
		return ctx.Kind == term.Param || ctx.Kind == term.Free || isEmptyContext(ctx) ||
			ctx.Kind == term.Call && ctx.Str == "net/http.Request.Context"
	})
}

// isEmptyContext reports whether a context is one of those that package context makes of
// nothing.
func isEmptyContext(ctx *term.Term) bool {
	return ctx.Kind == term.Call && len(ctx.Args) == 0 && strings.HasPrefix(ctx.Str, "context.")
}

// orZero is the first result of an assertion or call whose second says whether there is one.
func orZero(v *ssa.Extract, t *term.Term) *term.Term {
	if v.Index != 0 || !isInteger(v.Type()) || !t.Any(lookedFor) || !takenAnyway(v) {
		return t
	}
	return foldOrZero([]*term.Term{t}, 0)
}

// takenAnyway reports whether a value is used though the second result beside it said that
// there is none.
func takenAnyway(v *ssa.Extract) bool {
	res, ok := v.Tuple.Type().(*types.Tuple)
	if !ok || res.Len() != 2 || !isBoolean(res.At(1).Type()) {
		return false
	}
	for _, r := range *v.Tuple.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 1 && len(*x.Referrers()) > 0 {
			answers, _ := branchesOn(x, true)
			return slices.ContainsFunc(answers, func(a fork) bool { return a.usesOnNo(v) })
		}
	}
	return true
}

// usesOnNo reports whether a way leads from the no to a use of what is given beside the
// answer, and is not one on which that is given anew.
func (a fork) usesOnNo(v *ssa.Extract) bool {
	used := func(b *ssa.BasicBlock) bool { return b != v.Block() && wayTo(a.no, b, v.Block()) }
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Phi:
			for i, e := range r.Edges {
				if e == v && used(r.Block().Preds[i]) {
					return true
				}
			}
			return false
		}
		return used(r.Block())
	})
}
