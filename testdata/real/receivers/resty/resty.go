// Package resty writes things of a peer that keeps versions, by requests that are built step
// by step.
package resty

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-resty/resty/v2"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrChanged says that the plan was changed since it was read.
var ErrChanged = errors.New("changed since it was read")

// Plans is a client for plans.
type Plans struct {
	Etcd *clientv3.Client
	HTTP *resty.Client
}

func (p *Plans) lock(ctx context.Context, key string, work func(context.Context) error) error {
	s, err := concurrency.NewSession(p.Etcd)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return work(ctx)
}

// Good compares the version that was read.
func (p *Plans) Good(ctx context.Context, id string) error {
	return p.lock(ctx, "/plans/good", func(ctx context.Context) error {
		got, err := p.HTTP.R().SetContext(ctx).Get("/plans/" + id)
		if err != nil {
			return err
		}
		resp, err := p.HTTP.R().SetContext(ctx).SetHeader("If-Match", got.Header().Get("ETag")).SetBody(got.Body()).Put("/plans/" + id)
		if err != nil {
			return err
		}
		if resp.IsError() {
			return ErrChanged
		}
		return nil
	})
}

// Apart sets the header in a statement of its own.
func (p *Plans) Apart(ctx context.Context, id, tag string) error {
	return p.lock(ctx, "/plans/apart", func(ctx context.Context) error {
		req := p.HTTP.R().SetContext(ctx)
		req.SetHeaders(map[string]string{"Accept": "application/json", "If-Match": tag})
		resp, err := req.Delete("/plans/" + id)
		if err != nil {
			return err
		}
		if resp.StatusCode() >= 300 {
			return fmt.Errorf("status %s", resp.Status())
		}
		return nil
	})
}

// Deaf takes a refusal for success.
func (p *Plans) Deaf(ctx context.Context, id, tag string) error {
	return p.lock(ctx, "/plans/deaf", func(ctx context.Context) error {
		_, err := p.HTTP.R().SetContext(ctx).SetHeader("If-Match", tag).Put("/plans/" + id) // want "rejectionignored"
		return err
	})
}

// Bare demands nothing.
func (p *Plans) Bare(ctx context.Context, id string) error {
	return p.lock(ctx, "/plans/bare", func(ctx context.Context) error {
		_, err := p.HTTP.R().SetContext(ctx).SetHeader("Accept", "text/plain").Put("/plans/" + id) // want "missingidempotency"
		return err
	})
}

// Keyed sends what tells a repetition from a new order.
func (p *Plans) Keyed(ctx context.Context, id string) error {
	return p.lock(ctx, "/plans/keyed", func(ctx context.Context) error {
		_, err := p.HTTP.R().SetContext(ctx).SetHeader("Idempotency-Key", "plan-"+id).Post("/plans")
		return err
	})
}

// Once makes a plan that must not be there.
func (p *Plans) Once(ctx context.Context, id string) error {
	return p.lock(ctx, "/plans/once", func(ctx context.Context) error {
		_, err := p.HTTP.R().SetContext(ctx).SetHeader("If-None-Match", "*").Put("/months/" + id)
		return err
	})
}
