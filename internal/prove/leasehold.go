package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

func init() { leaseChecks = append(leaseChecks, outlivesHold, writeAfterRelease) }

// outlivesHold reports what is started under a lock and may still write when the
// lock was given back.
func outlivesHold(j *judge, sum *flow.Summary) {
	for _, w := range sum.Events {
		if w.Kind != flow.Write || !w.Async || w.Detached || !j.isEffect(w) {
			continue
		}
		for _, a := range w.Holds {
			if !correct(a) || a.Belief != nil || j.below(w, a) {
				continue
			}
			pos, out := j.a.Outlives(sum.ID, w, a)
			if !out || j.decide(&pair{sum: sum, acq: a, w: w}).verdict == silent {
				continue
			}
			at := w.Chain[0]
			if pos.IsValid() {
				at.Pos, at.Place = pos, flow.Place{}
			}
			j.sayOf(w, "outliveshold", sum, at, a,
				"what is started here can still be at work when {func} gives {lock} back: nothing waits for it. "+
					"Then another process holds the lock, and {write} comes in between, on an ordinary day and without any pause. "+
					"Wait for it before the release (WaitGroup.Wait, errgroup.Wait, one receive for each goroutine), or let it take a lock of its own.",
				"{write}", j.callName(w))
			break
		}
	}
}

// below reports whether acquisition and event came up together from a function
// that was looked at already, and that has the lock to itself.
func (j *judge) below(w, a *flow.Event) bool {
	return w.Source() != nil && a.Source() != nil && w.SameCall(a) && slices.Contains(w.Source().Holds, a.Source()) && correct(a.Source())
}

// writeAfterRelease reports a write or commit that comes after the release of the
// lock that is to protect it.
func writeAfterRelease(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if a.Async {
			continue // released by another goroutine, in no order with this one
		}
		if a.Source() != nil && !a.Hold.Library && !a.Source().Hold.Passes() {
			continue
		}
		for _, w := range j.a.AfterRelease(sum.ID, a) {
			if !j.belongs(sum, a, w) || j.givenBackWith(sum, a, w) {
				continue
			}
			what := "{write} comes after the release"
			if w.Kind == flow.Commit {
				what = "the transaction is committed after the release"
			}
			j.say("writeafterrelease", sum, w.Chain[0], a,
				"{lock} does not protect this: "+what+" (deferred calls run last in, first out). "+
					"Another process acquires the lock in between, reads what was there before, and {func} or it overwrites what the other has done. "+
					"Write and commit first, then release.",
				"{write}", j.callName(w))
		}
	}
}

// givenBackWith reports whether the statement that gives a lock back is of the transaction of a
// write or commit: the row tells of both at once.
func (j *judge) givenBackWith(sum *flow.Summary, a, w *flow.Event) bool {
	return slices.ContainsFunc(sum.Events, func(r *flow.Event) bool {
		return r.Entry == flow.ByHand && flow.Releases(r, a) && slices.ContainsFunc(sum.Events, func(x *flow.Event) bool {
			return x.Kind == flow.Write && x.Site == r.Site && j.isTx(x) && sameUnit(x, w) == yes
		})
	})
}

// belongs reports whether a write that follows the release belongs under the lock: a
// commit of what was written in the hold, or a write like one of the hold, or the
// only kind of write there is.
func (j *judge) belongs(sum *flow.Summary, a, w *flow.Event) bool {
	if slices.ContainsFunc(w.Holds, correct) && !holds(w, a) {
		return false
	}
	if w.Kind == flow.Write && !j.isEffect(w) {
		return false
	}
	any := false
	for _, h := range sum.Events {
		if h.Kind != flow.Write || h == w || !holds(h, a) || !j.isEffect(h) {
			continue
		}
		any = true
		if w.Kind == flow.Commit && through(h, w) {
			return true
		}
		if w.Kind == flow.Write && !inside(h, a) && j.sameTarget(h, w) {
			return true
		}
	}
	if w.Kind == flow.Write && !any {
		return !holds(w, a) && j.decide(&pair{sum: sum, acq: a, w: w}).verdict != silent
	}
	return false
}

// inside reports whether a write of the hold is that of the function that takes and
// releases the lock, not of what its caller lets it run: the caller owes it nothing.
func inside(h, a *flow.Event) bool {
	return h.Source() != nil && a.Source() != nil && h.SameCall(a) && slices.Contains(h.Source().Holds, a.Source())
}

// through reports whether a write goes through the transaction that is committed.
func through(h, commit *flow.Event) bool {
	if h.Recv == nil || commit.Recv == nil {
		return false
	}
	tx := unboxed(commit.Recv)
	return tx.Kind != term.Unknown && unboxed(h.Recv).Any(func(u *term.Term) bool { return u.Equal(tx) })
}

// sameTarget reports whether two calls write the same tables or keys.
func (j *judge) sameTarget(h, w *flow.Event) bool {
	x, y := j.tables(h), j.tables(w)
	for _, t := range x {
		if slices.Contains(y, t) {
			return true
		}
	}
	return false
}
