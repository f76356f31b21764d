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
var nothing = term.NewConst("zero", "nothing")

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

// heeded reports whether the code goes elsewhere where a call answers no, and whether the
// answer is returned.
func heeded(c *ssa.Call) (looked, passed bool) {
	for _, r := range *c.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && isBoolean(e.Type()) {
			l, p := decides(c, e, true)
			looked, passed = looked || l, passed || p
		}
	}
	return looked, passed
}

// decides reports whether the code goes elsewhere where v is not yes, and whether v is returned.
func decides(c *ssa.Call, v ssa.Value, yes bool) (looked, passed bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Return:
			passed = true
		case *ssa.UnOp:
			if r.Op == token.NOT {
				l, p := decides(c, r, !yes)
				looked, passed = looked || l, passed || p
			}
		case *ssa.If:
			on, off := r.Block().Succs[0], r.Block().Succs[1]
			if !yes {
				on, off = off, on
			}
			looked = looked || on != off && !leadsTo(off, on, c.Block())
		}
	}
	return looked, passed
}

// leadsTo reports whether a way leads from one block to another that does not pass a third.
func leadsTo(from, to, but *ssa.BasicBlock) bool {
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
