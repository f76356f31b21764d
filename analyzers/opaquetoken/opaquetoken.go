// Package opaquetoken reports fences that are fed with a value without an order.
package opaquetoken

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule opaquetoken.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "opaquetoken",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fence compared with a value that has no order",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The condition asks whether the stored value is smaller than this one, and this one is an identity: the
random value of a Redis lock, a Consul session, the id of a lease in etcd or on a blob, an ETag, a UUID.
An identity tells two acquisitions apart. Which of them is the newer it cannot tell; greater or smaller
is a toss of the coin. That the value is an integer, as the lease of an etcd session is, changes nothing.

Compared by \'=\' an identity can be a perfect guard: if the acquisition itself wrote it into the very row
that is written later, the row knows its current owner, and order is not needed. For \'<\' take a number
that the lock service issues with the grant.`,
		Before: `
//fencelint:lock correctness
if err := mutex.LockContext(ctx); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE menus SET body = $3, last_owner = $2 WHERE id = $1 AND last_owner < $2",
	id, mutex.Value(), body)`,
		After: `
claim := uuid.NewString()
//fencelint:lock correctness
res, err := db.ExecContext(ctx,
	"UPDATE menus SET claim = $2, until = now() + interval '1 minute' WHERE id = $1 AND until < now()",
	id, claim)
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return err // somebody else is at it
}
res, err = db.ExecContext(ctx, "UPDATE menus SET body = $3 WHERE id = $1 AND claim = $2", id, claim, body)`,
	},
	Breaks: `
A  acquires the lock, value "f3a1…", is paused; the lease expires
B  acquires the lock, value "0c77…", and writes: last_owner = "0c77…"
A  wakes up and writes: "0c77…" < "f3a1…", accepted
   in half of all cases it would have been refused, which is how it passed the tests`,
	Accept: `If the value does rise with every owner, since your own lock service makes it so, declare what
yields it, and it counts as a fencing token:

    //fencelint:token
    func (l *Lease) Epoch() int64

What remains is a reason why the order does not matter here:

    //fencelint:accept opaquetoken reason="only sorts equal candidates; the claim id is compared too"`,
	Blind: []string{
		`A library's value of which it is not sure that it rises (the generation of a GCS object, for one) counts as opaque.`,
	},
}
