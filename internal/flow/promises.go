package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What a function has decided when it says that all is well: by no error, or by a yes or a no.

// succeeded lists what a called function decided on each way to a return without
// an error.
func (f *fn) succeeded(err ssa.Value) []Cond {
	return f.promised(err, func(s *Summary, _ *types.Signature, _ int) []Cond { return s.Post })
}

// saying lists what a called function decided on each way on which it gives a bool.
func (f *fn) saying(v ssa.Value, want bool) []Cond {
	return f.promised(v, func(s *Summary, sig *types.Signature, result int) []Cond {
		switch {
		case result != firstBool(sig):
			return nil
		case want:
			return s.Yes
		}
		return s.No
	})
}

// firstBool is the place of the first bool among the results, -1 if there is none.
func firstBool(sig *types.Signature) int {
	for i := range sig.Results().Len() {
		if isBoolean(sig.Results().At(i).Type()) {
			return i
		}
	}
	return -1
}

// promised are the decisions of every function that a call may run, in the terms of the caller.
func (f *fn) promised(v ssa.Value, of func(*Summary, *types.Signature, int) []Cond) []Cond {
	result := 0
	if x, ok := v.(*ssa.Extract); ok {
		v, result = x.Tuple, x.Index
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	var out []Cond
	for i, t := range f.targets(c) {
		if t.sum == nil {
			return nil
		}
		var own []Cond
		sub := f.substFor(c, t)
		for _, p := range of(t.sum, c.Call.Signature(), result) {
			if x := sub.Apply(p.Term); !ordersGiven(p.Term) || f.informs(x) || ordersGiven(x) {
				own = append(own, Cond{Term: x, Want: p.Want, Null: p.Null})
			}
		}
		if i > 0 {
			own = sharedConds(out, own)
		}
		out = own
	}
	return out
}

// promises sets what the function has decided at its ends.
func (f *fn) promises(sum *Summary) {
	sig := f.f.Signature
	if n := sig.Results().Len(); n > 0 && isError(sig.Results().At(n-1).Type()) {
		sum.Post = f.post(n - 1)
	}
	if i := firstBool(sig); i >= 0 {
		sum.Yes, sum.No = f.giving(i, true), f.giving(i, false)
	}
}

// post lists the decisions that each return without an error, result i, has behind it.
func (f *fn) post(i int) []Cond {
	var c common
	for _, r := range f.allReturns() {
		switch err := r.Results[i]; {
		case isNilConst(err):
			c.add(f.condsAt(r.Block()))
		case f.mayBeNil(err):
			c.add(append(f.condsAt(r.Block()), f.succeeded(err)...))
		}
	}
	return c.conds
}

// giving lists the decisions that each return has behind it by which result i is a bool.
func (f *fn) giving(i int, want bool) []Cond {
	var c common
	for _, r := range f.allReturns() {
		f.givingAt(&c, r.Results[i], want, r.Block())
	}
	return slices.DeleteFunc(c.conds, func(c Cond) bool { return !comparesNumbers(c.Term) })
}

func (f *fn) givingAt(c *common, v ssa.Value, want bool, b *ssa.BasicBlock) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && (v.Value.ExactString() == "true") == want {
			c.add(f.condsAt(b))
		}
		return
	case *ssa.Phi: // && and ||
		if v.Block() == b {
			for i, e := range v.Edges {
				if _, ok := e.(*ssa.Phi); ok {
					c.add(nil)
					continue
				}
				from := b.Preds[i]
				f.givingOn(c, e, want, from, b)
			}
			return
		}
	}
	c.add(append(f.condsAt(b), f.decided(v, want)...))
}

// givingOn is for a value that comes by an edge between two blocks.
func (f *fn) givingOn(c *common, v ssa.Value, want bool, from, to *ssa.BasicBlock) {
	var here common
	f.givingAt(&here, v, want, from)
	if !here.any {
		return
	}
	if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok && from.Succs[0] != from.Succs[1] {
		here.conds = append(here.conds, f.decided(branch.Cond, from.Succs[0] == to)...)
	}
	c.add(here.conds)
}

// common are the decisions that all of several ways have behind them.
type common struct {
	conds []Cond
	any   bool
}

func (c *common) add(conds []Cond) {
	if c.any {
		conds = sharedConds(c.conds, conds)
	}
	c.conds, c.any = conds, true
}

// allReturns lists the returns of the function.
func (f *fn) allReturns() []*ssa.Return {
	var out []*ssa.Return
	for _, b := range f.f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == f.f.Signature.Results().Len() && (b != f.f.Recover || f.recovers()) {
			out = append(out, r)
		}
	}
	return out
}

// mayBeNil reports whether an error that is returned can be nil: it is a result
// of a call that was not tested before.
func (f *fn) mayBeNil(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if b, ok := r.(*ssa.BinOp); ok && (isNilConst(b.X) || isNilConst(b.Y)) {
			return false
		}
	}
	switch v := v.(type) {
	case *ssa.Call:
		return !makesError[callKey(v.Common())]
	case *ssa.Extract, *ssa.Phi:
		return true
	}
	return false
}

// makesError are the functions that always give an error.
var makesError = set("errors.New", "fmt.Errorf", "github.com/pkg/errors.New",
	"github.com/pkg/errors.Errorf")

// difference is a comparison of two numbers that is written as one of their difference, or of what
// cmp.Compare says of them, with zero.
func difference(t *term.Term) *term.Term {
	if !isComparison(t) {
		return t
	}
	x, op := t.Args[0], t.Str
	n, ok := term.IntValue(t.Args[1])
	if !ok || len(x.Args) != 2 {
		return t
	}
	switch {
	case x.Kind == term.Op && x.Str == "-" && n == 0:
	case x.Kind == term.Call && x.Str == "cmp.Compare" && n == 0:
	case x.Kind == term.Call && x.Str == "cmp.Compare" && n == 1 && (op == "==" || op == "!="):
		op = map[string]string{"==": ">", "!=": "<="}[op]
	case x.Kind == term.Call && x.Str == "cmp.Compare" && n == -1 && (op == "==" || op == "!="):
		op = map[string]string{"==": "<", "!=": ">="}[op]
	default:
		return t
	}
	return term.NewOp(op, x.Args[0], x.Args[1])
}
