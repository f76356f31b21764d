// Package acquireignored reports holders that do not look whether they got the lock.
package acquireignored

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule acquireignored.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "acquireignored",
	RawDocumentation: lint.RawDocumentation{
		Title:    "acquisition whose answer is not looked at in full",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Not to get a lock is often no error. The answer is in a second part, and on some way into the work nobody
looks at it:

- a bool: \'SetNX\', \'TryLock\', a scanned \'pg_try_advisory_lock\';
- a channel that is nil: \'Lock\' of Consul returns \'nil, nil\' when it was told to stop;
- a field: \'Success\' of the answer;
- a count: a claim by UPDATE that met no row.

Handing the answer back to the caller is looking at it, and so is \'return nil\' on a refusal, which skips
the work. Where a refusal is an error anyway (an INSERT of a key that exists, \'RETURNING\' with \'Scan\'),
testing the error is enough.`,
		Before: `
var got bool
//fencelint:lock correctness
err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&got)
if err != nil {
	return err
}
_, err = conn.ExecContext(ctx, "UPDATE reports SET done = true WHERE day = $1", day)
return err`,
		After: `
var got bool
//fencelint:lock correctness
err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&got)
if err != nil {
	return err
}
if !got {
	return nil // another process is at it
}
defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", key)
_, err = conn.ExecContext(ctx, "UPDATE reports SET done = true WHERE day = $1", day)
return err`,
	},
	Breaks: `
A  acquires the lock and works
B  asks, is told "no" without an error, takes that for "yes", and works
   nobody was paused and nothing expired: there was no lock`,
	Accept: `If the work may as well be done without the lock, the lock is one of class efficiency. Otherwise:

    //fencelint:accept acquireignored reason="at start-up, before a second process can exist"`,
	Blind: []string{
		`Options that change the answer are not weighed: Consul's Lock is reported also where its stop channel is never closed.`,
	},
}
