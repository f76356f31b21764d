package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that works through a list hands each error to a function that it was given. Who
// gives that hears of a refusal, if the function does more than to print it.

// tellsHook notes a call of a parameter that is told of the refusal.
func (s *state) tellsHook(c *ssa.CallCommon) {
	if p, ok := c.Value.(*ssa.Parameter); ok && !c.IsInvoke() {
		s.toldTo = slices.Index(p.Parent().Params, p) + 1
	}
}

// hearsAsHook reports whether the function that a call is given as an argument hears of a
// refusal of which it is told. One that is not seen may.
func (f *fn) hearsAsHook(e *Event, param int) bool {
	c := e.site.call.Common()
	if c.StaticCallee() == nil || param >= len(c.Args) {
		return true
	}
	hook := functionOf(c.Args[param])
	if hook == nil || hook.Blocks == nil {
		return true
	}
	s := newState()
	s.flags |= branched
	for _, p := range hook.Params {
		if isError(p.Type()) {
			s.set(p, abs{k: nonNil, sig: true})
		}
	}
	heard := true
	x := &explorer{f: f.a.function(hook), depth: 1}
	x.ret = func(_ *ssa.Return, _ []abs, s *state) { heard = heard && s.flags&(observed|answered) != 0 }
	x.fromEntry(s)
	return heard || x.capped
}

// functionOf is the function that a value certainly is, nil if that is not seen.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := source(v).(type) {
	case *ssa.Function:
		return origin(v)
	case *ssa.MakeClosure:
		return origin(v.Fn.(*ssa.Function))
	}
	return nil
}
