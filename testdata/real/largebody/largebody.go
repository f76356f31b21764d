// Package largebody sends requests whose bodies are put together of more than is followed:
// which headers they carry is known all the same.
package largebody

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type leg struct {
	From, To, Mode string
	Tags           map[string]string
}

type parcel struct {
	ID, Owner, Depot string
	Legs             []leg
	Labels           map[string]string
}

type order struct {
	Parcel *parcel
	Plan   *parcel
	State  string
	Link   string
}

// planned is a parcel with all of its ways written out.
func planned(p *parcel) *parcel {
	out := &parcel{ID: p.ID + "/" + p.Owner, Owner: p.Owner, Depot: p.Depot, Labels: map[string]string{"id": p.ID, "owner": p.Owner, "depot": p.Depot}}
	for _, l := range p.Legs {
		out.Legs = append(out.Legs, leg{From: l.From + p.Depot, To: l.To + p.Depot, Mode: l.Mode, Tags: map[string]string{"from": l.From, "to": l.To}})
	}
	return out
}

type carrier struct {
	session *concurrency.Session
	secret  string
	base    string
}

func (c *carrier) bodyOf(p *parcel) (*bytes.Reader, error) {
	body, err := json.Marshal(&order{Parcel: p, Plan: planned(p), State: "new", Link: c.base + "/" + p.ID})
	return bytes.NewReader(body), err
}

func (c *carrier) bookAll(ctx context.Context, ps []*parcel) error {
	m := concurrency.NewMutex(c.session, "/bookings")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	for _, p := range ps {
		if err := c.book(ctx, p); err != nil { // want "missingidempotency"
			return err
		}
	}
	return nil
}

func (c *carrier) book(ctx context.Context, p *parcel) error {
	body, err := c.bodyOf(p)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/orders", body)
	if err != nil {
		return err
	}
	if c.secret != "" {
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	return sent(req)
}

func (c *carrier) bookAllOnce(ctx context.Context, ps []*parcel) error {
	m := concurrency.NewMutex(c.session, "/bookings")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	for _, p := range ps {
		if err := c.bookOnce(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *carrier) bookOnce(ctx context.Context, p *parcel) error {
	body, err := c.bodyOf(p)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/orders", body)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", p.ID)
	return sent(req)
}

func (c *carrier) bookTwice(ctx context.Context, ps []*parcel) error {
	m := concurrency.NewMutex(c.session, "/bookings")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	for _, p := range ps {
		if err := c.both(ctx, p); err != nil { // want "missingidempotency"
			return err
		}
	}
	return nil
}

// both sends the same twice, and only the first has a key.
func (c *carrier) both(ctx context.Context, p *parcel) error {
	body, err := c.bodyOf(p)
	if err != nil {
		return err
	}
	first, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/orders", body)
	if err != nil {
		return err
	}
	first.Header.Set("Idempotency-Key", p.ID)
	if err := sent(first); err != nil {
		return err
	}
	second, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/orders", body)
	if err != nil {
		return err
	}
	return sent(second)
}

func sent(req *http.Request) error {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
