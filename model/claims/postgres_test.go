//go:build unix

package claims

import (
	"testing"
	"time"

	"cirello.io/pglock"
)

// A session lock belongs to a connection: through a pool the unlock misses it, and with
// its connection it ends, and the means to write.
func TestAdvisoryLock(t *testing.T) {
	db := postgres(t)
	a, b := two(t, db)
	_, err := a.ExecContext(t.Context(), "SELECT pg_advisory_lock(7)")
	must(t, err)
	if ask[bool](t, b, "SELECT pg_advisory_unlock(7)") {
		t.Error("another connection unlocks it")
	}
	if ask[bool](t, b, "SELECT pg_try_advisory_lock(7)") {
		t.Error("two connections hold it")
	}
	pid := ask[int](t, a, "SELECT pg_backend_pid()")
	if !ask[bool](t, b, "SELECT pg_terminate_backend($1)", pid) {
		t.Fatal("the connection does not end")
	}
	granted := false
	for range 50 {
		if granted = ask[bool](t, b, "SELECT pg_try_advisory_lock(7)"); granted {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !granted {
		t.Error("the lock outlives its connection")
	}
	if _, err := a.ExecContext(t.Context(), "CREATE TABLE late (id int)"); err == nil {
		t.Error("who lost the lock with its connection writes on it")
	}
}

// A transaction lock outside of a transaction is gone at once; a row lock is too.
func TestTransactionLock(t *testing.T) {
	db := postgres(t)
	a, b := two(t, db)
	_, err := a.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock(8)")
	must(t, err)
	if !ask[bool](t, b, "SELECT pg_try_advisory_xact_lock(8)") {
		t.Error("it is held outside of a transaction")
	}
	_, err = a.ExecContext(t.Context(), "CREATE TABLE shards (id int PRIMARY KEY, range int)")
	must(t, err)
	_, err = a.ExecContext(t.Context(), "INSERT INTO shards VALUES (1, 1)")
	must(t, err)
	ask[int](t, a, "SELECT range FROM shards WHERE id = 1 FOR UPDATE")
	if got := ask[int](t, b, "SELECT count(*) FROM (SELECT 1 FROM shards WHERE id = 1 FOR UPDATE SKIP LOCKED) s"); got != 1 {
		t.Error("the row stays locked outside of a transaction")
	}
	tx, err := a.BeginTx(t.Context(), nil)
	must(t, err)
	defer tx.Rollback()
	ask[int](t, tx, "SELECT range FROM shards WHERE id = 1 FOR UPDATE")
	if got := ask[int](t, b, "SELECT count(*) FROM (SELECT 1 FROM shards WHERE id = 1 FOR UPDATE SKIP LOCKED) s"); got != 0 {
		t.Error("the row is not locked in a transaction")
	}
}

// A shared advisory lock keeps nobody out who takes it the same way.
func TestSharedAdvisoryLock(t *testing.T) {
	a, b := two(t, postgres(t))
	if !ask[bool](t, a, "SELECT pg_try_advisory_lock_shared(9)") || !ask[bool](t, b, "SELECT pg_try_advisory_lock_shared(9)") {
		t.Error("the second is refused")
	}
}

// A sequence gives its number to whoever asks: a late one draws a high one.
func TestSequenceIsUnbound(t *testing.T) {
	a, b := two(t, postgres(t))
	_, err := a.ExecContext(t.Context(), "CREATE SEQUENCE epochs")
	must(t, err)
	owner := ask[int64](t, b, "SELECT nextval('epochs')")
	if stale := ask[int64](t, a, "SELECT nextval('epochs')"); stale <= owner {
		t.Errorf("number %d for the owner and %d for one that came back late", owner, stale)
	}
}

// GET_LOCK belongs to a connection of MariaDB, and answers 0 where it is taken.
func TestGetLock(t *testing.T) {
	a, b := two(t, mariadb(t))
	if ask[int](t, a, "SELECT GET_LOCK('x', 0)") != 1 {
		t.Fatal("a free lock is not granted")
	}
	if got := ask[int](t, b, "SELECT GET_LOCK('x', 0)"); got != 0 {
		t.Errorf("a taken lock answers %d, without an error", got)
	}
	if got := ask[int](t, b, "SELECT RELEASE_LOCK('x')"); got != 0 {
		t.Errorf("another connection releases it: %d", got)
	}
	id := ask[int](t, a, "SELECT CONNECTION_ID()")
	_, err := b.ExecContext(t.Context(), "KILL ?", id)
	must(t, err)
	if got := ask[int](t, b, "SELECT GET_LOCK('x', 5)"); got != 1 {
		t.Errorf("the lock outlives its connection: %d", got)
	}
	if _, err := a.ExecContext(t.Context(), "SELECT 1"); err == nil {
		t.Error("who lost the lock with its connection goes on using it")
	}
}

// The record version of pglock moves within one tenure, and a refusal comes with a lock.
func TestPglock(t *testing.T) {
	const path = "cirello.io/pglock."
	class(t, path+"Lock.RecordVersionNumber", "volatile")
	trap(t, path+"Client.Acquire", "nonnil_handle_on_err")
	db := postgres(t)
	db.SetMaxOpenConns(8)
	cli, err := pglock.UnsafeNew(db, pglock.WithLeaseDuration(2*time.Second), pglock.WithHeartbeatFrequency(100*time.Millisecond))
	must(t, err)
	must(t, cli.CreateTable())
	held, err := cli.Acquire("k")
	must(t, err)
	t.Cleanup(func() { _ = held.Close() })
	before := held.RecordVersionNumber()
	for range 100 {
		if time.Sleep(50 * time.Millisecond); held.RecordVersionNumber() != before {
			break
		}
	}
	if held.RecordVersionNumber() == before {
		t.Error("the number stays the same in one tenure")
	}
	if l, err := cli.Acquire("k", pglock.FailIfLocked()); l == nil || err == nil {
		t.Errorf("refused with the lock %v and the error %v", l, err)
	}
}
