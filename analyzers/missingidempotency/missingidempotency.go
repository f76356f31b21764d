// Package missingidempotency reports effects on other systems that the receiver
// cannot recognise when they are repeated.
package missingidempotency

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule missingidempotency.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "missingidempotency",
	RawDocumentation: lint.RawDocumentation{
		Title:    "external effect under a correctness lock without an idempotency key",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
A payment, a mail, a call to somebody else's service: the receiver knows nothing of your lock and cannot
compare a fencing token. All that helps is that it recognises the same order when it comes again, by a
key that is the same in every attempt of every owner. This call carries none.

Make the key from the operation: the number of the order, not of the run. Some clients send a key of
their own when you set none; it is random, protects their own retries only, and does not count. Helpers
such as \'http.Post\' cannot carry one: build the request.

Many receivers have no keys: mail, text messages, chat. There a person has to decide. Claiming the
sending in a guarded write beforehand makes a repetition rare, not impossible; what is then left goes
into \'accept\', with what is done about it.`,
		Before: `
req, err := http.NewRequestWithContext(ctx, http.MethodPost, courier+"/pickups", body)
if err != nil {
	return err
}
resp, err := client.Do(req)`,
		After: `
req, err := http.NewRequestWithContext(ctx, http.MethodPost, courier+"/pickups", body)
if err != nil {
	return err
}
req.Header.Set("Idempotency-Key", "pickup-"+parcel)
resp, err := client.Do(req)`,
	},
	Breaks: `
A  acquires the lock, orders the pickup, is paused before it can note that; the lease expires
B  acquires the lock, finds no note, orders the pickup
   two vans come; no database was there to refuse the second`,
	Accept: `State what is done when it happens twice; without \'compensation\' the register says that nobody
has thought of it, and \'-strict\' makes it a finding:

    //fencelint:accept missingidempotency reason="the relay has no keys" compensation="support apologises"

If the receiver knows repetitions by a parameter, declare the function that calls it:

    //fencelint:writes resource=pickups kind=external idempotency=parcel`,
	Blind: []string{
		`That the receiver honours a key, and for how long it remembers it, is assumed; the register names the assumption.`,
		`A reference in the body by which the receiver drops repetitions is known only for clients with a model.`,
	},
}
