package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// unreceived reports whether what is sent on a channel gets lost: the channel is made here and
// given to nobody, and whatever is received from it is thrown away. Where a goroutine sends
// for which nobody waits, and nothing is received at all, that is what is wrong.
func unreceived(ch ssa.Value) bool {
	m, ok := source(ch).(*ssa.MakeChan)
	if !ok {
		return false
	}
	met := make(map[ssa.Value]bool)
	return !listens(m, met) && (waitedFor(ch) || takesFrom(met))
}

// waitedFor reports whether the code that sends on a channel is no goroutine, or one that tells
// a group when it is done.
func waitedFor(ch ssa.Value) bool {
	load, ok := ch.(*ssa.UnOp)
	if !ok {
		return true
	}
	if _, captured := load.X.(*ssa.FreeVar); !captured {
		return true
	}
	return awaited(load.Parent())
}

// awaited reports whether a literal is no goroutine, or tells a group that it is done.
func awaited(lit *ssa.Function) bool {
	started := false
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if g, ok := in.(*ssa.Go); ok {
				m, ok := g.Call.Value.(*ssa.MakeClosure)
				started = started || ok && m.Fn == lit
			}
		}
	}
	return !started || slices.ContainsFunc(lit.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(ssa.CallInstruction)
			return ok && callKey(c.Common()) == "sync.WaitGroup.Done"
		})
	})
}

// takesFrom reports whether something is received from one of some channels.
func takesFrom(from map[ssa.Value]bool) bool {
	for v := range from {
		for _, r := range *v.Referrers() {
			if u, ok := r.(*ssa.UnOp); ok && u.Op == token.ARROW {
				return true
			}
		}
	}
	return false
}

// listens reports whether code may look at what comes from a channel, or from that in a variable.
func listens(v ssa.Value, met map[ssa.Value]bool) bool {
	if met[v] || v.Referrers() == nil {
		return false
	}
	met[v] = true
	for _, r := range *v.Referrers() {
		if listensAt(v, r, met) {
			return true
		}
	}
	return false
}

func listensAt(v ssa.Value, r ssa.Instruction, met map[ssa.Value]bool) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Send:
		return r.X == v
	case *ssa.UnOp:
		if r.Op == token.ARROW {
			return looksAt(r)
		}
		return listens(r, met)
	case *ssa.ChangeType:
		return listens(r, met)
	case *ssa.Store:
		cell, ok := r.Addr.(*ssa.Alloc)
		return r.Val == v && (!ok || listens(cell, met))
	case *ssa.MakeClosure:
		for i, b := range r.Bindings {
			if b == v && listens(r.Fn.(*ssa.Function).FreeVars[i], met) {
				return true
			}
		}
		return false
	case *ssa.Call:
		b, ok := r.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() != "close" && b.Name() != "len" && b.Name() != "cap"
	case *ssa.Defer:
		b, ok := r.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() != "close"
	}
	return true
}

// looksAt reports whether the value that is received is used for more than to print it.
func looksAt(r *ssa.UnOp) bool {
	if !r.CommaOk {
		return goesOn(r, make(map[ssa.Value]bool))
	}
	return slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool {
		x, ok := u.(*ssa.Extract)
		return ok && x.Index == 0 && goesOn(x, make(map[ssa.Value]bool))
	})
}
