// Package ambiguousoutcome reports answers to a lost reply that take it for a failure.
package ambiguousoutcome

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule ambiguousoutcome.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "ambiguousoutcome",
	RawDocumentation: lint.RawDocumentation{
		Title:    "unknown outcome of an effect that is taken for a failure",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
An external effect ended in an error or a time-out. That says that no answer came, and not that nothing
happened. Here it is taken for "not done": a new attempt is made under another key, or a store is told
that it failed, from where somebody will try again.

Keep the third state. Try again under the same key, which is what it is for; or record the outcome as
unknown and ask the receiver later. Only an answer that says no is a no: a status, a declined card.

The rule stands at the new attempt, or at the write that records the failure. A stable key at the first
attempt does not help, since it is the second one that goes astray.`,
		Before: `
if _, err := transfer.New(p); err != nil {
	return record(ctx, db, id, fence, "failed")
}
return record(ctx, db, id, fence, "paid")`,
		After: `
_, err := transfer.New(p)
var answer *stripe.Error
switch {
case err == nil:
	return record(ctx, db, id, fence, "paid")
case errors.As(err, &answer) && answer.HTTPStatusCode/100 == 4:
	return record(ctx, db, id, fence, "failed")
}
return record(ctx, db, id, fence, "unknown") // the next attempt has the same key`,
	},
	Breaks: `
A  sends the transfer; the bank carries it out; the answer is lost, A runs into its time-out
A  records the payout as failed
B  finds it failed and starts a new payout for the same debt, with a key of its own
   paid twice; both keys were stable, and both records were guarded`,
	Accept: `If the outcome is looked up elsewhere before anybody acts on the record:

    //fencelint:accept ambiguousoutcome reason="failed payouts are matched with the bank's list every night"`,
	Blind: []string{
		`What a state means is told by where it is written, after an error, and not by its name alone.`,
		`Retries inside a client or a proxy are their own; that they keep the key is assumed.`,
	},
}
