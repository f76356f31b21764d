//go:build unix

package reports_test

import (
	"sync"
	"testing"

	"fencelint.example/reports/internal/servers"
	"fencelint.example/reports/payment"
)

// TestAnswerLost: the bank pays and its answer gets lost. The payment stays pending, and
// the next attempt asks under the same key.
func TestAnswerLost(t *testing.T) {
	db, _ := database(t)
	if err := write(t.Context(), fencedWriter(session(t, 5, etcd.Endpoints()...), db), "B"); err != nil {
		t.Fatal(err)
	}
	b := bank(t)
	b.LoseAnswers(1)
	to := payment.Bank{URL: b.URL, Client: client(t)}
	if err := payment.Settle(t.Context(), db, to); err == nil {
		t.Fatal("an answer that got lost is taken for a payment")
	}
	wantCounts(t, b, 1, 1)
	for range 2 {
		if err := payment.Settle(t.Context(), db, to); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, b, 2, 1) // known to be paid, and not asked for again
	}
}

// TestManySettle: nobody holds a lock, and each asks under the same key.
func TestManySettle(t *testing.T) {
	db, _ := database(t)
	if err := write(t.Context(), fencedWriter(session(t, 5, etcd.Endpoints()...), db), "B"); err != nil {
		t.Fatal(err)
	}
	b := bank(t)
	b.LoseAnswers(2)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { payment.Settle(t.Context(), db, payment.Bank{URL: b.URL, Client: client(t)}) })
	}
	wg.Wait()
	if err := payment.Settle(t.Context(), db, payment.Bank{URL: b.URL, Client: client(t)}); err != nil {
		t.Fatal(err)
	}
	if _, paid := b.Counts(); paid != 1 {
		t.Errorf("paid %d times", paid)
	}
}

// TestNothingToPay: what was refused is not paid for.
func TestNothingToPay(t *testing.T) {
	db, _ := database(t)
	b := bank(t)
	if err := payment.Settle(t.Context(), db, payment.Bank{URL: b.URL, Client: client(t)}); err != nil {
		t.Fatal(err)
	}
	wantCounts(t, b, 0, 0)
}

func wantCounts(t *testing.T, b *servers.Bank, asked, paid int) {
	t.Helper()
	if a, p := b.Counts(); a != asked || p != paid {
		t.Errorf("the bank was asked %d times and paid %d times, want %d and %d", a, p, asked, paid)
	}
}
