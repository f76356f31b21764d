package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// AttemptCounter is the function of the term that stands for a number which
// counts the attempts of one piece of work.
const AttemptCounter = "attempt counter"

// isAttempt reports whether a variable counts the rounds of a loop in which a
// failed call is made again: an error leads to the next round, success leads out.
// An index into items that are worked off one by one is none.
func isAttempt(v *ssa.Phi) bool {
	if !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return counts(e, v) }) {
		return false
	}
	header := v.Block()
	body := loopBody(header)
	for b := range body {
		failed, fine, ok := errorBranch(b)
		if ok && body[failed] && leaves(fine, header, body) && returnsTo(failed, b, header, body) {
			return true
		}
	}
	return false
}

// countsAttempts reports whether a literal counts in a variable how often it has run, and is
// what somebody else runs again after an error: it is given nothing to work on but a context,
// and code out of sight looks at the error that it gives.
func countsAttempts(m *ssa.MakeClosure, v ssa.Value) bool {
	lit, ok := m.Fn.(*ssa.Function)
	i := slices.Index(m.Bindings, v)
	if !ok || i < 0 || i >= len(lit.FreeVars) || !triesWork(lit.Signature) || !slices.ContainsFunc(*m.Referrers(), runsElsewhere) {
		return false
	}
	return slices.ContainsFunc(*lit.FreeVars[i].Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		if !ok {
			return false
		}
		op, ok := st.Val.(*ssa.BinOp)
		if !ok || op.Op != token.ADD && op.Op != token.SUB {
			return false
		}
		load, ok := op.X.(*ssa.UnOp)
		_, step := op.Y.(*ssa.Const)
		return ok && step && load.Op == token.MUL && load.X == lit.FreeVars[i]
	})
}

// triesWork reports whether a function is given at most a context, and gives an error.
func triesWork(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && isError(sig.Results().At(n-1).Type()) && (sig.Params().Len() == 0 || sig.Params().Len() == 1 && takesContext(sig))
}

// runsElsewhere reports whether an instruction hands something to a function out of sight that
// gives an error itself; one that starts a goroutine gives it none.
func runsElsewhere(r ssa.Instruction) bool {
	c, ok := r.(*ssa.Call)
	if !ok {
		ct, ok := r.(*ssa.ChangeType)
		return ok && slices.ContainsFunc(*ct.Referrers(), runsElsewhere)
	}
	f := c.Call.StaticCallee()
	return f != nil && len(origin(f).Blocks) == 0 && mayRefuse(c.Call.Signature())
}

// MapCounter is the function of the term that stands for a number which counts the entries of
// a map as a loop meets them, in another order each time.
const MapCounter = "map counter"

// isMapCounter reports whether a variable counts the rounds of a loop over a map.
func isMapCounter(v *ssa.Phi) bool {
	overMap := slices.ContainsFunc(v.Block().Instrs, func(in ssa.Instruction) bool {
		next, ok := in.(*ssa.Next)
		return ok && !next.IsString
	})
	return overMap && slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return counts(e, v) })
}

// counts reports whether e is the next value of the counter v.
func counts(e ssa.Value, v *ssa.Phi) bool {
	op, ok := e.(*ssa.BinOp)
	if !ok || op.Op != token.ADD && op.Op != token.SUB || op.X != v {
		return false
	}
	_, ok = op.Y.(*ssa.Const)
	return ok
}

// loopBody are the blocks from which the loop's header is reached without
// leaving what it dominates.
func loopBody(header *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	body := map[*ssa.BasicBlock]bool{header: true}
	var work []*ssa.BasicBlock
	for _, p := range header.Preds {
		if header.Dominates(p) {
			work = append(work, p)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !body[b] {
			body[b] = true
			work = append(work, b.Preds...)
		}
	}
	return body
}

// errorBranch gives the ways on from a test of an error.
func errorBranch(b *ssa.BasicBlock) (failed, fine *ssa.BasicBlock, ok bool) {
	test, isIf := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !isIf {
		return nil, nil, false
	}
	cond, isOp := test.Cond.(*ssa.BinOp)
	if !isOp || !isError(cond.X.Type()) || !isNilConst(cond.Y) {
		return nil, nil, false
	}
	switch cond.Op {
	case token.NEQ:
		return b.Succs[0], b.Succs[1], true
	case token.EQL:
		return b.Succs[1], b.Succs[0], true
	}
	return nil, nil, false
}

// leaves reports whether the loop can be left from b without another round.
func leaves(b, header *ssa.BasicBlock, body map[*ssa.BasicBlock]bool) bool {
	return walk(b, func(x *ssa.BasicBlock) bool { return !body[x] }, header)
}

// returnsTo reports whether another round can follow on b without asking at test
// again, as a loop inside the round would.
func returnsTo(b, test, header *ssa.BasicBlock, body map[*ssa.BasicBlock]bool) bool {
	return b == header || walk(b, func(x *ssa.BasicBlock) bool {
		return body[x] && slices.Contains(x.Succs, header)
	}, header, test)
}

// walk looks for a block, from b on and not beyond some.
func walk(b *ssa.BasicBlock, found func(*ssa.BasicBlock) bool, beyond ...*ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	for _, x := range beyond {
		seen[x] = true
	}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if found(x) {
			return true
		}
		work = append(work, x.Succs...)
	}
	return false
}
