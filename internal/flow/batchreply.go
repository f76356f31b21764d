package flow

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A queued statement is answered later: by a call on what the sender of its batch
// returned. The answers come in the order of the statements.

// batchOutcomes follows the refusal of a queued statement from the call that reads
// its answer, where the function has one for each statement of the batch.
func (f *fn) batchOutcomes(e *Event) []Outcome {
	queue := f.batchCalls("batch_queue")
	common := e.site.call.Common()
	if !slices.Contains(queue, e.site.call) || common.IsInvoke() || len(common.Args) == 0 {
		return nil // queued by a function that is called here, or into an interface
	}
	batch := source(common.Args[0])
	of := func(c ssa.CallInstruction) bool {
		return slices.ContainsFunc(c.Common().Args, func(a ssa.Value) bool { return source(a) == batch })
	}
	sent := f.batchCalls("batch_flush")
	sent = slices.DeleteFunc(sent, func(c ssa.CallInstruction) bool { return !of(c) })
	if len(sent) != 1 || sent[0].Value() == nil {
		return nil
	}
	queue = slices.DeleteFunc(queue, func(c ssa.CallInstruction) bool { return !of(c) })
	answers := f.batchCalls("batch_result")
	answers = slices.DeleteFunc(answers, func(c ssa.CallInstruction) bool { return source(c.Common().Value) != sent[0].Value() })
	i := slices.Index(queue, e.site.call)
	if len(queue) != len(answers) || !answeredAlike(queue[i], answers[i]) || answers[0].Block() != sent[0].Block() && !repeats(answers[0]) {
		return nil
	}
	answer := f.targets(answers[i])[0].call.Sink
	t := refusalTuple(answer, answers[i].Common().Signature())
	if t == nil {
		return nil
	}
	reader := *e
	reader.site = &site{call: answers[i]}
	return f.follow(&reader, start{tuple: t})
}

// answeredAlike reports whether a statement that is queued in a loop has its answer
// read in one.
func answeredAlike(queued, answer ssa.CallInstruction) bool {
	return !repeats(queued) || repeats(answer)
}

// repeats reports whether a call can run again in one run of its function.
func repeats(c ssa.CallInstruction) bool { return comesAfter(c, c) }

// batchCalls lists the calls of one kind in the order of the text.
func (f *fn) batchCalls(kind string) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if t := f.targets(c); len(t) == 1 && t[0].call != nil && t[0].call.Sink != nil && t[0].call.Sink.Kind == kind {
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b ssa.CallInstruction) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return out
}
