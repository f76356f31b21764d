// Package retries tries again by goto and by labels: for the lock, and for what it does to others.
package retries

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"github.com/bsm/redislock"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/charge"
)

type app struct {
	db  *sql.DB
	rdb *redis.Client
	lc  *redislock.Client
}

const once = "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING"

func (a *app) goodGoto(ctx context.Context) error {
retry:
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "k", uuid.NewString(), time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		time.Sleep(time.Second)
		goto retry
	}
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) badGoto(ctx context.Context) error {
	tries := 0
retry:
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "k", uuid.NewString(), time.Minute).Result() // want "acquireignored"
	if err != nil {
		return err
	}
	if !ok && tries < 3 {
		tries++
		goto retry
	}
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) goodGotoTries(ctx context.Context) error {
	tries := 0
retry:
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "k", uuid.NewString(), time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		if tries < 3 {
			tries++
			goto retry
		}
		return errors.New("busy")
	}
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) goodLabel(ctx context.Context, keys []string) error {
outer:
	for _, k := range keys {
		for range 3 {
			//fencelint:lock correctness
			ok, err := a.rdb.SetNX(ctx, k, uuid.NewString(), time.Minute).Result()
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if _, err = a.db.ExecContext(ctx, once); err != nil {
				return err
			}
			continue outer
		}
	}
	return nil
}

func (a *app) goodLabel2(ctx context.Context, keys []string) error {
outer:
	for _, k := range keys {
		tries := 0
		for {
			//fencelint:lock correctness
			ok, err := a.rdb.SetNX(ctx, k, uuid.NewString(), time.Minute).Result()
			if err != nil {
				return err
			}
			if ok {
				break
			}
			if tries++; tries > 3 {
				continue outer
			}
		}
		if _, err := a.db.ExecContext(ctx, once); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) badLabel2(ctx context.Context, keys []string) error {
	for _, k := range keys {
		tries := 0
		for {
			//fencelint:lock correctness
			ok, err := a.rdb.SetNX(ctx, k, uuid.NewString(), time.Minute).Result() // want "acquireignored"
			if err != nil {
				return err
			}
			if ok {
				break
			}
			if tries++; tries > 3 {
				break
			}
		}
		if _, err := a.db.ExecContext(ctx, once); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) goodKey(ctx context.Context, order string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	tries := 0
retry:
	p := &stripe.ChargeParams{Amount: stripe.Int64(5)}
	p.SetIdempotencyKey("charge-" + order)
	if _, err := charge.New(p); err != nil {
		if tries < 3 {
			tries++
			goto retry
		}
		return err
	}
	return nil
}

func (a *app) badKeyIn(ctx context.Context, order string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	tries := 0
retry:
	p := &stripe.ChargeParams{Amount: stripe.Int64(5)}
	p.SetIdempotencyKey(uuid.NewString())
	if _, err := charge.New(p); err != nil { // want "unstableidempotency"
		if tries < 3 {
			tries++
			goto retry
		}
		return err
	}
	return nil
}

func (a *app) badKeyOut(ctx context.Context, order string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	tries := 0
	key := uuid.NewString()
retry:
	p := &stripe.ChargeParams{Amount: stripe.Int64(5)}
	p.SetIdempotencyKey(key)
	if _, err := charge.New(p); err != nil { // want "unstableidempotency"
		if tries < 3 {
			tries++
			goto retry
		}
		return err
	}
	return nil
}

func (a *app) badKeyAttempt(ctx context.Context, order string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	tries := 0
retry:
	p := &stripe.ChargeParams{Amount: stripe.Int64(5)}
	p.SetIdempotencyKey("charge-" + order + string(rune('0'+tries)))
	if _, err := charge.New(p); err != nil { // want "unstableidempotency"
		if tries < 3 {
			tries++
			goto retry
		}
		return err
	}
	return nil
}

func (a *app) badReq(ctx context.Context, orders []string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
next:
	for _, o := range orders {
		for range 3 {
			req, _ := http.NewRequestWithContext(ctx, "POST", "https://x/"+o, nil)
			req.Header.Set("Idempotency-Key", uuid.NewString())
			if resp, err := http.DefaultClient.Do(req); err == nil { // want "unstableidempotency"
				resp.Body.Close()
				continue next
			}
		}
	}
	return nil
}

func (a *app) goodReq(ctx context.Context, orders []string) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
next:
	for _, o := range orders {
		for range 3 {
			req, _ := http.NewRequestWithContext(ctx, "POST", "https://x/"+o, nil)
			req.Header.Set("Idempotency-Key", "order-"+o)
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
				continue next
			}
		}
	}
	return nil
}

func (a *app) gotoObtain(ctx context.Context) error {
	var l *redislock.Lock
	var err error
again:
	//fencelint:lock correctness
	l, err = a.lc.Obtain(ctx, "k", time.Minute, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		goto again
	} else if err != nil {
		goto fail
	}
	defer l.Release(ctx)
	_, err = a.db.ExecContext(ctx, once)
fail:
	return err
}
