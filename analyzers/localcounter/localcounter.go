// Package localcounter reports fences that are fed from a counter of the process.
package localcounter

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule localcounter.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "localcounter",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that is counted in the memory of one process",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The number that is compared was counted here: an atomic variable, a field that is incremented at every
election, the length of a list. The other processes count for themselves, and a restart begins anew. Of
two owners in two processes such numbers say nothing.

Beside an epoch a local counter has its place: as the number of the step within one tenure, compared as
a pair, \'(epoch, step) < ($2, $3)\'. The epoch itself must come from the lock service.`,
		Before: `
w.term++ // how often this process became the leader
res, err := db.ExecContext(ctx,
	"UPDATE shards SET state = $3, term = $2 WHERE id = $1 AND term < $2",
	id, w.term, state)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE shards SET state = $3, term = $2 WHERE id = $1 AND term < $2",
	id, election.Rev(), state)`,
	},
	Breaks: `
A  has been the leader four times: term 4; is paused, its session expires
B  was deployed an hour ago and leads for the first time: term 1; it splits a shard and writes term 1
A  wakes up and writes with term 4: 1 < 4, accepted
   on all older shards B is refused, until it has been elected often enough`,
	Accept: `A counter that is loaded from the lock service and advanced there with every grant is not local.
If that cannot be seen, declare the field or function that yields it:

    //fencelint:token

Else:

    //fencelint:accept localcounter reason="the table is truncated at every start"`,
	Blind: []string{
		`A counter that is handed in from code out of sight is not known to be local.`,
	},
}
