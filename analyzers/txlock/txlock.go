// Package txlock reports locks of a transaction that are taken outside of one.
package txlock

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule txlock.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "txlock",
	RawDocumentation: lint.RawDocumentation{
		Title:    "lock of a transaction that is taken outside of one",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
\'pg_advisory_xact_lock\' and \'SELECT … FOR UPDATE\' hold until the transaction ends. Sent without one, the
statement is a transaction of its own: the lock is gone before the call returns, and the work that
follows has none. No error says so.

Inside a transaction the same lock is among the safest there are. It dies with the connection that
carries the write, so that nobody can come too late.

\'FOR UPDATE\' outside of a transaction is reported only where a directive makes it an acquisition. Writes
under such a lock get no finding of their own.`,
		Before: `
//fencelint:lock correctness
if _, err := pool.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", shelf); err != nil {
	return err
}
_, err := pool.Exec(ctx, "UPDATE shelves SET books = books - 1 WHERE id = $1", shelf)
return err`,
		After: `
return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
	//fencelint:lock correctness
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", shelf); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE shelves SET books = books - 1 WHERE id = $1", shelf)
	return err
})`,
	},
	Breaks: `
A  locks; the statement ends, and the lock with it
A  starts to work
B  locks as well, at once, and starts to work
   neither ever waited for the other`,
	Accept: `If a transaction is open after all, in a way that is not seen:

    //fencelint:accept txlock reason="runs between BEGIN and COMMIT of the migration script"`,
	Blind: []string{
		`A transaction that is opened by sending BEGIN as a statement on a pinned connection is not recognised.`,
		`In a nested transaction, which is a savepoint, a roll-back frees the lock early; that is not followed.`,
	},
}
