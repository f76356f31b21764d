package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that does nothing but acquire holds the lock for the function that started it
// and waits for its end: there the hold goes on, and the answer is in a variable that the
// goroutine has set, or in the error of the group.

// behindWaits lists where the hold of a lock that a goroutine acquires goes on in this
// function: after it has waited for the goroutine. There are none if the goroutine works
// under the lock itself, or gives it back.
func (f *fn) behindWaits(a *Event) []ssa.Instruction {
	if !a.Async || a.Detached || a.later || a.site.call == nil || a.src == nil || a.src.Hold == nil || !a.src.Hold.Escapes || a.src.Hold.Works || a.src.site == nil || a.src.site.call == nil || inLoop(a.site.call.Block()) {
		return nil
	}
	if lit := a.src.site.call.Parent(); lit == nil || lit.Parent() != f.f {
		return nil
	}
	var waits []ssa.Instruction
	f.leads(a.site.call, func(ssa.Instruction) bool { return false }, func(in ssa.Instruction) bool {
		ends := f.joinOf(in, a.site.call) && endOnly(in) || f.closedIn(in, a.site.call) != nil
		if ends {
			waits = append(waits, in)
		}
		return ends
	})
	return waits
}

// endOnly reports whether an instruction waits for the end of what was started, and is not
// told what became of it: what a channel tells is a question.
func endOnly(in ssa.Instruction) bool {
	var told types.Type
	switch in := in.(type) {
	case *ssa.Call:
		return true
	case *ssa.UnOp:
		told = in.Type()
		if in.CommaOk {
			told = told.(*types.Tuple).At(0).Type()
		}
	case *ssa.Extract:
		told = in.Type()
	default:
		return false
	}
	st, ok := told.Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// closedIn is the choice of a select that waits for a channel which what was started at c
// closes, nil if there is none.
func (f *fn) closedIn(in ssa.Instruction, c ssa.CallInstruction) *question {
	sel, ok := in.(*ssa.Select)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(sel.States, func(st *ssa.SelectState) bool {
		return st.Dir == types.RecvOnly && f.closes(c, source(st.Chan))
	})
	if i < 0 {
		return nil
	}
	return (&Carrier{}).selected(sel, i)
}

// joinedState is what is known where the goroutine that acquires a lock has ended.
func (f *fn) joinedState(a *Event, wait ssa.Instruction) *state {
	s := newState()
	lit := a.src.site.call.Parent()
	if call, ok := wait.(*ssa.Call); ok && givesAnError(lit.Signature) && givesAnError(call.Call.Signature()) {
		s.result(call, parseTuple(a.src.Hold.Success))
	}
	if q := f.closedIn(wait, a.site.call); q != nil {
		q.set(s, q.yes)
	}
	inner := f.a.function(lit)
	entry := inner.granted(a.src)
	for _, v := range lit.FreeVars {
		entry.cells.put(v, abs{})
	}
	ends := 0
	x := &explorer{f: inner}
	x.ret = func(_ *ssa.Return, _ []abs, at *state) {
		for _, v := range lit.FreeVars {
			cell, ok := binding(v).(*ssa.Alloc)
			if !ok {
				continue
			}
			is, _ := at.cells.get(v)
			if before, met := s.cells.get(cell); ends > 0 && met && before != is {
				is = abs{}
			}
			s.cells.put(cell, is)
		}
		ends++
	}
	x.after(a.src.site.call, entry)
	s.cells.keep(func(v ssa.Value) bool { is, _ := s.cells.get(v); return is != abs{} && !x.capped })
	return s
}
