// Package unfencedwrite reports writes under a lock that nothing guards against
// an obsolete owner.
package unfencedwrite

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unfencedwrite.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unfencedwrite",
	RawDocumentation: lint.RawDocumentation{
		Title:    "write under a correctness lock that the receiver cannot refuse",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
A lock with a lease can be lost without its holder noticing. From then on only the receiver of a write
can tell the old owner from the new one, and only if the write tells it something to compare. This
write does not: nothing in the statement, in its transaction or in the request depends on who owns the
lock.

What counts as a guard: a fencing token compared with the stored one and stored in its place; the
store's own test of ownership (the lease of a blob, \'IsOwner\' in etcd, a claim id in the row); a lock
that lives and dies with the very connection or transaction of the write; an insert that only the first
can make.

Not a guard: holding the lock, asking \'IsLeader\' before the write, a shorter time-out, a statement
that can be repeated without harm. A token inside a comment or a literal is none either.

The finding stands at the write, or at the call through which the holder of the lock reaches it; the
way from the lock to the write is attached.`,
		Before: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
_, err := db.ExecContext(ctx,
	"UPDATE settlements SET payload = $2 WHERE id = $1", id, payload)
return err`,
		After: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
fence := m.Header().Revision // issued with the lock; a later owner has a greater one
res, err := db.ExecContext(ctx,
	"UPDATE settlements SET payload = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, payload)
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return errors.Join(errStale, err)
}
return nil`,
	},
	Breaks: `
A  acquires the lock, prepares its UPDATE
A  is paused; the lease expires
B  acquires the lock, writes, releases
A  wakes up, still believes it is the owner, and sends its UPDATE
   the database has no reason to refuse: B's result is gone`,
	Accept: `If a lost or repeated write at this place is tolerable, say why, at the statement:

    //fencelint:accept unfencedwrite reason="rebuilt from the ledger every night"

If all writes under the lock are tolerable, the lock is one of class efficiency. If the receiver
enforces a parameter in a way that cannot be seen in Go (a trigger, a remote service), declare it at
the function that writes:

    //fencelint:writes resource=settlements fence=token`,
	Blind: []string{
		`A trigger or a stored procedure that compares the token is not seen; declare it with \'//fencelint:writes\'.`,
		`A write through a library without a model is not seen as a write.`,
		`Writes of other programs to the same resource are seen only if the programs share a package that names it.`,
	},
}
