// Package poollock reports locks of a database session that are taken through a
// pool of connections.
package poollock

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule poollock.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "poollock",
	RawDocumentation: lint.RawDocumentation{
		Title:    "lock of a database session that is taken through a pool",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
\'pg_advisory_lock\' and \'GET_LOCK\' belong to one connection. Here the call goes to a pool (\'*sql.DB\',
\'*pgxpool.Pool\', \'*gorm.DB\'), which picks any connection, and takes it back with the lock still on it.
From then on

- your writes run on other connections and go on when that one dies;
- the unlock runs on another connection, frees nothing, and says so only in a result that nobody reads;
- whoever is given that connection next in the same process gets the lock for the asking, since a session
  may lock again what it has locked.

Take a connection out of the pool (\'db.Conn\') and do everything on it: lock, writes, unlock. Or use the
lock of a transaction, which needs no unlock.

The rule stands at the acquisition. Writes under such a lock get no finding of their own, since there is
no lock to speak of.`,
		Before: `
//fencelint:lock correctness
if _, err := db.ExecContext(ctx, "SELECT pg_advisory_lock($1)", key); err != nil {
	return err
}
defer db.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", key)
_, err := db.ExecContext(ctx, "UPDATE ledgers SET closed = true WHERE id = $1", id)
return err`,
		After: `
tx, err := db.BeginTx(ctx, nil)
if err != nil {
	return err
}
defer tx.Rollback()
//fencelint:lock correctness
if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", key); err != nil {
	return err
}
if _, err := tx.ExecContext(ctx, "UPDATE ledgers SET closed = true WHERE id = $1", id); err != nil {
	return err
}
return tx.Commit()`,
	},
	Breaks: `
A  locks; the pool takes connection 1, which keeps the lock; A's writes use connections 2 and 3
C  in the same process, locks; the pool hands out connection 1: granted
   A and C write at the same time
A  unlocks on connection 2: nothing happens
B  in another process, waits until connection 1 is closed some day`,
	Accept: `If the pool is no pool:

    //fencelint:accept poollock reason="SetMaxOpenConns(1); this handle serves the lock and its writes only"`,
	Blind: []string{
		`A pooler between program and database that hands out sessions per transaction breaks pinned connections too; it is not seen.`,
		`Behind an interface the lock is judged where a pool or a connection is put into it, if that is in sight.`,
	},
}
