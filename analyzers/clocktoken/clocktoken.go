// Package clocktoken reports fences that are fed from a clock.
package clocktoken

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule clocktoken.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "clocktoken",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fence compared with the reading of a clock",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The number that stands for the owner is a time: \'time.Now\', the moment until which the library believes
the lock to be held, the time of the last renewal. It looks ordered and fails twice. Clocks of two
machines differ, and a clock may be set back. And a clock answers whoever asks: an owner that lost its
lock during a pause reads it afterwards and has the largest number of all.

Nanoseconds help against ties only. Take the number that the lock service issued with the grant.`,
		Before: `
//fencelint:lock correctness
if err := mutex.LockContext(ctx); err != nil {
	return err
}
fence := mutex.Until().UnixMilli()
res, err := db.ExecContext(ctx,
	"UPDATE quotes SET cents = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, cents)`,
		After: `
m := concurrency.NewMutex(session, "/locks/quotes")
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
fence := m.Header().Revision
res, err := db.ExecContext(ctx,
	"UPDATE quotes SET cents = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, cents)`,
	},
	Breaks: `
A  has a clock that is a minute fast; acquires for ten seconds, token 12:01:10; is paused
B  acquires the lock at 12:00:12 and writes with token 12:00:22
A  wakes up and writes: 12:00:22 < 12:01:10, accepted
B  tries again and is refused, for almost a minute`,
	Accept: `If a wrong order costs little, because the value is recomputed soon:

    //fencelint:accept clocktoken reason="prices are refreshed every minute from the exchange"`,
	Blind: []string{
		`A time that the database made and the program read back counts as a value from the database, not as a clock.`,
		`Ids that begin with a time, such as ULIDs, are known by the function that makes them; a parsed one is not.`,
	},
}
