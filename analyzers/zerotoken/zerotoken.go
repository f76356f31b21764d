// Package zerotoken reports fencing tokens that are zero on a way to the write.
package zerotoken

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule zerotoken.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "zerotoken",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that was never set on one way to the write",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
There is a way to this write on which nobody sets the token: a field that the constructor leaves out, a
variable that only one branch fills, a number whose error was dropped. The token is then 0, and the guard
is either shut or open for everybody: \'last_fence < 0\' refuses each owner, and a receiver that takes 0 for
"no fence" asks none.

The finding does not depend on the guard. A guard that has a door for 0 (\'$2 = 0 OR …\') is nulladmitted.`,
		Before: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
var fence int64
if h := m.Header(); h.ClusterId == cluster {
	fence = h.Revision
}
res, err := db.ExecContext(ctx,
	"UPDATE songs SET title = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence, title)`,
		After: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
h := m.Header()
if h.ClusterId != cluster {
	return errWrongCluster
}
res, err := db.ExecContext(ctx,
	"UPDATE songs SET title = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, h.Revision, title)`,
	},
	Breaks: `
   the cluster was restored and has a new id
A  acquires the lock; the ids differ, the token stays 0
A  writes: 30 < 0, refused; A believes that its lock is lost and stops, and so does every other owner
   to get on, somebody lets 0 through at the receiver; from then on anybody is let through`,
	Accept: `If 0 is a number like any other, issued by your lock service to the first owner:

    //fencelint:accept zerotoken reason="epochs begin at 0, and so does the column, at -1"`,
	Blind: []string{
		`A 0 that comes out of a decoder or a default of the database is not recognised.`,
		`Fields that are set by reflection count as not set.`,
	},
}
