package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// cqlQueued judges a statement in a batch of Cassandra. A batch with a condition is applied
// as a whole or not at all, so that one statement of it guards the others.
func (j *judge) cqlQueued(p *pair) decision {
	d := j.cqlAlone(p)
	if d.verdict != refuted && d.verdict != unproved || d.guard == "fence" {
		return d
	}
	sent := j.sender(p)
	for _, w := range j.queuedWith(p, sent) {
		g := j.cqlAlone(&pair{sum: p.sum, acq: p.acq, w: w})
		if !g.refuses() || !w.Precedes(sent) { // one that creates its own row guards no other
			continue
		}
		return decision{
			verdict: proved, guard: g.guard, guarded: true, receiver: d.receiver, resource: d.resource, shown: d.shown,
			reason: "the batch is applied as a whole, and another statement in it is refused to an obsolete owner",
		}
	}
	return d
}

// cqlAlone judges a statement of a batch by its own condition.
func (j *judge) cqlAlone(p *pair) decision {
	st := step{name: "Query", args: p.w.Args}
	if lastPart(p.w.Key) == "Bind" {
		st.args = []*term.Term{p.w.Args[0], term.NewUnknown("what a function supplies")}
	}
	return j.cqlForm(p, []step{st}, nil)
}

// queuedWith lists the other statements of the batch that an event sends.
func (j *judge) queuedWith(p *pair, sent *flow.Event) []*flow.Event {
	if sent == p.w {
		return nil
	}
	var out []*flow.Event
	for _, w := range j.queued(p, sent) {
		if w != p.w {
			out = append(out, w)
		}
	}
	return out
}
