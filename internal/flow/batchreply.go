package flow

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A queued statement is answered later: by a call on what the sender of its batch
// returned. The answers come in the order of the statements.

// SameBatch reports whether two values are one batch, whatever steps were made on it.
func SameBatch(a, b *term.Term) bool { return batchOf(a).Equal(batchOf(b)) }

// batchOf is the batch that a chain of steps was begun with.
func batchOf(t *term.Term) *term.Term {
	for t = unbox(t); t.Kind == term.Call && len(t.Args) > 0 && strings.Contains(t.Str, ".Batch."); {
		t = unbox(t.Args[0])
	}
	return t
}

// sentAsOne gives queued statements the outcomes of the call that sends their batch and
// has one answer for all of them.
func (f *fn) sentAsOne(sum *Summary) {
	for _, e := range sum.Events {
		if len(e.Outcomes) > 0 || e.Recv == nil || !f.queued(e) {
			continue
		}
		var flush *Event
		for _, w := range sum.Events {
			if b := f.sentBatch(w); b != nil && SameBatch(b, e.Recv) {
				if flush != nil {
					flush = nil
					break
				}
				flush = w
			}
		}
		if flush != nil {
			e.Outcomes = flush.Outcomes
		}
	}
}

func (f *fn) sinkKind(e *Event) string {
	if c := f.a.Models.FuncKey(e.Key); c != nil && c.Sink != nil && e.Kind == Write {
		return c.Sink.Kind
	}
	return ""
}

// sentBatch is the batch that an event sends, nil if it sends none.
func (f *fn) sentBatch(e *Event) *term.Term {
	if f.sinkKind(e) != "batch_flush" {
		return nil
	}
	s := f.a.Models.FuncKey(e.Key).Sink
	switch in := s.Input; {
	case in.Root == "recv", in.IsZero() && s.Condition == "receiver":
		return e.Recv
	case in.Root == "arg" && in.Index < len(e.Args):
		return e.Args[in.Index]
	}
	return nil
}

// batchOutcomes follows the refusal of a queued statement from the call that reads
// its answer, where the function has one for each statement of the batch.
func (f *fn) batchOutcomes(e *Event) []Outcome {
	if out, given := f.toldByCallback(e); given {
		return out
	}
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
