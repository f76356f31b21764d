// Package staleadmitted reports guards that let an older fencing token through.
package staleadmitted

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule staleadmitted.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "staleadmitted",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard that admits a token older than the stored one",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The write carries a fencing token and the receiver compares it, but the condition as a whole can be
true although the token is smaller than the stored one. It is a guard to look at and none in effect.

Usual causes: the sides are the wrong way round (\'$1 < last_fence\'), the operator is \'<>\', an OR
offers a second way in, the comparison is made on another column, or a COALESCE turns the comparison
into something that is always true.

The finding names the case that gets through. The condition is judged for every order of token and
stored value, with everything else in it left free; so it does not help that the second way in is rare.`,
		Before: `
res, err := db.ExecContext(ctx,
	"UPDATE parcels SET hub = $3, last_fence = $2 WHERE id = $1 AND (last_fence < $2 OR hub = '')",
	id, fence, hub)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE parcels SET hub = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, hub)`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes: last_fence = 34
A  wakes up and writes with token 33
   33 < 34, and the condition is true all the same: A overwrites B, and last_fence falls to 33`,
	Accept: `If the second way in is wanted and safe, say why:

    //fencelint:accept staleadmitted reason="an empty hub is set once, by the importer only"`,
	Blind: []string{
		`Constraints of the schema are not read: a branch that no row can ever satisfy counts as a way in.`,
	},
}
