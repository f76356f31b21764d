package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Who hears of a renewal that failed.

// refusedRenewal follows the failure of a renewal.
func (f *fn) refusedRenewal(e *Event) {
	for _, st := range f.renewalFailures(e) {
		e.Outcomes = addOutcomes(e.Outcomes, f.followRenewal(e, st))
	}
}

func (f *fn) renewalFailures(e *Event) []start {
	if e.src != nil {
		return f.copiedStarts(e)
	}
	if e.Entry == ByHand {
		return f.rowRenewalFailures(e)
	}
	l := f.lockEntry(e)
	if l == nil || l.Lost.Kind == "chan_close" {
		return nil
	}
	sig := e.site.call.Common().Signature()
	ans := answerOf(l, sig)
	if ans == nil || len(ans.refused) == 0 {
		t := make([]abs, sig.Results().Len())
		if n := len(t); n > 0 && isError(sig.Results().At(n-1).Type()) {
			t[n-1] = abs{k: nonNil, sig: true}
			return []start{{scenario: "error", tuple: t}}
		}
		return nil
	}
	return ans.refused
}

// RowGone is the scenario in which a renewal finds that the lock is another's.
const RowGone = "row gone"

// rowRenewalFailures lists the ways in which a write that renews a lock kept by hand can fail:
// by an error, and by what its receiver says where the lock is another's.
func (f *fn) rowRenewalFailures(e *Event) []start {
	c := f.a.known.byKey(e.Key)
	sig := e.site.call.Common().Signature()
	n := sig.Results().Len()
	if c == nil || c.Sink == nil {
		return nil
	}
	if c.Sink.Kind == "script" {
		return scriptStarts(sig)
	}
	if n == 0 || !isError(sig.Results().At(n-1).Type()) {
		return nil
	}
	fails := make([]abs, n)
	fails[n-1] = abs{k: nonNil, sig: true}
	out := []start{{scenario: "error", tuple: fails}}
	if c.Sink.Profile != nil {
		if t := refusalTuple(c.Sink, sig); t != nil {
			out = append(out, start{scenario: RowGone, tuple: t})
		}
	}
	return out
}

// followRenewal walks on from a failed renewal, and compares with what is met
// after one that did not fail: only what the failure alone leads to tells of it.
func (f *fn) followRenewal(e *Event, st start) []Outcome {
	o := Outcome{Scenario: st.scenario, Observed: st.flags&observed != 0, Answered: st.flags&answered != 0}
	call, ok := e.site.call.(*ssa.Call)
	if !ok {
		return []Outcome{o}
	}
	if handsOver(call, e) && SaysNo(tupleCode(st.tuple)) {
		o.Observed = true // an errgroup, or code out of sight, is given the error
		return []Outcome{o}
	}
	good := saidYes(call.Common().Signature().Results(), abs{})
	if e.Entry == ByHand {
		good = instead(st.tuple, call.Common().Signature())
	}
	fine := f.walkRenewal(e, call, good)
	failed := f.walkRenewal(e, call, st.tuple)
	out := []Outcome{o}
	for in := range failed.told {
		if !fine.met[in] || overdue(in, call) {
			out[0].Observed = true
		}
	}
	if !e.Async && fine.work && !failed.work && !failed.again {
		out[0].Observed = true // the work ends
	}
	for _, r := range failed.returns {
		if r.direct || !fine.met[r.at] {
			out = addOutcomes(out, []Outcome{{Scenario: st.scenario, Returns: r.code, Observed: out[0].Observed}})
		}
	}
	return out
}

// handsOver reports whether the call gives a function that renews to code which
// is not seen: the error that it returns goes there.
func handsOver(call *ssa.Call, e *Event) bool {
	key := callKey(call.Common())
	return e.src != nil && startsGoroutine[key] && strings.Contains(key, "errgroup")
}

// renewalWalk is what a walk from a renewal met.
type renewalWalk struct {
	met     map[ssa.Instruction]bool // instructions that may tell, and returns
	told    map[ssa.Instruction]bool
	returns []renewalReturn
	work    bool // work of a hold in which the renewal stands
	again   bool // the renewal itself
}

type renewalReturn struct {
	at     ssa.Instruction
	code   string
	direct bool // the failure itself is returned
}

func (f *fn) walkRenewal(e *Event, call *ssa.Call, tuple []abs) *renewalWalk {
	w := &renewalWalk{met: make(map[ssa.Instruction]bool), told: make(map[ssa.Instruction]bool)}
	tells := func(in ssa.Instruction) {
		if f.tells(in, 0) {
			w.met[in], w.told[in] = true, true
		}
	}
	x := &explorer{f: f}
	x.instr = func(in ssa.Instruction, _ *state) { tells(in) }
	x.visit = func(c ssa.CallInstruction, s *state) bool {
		if c == call {
			w.again = true
			return false
		}
		if _, ok := c.(*ssa.Defer); !ok {
			tells(c)
		}
		if st := f.bySite[c]; st != nil {
			for _, a := range e.Holds {
				w.work = w.work || st.workOf(a)
			}
		}
		if k, ok := c.(*ssa.Call); ok && exits(f.a.known.called(k.Common()).key) {
			w.met[c], w.told[c] = true, true
		}
		return true
	}
	x.ret = func(r *ssa.Return, tuple []abs, s *state) {
		w.met[r] = true
		direct := false
		for _, a := range tuple {
			direct = direct || a.sig && a.k != isNil
		}
		w.returns = append(w.returns, renewalReturn{r, tupleCode(told(tuple, s)), direct})
		for _, d := range f.deferredBefore(r) {
			if f.tells(d, 0) && !w.met[d] {
				w.told[r] = true
			}
		}
	}
	s := newState()
	if len(tuple) == call.Common().Signature().Results().Len() {
		s.result(call, tuple)
	}
	x.after(call, s)
	return w
}

// deferredBefore lists the calls that run when the function returns at r.
func (f *fn) deferredBefore(r *ssa.Return) []ssa.Instruction {
	var out []ssa.Instruction
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.Defer); ok && f.before(d, r) {
				out = append(out, d)
			}
		}
	}
	return out
}

// overdue reports whether an instruction is reached only by a comparison of times
// or counts: the failures add up there, though each goes by the same way as a success. One
// that the renewal itself is reached by, such as that of its loop, counts nothing.
func overdue(in ssa.Instruction, renewal *ssa.Call) bool {
	for b := in.Block(); b != nil; b = b.Idom() {
		p := b.Idom()
		if p == nil {
			return false
		}
		cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || b.Parent() == renewal.Parent() && b.Dominates(renewal.Block()) {
			continue
		}
		switch c := cond.Cond.(type) {
		case *ssa.BinOp:
			if mirrored[c.Op] != 0 && mirrored[c.Op] != c.Op && len(b.Preds) == 1 && !inSelect(c) {
				return true
			}
		case *ssa.Call:
			key := callKey(c.Common())
			if key == "time.Time.After" || key == "time.Time.Before" {
				return true
			}
		}
	}
	return false
}

func inSelect(c *ssa.BinOp) bool {
	ex, ok := c.X.(*ssa.Extract)
	if !ok {
		return false
	}
	_, ok = ex.Tuple.(*ssa.Select)
	return ok
}
