package flow

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A function that says whether it has something gives a zero value where it has not:
// lease, ok := current(). Whoever looks at the answer does not use that value.

// nothing is what a function gives beside the answer that it has nothing.
var nothing = term.Shared(term.NewConst("zero", "nothing"))

func isNothing(t *term.Term) bool { return t.Equal(nothing) }

// hasNothing reports whether a return says by a bool that what it gives is nothing.
func hasNothing(r *ssa.Return, v ssa.Value, t *term.Term) bool {
	said, _ := asReturned(r, v)
	if t.Equal(term.Nil) || isBoolean(v.Type()) || !isZeroConst(said) && !blank(t) {
		return false
	}
	return slices.ContainsFunc(r.Results, func(k ssa.Value) bool {
		said, _ := asReturned(r, k)
		c, ok := said.(*ssa.Const)
		return ok && isBoolean(c.Type()) && c.Value != nil && !constant.BoolVal(c.Value)
	})
}

// unlessNothing is the result of a call without what is nothing, if the answer that comes
// with it is looked at; if it is passed on, whoever gets it decides.
func unlessNothing(c *ssa.Call, t *term.Term) *term.Term {
	forms := t.Alternatives()
	if !slices.ContainsFunc(forms, isNothing) {
		return t
	}
	looked, passed := heeded(c)
	rest := slices.DeleteFunc(slices.Clone(forms), isNothing)
	switch {
	case looked && len(rest) > 0:
		return term.NewAlt(rest...)
	case passed:
		return t
	}
	return term.NewAlt(append(rest, term.NewConst("zero", "0"))...)
}

// heeded reports whether nothing that a call gives is used where it answers no, and whether
// the answer is returned.
func heeded(c *ssa.Call) (looked, passed bool) {
	var answers []fork
	for _, r := range *c.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && isBoolean(e.Type()) {
			more, p := branchesOn(e, true)
			answers, passed = append(answers, more...), passed || p
		}
	}
	looked = slices.ContainsFunc(answers, func(a fork) bool {
		return !slices.ContainsFunc(*c.Referrers(), func(r ssa.Instruction) bool {
			e, ok := r.(*ssa.Extract)
			return ok && !isBoolean(e.Type()) && !isError(e.Type()) && a.usesBeside(e, c)
		})
	})
	return looked, passed
}

// fork is a branch on an answer, with where it goes on yes and on no.
type fork struct{ at, yes, no *ssa.BasicBlock }

// branchesOn lists the branches on an answer, and reports whether it is returned.
func branchesOn(v ssa.Value, yes bool) (out []fork, passed bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Return:
			passed = true
		case *ssa.UnOp:
			if r.Op == token.NOT {
				more, p := branchesOn(r, !yes)
				out, passed = append(out, more...), passed || p
			}
		case *ssa.If:
			a := fork{r.Block(), r.Block().Succs[0], r.Block().Succs[1]}
			if !yes {
				a.yes, a.no = a.no, a.yes
			}
			if a.yes != a.no {
				out = append(out, a)
			}
		}
	}
	return out, passed
}

// usesBeside reports whether a value that a call gives is used anywhere but behind its yes.
func (a fork) usesBeside(v ssa.Value, c *ssa.Call) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store: // the variable may be set anew, but its other uses are those of the value
			own, ok := r.Addr.(*ssa.Alloc)
			return r.Val == v && (!ok || a.usesBeside(own, c))
		case *ssa.FieldAddr:
			return a.usesBeside(r, c)
		case *ssa.Phi:
			for i, e := range r.Edges {
				if from := r.Block().Preds[i]; e == v && !(from == a.at && r.Block() == a.yes) && !a.behindYes(from, c) {
					return true
				}
			}
			return false
		}
		return !a.behindYes(r.Block(), c)
	})
}

// behindYes reports whether a block runs only after the yes.
func (a fork) behindYes(b *ssa.BasicBlock, c *ssa.Call) bool {
	return b != a.at && a.at.Dominates(b) && !wayTo(a.no, b, c.Block())
}

// wayTo reports whether a way leads from one block to another that does not pass a third.
func wayTo(from, to, but *ssa.BasicBlock) bool {
	seen := newBlocks(from.Parent())
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if b != but && seen.add(b) {
			work = append(work, b.Succs...)
		}
	}
	return false
}
