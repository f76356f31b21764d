// Package unprovedwrite reports writes under a lock of which it cannot be told
// whether an obsolete owner is refused.
package unprovedwrite

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unprovedwrite.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unprovedwrite",
	RawDocumentation: lint.RawDocumentation{
		Title:    "write under a correctness lock that cannot be judged",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
There is a write under the lock, and it may have a guard, but the analysis cannot see enough to say
whether the guard holds. It is not called wrong, and it is not passed over in silence. The message gives
the reason, usually one of these:

- the text of the statement is put together from parts that are known only when the program runs, and
  a part stands where it can change the condition;
- the token comes from code that cannot be seen, so that its order is not known;
- the write goes through an interface, or the lock is one, and no implementation of it is visible where
  the program is put together;
- the code is too large or too deep: a limit of the analysis was reached.

Often a small change helps: keep the condition constant and let only values or names of tables vary,
hand the token over as a parameter, or declare what the receiver enforces.`,
		Before: `
query := "UPDATE documents SET body = $3, last_fence = $2 WHERE id = $1 " + filter
res, err := db.ExecContext(ctx, query, id, fence, body)`,
		After: `
res, err := db.ExecContext(ctx,
	"UPDATE documents SET body = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, fence, body)`,
	},
	Breaks: `
A  acquires the lock with token 33, is paused; the lease expires
B  acquires the lock with token 34 and writes
A  wakes up and writes with token 33
   what happens now depends on something that the analysis cannot see`,
	Accept: `If you know what the analysis cannot see, write it down where it is true: at the function that
writes, the first of these says that the receiver compares the parameter token. The second is for a
single statement.

    //fencelint:writes resource=documents fence=token
    //fencelint:accept unprovedwrite reason="filter always ends with the fence condition, see buildFilter"`,
	Blind: []string{
		`Functions and interfaces that a caller hands in are the caller's matter: they are judged where they are supplied, and until then they stand in the register only.`,
		`A SELECT over tables that is sent to get rows counts as a read, whatever functions of the schema it calls; the register names those functions.`,
		`A file counts as the process's own, and a message to a worker that runs beside the lock as no write; declare what is shared with \'//fencelint:writes\'.`,
	},
}
