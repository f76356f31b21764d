package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

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
			n.cells.put(cell, abs{k: isNil})
			out = append(out, n)
		}
	}
	return out
}

// dropped finds a captured variable whose error the literal sets to nil on some
// way, or to what has nothing to do with that error and may be nil, and says whether it keeps
// it on another.
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
		before, tracked := s.cells.get(al)
		if !tracked || before.k != nonNil {
			continue
		}
		entry := newState()
		entry.cells.put(body.FreeVars[i], before)
		inner := &explorer{f: e.f.a.function(body), depth: e.depth + 1}
		lost, kept = false, false
		inner.ret = func(_ *ssa.Return, _ []abs, in *state) {
			now, tracked := in.cells.get(body.FreeVars[i])
			if now.k == isNil || tracked && before.sig && now == (abs{}) {
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

// depends reports whether a deferred literal does this on some ways only, as one
// that gives the lock back if the function fails. That it asks whether there is a lock
// at all makes no difference to one that is held.
func (e *Event) depends() bool {
	lit, at := e.inDeferred()
	if lit == nil {
		return false
	}
	c, ok := at.(ssa.CallInstruction)
	return ok && passesBy(lit.Fn.(*ssa.Function), c)
}

// passesBy reports whether a function can return without the call, although what is
// called on is there.
func passesBy(fn *ssa.Function, c ssa.CallInstruction) bool {
	seen := map[*ssa.BasicBlock]bool{c.Block(): true}
	todo := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		next := b.Succs
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Return:
			return true
		case *ssa.If:
			if there, asks := there(last, c.Common()); asks {
				next = b.Succs[there : there+1]
			}
		}
		todo = append(todo, next...)
	}
	return false
}

// there is the branch on which what a call is made on is not nil, if a branch asks for
// that.
func there(branch *ssa.If, c *ssa.CallCommon) (succ int, asks bool) {
	test, ok := branch.Cond.(*ssa.BinOp)
	if !ok || test.Op != token.EQL && test.Op != token.NEQ {
		return 0, false
	}
	if k, ok := test.Y.(*ssa.Const); !ok || !k.IsNil() {
		return 0, false
	}
	on := c.Value
	if !c.IsInvoke() && c.Signature().Recv() != nil && len(c.Args) > 0 {
		on = c.Args[0]
	}
	if test.Op == token.EQL {
		succ = 1
	}
	for on != nil {
		if sameRead(on, test.X) {
			return succ, true
		}
		on = readOf(on)
	}
	return 0, false
}

// readOf is what a value is read from, nil if it is not read from another one.
func readOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.X
	case *ssa.FieldAddr:
		return v.X
	case *ssa.Field:
		return v.X
	}
	return nil
}

// sameRead reports whether two values are read from the same place.
func sameRead(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.UnOp:
		u, ok := y.(*ssa.UnOp)
		return ok && x.Op == token.MUL && u.Op == token.MUL && sameRead(x.X, u.X)
	case *ssa.FieldAddr:
		u, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == u.Field && sameRead(x.X, u.X)
	}
	return false
}

// inDeferred is the deferred literal in whose text the event's call stands, with
// that call; nil if it stands elsewhere.
func (e *Event) inDeferred() (*ssa.MakeClosure, ssa.Instruction) {
	if !e.Deferred || e.src == nil || e.src.site == nil || e.src.site.call == nil || e.site == nil {
		return nil, nil
	}
	d, ok := e.site.call.(*ssa.Defer)
	if !ok {
		return nil, nil
	}
	lit, ok := d.Call.Value.(*ssa.MakeClosure)
	if !ok || lit.Fn != e.src.site.call.Parent() {
		return nil, nil
	}
	return lit, e.src.site.call
}

// undoneAt reports whether a deferred literal may give back what a acquired when the
// function returns in this state.
func (f *fn) undoneAt(e *explorer, a *Event, r *ssa.Return, s *state) bool {
	for _, st := range f.sites {
		d, ok := st.call.(*ssa.Defer)
		if !ok || !d.Block().Dominates(r.Block()) {
			continue
		}
		for _, ev := range st.events {
			if a.endedBy(ev) && ev.depends() && e.mayRun(ev, s) {
				return true
			}
		}
	}
	return false
}

// endedBy reports whether ev gives back what a acquired.
func (e *Event) endedBy(ev *Event) bool {
	if e.Kind == May {
		return givesBack(ev, e)
	}
	if e.Entry == Claim && GivesBack(ev, e) {
		return true
	}
	return (ev.Kind == Release || ev.Kind == Commit) && releases(ev, e)
}

// mayRun reports whether a deferred literal reaches the event's call with the
// variables as they are.
func (e *explorer) mayRun(ev *Event, s *state) bool {
	lit, at := ev.inDeferred()
	body := lit.Fn.(*ssa.Function)
	entry := newState()
	for i, b := range lit.Bindings {
		if al, ok := b.(*ssa.Alloc); ok {
			if v, tracked := s.cells.get(al); tracked {
				entry.cells.put(body.FreeVars[i], v)
			}
		}
	}
	hit := false
	inner := &explorer{f: e.f.a.function(body), depth: e.depth + 1}
	inner.visit = func(c ssa.CallInstruction, _ *state) bool {
		hit = hit || c == at
		return !hit
	}
	inner.fromEntry(entry)
	return hit || inner.capped
}

// recovers is where a function goes on after a panic that one of its deferred literals
// catches and makes nothing of; nil if there is none.
func (e *explorer) recovers(s *state) *ssa.BasicBlock {
	if e.f.f.Recover == nil {
		return nil
	}
	for _, b := range e.f.f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok && onlyRecovers(d) {
				return e.f.f.Recover
			}
		}
	}
	return nil
}

// onlyRecovers reports whether a deferred literal catches a panic, and keeps nothing of it.
func onlyRecovers(d *ssa.Defer) bool {
	lit := d.Call.StaticCallee()
	if lit == nil || lit.Parent() == nil {
		return false
	}
	recovers := false
	for _, b := range lit.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if _, ok := in.Addr.(*ssa.FreeVar); ok {
					return false
				}
			case *ssa.Panic, *ssa.Send:
				return false
			case ssa.CallInstruction:
				if b, ok := in.Common().Value.(*ssa.Builtin); ok && b.Name() == "recover" {
					recovers = true
				}
				if exits(callKey(in.Common())) {
					return false
				}
			}
		}
	}
	return recovers
}

func (f *fn) recovers() bool { return recovers(f.f) }

// recovers reports whether a deferred function may catch a panic: what the function returns
// then is what its results hold.
func recovers(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok && mayRecover(d) {
				return true
			}
		}
	}
	return false
}

func mayRecover(d *ssa.Defer) bool {
	callee := d.Call.StaticCallee()
	if callee == nil {
		return false // what is called by a value or an interface undoes something
	}
	for _, b := range callee.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
