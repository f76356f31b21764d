// Package dropset sets an idempotency key that goes nowhere, or that is another one each
// time for a reason that is not next to it.
package dropset

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"go.etcd.io/etcd/client/v3/concurrency"
)

const name = "Idempotency-Key"

// Till charges under a lock.
type Till struct {
	mu  *concurrency.Mutex
	hc  *http.Client
	db  *sql.DB
	run string
}

// NewTill gives a till a name of its own.
func NewTill(mu *concurrency.Mutex, hc *http.Client, db *sql.DB) *Till {
	return &Till{mu: mu, hc: hc, db: db, run: rand.Text()}
}

//fencelint:lock correctness
func (t *Till) lock(ctx context.Context) (func(), error) {
	if err := t.mu.Lock(ctx); err != nil {
		return nil, err
	}
	return func() { t.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

// send posts what a function has made of a request.
func (t *Till) send(ctx context.Context, body []byte, make func(*http.Request)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	make(req)
	return done(t.hc.Do(req))
}

func done(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	return nil
}

// Copied sets it in a copy of the header, which is given back to the request.
func (t *Till) Copied(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	h := req.Header.Clone()
	h.Set(name, order)
	req.Header = h
	return done(t.hc.Do(req))
}

// CopyDropped keeps the copy to itself.
func (t *Till) CopyDropped(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Clone().Set(name, order)
	return done(t.hc.Do(req)) // want "missingidempotency"
}

// RequestDropped sets it in a copy of the request, and sends the other one.
func (t *Till) RequestDropped(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	keyed := req.Clone(ctx)
	keyed.Header.Set(name, order)
	return done(t.hc.Do(req)) // want "missingidempotency"
}

// Replaced sets it, and has another header map then.
func (t *Till) Replaced(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set(name, order)
	req.Header = http.Header{"Content-Type": {"application/json"}}
	return done(t.hc.Do(req)) // want "missingidempotency"
}

// ReplacedFirst sets it in the new one.
func (t *Till) ReplacedFirst(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = http.Header{"Content-Type": {"application/json"}}
	req.Header.Set(name, order)
	return done(t.hc.Do(req))
}

// Taken takes it out again.
func (t *Till) Taken(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set(name, order)
	req.Header.Del(name)
	return done(t.hc.Do(req)) // want "missingidempotency"
}

// TakenOther takes out something else, and what was there before.
func (t *Till) TakenOther(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Del(name)
	req.Header.Set(name, order)
	req.Header.Del("Accept")
	return done(t.hc.Do(req))
}

// Run names the till that charges.
func (t *Till) Run(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return t.send(ctx, body, func(r *http.Request) { r.Header.Set(name, order+"/"+t.run) }) // want "unstableidempotency"
}

var sent int

func number(order string) string {
	sent++
	return fmt.Sprint(order, sent)
}

// Counted counts in the process.
func (t *Till) Counted(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return t.send(ctx, body, func(r *http.Request) { r.Header.Set(name, number(order)) }) // want "unstableidempotency"
}

// Asked has the database put the time into it.
func (t *Till) Asked(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var key string
	if err := t.db.QueryRowContext(ctx, `SELECT number || extract(epoch FROM now())::text FROM orders WHERE id = $1`, order).Scan(&key); err != nil {
		return err
	}
	return t.send(ctx, body, func(r *http.Request) { r.Header.Set(name, key) }) // want "unstableidempotency"
}

// AskedNumber reads what is kept with the order, and until when that holds.
func (t *Till) AskedNumber(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var key string
	var late bool
	if err := t.db.QueryRowContext(ctx, `SELECT number, due < now() FROM orders WHERE id = $1`, order).Scan(&key, &late); err != nil {
		return err
	}
	if late {
		return errors.New("too late")
	}
	return t.send(ctx, body, func(r *http.Request) { r.Header.Set(name, key) })
}

// Tried counts the attempts in the row of the order.
func (t *Till) Tried(ctx context.Context, order string, body []byte) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var tries int64
	err = t.db.QueryRowContext(ctx, `UPDATE tries SET n = n + 1, epoch = $2 WHERE id = $1 AND epoch < $2 RETURNING n`, order, t.mu.Header().Revision).Scan(&tries)
	if err != nil {
		return err
	}
	return t.send(ctx, body, func(r *http.Request) { r.Header.Set(name, fmt.Sprint(order, tries)) }) // want "unstableidempotency"
}
