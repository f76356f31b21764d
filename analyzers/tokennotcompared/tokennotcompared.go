// Package tokennotcompared reports writes that store a fencing token and compare
// it with nothing.
package tokennotcompared

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule tokennotcompared.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "tokennotcompared",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that is stored and never compared",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The write takes the token along and puts it into a column, but no condition of the unit compares it with
what stood there before. The column then tells, after the accident, who wrote last. It refuses nobody.

This is easy to overlook: the function has a parameter \'fence\', the table a column \'last_fence\', and the
one word that counts is missing after WHERE. The comparison may also be there without being one: behind
a comment mark, or inside a literal of the statement.

A stored value that is no token of this lock does not count: without a guard that is unfencedwrite.`,
		Before: `
_, err := pool.Exec(ctx,
	"UPDATE cameras SET firmware = $3, last_fence = $2 WHERE id = $1",
	id, fence, firmware)
return err`,
		After: `
tag, err := pool.Exec(ctx,
	"UPDATE cameras SET firmware = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, firmware)
if err != nil {
	return err
}
if tag.RowsAffected() == 0 {
	return errStale
}
return nil`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes: firmware 2.1, last_fence 34
A  wakes up and writes: firmware 2.0, last_fence 33
   the row says itself that an older owner came last, and nobody asked it`,
	Accept: `If the column is a note for people, and a lost or repeated write of this row does no harm:

    //fencelint:accept tokennotcompared reason="shown in the audit view; the row is recomputed hourly"

If a trigger compares, say what it enforces at the function that writes:

    //fencelint:writes resource=cameras fence=token`,
	Blind: []string{
		`A trigger, or a CHECK that refuses a falling value, is not seen.`,
	},
}
