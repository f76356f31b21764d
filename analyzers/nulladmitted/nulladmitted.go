// Package nulladmitted reports guards that are open while a token is missing.
package nulladmitted

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule nulladmitted.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "nulladmitted",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard that is open while the stored or the presented token is missing",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The comparison is right for every pair of numbers, and there is a state in which it is not made: the
stored token is NULL (\'last_fence IS NULL OR …\', \'COALESCE(last_fence, 0) < $2\'), or the presented one
is NULL or 0 (\'$2 = 0 OR …\'). In that state any token is good.

That the first writer of a new row gets in is meant. But the state can come back: a release clears the
column, a script repairs the row, somebody forgets to set the token. Then the row no longer remembers
the newer owner, and the older one is welcome.

The ordinary way to a first record is not reported while no code in sight deletes such records or clears
the column: \'INSERT … ON CONFLICT … DO UPDATE … WHERE\', \'attribute_not_exists(pk) OR …\', a missing field
that a script reads as 0, all of which store the token.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE tickets SET agent = $3, last_fence = $2"+
		" WHERE id = $1 AND (last_fence IS NULL OR last_fence < $2)",
	id, fence, agent)`,
		After: `
// The column is NOT NULL DEFAULT 0, and nothing resets it.
res, err := db.ExecContext(ctx,
	"UPDATE tickets SET agent = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, agent)`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes: last_fence = 34
B  is done, releases the lock, and tidies up: last_fence = NULL
A  wakes up and writes with token 33: the column is NULL, accepted`,
	Accept: `If the column is filled once and never emptied, by this or any other program:

    //fencelint:accept nulladmitted reason="set by the first writer; no statement clears it"`,
	Blind: []string{
		`The schema is not read: COALESCE around a column that is NOT NULL is reported too. It does nothing there, so drop it.`,
		`Clearing and deleting by other programs, by hand or by an expiry of the store is not seen.`,
	},
}
