// Package headeroptions sets headers of requests by functions that are given to who makes them.
package headeroptions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go/jetstream"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Pickup is an order for a courier.
type Pickup struct {
	Parcel string
	Street string
}

func request(ctx context.Context, url string, p Pickup, edit ...func(http.Header)) (*http.Request, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for _, e := range edit {
		e(req.Header)
	}
	return req, nil
}

func key(k string) func(http.Header) {
	return func(h http.Header) { h.Set("Idempotency-Key", k) }
}

func send(c *http.Client, req *http.Request) error {
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("courier: %s", resp.Status)
	}
	return nil
}

// GoodKey orders by the number of the parcel.
func GoodKey(ctx context.Context, s *concurrency.Session, c *http.Client, url string, p Pickup) error {
	m := concurrency.NewMutex(s, "/locks/key")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	req, err := request(ctx, url, p, key("pickup-"+p.Parcel))
	if err != nil {
		return err
	}
	return send(c, req)
}

// BadNone orders by nothing.
func BadNone(ctx context.Context, s *concurrency.Session, c *http.Client, url string, p Pickup) error {
	m := concurrency.NewMutex(s, "/locks/none")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	req, err := request(ctx, url, p)
	if err != nil {
		return err
	}
	return send(c, req) // want "missingidempotency"
}

// BadRandom orders by chance.
func BadRandom(ctx context.Context, s *concurrency.Session, c *http.Client, url string, p Pickup) error {
	m := concurrency.NewMutex(s, "/locks/random")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	req, err := request(ctx, url, p, key(uuid.NewString()))
	if err != nil {
		return err
	}
	return send(c, req) // want "unstableidempotency"
}

// GoodBody sends a record of which not all fields are set.
func GoodBody(ctx context.Context, s *concurrency.Session, c *http.Client, url, parcel string) error {
	m := concurrency.NewMutex(s, "/locks/body")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b, err := json.Marshal(Pickup{Parcel: parcel})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, "PUT", url, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", parcel)
	return send(c, req)
}

// BadBody sends the number of the lock along with it.
func BadBody(ctx context.Context, s *concurrency.Session, c *http.Client, url, parcel string) error {
	m := concurrency.NewMutex(s, "/locks/sent")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b, err := json.Marshal(Pickup{Parcel: parcel})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, "PUT", url, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("X-Epoch", strconv.FormatInt(m.Header().Revision, 10))
	resp, err := c.Do(req) // want "unenforcedheader"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadMessage makes the key of the number: it is judged as a key.
func BadMessage(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, id int64) error {
	m := concurrency.NewMutex(s, "/locks/message")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := js.Publish(ctx, "orders", nil, jetstream.WithMsgID(fmt.Sprint(id, "@", m.Header().Revision))) // want "unstableidempotency"
	return err
}

// GoodMessage makes it of the order.
func GoodMessage(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, id int64) error {
	m := concurrency.NewMutex(s, "/locks/messages")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := js.Publish(ctx, "orders", nil, jetstream.WithMsgID(fmt.Sprint("order", id)))
	return err
}
