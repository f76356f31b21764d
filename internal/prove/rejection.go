package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
)

// rejection looks at what becomes of a refusal on which a proof rests.
func (j *judge) rejection(p *pair, d decision) decision {
	heard, how := j.heard(p)
	if heard || j.renews(p) || j.freesOwn(p) {
		return d
	}
	d.verdict, d.rule, d.reason = refuted, "rejectionignored", how
	return d
}

// renews reports whether a write prolongs the very lock in whose hold it stands: who hears of
// its refusal is said of the renewal.
func (j *judge) renews(p *pair) bool {
	return p.sum != nil && slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		return e.Kind == flow.Extend && e.Entry == flow.ByHand && e.Site == p.w.Site && e.Key == p.w.Key && e.SameCall(p.w) && j.keepsRowOf(e, p.acq)
	})
}

// freesOwn reports whether a write does nothing but give back the row that was claimed, by
// whatever words: that it was another's already needs nobody to know.
func (j *judge) freesOwn(p *pair) bool {
	c, s := j.claimOf(p.acq), j.models.FuncKey(p.w.Key)
	if c == nil || s == nil || s.Sink == nil {
		return false
	}
	forms := j.loweredForms(p.w, s.Sink)
	return len(forms) > 0 && !j.storesResults(p) && !slices.ContainsFunc(forms, func(l *lowered) bool {
		g := gripOf(endedNow(l), "", "")
		return l.mutation.Resource != c.table || g == nil || g.Kind != flow.Release
	})
}

// heard reports whether every way on from a refusal tells somebody; else how it
// is lost.
func (j *judge) heard(p *pair) (bool, string) {
	q := p.answering(func(o flow.Outcome) bool { return !o.Compared() })
	if len(q.w.Outcomes) == 0 {
		return false, "nothing looks at the answer"
	}
	return j.heardOf(q)
}

// heardCompared reports whether the program hears of it where its own comparison refuses, and
// how not.
func (j *judge) heardCompared(p *pair, c flow.Cond) (bool, string) {
	q := p.answering(func(o flow.Outcome) bool { return o.ComparedAt(c) })
	if len(q.w.Outcomes) == 0 {
		return true, ""
	}
	return j.heardOf(q)
}

// heardOf judges by the outcomes of a pair, which are there.
func (j *judge) heardOf(p *pair) (bool, string) {
	unsure := false
	for _, o := range p.w.Outcomes {
		if how := j.lostOn(p, o); how == "" && o.Unsure {
			return true, ""
		}
		unsure = unsure || o.Unsure
	}
	for _, o := range p.w.Outcomes {
		if how := j.lostOn(p, o); how != "" {
			return false, how
		}
	}
	return true, ""
}

// givingBack reports whether a write is part of a call by which the lock is given back:
// to do that after a refusal is right.
func (j *judge) givingBack(p *pair, w *flow.Event) bool {
	released := slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		return e.Kind == flow.Release && !w.SameCall(p.w) && w.SameCall(e) && flow.Releases(e, p.acq)
	})
	return released || j.freesOwn(&pair{sum: p.sum, acq: p.acq, w: w})
}

// lostOn says how one outcome loses the refusal, "" if it does not.
func (j *judge) lostOn(p *pair, o flow.Outcome) string {
	if !o.Unsure {
		for _, r := range o.Reaches {
			if slices.Contains(r.Holds, p.acq) && j.isEffect(r) && !j.givingBack(p, r) {
				return "after a refusal the code goes on to the next write"
			}
		}
	}
	if o.Observed || o.Answered || flow.SaysNo(o.Returns) {
		return ""
	}
	if o.Returns == "" {
		return "nothing is returned, so nobody hears of a refusal"
	}
	return "after a refusal the function returns as if the write had been made"
}

// isEffect leaves out statements that only read, and what writers may take in memory.
func (j *judge) isEffect(w *flow.Event) bool {
	if w.Kind != flow.Write {
		return false
	}
	if c := j.models.FuncKey(w.Key); w.Decl == nil && c != nil && c.Sink != nil && c.Sink.Boundary == "unknown" {
		return false
	}
	return !j.isRead(w)
}
