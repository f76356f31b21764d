package flow

import "golang.org/x/tools/go/ssa"

// Repeats reports whether a write that was accepted is made again in the same hold: its
// loop leads back to it without another acquisition.
func (a *Analysis) Repeats(w, acq *Event) bool {
	if w.Async || w.site == nil || acq.site == nil || acq.site.call == nil {
		return false
	}
	call, ok := w.site.call.(*ssa.Call)
	if !ok || !inLoop(call.Block()) || acq.site.call.Parent() != call.Parent() {
		return false
	}
	again := false
	f := a.function(call.Parent())
	x := &explorer{f: f, fine: true}
	x.visit = func(c ssa.CallInstruction, _ *state) bool {
		again = again || c == call
		x.done = again
		return !again && c != acq.site.call
	}
	s := newState()
	s.result(call, f.accepted(w, call))
	x.after(call, s)
	return again && !x.capped
}

// accepted is what a call returns when the receiver takes the write.
func (f *fn) accepted(w *Event, call *ssa.Call) []abs {
	sig := call.Common().Signature()
	if c := f.a.Models.FuncKey(callKey(call.Common())); c != nil && c.Sink != nil && c.Sink.Profile != nil && w.src == nil {
		if t := refusalTuple(c.Sink, sig); t != nil {
			for i := range t {
				t[i] = grantedValue(t[i])
			}
			return t
		}
	}
	out := saidYes(sig.Results(), abs{})
	for i := range out {
		if isInteger(sig.Results().At(i).Type()) {
			out[i] = abs{k: positive}
		}
	}
	return out
}
