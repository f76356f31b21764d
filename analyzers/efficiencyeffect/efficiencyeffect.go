// Package efficiencyeffect reports locks that are called cheap to lose around work that is not.
package efficiencyeffect

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule efficiencyeffect.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "efficiencyeffect",
	RawDocumentation: lint.RawDocumentation{
		Title:    "efficiency lock around work that must not be done twice",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The lock is declared as one of efficiency: two holders cost time or money and nothing else. What happens
under it says otherwise. Either

- an external effect leaves the program without a stable idempotency key: a payment, a mail, a call to
  another service; or
- the write goes to a table, key or object that a lock of class correctness protects elsewhere in the
  program.

This is the only thing that is asked of efficiency locks. The class is a person's word, and here two of
them contradict each other.

Make the lock one of correctness, give the effect a key, or let the write pass the guard that the others
pass.`,
		Before: `
//fencelint:lock efficiency
lock, err := locks.Obtain(ctx, "refunds", time.Minute, nil)
if err != nil {
	return err
}
defer lock.Release(context.WithoutCancel(ctx))
p := &stripe.RefundParams{PaymentIntent: stripe.String(intent)}
_, err = refund.New(p)
return err`,
		After: `
//fencelint:lock efficiency
lock, err := locks.Obtain(ctx, "refunds", time.Minute, nil)
if err != nil {
	return err
}
defer lock.Release(context.WithoutCancel(ctx))
p := &stripe.RefundParams{PaymentIntent: stripe.String(intent)}
p.SetIdempotencyKey("refund-" + intent)
_, err = refund.New(p)
return err`,
	},
	Breaks: `
   the lock says: twice is only a waste
A  obtains the lock, is paused; the lease expires
B  obtains the lock and refunds
A  wakes up and refunds: twice the money has gone`,
	Accept: `If the effect may be repeated and the lock only makes that rare:

    //fencelint:accept efficiencyeffect reason="a second line in the chat does not hurt"`,
	Blind: []string{
		`Only literal names are compared: a table or key that is put together at run time is not matched.`,
		`Ordinary writes under an efficiency lock are not looked at, also where they are worth protecting.`,
	},
}
