package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
)

// A lock that is kept by hand is renewed and given back by writes to its own row. Those
// that name the claim are no effects of the work; the register lists them beside it, since
// they show whether the owner's value is compared at all.

// ownWrites records the renewals and releases of a lock that compare whose it is.
func (j *judge) ownWrites(sums []*flow.Summary) {
	for _, sum := range sums {
		if sum.Test || inLiteral(sum.ID) {
			continue
		}
		for _, r := range sum.Events {
			if (r.Kind == flow.Release || r.Kind == flow.Extend) && r.Entry == flow.ByHand {
				j.ownWrite(sum, r)
			}
		}
	}
}

// verbs of a lock's own writes.
var ownVerbs = map[flow.EventKind]string{flow.Release: "gives the lock back: ", flow.Extend: "renews the lock: "}

func (j *judge) ownWrite(sum *flow.Summary, r *flow.Event) {
	i := slices.IndexFunc(sum.Events, func(w *flow.Event) bool {
		return w.Kind == flow.Write && w.Site == r.Site && w.Key == r.Key && w.SameCall(r)
	})
	if i < 0 {
		return
	}
	for _, a := range sum.Events {
		if a.Kind != flow.Acquire || a.Belief != nil || a.Entry != flow.ByHand || !flow.Releases(r, a) || j.rowOfAny(a) == nil {
			continue
		}
		p := &pair{sum: sum, acq: a, w: sum.Events[i]}
		if d := j.decide(p); d.guard == "owner" || d.guard == "fence" {
			d.reason = ownVerbs[r.Kind] + d.reason
			j.record(p, d)
		}
	}
}

// rowOfAny is the row of an acquisition, or of the one below that it is a copy of.
func (j *judge) rowOfAny(a *flow.Event) *Row {
	for e := a; e != nil; e = e.Source() {
		if r := j.rows[e]; r != nil {
			return r
		}
	}
	return nil
}
