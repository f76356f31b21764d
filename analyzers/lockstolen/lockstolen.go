// Package lockstolen reports calls that take a lock away from its holder, or share it.
package lockstolen

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule lockstolen.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "lockstolen",
	RawDocumentation: lint.RawDocumentation{
		Title:    "lock that is taken from its holder, or taken over without a new grant",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
Some libraries have a call that does not wait for its turn. It breaks the lease of whoever has it
(\'BreakLease\', \'ForceUnlock\', \'ForceWithContext\'), or it steps into a grant that was given to another
process (\'ResumeElection\', \'ChangeLease\'). The holder is not asked and often not told. Where a lease that
expires makes two owners now and then, this call makes them by design.

A claim by a statement that asks for a lease which is not over (\'expires_at > now()\' in place of \'<\') does the
same, and takes none that is.

Taking over is the worse of the two, because there is no new grant: old and new owner present the same
number or identity, and no receiver can tell them apart.

The rule stands at the call, also where every write is guarded. A call that takes over needs a class, as
an acquisition does; one that breaks a lock has the class of that lock.`,
		Before: `
//fencelint:lock correctness
election := concurrency.ResumeElection(session, "/leader/feed", key, rev)
return publish(ctx, election)`,
		After: `
election := concurrency.NewElection(session, "/leader/feed")
//fencelint:lock correctness
if err := election.Campaign(ctx, host); err != nil {
	return err
}
return publish(ctx, election)`,
	},
	Breaks: `
A  leads with revision 20, fences its writes with 20, and is paused
B  is started in A's place and resumes A's election: revision 20
B  writes with 20
A  wakes up and writes with 20: the same number, accepted wherever B is`,
	Accept: `For a tool that a person uses after looking:

    //fencelint:accept lockstolen reason="break-glass command; asks for the ticket of the dead host"`,
	Blind: []string{
		`Deleting the key of a lock with the store's own command is known as a theft only if the key is that of a lock in sight.`,
	},
}
