// Package noexpiry reports locks that are never freed when their holder dies.
package noexpiry

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule noexpiry.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "noexpiry",
	RawDocumentation: lint.RawDocumentation{
		Title:    "lock that outlives its holder for ever",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
The lock is taken without an expiry: 0 for a key in Redis, -1 for the lease of a blob, no expiry set
where the library has one to set. If the holder dies, nobody acquires again, until a person deletes the
lock by hand.

That is more than an outage. Whoever deletes a lock by hand at night cannot know whether its holder is
dead or only slow, and so makes two owners. A lease with an expiry makes the same decision at a time that
was chosen beforehand, and a guard at the write takes care of the rest.

Locks that end with a session or a connection need no expiry. Rows that are claimed in a database are
not asked for one: something else may clear them away.`,
		Before: `
//fencelint:lock correctness
got, err := leases.AcquireLease(ctx, -1, nil)
if err != nil {
	return err
}
return upload(ctx, got.LeaseID)`,
		After: `
//fencelint:lock correctness
got, err := leases.AcquireLease(ctx, 30, nil) // seconds; renewed while the upload lasts
if err != nil {
	return err
}
return upload(ctx, got.LeaseID)`,
	},
	Breaks: `
A  acquires the lock and loses its network
   hours later nobody has been able to work; an operator deletes the lock
B  acquires the lock and works
A  gets its network back and works on: it still has a lock that never expires`,
	Accept: `If freeing the lock by hand is the procedure, and it makes sure that the old holder is gone:

    //fencelint:accept noexpiry reason="freed by the runbook, which powers the host off first"`,
	Blind: []string{
		`An expiry that is computed and may turn out as 0 is not reported; only constants are.`,
		`An expiry that is set in a second call counts as none: between the two the process can die.`,
	},
}
