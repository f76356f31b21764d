// Package renewrow renews locks that are kept by hand: rows of a table, and keys that a script
// prolongs. Who hears that a renewal was refused?
package renewrow

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"github.com/bsm/redislock"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errLost = errors.New("lost")

type app struct {
	db  *sql.DB
	rdb *redis.Client
	lc  *redislock.Client
}

const once = "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING"

// claim takes the row.
func (a *app) claim(ctx context.Context, id string) (bool, error) {
	//fencelint:lock correctness
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET owner = $1, until = now() + interval '30 seconds' WHERE name = 'job' AND until < now()`, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func (a *app) renew(ctx context.Context, id string) error {
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'job' AND owner = $1`, id) // want "renewalerror"
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errLost
	}
	return nil
}

func (a *app) badOwnGoroutine(ctx context.Context, id string) error {
	ok, err := a.claim(ctx, id)
	if err != nil || !ok {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Second):
				if err := a.renew(ctx, id); err != nil {
					log.Println(err)
					return
				}
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) renewed(ctx context.Context, id string) (bool, error) {
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'job' AND owner = $1`, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func (a *app) goodOwnGoroutine(ctx context.Context, id string) error {
	ok, err := a.claim(ctx, id)
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
				if ok, err := a.renewed(ctx, id); err != nil || !ok {
					log.Println(err)
					cancel()
					return
				}
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) badInline(ctx context.Context, id string) error {
	ok, err := a.claim(ctx, id)
	if err != nil || !ok {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			res, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'job' AND owner = $1`, id) // want "renewalerror"
			if err != nil {
				log.Println(err)
				return
			}
			if n, _ := res.RowsAffected(); n == 0 {
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) badUnread(ctx context.Context, id string) error {
	ok, err := a.claim(ctx, id)
	if err != nil || !ok {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'job' AND owner = $1`, id) // want "renewalerror"
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

var extend = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end`)

func (a *app) badScript(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			n, err := extend.Run(ctx, a.rdb, []string{"job"}, id, 60000).Int() // want "renewalerror"
			if err != nil || n == 0 {
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) badLib(ctx context.Context) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	go a.keep(ctx, l)
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) keep(ctx context.Context, l *redislock.Lock) {
	for range time.Tick(time.Second) {
		if err := l.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
			return
		}
	}
}

func (a *app) goodScript(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for range time.Tick(time.Second) {
			n, err := extend.Run(ctx, a.rdb, []string{"job"}, id, 60000).Int()
			if err != nil || n == 0 {
				cancel()
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

// goodBetween asks before each piece of work.
func (a *app) goodBetween(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	for range 9 {
		if n, err := extend.Run(ctx, a.rdb, []string{"job"}, id, 60000).Int(); err != nil || n == 0 {
			return errLost
		}
		if _, err = a.db.ExecContext(ctx, once); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) badBetween(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	for range 9 {
		if n, err := extend.Run(ctx, a.rdb, []string{"job"}, id, 60000).Int(); err != nil || n == 0 { // want "renewalerror"
			log.Println("not renewed", err)
		}
		if _, err = a.db.ExecContext(ctx, once); err != nil {
			return err
		}
	}
	return nil
}

// goodOther prolongs another key.
func (a *app) goodOther(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	extend.Run(ctx, a.rdb, []string{"cache"}, id, 60000)
	_, err = a.db.ExecContext(ctx, once)
	return err
}

// badOwn takes the row under a value of its own, so that the renewal is proved.
func (a *app) badOwn(ctx context.Context) error {
	id := uuid.NewString()
	//fencelint:lock correctness
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET owner = $1, until = now() + interval '30 seconds' WHERE name = 'own' AND until < now()`, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			if _, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'own' AND owner = $1`, id); err != nil { // want "renewalerror"
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) goodOwn(ctx context.Context) error {
	id := uuid.NewString()
	//fencelint:lock correctness
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET owner = $1, until = now() + interval '30 seconds' WHERE name = 'own' AND until < now()`, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		for range time.Tick(time.Second) {
			res, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'own' AND owner = $1`, id)
			if err != nil {
				return
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}

// badOwnCount asks, and only the goroutine that renews ends.
func (a *app) badOwnCount(ctx context.Context) error {
	id := uuid.NewString()
	//fencelint:lock correctness
	res, err := a.db.ExecContext(ctx, `UPDATE locks SET owner = $1, until = now() + interval '30 seconds' WHERE name = 'own' AND until < now()`, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			res, err := a.db.ExecContext(ctx, `UPDATE locks SET until = now() + interval '30 seconds' WHERE name = 'own' AND owner = $1`, id) // want "renewalerror"
			if err != nil {
				log.Println(err)
				return
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				log.Println("lost")
				return
			}
		}
	}()
	_, err = a.db.ExecContext(ctx, once)
	return err
}
