package flow

import "golang.org/x/tools/go/ssa"

// deferredEnds gives the states after the deferred literals of a function ran, as
// far as they turn an error that is kept in a variable into nil.
func (e *explorer) deferredEnds(at *ssa.RunDefers, s *state) []*state {
	out := []*state{s}
	if e.depth >= maxDepth {
		return out
	}
	for _, b := range e.f.f.Blocks {
		if !b.Dominates(at.Block()) {
			continue
		}
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok {
				continue
			}
			if lit, ok := d.Call.Value.(*ssa.MakeClosure); ok {
				out = e.literalEnds(lit, out)
			}
		}
	}
	return out
}

// literalEnds runs one deferred literal on each state.
func (e *explorer) literalEnds(lit *ssa.MakeClosure, from []*state) []*state {
	var out []*state
	for _, s := range from {
		cell, lost, kept := e.dropped(lit, s)
		if !lost || kept {
			out = append(out, s)
		}
		if lost {
			n := s.clone()
			n.cells[cell] = abs{k: isNil}
			out = append(out, n)
		}
	}
	return out
}

// dropped finds a captured variable whose error the literal sets to nil on some
// way, and says whether it keeps it on another.
func (e *explorer) dropped(lit *ssa.MakeClosure, s *state) (cell *ssa.Alloc, lost, kept bool) {
	body, ok := lit.Fn.(*ssa.Function)
	if !ok || body.Blocks == nil {
		return nil, false, false
	}
	for i, b := range lit.Bindings {
		al, ok := b.(*ssa.Alloc)
		if !ok {
			continue
		}
		before, tracked := s.cells[al]
		if !tracked || before.k != nonNil {
			continue
		}
		entry := newState()
		entry.cells[body.FreeVars[i]] = before
		inner := &explorer{f: e.f.a.function(body), depth: e.depth + 1}
		lost, kept = false, false
		inner.ret = func(_ *ssa.Return, _ []abs, in *state) {
			if in.cells[body.FreeVars[i]].k == isNil {
				lost = true
			} else {
				kept = true
			}
		}
		inner.fromEntry(entry)
		if lost {
			return al, true, kept || inner.capped
		}
	}
	return nil, false, false
}
