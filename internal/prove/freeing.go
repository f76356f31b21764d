package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
)

// A statement that frees a row by its name alone frees it for all who call it. It is said
// where the statement is, if the claim is in the same package, or else once for each package
// that brings the two together.

const freesAny = "unsaferelease"

// freeing reports the statements that free a row of a lock whose claim stands in another
// function of the package.
func (j *judge) freeing(sums []*flow.Summary) {
	claims := j.ownClaims(sums)
	for _, sum := range sums {
		if sum.Test || len(claims) == 0 {
			continue
		}
		for _, r := range sum.Events {
			if r.Kind != flow.Release || r.Entry != flow.ByHand || r.Source() != nil {
				continue
			}
			for _, a := range claims {
				w := writeOf(sum, r)
				if w == nil || !sameTable(r, a) || !endsByTime(a) || slices.Contains(sum.Events, a) {
					continue
				}
				if p := (&pair{sum: sum, acq: a, w: w}); j.namesNobody(p) && !j.storesResults(p) {
					j.given(w)
					j.freesAny(p)
					break
				}
			}
		}
	}
}

// ownClaims are the correctness locks kept by hand that a statement of this package takes.
func (j *judge) ownClaims(sums []*flow.Summary) []*flow.Event {
	var out []*flow.Event
	for _, sum := range sums {
		for _, a := range sum.Events {
			if a.Kind == flow.Acquire && a.Entry == flow.ByHand && a.Belief == nil && a.Source() == nil && correct(a) && j.isLock(a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// writeOf is the write that a release is, nil if there is none.
func writeOf(sum *flow.Summary, r *flow.Event) *flow.Event {
	i := slices.IndexFunc(sum.Events, func(w *flow.Event) bool {
		return w.Kind == flow.Write && w.Site == r.Site && w.Key == r.Key && w.SameCall(r)
	})
	if i < 0 {
		return nil
	}
	return sum.Events[i]
}

// sameTable reports whether a release and a claim are about rows of one table.
func sameTable(r, a *flow.Event) bool {
	if r.Recv == nil || a.Hold.Handle == nil {
		return false
	}
	x, y := flow.HeldIn(r.Recv), flow.HeldIn(a.Hold.Handle)
	return x != nil && y != nil && x.Equal(y)
}

// endsByTime reports whether another owner gets a lock without being given it.
func endsByTime(a *flow.Event) bool { return signsOf(a)&(flow.Expires|flow.TakenOver) != 0 }

// namesNobody reports whether the condition of a statement that frees a row is seen, and
// compares nothing that the claim wrote to say whose the row is.
func (j *judge) namesNobody(p *pair) bool {
	c, s := j.claimOf(p.acq), j.models.FuncKey(p.w.Key)
	if c == nil || s == nil || s.Sink == nil || len(c.signed)+len(c.counted) == 0 {
		return false
	}
	columns := slices.Clone(c.counted)
	for col := range c.signed {
		columns = append(columns, col)
	}
	signed := &protection{columns: columns}
	forms := j.loweredForms(p.w, s.Sink)
	return len(forms) > 0 && !slices.ContainsFunc(forms, func(l *lowered) bool {
		return l.partial || len(l.mutation.Problems) > 0 || signed.guards(comparedColumns(l.mutation))
	})
}

// freesAny reports a release that frees the lock of whoever has it, once for claim and
// statement.
func (j *judge) freesAny(p *pair) {
	cause := flow.Reported{Rule: freesAny, Lock: bottomStep(p.acq), At: bottomStep(p.w)}
	same := func(r flow.Reported) bool {
		return r.Rule == freesAny && r.Lock.Place == cause.Lock.Place && r.At.Place == cause.At.Place
	}
	if _, said := j.told[reported{freesAny, cause.Lock.Place, cause.At.Place}]; said || slices.ContainsFunc(j.a.Imported.Reported, same) {
		return
	}
	j.reports(cause)
	at := bottom(p.w)
	j.say(freesAny, p.sum, at, p.acq,
		"{call} makes the lock free whoever has it: its condition does not say whose. When the lease of the one who calls it has expired meanwhile, it is the next owner's that is freed, who loses it while working, and a third process acquires it. "+
			"Name the owner in the condition, by a value that is made for each acquisition.",
		"{call}", j.stepName(at))
}

// freesKnown reports whether a write is the release of another lock that was taken here.
func (j *judge) freesKnown(p *pair) bool {
	taken := func(r *flow.Event) bool {
		return slices.ContainsFunc(p.sum.Events, func(a *flow.Event) bool {
			return a.Kind == flow.Acquire && a != p.acq && (a.Hold.Lock != nil || j.isLock(a)) && (flow.Releases(r, a) || sameTable(r, a))
		})
	}
	return slices.ContainsFunc(p.sum.Events, func(r *flow.Event) bool {
		return r.Kind == flow.Release && r.Site == p.w.Site && r.Key == p.w.Key && r.SameCall(p.w) && !flow.Releases(r, p.acq) && taken(r)
	})
}

// freesOther reports whether a write gives back another lock than that of the hold: like
// the claim, that is no effect of the work.
func (j *judge) freesOther(p *pair) bool {
	if j.freesKnown(p) {
		return true
	}
	for _, g := range j.grips(j.a, p.w) {
		if g.Kind != flow.Release || g.Row == nil {
			continue
		}
		known := func(a *flow.Event) bool {
			if a.Entry != flow.ByHand || a.Hold == nil || a.Hold.Handle == nil || a == p.acq {
				return false
			}
			row := flow.HeldIn(a.Hold.Handle)
			return row != nil && row.Equal(g.Row) && (a.Hold.Lock != nil || j.isLock(a)) && !j.storesResults(&pair{sum: p.sum, acq: a, w: p.w})
		}
		if slices.ContainsFunc(j.order, known) || slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool { return e.Kind == flow.Acquire && known(e) }) {
			return true
		}
	}
	return false
}
