package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// groupWaits lists the calls of Wait on the group that call hands a function to; ok says that
// call does so: the error of the function is given back by Wait.
func (f *fn) groupWaits(call *ssa.Call) (waits []*ssa.Call, ok bool) {
	if !handsToGroup(call.Common()) || f.staticSummary(call.Common()) != nil {
		return nil, false
	}
	group := f.value(call.Call.Args[0])
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			w, isCall := in.(*ssa.Call)
			if isCall && waitsForGroup(w.Common()) && f.value(w.Call.Args[0]).Equal(group) {
				waits = append(waits, w)
			}
		}
	}
	return waits, true
}

// handsToGroup reports whether a call of code that is not seen gives a function which may fail
// to an object that one waits for, and that tells of the error then, as errgroup does.
func handsToGroup(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 || callee.Signature.Recv() == nil || givesAnError(callee.Signature) || len(c.Args) < 2 {
		return false
	}
	given := slices.ContainsFunc(c.Args[1:], func(a ssa.Value) bool {
		sig, ok := a.Type().Underlying().(*types.Signature)
		return ok && givesAnError(sig)
	})
	if !given {
		return false
	}
	wait, _, _ := types.LookupFieldOrMethod(c.Args[0].Type(), true, nil, "Wait")
	m, ok := wait.(*types.Func)
	return ok && givesAnError(m.Signature())
}

func waitsForGroup(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	return callee != nil && callee.Name() == "Wait" && len(callee.Blocks) == 0 && callee.Signature.Recv() != nil && len(c.Args) > 0 && givesAnError(callee.Signature)
}

func givesAnError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && isError(sig.Results().At(n-1).Type())
}

// followWaits walks on from where a group gives back the error of its functions.
// A group that is waited for elsewhere is given it, and that is all that is seen.
func (f *fn) followWaits(st start, waits []*ssa.Call) []Outcome {
	if len(waits) == 0 {
		heard := st.flags&observed != 0 || SaysNo(tupleCode(st.tuple))
		return []Outcome{{Scenario: st.scenario, Answered: st.flags&answered != 0, Observed: heard}}
	}
	var out []Outcome
	for _, w := range waits {
		var reaches, calls []*Event
		x := &explorer{f: f}
		x.visit = func(c ssa.CallInstruction, _ *state) bool {
			if site := f.bySite[c]; site != nil {
				reaches, calls = reached(Write, reaches, site), reached(Dyn, calls, site)
			}
			return true
		}
		add := func(tuple []abs, s *state, ends bool) {
			out = addOutcomes(out, []Outcome{{
				Scenario: st.scenario, Returns: tupleCode(told(tuple, s)), Unsure: s.flags&unsure != 0,
				Answered: s.flags&answered != 0, Observed: ends || s.flags&observed != 0,
			}})
		}
		x.ret = func(_ *ssa.Return, tuple []abs, s *state) { add(tuple, s, false) }
		x.stop = func(s *state) { add(nil, s, true) }
		s := newState()
		s.flags = st.flags
		if len(st.tuple) == 1 {
			s.result(w, st.tuple)
		}
		x.after(w, s)
		for i := range out {
			out[i].Reaches, out[i].calls = reaches, calls
			out[i].Unsure = out[i].Unsure || x.capped
		}
	}
	return out
}
