// Package mixedtokens reports fences that are fed from two sources of numbers.
package mixedtokens

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule mixedtokens.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "mixedtokens",
	RawDocumentation: lint.RawDocumentation{
		Title:    "one fence that is fed from two sources",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Two writes compare their numbers with the same column, or one write does so on two ways, and the numbers
come from different sources: two lock services, a mutex and an election, the header of a grant and the
revision of a key. Each of them rises. Between them there is no order: which one is greater says nothing
about which owner is newer, even within one etcd cluster.

\'Lock\' and \'TryLock\' of one kind of mutex are the same source. Two counters are two sources.

The rule stands at the write that can have both, else at the later of the two.`,
		Before: `
var fence int64
if legacy {
	//fencelint:lock correctness
	if err := mutex.Lock(ctx); err != nil {
		return err
	}
	fence = mutex.Header().Revision
} else {
	//fencelint:lock correctness
	if err := election.Campaign(ctx, host); err != nil {
		return err
	}
	fence = election.Rev()
}
res, err := db.ExecContext(ctx,
	"UPDATE feeds SET body = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence, body)`,
		After: `
//fencelint:lock correctness
if err := election.Campaign(ctx, host); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE feeds SET body = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, election.Rev(), body)`,
	},
	Breaks: `
   a migration: old processes use the mutex of the old cluster, new ones an election in a fresh cluster
A  (old) acquires the lock with token 52000, is paused; the old lock is switched off
B  (new) leads with token 40 and writes to a new feed: last_fence = 40
A  wakes up and writes: 40 < 52000, accepted
   on all other feeds B has been refused from the start`,
	Accept: `If the two are never in use for the same rows at the same time, and the column is reset between:

    //fencelint:accept mixedtokens reason="last_fence was set to 0 when the mutex was switched off"`,
	Blind: []string{
		`Two clusters of one lock service look like one source.`,
		`Writes of other programs to the same column are seen only through a package that both import.`,
	},
}
