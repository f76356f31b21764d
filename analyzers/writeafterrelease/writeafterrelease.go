// Package writeafterrelease reports writes that come after the release of the lock meant to protect them.
package writeafterrelease

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule writeafterrelease.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "writeafterrelease",
	RawDocumentation: lint.RawDocumentation{
		Title:    "write or commit that comes after the release of its lock",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The function releases the lock and then writes, or, more often, commits: what a transaction has written
is invisible to others until its \'Commit\', so the lock must outlast it.

Deferred calls hide the order. They run last in, first out: a release that is deferred after the commit
runs before it.

The finding stands at the write or commit that comes too late. The statements of the transaction keep
their own verdict.`,
		Before: `
res, err := tx.ExecContext(ctx,
	"UPDATE kilns SET degrees = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence, degrees)
if err := moved(res, err); err != nil {
	return err
}
if err := m.Unlock(ctx); err != nil {
	return err
}
return tx.Commit()`,
		After: `
res, err := tx.ExecContext(ctx,
	"UPDATE kilns SET degrees = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence, degrees)
if err := moved(res, err); err != nil {
	return err
}
if err := tx.Commit(); err != nil {
	return err
}
return m.Unlock(ctx)`,
	},
	Breaks: `
A  changes the row in its transaction and unlocks; the transaction is still open
B  locks, reads the row, and gets the old value, since the new one is not committed
A  commits
B  writes what it computed from the old value, with the greater token: accepted
   A's change is gone; nobody was paused, and every write was guarded`,
	Accept: `If nothing depends on when the write becomes visible:

    //fencelint:accept writeafterrelease reason="appends to a log; readers take any order"`,
	Blind: []string{
		`A write in another goroutine is not ordered against the release; see outliveshold.`,
		`A release in a function out of sight is not seen as one.`,
	},
}
