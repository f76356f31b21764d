package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// endedContext reports whether a call asks why a context is over that is known to be over:
// the function has received from its channel. It says so then, and never nil.
func (f *fn) endedContext(c *ssa.Call) bool {
	ctx := contextAsked(c)
	if ctx == nil {
		return false
	}
	for _, b := range c.Parent().Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op == token.ARROW && isDoneOf(in.X, ctx) && f.before(in, c) {
					return true
				}
			case *ssa.Select:
				for n, st := range in.States {
					if isDoneOf(st.Chan, ctx) && chosen(in, n, c) {
						return true
					}
				}
			}
		}
	}
	return false
}

// contextAsked is the context that a call asks why it is over; nil for other calls.
func contextAsked(c *ssa.Call) ssa.Value {
	switch callKey(c.Common()) {
	case "context.Context.Err":
		return receiverOf(c.Common())
	case "context.Cause":
		return c.Call.Args[0]
	}
	return nil
}

// isDoneOf reports whether a channel is the one that is closed when a context is over.
func isDoneOf(ch, ctx ssa.Value) bool {
	c, ok := ch.(*ssa.Call)
	return ok && callKey(c.Common()) == "context.Context.Done" && sameRead(receiverOf(c.Common()), ctx)
}

// chosen reports whether an instruction runs only where a select has taken one of its cases.
func chosen(sel *ssa.Select, n int, at ssa.Instruction) bool {
	for _, r := range *sel.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, r := range *x.Referrers() {
			eq, ok := r.(*ssa.BinOp)
			if !ok || eq.Op != token.EQL {
				continue
			}
			if c, ok := eq.Y.(*ssa.Const); !ok || c.Int64() != int64(n) {
				continue
			}
			for _, r := range *eq.Referrers() {
				if _, ok := r.(*ssa.If); ok && len(r.Block().Succs[0].Preds) == 1 && r.Block().Succs[0].Dominates(at.Block()) {
					return true
				}
			}
		}
	}
	return false
}
