// Package staleread reports reads from before the lock that decide about writes under it.
package staleread

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule staleread.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "staleread",
	RawDocumentation: lint.RawDocumentation{
		Title:    "read from before the lock that decides about a write under it",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The row is read, then the lock is acquired, and under the lock the code decides on what it read before.
While it waited for the lock, its predecessor was at work, on that very row. The lock keeps the writes
apart and does nothing for the decision.

Read again under the lock, or let the write itself test what was read. A first look before the lock, to
see whether there is anything to do, is fine if the second look follows.

The rule stands at the read that is too old. The write has a verdict of its own: reading again does not
replace a guard.`,
		Before: `
var used bool
if err := db.QueryRowContext(ctx, "SELECT used FROM coupons WHERE code = $1", code).Scan(&used); err != nil {
	return err
}
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
if used {
	return errUsed
}
_, err := db.ExecContext(ctx, "UPDATE coupons SET used = true WHERE code = $1", code)
return err`,
		After: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
res, err := db.ExecContext(ctx,
	"UPDATE coupons SET used = true, last_fence = $2 WHERE code = $1 AND NOT used AND last_fence < $2",
	code, m.Header().Revision)
if err != nil {
	return err
}
if n, err := res.RowsAffected(); err != nil || n == 0 {
	return errors.Join(errUsed, err)
}
return nil`,
	},
	Breaks: `
A  reads: not used; waits for the lock
B  has the lock, redeems the coupon, releases
A  gets the lock, remembers "not used", and redeems the coupon again
   nothing expired and nobody was paused`,
	Accept: `If the value cannot change back, or an old one is as good:

    //fencelint:accept staleread reason="only the currency is taken from here, and it never changes"`,
	Blind: []string{
		`A read whose value came through a cache, another service or the caller is not known to be one of this row.`,
	},
}
