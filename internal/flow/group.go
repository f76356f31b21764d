package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// groupWaits lists the calls of Wait on the errgroup that call hands a function
// to; ok says that call does so.
func (f *fn) groupWaits(call *ssa.Call) (waits []*ssa.Call, ok bool) {
	key := f.a.known.called(call.Common()).key
	if !startsGoroutine[key] || !strings.Contains(key, "errgroup") {
		return nil, false
	}
	group := f.value(call.Call.Args[0])
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			w, isCall := in.(*ssa.Call)
			if isCall && strings.HasSuffix(callKey(w.Common()), "errgroup.Group.Wait") && f.value(w.Call.Args[0]).Equal(group) {
				waits = append(waits, w)
			}
		}
	}
	return waits, true
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
		var reaches []*Event
		x := &explorer{f: f}
		x.visit = func(c ssa.CallInstruction, _ *state) bool {
			if site := f.bySite[c]; site != nil {
				reaches = f.reached(reaches, site)
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
			out[i].Reaches = reaches
			out[i].Unsure = out[i].Unsure || x.capped
		}
	}
	return out
}
