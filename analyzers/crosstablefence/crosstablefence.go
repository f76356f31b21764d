// Package crosstablefence reports guards that look at a row which the write does
// not lock.
package crosstablefence

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule crosstablefence.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "crosstablefence",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard in another table, whose row is not locked",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The statement writes a row of one table and asks another one, in a subquery, an EXISTS or a join, whether
its owner is still the owner. That reads well and does not hold at READ COMMITTED, the usual isolation.

A statement that meets a locked row waits, and then looks again at that row alone. The other table it
still sees as it was when the statement began. A newer owner can take over and commit in between, and the
older statement goes through all the same. This has been seen on a real server, in each of these forms.

Three ways out: put the fence on the row that is written; lock the other row in the same statement, in a
subquery or WITH that ends in FOR UPDATE or FOR SHARE; or lock or advance it first in the same
transaction and look at the answer before going on.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE playlists SET tracks = $3 WHERE id = $1"+
		" AND (SELECT epoch FROM owners WHERE name = 'playlists') = $2",
	id, epoch, tracks)`,
		After: `
tx, err := db.BeginTx(ctx, nil)
if err != nil {
	return err
}
defer tx.Rollback()
var one int
err = tx.QueryRowContext(ctx,
	"SELECT 1 FROM owners WHERE name = 'playlists' AND epoch = $1 FOR UPDATE", epoch).Scan(&one)
if err != nil {
	return err // sql.ErrNoRows: there is a newer owner
}
if _, err := tx.ExecContext(ctx, "UPDATE playlists SET tracks = $2 WHERE id = $1", id, tracks); err != nil {
	return err
}
return tx.Commit()`,
	},
	Breaks: `
A  is the owner, epoch 33, and is paused; its lease expires
B  takes over in a transaction: epoch 34, changes the playlist, has not committed yet
A  wakes up and sends its UPDATE: the subquery says 33; the playlist is locked, so it waits
B  commits
A  goes on: the playlist is looked at again, the subquery is not; B's tracks are gone`,
	Accept: `At SERIALIZABLE the database notices the conflict and refuses one of the two. If this transaction
runs there:

    //fencelint:accept crosstablefence reason="serializable, and 40001 goes back to the caller"`,
	Blind: []string{
		`An isolation level that is set in the connection string or in the database is not seen.`,
		`That all owners lock the same row is not checked; two that lock different rows do not meet.`,
	},
}
