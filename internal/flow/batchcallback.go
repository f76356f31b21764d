package flow

import (
	"golang.org/x/tools/go/ssa"
)

// The answer of a queued statement may be handed to a function that the program gives for it.
// What that function returns ends the batch, and closing the batch tells of it.

// toldByCallback follows the refusal of a queued statement into the function that is given its
// answer, and from there to the call that closes the batch; false if no function is given it.
func (f *fn) toldByCallback(e *Event) (out []Outcome, given bool) {
	queued, ok := e.site.call.(*ssa.Call)
	if !ok {
		return nil, false
	}
	body := f.answeredBy(queued)
	if body == nil || len(body.Params) == 0 {
		return nil, false
	}
	lost := []Outcome{{}}
	if !f.refuses(body) {
		return lost, true
	}
	sent := f.flushOf(queued)
	if sent == nil {
		return []Outcome{{Unsure: true}}, true
	}
	for _, r := range *sent.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || !c.Call.IsInvoke() || c.Call.Value != sent || c.Call.Method.Name() != "Close" {
			continue
		}
		reader := *e
		reader.site = &site{call: c}
		out = append(out, f.follow(&reader, start{tuple: []abs{{k: nonNil, sig: true}}})...)
	}
	if len(out) == 0 {
		out = lost
	}
	return out, true
}

// answeredBy is the function that is given the answer of a queued statement, nil if there is
// none, or not one that is seen.
func (f *fn) answeredBy(queued *ssa.Call) *ssa.Function {
	for _, r := range *queued.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || len(c.Call.Args) != 2 || c.Call.Args[0] != queued {
			continue
		}
		if call := f.a.known.called(c.Common()).call; call == nil || call.Sink == nil || call.Sink.Kind != "batch_result" {
			continue
		}
		switch v := c.Call.Args[1].(type) {
		case *ssa.Function:
			return v
		case *ssa.MakeClosure:
			return v.Fn.(*ssa.Function)
		}
	}
	return nil
}

// refuses reports whether a function that is given the answer of a refused statement gives
// back an error, whatever it does.
func (f *fn) refuses(body *ssa.Function) bool {
	inner := f.a.function(body)
	x := &explorer{f: inner, depth: 1}
	ends, lost := 0, false
	x.ret = func(_ *ssa.Return, tuple []abs, _ *state) {
		ends++
		lost = lost || len(tuple) == 0 || tuple[len(tuple)-1].k != nonNil
	}
	s := newState()
	s.set(body.Params[0], abs{k: refused, sig: true})
	x.fromEntry(s)
	return ends > 0 && !lost && !x.capped
}

// flushOf is what the one call gives back that sends the batch of a queued statement, nil if
// there is not one in this function.
func (f *fn) flushOf(queued *ssa.Call) ssa.Value {
	if queued.Call.IsInvoke() || len(queued.Call.Args) == 0 {
		return nil
	}
	batch := source(queued.Call.Args[0])
	var sent ssa.Value
	for _, c := range f.batchCalls("batch_flush") {
		for _, a := range c.Common().Args {
			if source(a) != batch {
				continue
			}
			if sent != nil {
				return nil
			}
			sent = c.Value()
		}
	}
	return sent
}
