package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A claim may be signed with a value of its owner, which a write then names.

// signedDecision: a value of the owner's own protects only if no other
// acquisition brings the same.
func (j *judge) signedDecision(p *pair, c *claim, column string, d decision) decision {
	own := c.signed[column]
	if c.readmits[column] {
		d.verdict, d.rule, d.reason = refuted, "identityreused", "the claim lets the same "+column+" in again without a new value"
		return d
	}
	if j.fresh(&own) && j.keptByObject(p.acq, column) {
		d.verdict, d.reason = waiting, keptByField
		return d
	}
	return j.signedBy(p, &own, column, d)
}

// keptByObject reports whether the value that names the owner is that of a field of an object
// which was made elsewhere: of the call through an interface only the type is known, and its
// object takes the claim as often as it is asked.
func (j *judge) keptByObject(acq *flow.Event, column string) bool {
	if !j.byType[acq] {
		return false
	}
	for e := acq.Source(); e != nil; e = e.Source() {
		if c := j.claimOf(e); c != nil && c.signed[column].term != nil && keptElsewhere(c.signed[column].term) {
			return true
		}
	}
	return false
}

// signedBy judges a write that names its owner by a value; what is what holds the value.
func (j *judge) signedBy(p *pair, own *bound, what string, d decision) decision {
	switch w := own.worth(); {
	case j.fresh(own) && keptElsewhere(own.term):
		d.verdict, d.reason = waiting, keptByField
	case j.fresh(own):
		d.verdict, d.guarded = proved, true
		d.reason = "the write names the claim, a value made for this acquisition alone"
		return j.rejection(p, d)
	case w == handedIn:
		d.verdict, d.reason = waiting, "the caller supplies the value that names the owner"
	case w == unknownFrom && originWith(own, constant).text == "" && unboxed(own.term).Kind != term.Global: // a package variable is the process's
		return unknownOwner(own, d)
	default:
		if (w == opaque || w == unknownFrom) && originWith(own, constant).text != "" {
			w = constant
		}
		d.verdict, d.rule, d.reason = refuted, "identityreused", "the "+what+" is "+originWith(own, w).text+", which a later acquisition can bring again"
	}
	return d
}

// unknownOwner: the value that names the owner is not followed to where it comes from.
func unknownOwner(own *bound, d decision) decision {
	d.verdict, d.rule = unproved, "unprovedwrite"
	d.reason = "it is not known where the value comes from that names the owner: " + originWith(own, unknownFrom).reason
	return d
}

const keptByField = "a field keeps the value that names the owner, and whoever has the object may acquire several times with it"

// keptElsewhere reports whether a value is that of a field which the function that takes the
// claim has not set: it may be older than the claim.
func keptElsewhere(t *term.Term) bool {
	t = unboxed(t)
	return t.Kind == term.Field && t.Symbolic()
}
