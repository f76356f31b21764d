// Package fencenotadvanced reports guards that compare a fencing token and never
// store it.
package fencenotadvanced

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule fencenotadvanced.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "fencenotadvanced",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that is compared and never stored",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The condition compares the token with a stored one, and the same statement, transaction or batch does
not store the token as the new one. The stored value stays where it was. Every token is greater than
it, the old owner's as well as the new one's, and the guard refuses nobody.

The comparison and the new value belong into one atomic unit. A second statement outside the
transaction that moves the value leaves a gap between the two.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE orders SET state = $3 WHERE id = $1 AND last_fence < $2",
	id, fence, state)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE orders SET state = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, state)`,
	},
	Breaks: `
   last_fence = 10
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes: 10 < 34, last_fence stays 10
A  wakes up and writes with token 33: 10 < 33, accepted
   B's result is gone`,
	Accept: `If something else moves the stored token before the first write of every owner, and the
statement only follows it, say so:

    //fencelint:accept fencenotadvanced reason="the claim advances the column in its own transaction"

If a trigger stores it, declare the function that writes instead:

    //fencelint:writes resource=orders fence=token`,
	Blind: []string{
		`A trigger that stores the token is not seen.`,
		`A token that is stored by an earlier unit of the same owner is followed only where both are in visible code.`,
	},
}
