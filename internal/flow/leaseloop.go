package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// waitsLong reports whether the hold runs through a loop without a bound that
// waits in each round.
func (f *fn) waitsLong(e *Event) bool {
	for _, b := range f.f.Blocks {
		for _, h := range b.Succs {
			if h.Dominates(b) && f.waitingLoop(h, b) && reaches(e.site.call.Block(), h) {
				return true
			}
		}
	}
	return f.calleeWaits(e)
}

// calleeWaits reports whether a function of the package that works in the hold has
// such a loop.
func (f *fn) calleeWaits(e *Event) bool {
	for _, s := range f.sites {
		if s.call == nil || !s.workOf(e) {
			continue
		}
		if callee := s.call.Common().StaticCallee(); callee != nil && f.a.byID[f.a.known.id(callee)] != nil &&
			f.a.function(callee).anyWaitingLoop(0) {
			return true
		}
	}
	return false
}

func (f *fn) anyWaitingLoop(depth int) bool {
	for _, b := range f.f.Blocks {
		for _, h := range b.Succs {
			if h.Dominates(b) && f.waitingLoop(h, b) {
				return true
			}
		}
	}
	if depth >= maxTell {
		return false
	}
	found := false
	f.everyCall(func(_ *fn, c ssa.CallInstruction) {
		if callee := c.Common().StaticCallee(); !found && callee != nil && f.a.byID[f.a.known.id(callee)] != nil {
			found = f.a.function(callee).anyWaitingLoop(depth + 1)
		}
	})
	return found
}

func reaches(from, to *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(*ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, s := range b.Succs {
			if visit(s) {
				return true
			}
		}
		return false
	}
	return visit(from)
}

// waitingLoop looks at the loop with this head and back edge.
func (f *fn) waitingLoop(head, back *ssa.BasicBlock) bool {
	body := map[*ssa.BasicBlock]bool{head: true}
	var fill func(*ssa.BasicBlock)
	fill = func(b *ssa.BasicBlock) {
		if !body[b] {
			body[b] = true
			for _, p := range b.Preds {
				fill(p)
			}
		}
	}
	fill(back)
	waits := false
	for b := range body {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.If:
				if endsByCount(in.Cond, body, b) {
					return false
				}
			case ssa.Instruction:
				waits = waits || pauses(in)
			}
		}
	}
	return waits
}

// endsByCount reports whether a condition that leaves the loop counts its rounds.
func endsByCount(cond ssa.Value, body map[*ssa.BasicBlock]bool, b *ssa.BasicBlock) bool {
	leaves := false
	for _, s := range b.Succs {
		leaves = leaves || !body[s]
	}
	if !leaves {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return mirrored[c.Op] != c.Op && mirrored[c.Op] != 0 && isCount(c.X) && isCount(c.Y)
	case *ssa.Extract:
		_, ok := c.Tuple.(*ssa.Next)
		return ok
	}
	return false
}

func isCount(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && typeName(v.Type()) != "time.Duration"
}

// pauses reports whether an instruction waits by itself.
func pauses(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Select:
		return in.Blocking
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Call:
		return callKey(in.Common()) == "time.Sleep"
	}
	return false
}
