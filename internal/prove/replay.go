package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
)

// What a directive says of repetition is looked for, not believed. A write that a second
// delivery under the same epoch may make again needs what its lock declares.

// replayMissing says what is missing of the rule that a lock declares, "" if it is there
// or cannot be seen here.
func (j *judge) replayMissing(p *pair, v *fence.Verdict) string {
	if v.AdmitsEqual != fence.Yes || v.Replay != nil || v.Advances == "na" {
		return ""
	}
	handed := p.w.Recv != nil && unitOf(p.w).Symbolic() && j.isTx(p.w) // the caller may have sent more in it
	switch p.class().Replay {
	case "sequence":
		return "the lock declares replay=sequence, but the statement compares no number beside the epoch that rises with each write and is stored"
	case "idempotent":
		if handed || j.insertsOnce(p) {
			return ""
		}
		return "the lock declares replay=idempotent, but no unique insert of the operation stands in its transaction"
	case "transaction":
		if handed || j.isTx(p.w) && !slices.ContainsFunc(p.w.After, func(w *flow.Event) bool { return sameUnit(w, p.w) != no && !j.isRead(w) }) {
			return ""
		}
		return "the lock declares replay=transaction, but the statement is not the first of a transaction"
	}
	return ""
}

// insertsOnce reports whether an insert stands in the unit of a write: in its statement, or
// in its transaction.
func (j *judge) insertsOnce(p *pair) bool {
	inserts := func(m *fence.Mutation) bool { return m.Kind == fence.Insert && m.OnConflict != "update" }
	if slices.ContainsFunc(j.mutations(p.w), inserts) {
		return true
	}
	return j.isTx(p.w) && slices.ContainsFunc(p.sum.Events, func(w *flow.Event) bool {
		return w != p.w && w.Kind == flow.Write && sameUnit(w, p.w) != no && slices.ContainsFunc(j.mutations(w), inserts)
	})
}

// undeclared is the template for a lock that declares more than the write does.
const undeclared = "repeatedepoch as declared"

func init() {
	messages[undeclared] = template{
		"{write} may be made twice under one epoch: {reason}.",
		"{func} sends it once more after a time-out, or a delayed copy arrives, and it is applied twice.",
		"Add what is declared, compare with `<`, or take replay= off the lock if repetition does no harm.",
	}
}
