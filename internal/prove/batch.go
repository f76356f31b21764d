package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// kindOf is what the models say that a write does, "" if they do not know it.
func (j *judge) kindOf(w *flow.Event) (string, *model.Sink) {
	c := j.models.FuncKey(w.Key)
	if w.Kind != flow.Write || c == nil || c.Sink == nil {
		return "", nil
	}
	return c.Sink.Kind, c.Sink
}

// itemsSeen reports whether the statements that a call sends as a batch are in
// sight: each of them is a boundary, and the call adds none.
func (j *judge) itemsSeen(p *pair, s *model.Sink) bool {
	batch := j.at(s.Input, p.w)
	if s.Kind != "batch_flush" {
		return false
	}
	if batch == nil && s.Condition == "receiver" && p.w.Recv != nil { // a pipeline sends what its own methods have queued
		return slices.ContainsFunc(p.sum.Events, func(w *flow.Event) bool {
			return w != p.w && w.Kind == flow.Write && w.Key != p.w.Key && w.Recv != nil && sameBatch(w.Recv, p.w.Recv)
		})
	}
	if batch == nil {
		return false
	}
	for _, w := range p.sum.Events {
		if kind, _ := j.kindOf(w); kind == "batch_queue" && sameBatch(w.Recv, batch) {
			return true
		}
	}
	return false
}

// sender is the call that hands a queued statement to the receiver: the statement
// belongs to its transaction. It is the write itself if nothing is queued.
func (j *judge) sender(p *pair) *flow.Event {
	if kind, _ := j.kindOf(p.w); kind != "batch_queue" {
		return p.w
	}
	found := p.w
	for _, w := range p.sum.Events {
		if kind, s := j.kindOf(w); kind == "batch_flush" && sameBatch(p.w.Recv, j.at(s.Input, w)) {
			if found != p.w {
				return p.w // sent twice: not one unit
			}
			found = w
		}
	}
	return found
}

func sameBatch(a, b *term.Term) bool { return a != nil && b != nil && flow.SameBatch(a, b) }
