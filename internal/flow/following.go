package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// following is the walk from one refusal of a call to the ends of its function.
type following struct {
	*fn
	e      *Event
	st     start
	call   *ssa.Call
	effect bool // what may have happened at another system is followed, no refusal
	x      *explorer
	again  *attempts
	asked  bool // where a literal has told, before the next write

	met            map[*site]bool
	reaches, calls []*Event
	out            []Outcome
}

// outcomes walks all ways, and gives what the function returns on each.
func (w *following) outcomes() []Outcome {
	t := w.teller(w.call, w.st)
	w.again = &attempts{f: w.fn, call: w.call, grant: t.walk}
	w.x = &explorer{f: w.fn, instr: t.note, visit: w.visit, stop: w.ends}
	w.x.ret = func(r *ssa.Return, tuple []abs, s *state) {
		w.add(tupleCode(t.told(r, tuple, s)), s.flags&observed != 0, s)
	}
	s := newState()
	s.flags = w.st.flags
	if w.effect || w.givesText() {
		s.flags |= texts
	}
	s.decided(w.call)
	s.answered(w.call, w.st.tuple)
	told := w.st.flags&observed != 0 && w.toldBy(w.call, s)
	w.x.after(w.call, s)
	for i := range w.out {
		w.out[i].Reaches, w.out[i].calls = w.reaches, w.calls
		w.out[i].Unsure = (w.out[i].Unsure && (w.asked || !told)) || w.x.capped
	}
	return w.out
}

func (w *following) add(returns string, heard bool, s *state) {
	w.out = addOutcomes(w.out, []Outcome{{
		Scenario: w.st.scenario, Returns: returns, Observed: heard, Unsure: s.flags&unsure != 0, Answered: s.flags&answered != 0, toldTo: s.toldTo,
	}})
}

// ends notes a way that does not come back to the caller.
func (w *following) ends(s *state) { w.add(ended, true, s) }

// reach notes what a site does that comes after the refusal.
func (w *following) reach(s *site) {
	if !w.met[s] {
		w.met[s] = true
		w.reaches, w.calls = reached(Write, w.reaches, s), reached(Dyn, w.calls, s)
	}
}

// visit looks at a call on the way; false ends the way there.
func (w *following) visit(c ssa.CallInstruction, s *state) bool {
	if !w.e.effect() && w.again.begins(c) {
		w.ends(s)
		return false
	}
	if c == w.e.site.call {
		w.comesAgain(s)
		return false
	}
	site := w.bySite[c]
	if site == nil {
		return true
	}
	w.asked = w.asked && (s.flags&unsure != 0 || !slices.ContainsFunc(site.events, func(v *Event) bool { return v.Kind == Write }))
	if !w.effect {
		w.reach(site)
	} else if s.flags&unsure == 0 {
		w.reach(site)
		w.e.hear(site, wordings(c, s))
	}
	return true
}

// comesAgain is a way from the refusal to the call itself: a new attempt, or the next item,
// whose answer takes the place of a refusal that nothing has looked at.
func (w *following) comesAgain(s *state) {
	if !w.e.effect() && w.again.again() {
		w.ends(s)
		return
	}
	if !takesLock(w.e.site) { // under a new hold it is another write
		w.reach(w.e.site)
	}
	if !w.effect && s.flags&(decidedHere|unsure|observed|answered) == 0 {
		s.answered(w.call, instead(w.st.tuple, w.call.Common().Signature()))
		w.x.after(w.call, s)
	}
}
