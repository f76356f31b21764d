package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A lock that is kept by hand is renewed and given back by writes to its own row. Those
// that name the claim are no effects of the work; the register lists them beside it, since
// they show whether the owner's value is compared at all.

// A release that names no claim may free the lock of the next owner, and one that stores
// results beside is a write like any other.

// ownWrites records the renewals and releases of a lock that compare whose it is, and
// reports the releases that do not, or that store what the work has made.
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
	w := writeOf(sum, r)
	if w == nil {
		return
	}
	for _, a := range sum.Events {
		if a.Kind != flow.Acquire || a.Belief != nil || a.Entry != flow.ByHand && a.Entry != flow.Claim || !flow.Releases(r, a) || j.rowOfAny(a) == nil {
			continue
		}
		p := &pair{sum: sum, acq: a, w: w}
		d := j.decide(p)
		compares := d.guard == "owner" || d.guard == "fence"
		stores := r.Kind == flow.Release && j.storesResults(p)
		if compares || stores {
			said := d
			said.reason = ownVerbs[r.Kind] + d.reason
			j.record(p, said)
		}
		switch {
		case !correct(a) || releasedBelow(r, a):
		case a.Entry == flow.Claim:
			j.ownOfClaim(p, d, stores)
		case r.Kind == flow.Release:
			j.ownRelease(p, d, stores)
		}
	}
}

// ownOfClaim reports what is wrong with a renewal or release of a row that a directive says
// to be claimed: one that names no claim is a write like any other. Who hears of its refusal
// counts for those that store results alone.
func (j *judge) ownOfClaim(p *pair, d decision, stores bool) {
	if d.rule != "" && d.verdict != waiting && (stores || d.rule != "rejectionignored") {
		j.given(p.w)
		j.report(p, d)
	}
}

// ownRelease reports what is wrong with a release: whom it frees, or what it stores.
func (j *judge) ownRelease(p *pair, d decision, stores bool) {
	switch {
	case stores && d.rule != "" && d.verdict != waiting:
		j.given(p.w)
		if d.rule == "unfencedwrite" {
			d.words = "release"
		}
		j.report(p, d)
	case d.rule == "unfencedwrite" && d.verdict == refuted && endsByTime(p.acq):
		j.given(p.w)
		j.freesAny(p)
	}
}

// given notes that what is wrong with a release is said.
func (j *judge) given(w *flow.Event) {
	if j.supply == nil {
		j.supply = make(map[*flow.Event]bool)
	}
	j.supply[rootEvent(w)] = true
}

// storesResults reports whether a release stores, beside the columns of the lock, values
// that the program hands over: what the work has made.
func (j *judge) storesResults(p *pair) bool {
	s := j.models.FuncKey(p.w.Key)
	c := j.claimOf(p.acq)
	if s == nil || s.Sink == nil || c == nil {
		return false
	}
	for _, l := range j.loweredForms(p.w, s.Sink) {
		for _, set := range l.mutation.Set {
			in, ok := set.Value.(fence.Input)
			if ok && !c.has(set.Column) && !saysWhen(set.Column) && !isOwnerOrTime(set.Column) && !j.isClock(l.value(in.Arg)) {
				return true
			}
		}
	}
	return false
}

// takesLock reports whether a write is the claim of another lock. What only looks like one
// is in the register no longer.
func (j *judge) takesLock(p *pair) bool {
	if !j.claims(p.sum, p.w) {
		return false
	}
	if j.isWork(p) {
		j.noLock(p.sum, p.w)
		return false
	}
	return true
}

// isWork reports whether a write that has the looks of a lock is work under another one: it
// brings that one's number, or stores results in the row that the other one has claimed.
func (j *judge) isWork(p *pair) bool {
	if p.class().Class != "correctness" {
		return false
	}
	if c := j.claimOf(p.acq); c != nil {
		return j.writesTable(p.w, c.table) && j.storesResults(p)
	}
	s := j.models.FuncKey(p.w.Key)
	if s == nil || s.Sink == nil {
		return false
	}
	for _, l := range j.loweredForms(p.w, s.Sink) {
		if slices.ContainsFunc(j.boundTo(l), func(b bound) bool { return b.worth() == epoch || ordersIdentity(l.mutation.Guard, &b) }) {
			return true
		}
	}
	return false
}

// ordersIdentity reports whether a condition asks whether a stored value is smaller or greater
// than an identity: a lease asks that of times alone.
func ordersIdentity(c fence.Cond, b *bound) bool {
	if w := b.worth(); w != opaque && w != volatile && w != unbound {
		return false
	}
	found := false
	fence.WalkConds(c, func(x fence.Cond) {
		if cmp, ok := x.(fence.Cmp); ok && cmp.Op.Ordered() {
			_, arg, ok := columnAndArg(cmp)
			found = found || ok && arg == b.arg
		}
	})
	return found
}

// noLock takes from the register what was taken for the claim of a lock, and is work.
func (j *judge) noLock(sum *flow.Summary, w *flow.Event) {
	for _, e := range sum.Events {
		if j.rows[e] != nil && e.Hold.Lock == nil && j.takesBy(e, w) && e.SameCall(w) {
			delete(j.rows, e)
			j.order = slices.DeleteFunc(j.order, func(o *flow.Event) bool { return o == e })
		}
	}
}

// writesTable reports whether a write goes to a table.
func (j *judge) writesTable(w *flow.Event, table string) bool {
	s := j.models.FuncKey(w.Key)
	return s != nil && s.Sink != nil && slices.ContainsFunc(j.loweredForms(w, s.Sink), func(l *lowered) bool { return l.mutation.Resource == table })
}

// has reports whether a column is one of the lock's own.
func (c *claim) has(column string) bool {
	_, signed := c.signed[column]
	return signed || c.kept[column] || slices.Contains(c.counted, column)
}

// isClock reports whether a value is the time of day.
func (j *judge) isClock(t *term.Term) bool {
	return t != nil && slices.ContainsFunc(j.origins(t), func(o origin) bool { return o.class == clock })
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
