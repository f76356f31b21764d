// Package notactivated reports work that precedes the announcement of a new epoch.
package notactivated

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule notactivated.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "notactivated",
	RawDocumentation: lint.RawDocumentation{
		Title:    "work before the resource has heard of the new epoch",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The lock is declared as \'activated\': a new owner first makes its epoch known at the resource, and only then
reads and works. Here a write can be reached before that.

Without the announcement the guard is right and late. The old owner is admitted until the new one has
written for the first time; what the new one has read by then, and decided, may be changed under its
hands.

The announcement is a guarded write that advances the fence and does nothing else, the first write of a
transaction that does, or a lock on the row of the epoch in the transaction that writes. A guard by
ownership (\'contract=owner\') needs none: there the acquisition itself is the announcement.`,
		Before: `
//fencelint:lock correctness activated
if err := election.Campaign(ctx, host); err != nil {
	return err
}
if _, err := db.ExecContext(ctx,
	"INSERT INTO plan (day, cell) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, cell); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE cells SET day = $3, epoch = $2 WHERE id = $1 AND epoch < $2", cell, election.Rev(), day)
return moved(res, err)`,
		After: `
//fencelint:lock correctness activated
if err := election.Campaign(ctx, host); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE cells SET epoch = $2 WHERE id = $1 AND epoch < $2", cell, election.Rev())
if err := moved(res, err); err != nil {
	return err
}
_, err = db.ExecContext(ctx,
	"INSERT INTO plan (day, cell) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, cell)
return err`,
	},
	Breaks: `
A  leads with epoch 33, is paused; its session expires
B  leads with epoch 34, reads the cell, makes a plan for it
A  wakes up and writes with 33: the cell has not heard of 34, accepted
B  writes with 34, by a plan for a cell that is no longer what it was`,
	Accept: `For work that no other owner can disturb:

    //fencelint:accept notactivated reason="appends to the journal of this owner only"

If the order does not matter for this lock at all, take \'activated\' away.`,
	Blind: []string{
		`Reads before the announcement are not reported, though a decision may rest on them.`,
		`An announcement that a function out of sight makes is not seen; call it in visible code.`,
	},
}
