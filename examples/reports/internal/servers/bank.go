//go:build unix

package servers

import (
	"net"
	"net/http"
	"sync"
)

// Bank is a service that pays once for each idempotency key.
type Bank struct {
	URL    string
	server *http.Server

	mu    sync.Mutex
	asked int
	paid  map[string]string // cents by key
	lose  int
}

// StartBank opens a bank.
func StartBank() (*Bank, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Bank{URL: "http://" + l.Addr().String(), paid: map[string]string{}}
	b.server = &http.Server{Handler: b}
	go b.server.Serve(l)
	return b, nil
}

// ServeHTTP makes a payment.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, cents := r.Header.Get("Idempotency-Key"), r.FormValue("cents")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	if key == "" {
		http.Error(w, "no idempotency key", http.StatusBadRequest)
		return
	}
	if before, again := b.paid[key]; again && before != cents {
		http.Error(w, "another payment has this key", http.StatusUnprocessableEntity)
		return
	}
	b.paid[key] = cents
	if b.lose > 0 {
		b.lose--
		panic(http.ErrAbortHandler) // the connection breaks after the payment was made
	}
}

// LoseAnswers lets the bank make the next n payments without anybody hearing of it.
func (b *Bank) LoseAnswers(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lose = n
}

// Counts says how often the bank was asked to pay, and how many payments it made.
func (b *Bank) Counts() (asked, paid int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked, len(b.paid)
}

// Stop closes the bank.
func (b *Bank) Stop() { b.server.Close() }
