// Package equaladmitted reports guards that let one owner's write through twice.
package equaladmitted

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule equaladmitted.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "equaladmitted",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard that admits the stored token a second time",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
Older tokens are refused, but the one that is stored already passes: the comparison is \'<=\' and not
\'<\'. No other owner comes in that way. What comes in is the same owner once more: a statement that was
repeated because its answer got lost, or one that arrives after a later one. The row cannot tell it from
the first.

Two forms allow many writes under one token and keep them apart, and both are recognised:

- a number of the step beside the token, compared as a pair: \'(last_fence, step) < ($2, $3)\';
- a further column that the statement compares and moves: \'last_fence <= $2 AND version = $3\'.

An \'=\' with the epoch that the acquisition itself wrote into the row is another kind of guard and not
meant here.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE wallets SET cents = cents + $3, last_fence = $2 WHERE id = $1 AND last_fence <= $2",
	id, fence, cents)`,
		After: `
step++ // counts the writes of this owner
res, err := db.ExecContext(ctx,
	"UPDATE wallets SET cents = cents + $4, last_fence = $2, step = $3"+
		" WHERE id = $1 AND (last_fence, step) < ($2, $3)",
	id, fence, step, cents)`,
	},
	Breaks: `
A  acquires the lock with token 33
A  sends "add 500": 32 <= 33, done; the connection breaks before the answer
A  sends it again: 33 <= 33, done once more
   1000 were added, and only the rightful owner was at work`,
	Accept: `If the second time changes nothing, and no other write of the same owner can lie between the
two, say so:

    //fencelint:accept equaladmitted reason="writes the whole row from one input"

If the id of each operation is inserted under a unique key in the same transaction, say it at the lock;
it is checked:

    //fencelint:lock correctness replay=idempotent`,
	Blind: []string{
		`Whether anything ever repeats a statement (driver, proxy, queue) is not known; the possibility is enough.`,
		`A unique constraint that would stop the second time is in the schema, which is not read.`,
		`Two goroutines that count their steps separately under one token are not noticed.`,
	},
}
