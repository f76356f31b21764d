// Package unenforcedheader reports fencing tokens that are sent to a receiver which nobody knows to compare them.
package unenforcedheader

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unenforcedheader.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unenforcedheader",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that is sent along, and perhaps compared by nobody",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
The request carries the fencing token, in a header or a field. Whether the other side compares it, stores
it and refuses an older one cannot be seen from here, and most services ignore what they do not know.

If it does compare, say so: put the call into a function of its own and declare there what the receiver
enforces. From then on each use is checked, that it passes a real token and that it looks at the refusal,
which for HTTP is a status and no error.

If it does not, the token is decoration. An idempotency key that is the same for all owners is what such
a receiver understands; the token would be the wrong key.`,
		Before: `
req.Header.Set("X-Fencing-Token", strconv.FormatInt(fence, 10))
resp, err := client.Do(req)`,
		After: `
// The request went into a function of its own, with what the service enforces:
//
//	//fencelint:writes resource=thermostats fence=epoch kind=external
//	func (c *Client) SetTarget(ctx context.Context, id string, epoch int64, celsius float64) error
//
// It returns an error unless the service answers 204; an older epoch gets 409.
return client.SetTarget(ctx, id, fence, 21)`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and sends 21 degrees, token 34
A  wakes up and sends 17 degrees, token 33
   the service writes both tokens into its log and does what it was told last`,
	Accept: `If the token is sent for the log of the other side only:

    //fencelint:accept unenforcedheader reason="for their tracing; a wrong target is corrected in a minute"`,
	Blind: []string{
		`What the declared receiver really does is taken on trust; the register lists it.`,
		`A token inside a body that is encoded by other code is not recognised, and the call is missingidempotency.`,
	},
}
