// Package untrustedtoken reports fences that are fed with a number which came in
// from outside.
package untrustedtoken

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule untrustedtoken.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "untrustedtoken",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that was taken from a request or a message",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The code acquires the lock itself, and then presents a number that somebody sent it: from a header, a
form, a path, the body of a message. That number has nothing to do with this acquisition. Whoever sends a
large one is the newest owner, by mistake or by intent, and stays it until somebody sends a larger one.

A function that holds no lock and compares a number from its caller with the stored one is something
else: it is the receiver, and its caller is the owner. It is not reported; the register lists it.`,
		Before: `
var job struct {
	ID, Fence int64
	Body      []byte
}
if err := json.Unmarshal(message, &job); err != nil {
	return err
}
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE pages SET body = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	job.ID, job.Fence, job.Body)`,
		After: `
var job struct {
	ID   int64
	Body []byte
}
if err := json.Unmarshal(message, &job); err != nil {
	return err
}
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE pages SET body = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	job.ID, m.Header().Revision, job.Body)`,
	},
	Breaks: `
A  takes a message that says 900, acquires the lock, is paused; the lease expires
B  takes a message that says 12, acquires the lock and writes: last_fence = 12
A  wakes up and writes: 12 < 900, accepted
   nobody is heard any more who does not send more than 900`,
	Accept: `If the sender holds the lease, and the lock here only keeps two workers from the same message,
the lock here is of class efficiency, and the question does not arise. Else:

    //fencelint:accept untrustedtoken reason="signed by the scheduler, which numbers its leaders"`,
	Blind: []string{
		`A number that a handler stores and a worker reads back counts as a value from the store.`,
		`Requests are known by the functions of net/http and by the usual decoders; your own protocol is of unknown origin.`,
	},
}
