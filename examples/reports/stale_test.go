//go:build unix

package reports_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"fencelint.example/reports/fenced"
	"fencelint.example/reports/internal/servers"
	"fencelint.example/reports/payment"
	"fencelint.example/reports/unfenced"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// TestStaleOwner: A pauses, its lease ends, B writes, A goes on. cmd/reports does the
// same with processes and a lease that runs out.
//
//fencelint:staletest resource=report_result
func TestStaleOwner(t *testing.T) {
	db, _ := database(t)
	sessionA := session(t, 5, etcd.Endpoints()...)
	a := begin(t, t.Context(), fencedWriter(sessionA, db), "A")
	revoke(t, sessionA)
	if err := write(t.Context(), fencedWriter(session(t, 5, etcd.Endpoints()...), db), "B"); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, "A", a.finish())
	wantBody(t, db, "B")
}

// TestStaleOwnerUnfenced: the same without a guard. This is the bug.
func TestStaleOwnerUnfenced(t *testing.T) {
	db, _ := database(t)
	sessionA := session(t, 5, etcd.Endpoints()...)
	a := begin(t, t.Context(), unfencedWriter(t, sessionA, db), "A")
	revoke(t, sessionA)
	if err := write(t.Context(), unfencedWriter(t, session(t, 5, etcd.Endpoints()...), db), "B"); err != nil {
		t.Fatal(err)
	}
	if err := a.finish(); err != nil {
		t.Errorf("A: %v, though nothing can refuse it", err)
	}
	wantBody(t, db, "A")
}

// TestActivation: A is refused as soon as B has the lock, before B wrote anything, so
// that nothing changes below the work of B.
func TestActivation(t *testing.T) {
	db, _ := database(t)
	sessionA := session(t, 5, etcd.Endpoints()...)
	a := begin(t, t.Context(), fencedWriter(sessionA, db), "A")
	revoke(t, sessionA)
	b := begin(t, t.Context(), fencedWriter(session(t, 5, etcd.Endpoints()...), db), "B")
	wantRefused(t, "A", a.finish())
	wantBody(t, db, "")
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	wantBody(t, db, "B")
}

// TestDelayedDelivery: nobody pauses. A sends its write, hears nothing, gives up and
// unlocks; B writes; then the network delivers what A sent.
func TestDelayedDelivery(t *testing.T) {
	for _, test := range []struct {
		name         string
		writer       func(*testing.T, *concurrency.Session, *sql.DB) writer
		answer, body string
	}{
		{"fenced", func(_ *testing.T, s *concurrency.Session, db *sql.DB) writer { return fencedWriter(s, db) }, "UPDATE 0", "B"},
		{"unfenced", unfencedWriter, "UPDATE 1", "A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			direct, name := database(t)
			slow := slowPath(t, postgres.URL(name), "SET body")
			// exec: a statement is one message, and needs no answer to another one before.
			viaSlow := openURL(t, slow.url+"&default_query_exec_mode=exec")

			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if err := write(ctx, test.writer(t, session(t, 5, etcd.Endpoints()...), viaSlow), "A"); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("A: %v, want a time-out", err)
			}
			if err := write(t.Context(), test.writer(t, session(t, 5, etcd.Endpoints()...), direct), "B"); err != nil {
				t.Fatal(err)
			}
			if got := slow.deliver(); got != test.answer {
				t.Errorf("PostgreSQL answers %q, want %q", got, test.answer)
			}
			wantBody(t, direct, test.body)
		})
	}
}

// TestDuplicateToken: whatever is delivered a second time under the same epoch is
// refused, be it by mistake or because an answer was lost.
func TestDuplicateToken(t *testing.T) {
	db, _ := database(t)
	store := fenced.Store{DB: db}
	const epoch = 100
	version, err := store.Activate(t.Context(), report, epoch)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Activate(t.Context(), report, epoch)
	wantRefused(t, "a second owner with the same epoch", err)
	if err := store.Commit(t.Context(), report, epoch, version, "first"); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, "the same write again", store.Commit(t.Context(), report, epoch, version, "again"))
	wantRefused(t, "a write that was not activated", store.Commit(t.Context(), report, epoch+1, version+1, "early"))
	wantBody(t, db, "first")
}

// TestBypass: a fence guards the statements that compare it, and no others.
func TestBypass(t *testing.T) {
	db, _ := database(t)
	b := begin(t, t.Context(), fencedWriter(session(t, 5, etcd.Endpoints()...), db), "B")
	if err := (fenced.Store{DB: db}).Replace(t.Context(), report, "by hand"); err != nil {
		t.Fatal(err)
	}
	wantBody(t, db, "by hand")
	// The owner is not told, and overwrites what was repaired.
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	wantBody(t, db, "B")
}

func unfencedWriter(t *testing.T, s *concurrency.Session, db *sql.DB) writer {
	return unfenced.Writer{Session: s, DB: db, Bank: payment.Bank{URL: bank(t).URL, Client: client(t)}}
}

func bank(t *testing.T) *servers.Bank {
	t.Helper()
	b, err := servers.StartBank()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Stop)
	return b
}
