package effects

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/smtp"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Option changes a request.
type Option func(*http.Request)

// WithKey sets the key.
func WithKey(k string) Option {
	return func(r *http.Request) { r.Header.Set("Idempotency-Key", k) }
}

// WithAccept sets something else.
func WithAccept() Option {
	return func(r *http.Request) { r.Header.Set("Accept", "text/plain") }
}

func post(ctx context.Context, hc *http.Client, url string, opts ...Option) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	for _, o := range opts {
		o(req)
	}
	resp, err := hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Doer sends requests.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

func through(ctx context.Context, d Doer, id string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	if len(id) > 0 {
		req.Header.Set("Idempotency-Key", id)
	}
	resp, err := d.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func locked(ctx context.Context, m *concurrency.Mutex, work func(context.Context) error) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return work(ctx)
}

func again(n int, try func(int) error) (err error) {
	for i := 0; i < n; i++ {
		if err = try(i); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// GoodWays send a key by way of options, interfaces and literals.
func GoodWays(ctx context.Context, m *concurrency.Mutex, hc *http.Client, id string) error {
	return locked(ctx, m, func(ctx context.Context) error {
		if err := post(ctx, hc, "https://ledger.example/bookings", WithAccept(), WithKey("w-"+id)); err != nil {
			return err
		}
		if err := through(ctx, http.DefaultClient, "x-"+id); err != nil {
			return err
		}
		return again(3, func(int) error { return post(ctx, hc, "https://ledger.example/bookings", WithKey(id)) })
	})
}

// BadWays do not.
func BadWays(ctx context.Context, m *concurrency.Mutex, hc *http.Client, id string) error {
	fresh := rand.Text()
	return locked(ctx, m, func(ctx context.Context) error {
		if err := post(ctx, hc, "https://a.example", WithAccept()); err != nil { // want "missingidempotency"
			return err
		}
		if err := post(ctx, hc, "https://b.example", WithKey(fresh)); err != nil { // want "unstableidempotency"
			return err
		}
		if err := through(ctx, http.DefaultClient, ""); err != nil { // want "missingidempotency"
			return err
		}
		return again(3, func(n int) error {
			return post(ctx, hc, "https://c.example", WithKey(id+string(rune('0'+n)))) // want "unstableidempotency"
		})
	})
}

// BadLiteralMail is sent by a literal that captures nothing.
func BadLiteralMail(ctx context.Context, m *concurrency.Mutex) error {
	return locked(ctx, m, func(context.Context) error {
		return smtp.SendMail("relay:25", nil, "a@example.org", []string{"b@example.org"}, nil) // want "missingidempotency"
	})
}

// Pickup is known by the parcel.
//
//fencelint:writes resource=pickups kind=external idempotency=parcel
func Pickup(ctx context.Context, parcel string) error { return errors.New(parcel) }

// Fax is known by nothing.
//
//fencelint:writes resource=faxes kind=external
func Fax(ctx context.Context, text string) error { return errors.New(text) }

// GoodDeclaredKey gives the parcel's number.
func GoodDeclaredKey(ctx context.Context, m *concurrency.Mutex, id string) error {
	return locked(ctx, m, func(ctx context.Context) error { return Pickup(ctx, "p-"+id) })
}

// BadDeclaredKey draws one.
func BadDeclaredKey(ctx context.Context, m *concurrency.Mutex) error {
	return locked(ctx, m, func(ctx context.Context) error {
		if err := Pickup(ctx, rand.Text()); err != nil { // want "unstableidempotency"
			return err
		}
		return Fax(ctx, "again") // want "missingidempotency"
	})
}

// BadSometimes sets the key on one way only.
func BadSometimes(ctx context.Context, m *concurrency.Mutex, hc *http.Client, id string, safe bool) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	if safe {
		req.Header.Set("Idempotency-Key", id)
	}
	resp, err := hc.Do(req) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadState records the failure in a variable.
func (s *Service) BadState(ctx context.Context, id int64, key string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	state := "sent"
	if err := post(ctx, s.hc, "https://post.example", WithKey(key)); err != nil {
		state = "failed"
	}
	return s.mark(ctx, id, state) // want "ambiguousoutcome"
}

// GoodState records that it does not know.
func (s *Service) GoodState(ctx context.Context, id int64, key string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	state := "sent"
	switch err := post(ctx, s.hc, "https://post.example", WithKey(key)); {
	case errors.Is(err, errDeclined):
		state = "failed"
	case err != nil:
		state = "unclear"
	}
	return s.mark(ctx, id, state)
}
