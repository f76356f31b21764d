// Package casnotfence reports compare-and-set where the lock's contract asks for more.
package casnotfence

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule casnotfence.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "casnotfence",
	RawDocumentation: lint.RawDocumentation{
		Title:    "version check that does not keep the contract of its lock",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The write compares a version that was read before. No update gets lost that way: whoever read an old
version is refused. But a version belongs to the record and not to the owner. An owner whose lease is
gone reads the newest version like anybody else, and is let in.

The rule speaks where a contract is written at the lock:

- with \'contract=fence\', at every write whose guard is a version;
- with \'contract=cas\', where the version was read again right before the write and not before the
  decision. It then guards the last moment only, and a retry that reads again after a refusal makes even
  that void.

Without a contract a version check is no finding. The register says exactly what it does.`,
		Before: `
//fencelint:lock correctness contract=fence
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
var version int64
if err := db.QueryRowContext(ctx, "SELECT version FROM plans WHERE id = $1", id).Scan(&version); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE plans SET leader = $3, version = version + 1 WHERE id = $1 AND version = $2",
	id, version, host)`,
		After: `
//fencelint:lock correctness contract=fence
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
res, err := db.ExecContext(ctx,
	"UPDATE plans SET leader = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, m.Header().Revision, host)`,
	},
	Breaks: `
A  acquires the lock and is paused before it reads; the lease expires
B  acquires the lock and writes: version 8, leader B
A  wakes up, reads version 8, and writes: 8 = 8, accepted
   no update was lost, and yet a process without a lease has made itself the leader`,
	Accept: `If "no lost update" is all that you need, write that at the lock; no \'accept\' is needed then:

    //fencelint:lock correctness contract=cas

For a single write:

    //fencelint:accept casnotfence reason="a comment field; any owner may edit it"`,
	Blind: []string{
		`That a column is a version is told by how it is used: read, compared by equality, and moved by the same statement.`,
		`What the decision rests on besides the versioned record is not compared with anything.`,
	},
}
