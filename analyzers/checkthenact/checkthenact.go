// Package checkthenact reports writes whose condition was tested in Go, before the
// write.
package checkthenact

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule checkthenact.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "checkthenact",
	RawDocumentation: lint.RawDocumentation{
		Title:    "write that relies on a comparison made in Go, before it",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Under the lock the code reads the row, or the record of the lock, compares in Go, and then sends a write
without any condition. The answer was true when it was read. The pause fits between the two, and the
receiver of the write never hears of the question.

It makes no difference what is compared: a state, a balance, a version, the stored fencing token itself.
A token that is compared with a variable in memory is no better; other processes have a variable of their
own, and a restart forgets it.

Move the condition into the write, or do both in a transaction that locks the row first: after
\'SELECT … FOR UPDATE\' a comparison in Go is safe for writes of the same transaction, and not reported.

A question to the library (\'IsLeader\', \'TTL\') is checknotfence, a read from before the lock is staleread.`,
		Before: `
var free int
if err := db.QueryRowContext(ctx, "SELECT free FROM flights WHERE id = $1", id).Scan(&free); err != nil {
	return err
}
if free < seats {
	return errFull
}
_, err := db.ExecContext(ctx, "UPDATE flights SET free = free - $2 WHERE id = $1", id, seats)
return err`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE flights SET free = free - $3, last_fence = $2"+
		" WHERE id = $1 AND last_fence < $2 AND free >= $3",
	id, fence, seats)
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return errors.Join(errFullOrStale, err)
}
return nil`,
	},
	Breaks: `
A  acquires the lock, reads one free seat, is paused; the lease expires
B  acquires the lock, reads one free seat, sells it, releases
A  wakes up with its answer in hand and sells the seat again: free = -1`,
	Accept: `If a constraint of the database refuses what the comparison was to prevent:

    //fencelint:accept checkthenact reason="CHECK (free >= 0) refuses the second sale"`,
	Blind: []string{
		`Constraints are not read; see above.`,
		`A value that leaves the function before it is compared, through a channel or a queue, is not followed.`,
	},
}
