// Package unboundcounter reports fences that are fed from a counter which anybody
// can draw from at any time.
package unboundcounter

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unboundcounter.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unboundcounter",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token that is not minted together with the grant",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The number rises for ever, as it should, but it is drawn in a round trip of its own: \'INCR\' after the
lock, \'nextval\', a timestamp from an oracle, the last number plus one. Whoever asks gets a fresh one,
owner or not. If the pause falls between the grant and the draw, the owner of yesterday draws the number
of today.

Drawing before the lock is asked for is no better: the order of draws is then not the order of grants.

The same holds for a number that the lock service keeps and the owner reads after the grant: the lock
index of Consul, the transitions of a Kubernetes lease, the term of a raft. After the pause the read gives
the number of the newer owner. It counts only where the same read shows that the holder is still this one,
and the code looks: \'pair.Session != mine\', \'record.HolderIdentity != lock.Identity()\', \'node.State()\'.

Grant and number must be one step of the lock service: a script that sets the key and increments the
counter, \'UPDATE … SET epoch = epoch + 1 … RETURNING epoch\' on the row of the lease, or a service that
numbers its grants, such as etcd.`,
		Before: `
//fencelint:lock correctness
lock, err := locks.Obtain(ctx, "invoice-run", time.Minute, nil)
if err != nil {
	return err
}
defer lock.Release(context.WithoutCancel(ctx))
var fence int64
if err := db.QueryRowContext(ctx, "SELECT nextval('invoice_fence')").Scan(&fence); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE invoices SET sent = true, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence)`,
		After: `
var fence int64
//fencelint:lock correctness
err := db.QueryRowContext(ctx,
	"UPDATE leases SET epoch = epoch + 1, until = now() + interval '1 minute'"+
		" WHERE name = 'invoice-run' AND until < now() RETURNING epoch").Scan(&fence)
if err != nil {
	return err // sql.ErrNoRows: somebody else has it
}
res, err := db.ExecContext(ctx,
	"UPDATE invoices SET sent = true, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence)`,
	},
	Breaks: `
A  obtains the lock and is paused before it draws its number; the lease expires
B  obtains the lock, draws 51, writes with 51
A  wakes up, draws 52, writes: 51 < 52, accepted
B  is the owner, and from now on the one who is refused`,
	Accept: `If a write by an earlier owner is tolerable here, say why; the counter keeps at least the order
of the draws:

    //fencelint:accept unboundcounter reason="a second run sends what the first one sent"`,
	Blind: []string{
		`A script or procedure that is stored on the server is not read, so that a number which it mints with the grant looks unbound.`,
		`A counter behind a library without a model is a number of unknown origin: unprovedwrite.`,
	},
}
