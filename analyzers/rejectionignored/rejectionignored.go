// Package rejectionignored reports guarded writes whose refusal nobody notices.
package rejectionignored

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule rejectionignored.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "rejectionignored",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guarded write whose refusal is not noticed",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The receiver refuses an obsolete owner, and the owner does not notice. How a receiver says no depends
on the kind of write, and it is often no error: an UPDATE that meets no row returns without one and
counts 0 rows, a transaction in etcd has \'Succeeded == false\', a script returns 0.

The rule stands at the write if the answer is not read, is only logged, or if the path that saw the
refusal returns success or goes on to the next write under the lock.

Handled is: an error returned, the count or the bool handed back to the caller, the transaction rolled
back, the process ended, the peer told no (a status of 400 or more, an error of gRPC).

Where the program compares the epoch itself, with a row that it has locked, a key that it watches or an
object that it replaces by its version, the branch for a newer one is the refusal, and the same is asked
of it.

A refused claim is no refusal in this sense: not to get the work is the normal case, and to return nil
is right.`,
		Before: `
_, err := db.ExecContext(ctx,
	"UPDATE payouts SET payload = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, payload)
return err // nil also when no row was changed`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE payouts SET payload = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, payload)
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return errors.Join(errStale, err)
}
return nil`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes
A  wakes up and writes: refused, 0 rows
A  takes it for success: it answers "done", sends the mail, removes the message from the queue
   what A promised has not happened`,
	Accept: `If the refusal needs no answer, because nothing follows the write and nobody waits for it, say
so:

    //fencelint:accept rejectionignored reason="last statement of a sweep; the next owner sweeps again"`,
	Blind: []string{
		`Whether the error that is returned is looked at by the caller's callers is not followed to the end.`,
		`MySQL counts changed rows, not matched ones, unless the connection says \'clientFoundRows=true\'; with a fence that always rises this makes no difference.`,
	},
}
