//go:build unix

package reports_test

import (
	"database/sql"
	"testing"

	"fencelint.example/reports"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// TestDatabaseRestored: a backup that is older than the last owner brings an older fence
// back, and with it an owner that had been shut out. No guard in the table can see that.
func TestDatabaseRestored(t *testing.T) {
	db, a := restored(t)
	if err := a.finish(); err != nil {
		t.Fatalf("A: %v, but the restored fence is its own", err)
	}
	wantBody(t, db, "A")
}

// TestDatabaseReopened: whoever restores a backup raises the fences to the present
// revision of etcd before the first client comes in.
func TestDatabaseReopened(t *testing.T) {
	db, a := restored(t)
	now, err := a.session.Client().Get(t.Context(), "any key")
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.Reopen(t.Context(), db, now.Header.Revision); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, "A", a.finish())
	if err := write(t.Context(), fencedWriter(a.session, db), "C"); err != nil {
		t.Fatal(err)
	}
	wantBody(t, db, "C")
}

// stale is an attempt of an owner that has a successor.
type stale struct {
	*attempt
	session *concurrency.Session // of the successor
}

// restored lets A pause, takes a backup, lets B write, and restores the backup.
func restored(t *testing.T) (*sql.DB, stale) {
	t.Helper()
	db, name := database(t)
	ctx := t.Context()
	sessionA := session(t, 5, etcd.Endpoints()...)
	a := begin(t, ctx, fencedWriter(sessionA, db), "A")
	backup, err := postgres.Run(ctx, nil, name, "pg_dump", "--clean")
	if err != nil {
		t.Fatal(err)
	}
	revoke(t, sessionA)
	sessionB := session(t, 5, etcd.Endpoints()...)
	if err := write(ctx, fencedWriter(sessionB, db), "B"); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Run(ctx, backup, name, "psql", "--quiet", "--set=ON_ERROR_STOP=1"); err != nil {
		t.Fatal(err)
	}
	wantBody(t, db, "")
	return db, stale{a, sessionB}
}

// storedEpoch is the fence of the report.
func storedEpoch(t *testing.T, db *sql.DB) (epoch int64) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), `SELECT last_fence FROM report_result WHERE id = $1`, report).Scan(&epoch); err != nil {
		t.Fatal(err)
	}
	return epoch
}
