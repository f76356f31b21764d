// Package checknotfence reports writes that rely on a local opinion about the lock.
package checknotfence

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule checknotfence.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "checknotfence",
	RawDocumentation: lint.RawDocumentation{
		Title:    "write that relies on asking this process whether the lock is held",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Right before the write the code asks \'IsLeader\', \'Valid\', \'TTL\', \'Until\' or the state of the node, and
the answer is all that guards the write; or it asks a flag, a channel or a field that the code which holds
the lock sets for others. Most libraries answer from memory too: they know when they last renewed, and what
time it is here. Those that ask the lock service bring back an answer that was true a
moment ago.

Between answer and write there is room for a pause, however short the distance in the source. A second
question after the write only tells that it was too late.

Ask by all means, to save work. But let the write carry something that its receiver can compare.`,
		Before: `
if ttl, err := lock.TTL(ctx); err != nil || ttl < 5*time.Second {
	return errLost
}
_, err := db.ExecContext(ctx, "UPDATE looms SET pattern = $2 WHERE id = $1", id, pattern)
return err`,
		After: `
if ttl, err := lock.TTL(ctx); err != nil || ttl < 5*time.Second {
	return errLost // saves a useless attempt
}
res, err := db.ExecContext(ctx, "UPDATE looms SET pattern = $3 WHERE id = $1 AND claim = $2",
	id, claim, pattern) // the acquisition wrote claim into this row
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return errors.Join(errLost, err)
}
return nil`,
	},
	Breaks: `
A  asks: nine seconds left; that is plenty
A  is paused for twenty
B  acquires the lock and writes
A  wakes up behind its question and writes`,
	Accept: `If the time that is left can be shown to bound the write, which takes a limit that the receiver
enforces:

    //fencelint:accept checknotfence reason="the proxy drops requests older than 2 s by its own clock"`,
	Blind: []string{
		`A flag counts only if it is set in holds alone, each time the lock is acquired; one that other code sets too is data.`,
	},
}
