// Package bypasswrite reports writes that go around the guard of a protected resource.
package bypasswrite

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule bypasswrite.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "bypasswrite",
	RawDocumentation: lint.RawDocumentation{
		Title:    "unguarded write to a resource that is guarded elsewhere",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Elsewhere in the program writes to this table, key or object are guarded, or a directive names it as what
a correctness lock protects. This write holds no lock and compares nothing. A guard is worth what its
weakest write is worth: here the state changes without the owner's knowledge, and a \'DELETE\' even takes
the stored token away, so that the next insert of an old owner succeeds.

Handlers for a single field, clean-up jobs and "reset" buttons are where this happens. Give them the same
guard, or let them go through the owner.

Tests are no bypass, nor is code that a directive declares as administration. Resources are compared over
all packages of one program: what packages write that do not know of each other is told at the package
clause of main. In a hold, a missing guard is unfencedwrite.`,
		Before: `
func (a *API) Reopen(ctx context.Context, shipment int64) error {
	_, err := a.db.ExecContext(ctx, "UPDATE shipments SET state = 'open' WHERE id = $1", shipment)
	return err
}`,
		After: `
func (a *API) Reopen(ctx context.Context, shipment, seen int64) error {
	res, err := a.db.ExecContext(ctx,
		"UPDATE shipments SET state = 'open' WHERE id = $1 AND last_fence = $2 AND state = 'stuck'",
		shipment, seen)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errChanged, err)
	}
	return nil
}`,
	},
	Breaks: `
A  holds the lock with token 34, has packed the shipment, and writes: state "sent", last_fence 34
H  the handler, on an older view of things, writes: state "open"
B  acquires the lock, finds the shipment open, and sends it again
   every guarded write was right`,
	Accept: `Migrations and repair tools say what they are, once for the function or the package:

    //fencelint:admin reason="runs with all workers stopped"

For a single statement:

    //fencelint:accept bypasswrite reason="sets a column that no owner reads or writes"`,
	Blind: []string{
		`Programs that share a database and no package do not know of each other. Put //fencelint:resource into a package that both import.`,
		`A resource whose name is put together at run time is compared as far as it is constant.`,
	},
}
