// Package effectbeforefence reports external effects that precede the write by which an old owner would be found out.
package effectbeforefence

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule effectbeforefence.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "effectbeforefence",
	RawDocumentation: lint.RawDocumentation{
		Title:    "external effect ahead of the first guarded write",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Under the lock an effect leaves for another system without a stable key, and afterwards a guarded write
records it. The guard works: an old owner is refused. But by then the money is transferred and the mail
is sent, and the refusal only keeps the books from saying so.

Turn it round. Claim the operation first in a guarded write, look at the answer, and let the effect
follow. A pause between the two still repeats the effect, if the next owner takes the claim over; so the
effect needs a key as well, or a decision.

An effect that no guarded write follows is missingidempotency.`,
		Before: `
resp, err := client.Do(order) // the courier takes no keys
if err != nil {
	return err
}
defer resp.Body.Close()
res, err := db.ExecContext(ctx,
	"UPDATE parcels SET state = 'ordered', last_fence = $2 WHERE id = $1 AND last_fence < $2", id, fence)
return moved(res, err)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE parcels SET state = 'ordering', last_fence = $2"+
		" WHERE id = $1 AND last_fence < $2 AND state = 'packed'", id, fence)
if err := moved(res, err); err != nil {
	return err
}
order.Header.Set("Idempotency-Key", "parcel-"+strconv.FormatInt(id, 10))
resp, err := client.Do(order)
if err != nil {
	return err
}
return resp.Body.Close()`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34, orders the courier, records it with 34
A  wakes up, orders the courier, and tries to record it with 33: refused
   the books are right, and two couriers come`,
	Accept: `If the effect is cheap to take back:

    //fencelint:accept effectbeforefence reason="the slot lapses unless confirmed" compensation="cancel it"`,
	Blind: []string{
		`A comparison that the effect's receiver makes by itself, by an order number in the body, is known only for clients with a model.`,
		`An effect behind an interface is judged where an implementation is in sight.`,
	},
}
