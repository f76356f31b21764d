// Package tokenmismatch reports guards that compare one value and store another.
package tokenmismatch

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule tokenmismatch.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "tokenmismatch",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard that compares one value and stores another as the new fence",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The condition compares the token, and the same statement puts a different value into the column that it
was compared with. The next owner is then measured against a number that is no token. If that number is
too small, old owners are let in again; if it is too large, the rightful ones are shut out.

Usually two arguments have changed places, or two numbers of one thing were at hand: the revision of a
mutex and the id of its lease, the epoch and the version of the record.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE rooms SET guest = $3, last_fence = $4 WHERE id = $1 AND last_fence < $2",
	id, election.Rev(), guest, booking.Version)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE rooms SET guest = $3, version = $4, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, election.Rev(), guest, booking.Version)`,
	},
	Breaks: `
A  leads with token 33, is paused; its session expires
B  leads with token 34 and writes: 30 < 34, and stores the version of its booking, 7
A  wakes up and writes with token 33: 7 < 33, accepted
   the row had already forgotten that B was there`,
	Accept: `Two arguments that are always equal are better written as one. If that cannot be:

    //fencelint:accept tokenmismatch reason="NewBooking takes the version from the epoch"`,
	Blind: []string{
		`Equal values are recognised by where they come from. Two values that meet in a store and come back are taken for different ones.`,
	},
}
