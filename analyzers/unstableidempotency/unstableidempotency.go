// Package unstableidempotency reports idempotency keys that differ from attempt to
// attempt or from owner to owner.
package unstableidempotency

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unstableidempotency.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unstableidempotency",
	RawDocumentation: lint.RawDocumentation{
		Title:    "idempotency key that is a new one for each attempt or owner",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The call carries a key, or the message a deduplication id, and it is made from something that changes: a
random value, a clock, the number of the attempt, the name of the worker, the fencing token. To the
receiver every one of them is a new order.

The token is the tempting one. It is unique and at hand, and it differs between the old owner and the new
one, which is just what the key must not do.

Derive the key from the operation. Or draw it once and store it with the operation before the first
attempt, in a write that keeps a key which is already there (\'SET key = COALESCE(key, $2)\').`,
		Before: `
p := &stripe.TransferParams{Amount: stripe.Int64(cents), Destination: stripe.String(account)}
p.SetIdempotencyKey(fmt.Sprintf("payout-%s-%d", payout, m.Header().Revision))
_, err := transfer.New(p)
return err`,
		After: `
p := &stripe.TransferParams{Amount: stripe.Int64(cents), Destination: stripe.String(account)}
p.SetIdempotencyKey("payout-" + payout)
_, err := transfer.New(p)
return err`,
	},
	Breaks: `
A  acquires the lock with token 33, transfers under key payout-7-33, is paused; the lease expires
B  acquires the lock with token 34, finds payout 7 open, transfers under key payout-7-34
   two keys, two transfers, each of them carried out with care`,
	Accept: `If something else in the request makes the receiver drop the second one:

    //fencelint:accept unstableidempotency reason="the bank refuses a second transfer per invoice number"`,
	Blind: []string{
		`A key that is handed in by a caller out of sight is the caller's matter.`,
		`A hash is as stable as what goes into it: a body with a time in it is not looked through.`,
		`Receivers forget keys after hours or days; an owner that is paused for longer is not considered.`,
	},
}
