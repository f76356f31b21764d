package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A scheduler that is given a locker of the package's own takes the lock by calling it.
// That is one lock, which has one class, wherever it stands.

// takenBy lists the acquisitions by which a region takes its lock: those of the locker
// that it is given, if that is a type of this package.
func (j *judge) takenBy(e *flow.Event) []*flow.Event {
	if !e.Hold.Region || e.Belief != nil || len(e.Args) == 0 || e.Args[0].Kind != term.Iface {
		return nil
	}
	var out []*flow.Event
	methods := "(" + e.Args[0].Str + ")."
	for _, sum := range j.a.Functions() {
		if !strings.HasPrefix(sum.ID, methods) {
			continue
		}
		for _, acq := range sum.Events {
			if acq.Kind == flow.Acquire && acq.Hold.Passes() {
				out = append(out, acq)
			}
		}
	}
	return out
}

// classOfGiven is the class that the locker which a region is given has in its own text.
func (j *judge) classOfGiven(e *flow.Event) *flow.LockClass {
	for _, acq := range j.takenBy(e) {
		if c := lockClass(j.set.Stmt(acq.Chain[0].Pos)); c != nil {
			return c
		}
	}
	return nil
}

// passed asks for the class of each wrapper that no region with a class is given.
func (j *judge) passed() {
	classed := make(map[*flow.Event]bool)
	for _, e := range j.order {
		if e.Hold.Lock == nil {
			continue
		}
		for _, acq := range j.takenBy(e) {
			classed[acq] = true
		}
	}
	for _, w := range j.passing {
		if !classed[w.e] {
			j.askClass(w.sum, w.e, w.e.Chain[0].Pos)
		}
	}
}
