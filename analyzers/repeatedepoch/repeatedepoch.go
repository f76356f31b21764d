// Package repeatedepoch reports second writes under one fencing token that its guard does not provide for.
package repeatedepoch

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule repeatedepoch.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "repeatedepoch",
	RawDocumentation: lint.RawDocumentation{
		Title:    "second write under one token, without a rule for it",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
A strict guard lets each token through once. This owner writes the same row a second time, in a loop or in
the next statement, and is refused: not as an old owner but by itself. Half of the work is done, and a
careful program concludes that its lock is lost.

Say at the lock how its writes are told apart, and write them so. What is said is checked:

- \'replay=sequence\': the pair of token and step is compared, and the step is not reset;
- \'replay=transaction\': one transaction, whose first statement advances the fence;
- \'replay=idempotent\': the id of the operation is inserted under a unique key in the same unit.

If \'replay\' is there and the finding stays, it names what is missing.`,
		Before: `
for _, page := range pages {
	res, err := db.ExecContext(ctx,
		"UPDATE books SET body = body || $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
		id, fence, page)
	if err := moved(res, err); err != nil {
		return err
	}
}
return nil`,
		After: `
for step, page := range pages {
	res, err := db.ExecContext(ctx,
		"UPDATE books SET body = body || $4, last_fence = $2, step = $3"+
			" WHERE id = $1 AND (last_fence, step) < ($2, $3)",
		id, fence, step, page)
	if err := moved(res, err); err != nil {
		return err
	}
}
return nil`,
	},
	Breaks: `
A  acquires the lock with token 34
A  writes the first page: 30 < 34, last_fence = 34
A  writes the second page: 34 < 34, refused; A takes its lock for lost and stops
   nobody else has it; the book has one page`,
	Accept: `If the second write is meant to be refused, or is of another row in a way that is not seen:

    //fencelint:accept repeatedepoch reason="ids of the loop are distinct, see the UNIQUE of batch_items"`,
	Blind: []string{
		`Whether two rows are different is told from their keys as far as these are in sight.`,
		`A step that begins again at a lower number after a retry within the process is not always noticed.`,
	},
}
