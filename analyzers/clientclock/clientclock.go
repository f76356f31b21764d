// Package clientclock reports leases whose expiry each client judges by its own clock.
package clientclock

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule clientclock.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "clientclock",
	RawDocumentation: lint.RawDocumentation{
		Title:    "lease whose expiry is judged by the clock of the one who wants it",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
The acquisition takes over a lease that has expired, and "expired" means: earlier than \'time.Now\' of the
process that asks. A process whose clock is fast takes leases from owners who are neither late nor
paused. One whose clock is slow waits too long.

Let the store judge by its own clock, in the statement: \'until < now()\' in SQL, \'$$NOW\' in MongoDB, the
expiry of the key in Redis. Where the store has no clock, remember the record as it was, and take it over
only if it has not changed for a whole lease on your own clock: then no two clocks are compared.

The rule stands at the acquisition even if every write is guarded. The guard keeps the data right, and
two owners still take turns in undoing each other's work.`,
		Before: `
now := time.Now()
var epoch int64
//fencelint:lock correctness
err := db.QueryRowContext(ctx,
	"UPDATE leases SET epoch = epoch + 1, until = $2 WHERE name = $1 AND until < $3 RETURNING epoch",
	name, now.Add(ttl), now).Scan(&epoch)`,
		After: `
var epoch int64
//fencelint:lock correctness
err := db.QueryRowContext(ctx,
	"UPDATE leases SET epoch = epoch + 1, until = now() + make_interval(secs => $2)"+
		" WHERE name = $1 AND until < now() RETURNING epoch",
	name, ttl.Seconds()).Scan(&epoch)`,
	},
	Breaks: `
   B's clock is 40 seconds fast
A  acquires at 12:00:00, until 12:00:30, and works
B  asks one second later; its clock says 12:00:41: expired; it takes over
   two owners, and A has done nothing wrong`,
	Accept: `If clocks are kept close and the lease leaves room for what they differ by:

    //fencelint:accept clientclock reason="lease of two minutes; hosts further off than 1 s are drained"`,
	Blind: []string{
		`A time that the caller hands in is the caller's matter.`,
		`Whether the clock of the store itself is steady, or that of the replica which takes over, is not known.`,
	},
}
