// Package passedoff has functions that only acquire, and that give their callers the same
// whether they have the lock or not.
package passedoff

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

var errTaken = errors.New("another worker has it")

// Plant has leases in rows and in keys.
type Plant struct {
	db     *sql.DB
	rdb    *redis.Client
	leader bool
}

const lease = `UPDATE vat_leases SET leased_by = $2, leased_until = now() + interval '1 minute' WHERE vat = $1 AND leased_until < now()`

// BadDropped never asks how many rows there were: a lease that is had is no error.
//
//fencelint:lock correctness
func (p *Plant) BadDropped(ctx context.Context, vat int64, claim string) error {
	_, err := p.db.ExecContext(ctx, lease, vat, claim) // want "acquireignored"
	return err
}

// BadTooMany asks for more than one.
//
//fencelint:lock correctness
func (p *Plant) BadTooMany(ctx context.Context, vat int64, claim string) error {
	res, err := p.db.ExecContext(ctx, lease, vat, claim) // want "acquireignored"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 1 {
		return errTaken
	}
	return nil
}

// BadSaid says it, and not to its caller.
//
//fencelint:lock correctness
func (p *Plant) BadSaid(ctx context.Context, vat, claim string) error {
	ok, err := p.rdb.SetNX(ctx, "vat:"+vat, claim, time.Minute).Result() // want "acquireignored"
	if err != nil {
		return err
	}
	if !ok {
		log.Println("another has it")
		return nil
	}
	return nil
}

// GoodTold tells it.
//
//fencelint:lock correctness
func (p *Plant) GoodTold(ctx context.Context, vat int64, claim string) error {
	res, err := p.db.ExecContext(ctx, lease, vat, claim)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}

// GoodReadBack looks who has it now.
//
//fencelint:lock correctness
func (p *Plant) GoodReadBack(ctx context.Context, vat int64, claim string) (bool, error) {
	if _, err := p.db.ExecContext(ctx, lease, vat, claim); err != nil {
		return false, err
	}
	var by string
	err := p.db.QueryRowContext(ctx, `SELECT leased_by FROM vat_leases WHERE vat = $1`, vat).Scan(&by)
	return by == claim, err
}

// GoodAll takes those that are free; which those are is read later.
//
//fencelint:lock correctness
func (p *Plant) GoodAll(ctx context.Context, claim string) error {
	_, err := p.db.ExecContext(ctx, `UPDATE vat_leases SET leased_by = $1, leased_until = now() + interval '1 minute' WHERE leased_until < now()`, claim)
	return err
}

// GoodKept keeps what it heard; who works asks it.
//
//fencelint:lock correctness
func (p *Plant) GoodKept(ctx context.Context, claim string) error {
	ok, err := p.rdb.SetNX(ctx, "leader", claim, time.Minute).Result()
	if err != nil {
		return err
	}
	if ok {
		p.leader = true
	}
	return nil
}

// GoodItself does the work itself, if nobody else does.
func (p *Plant) GoodItself(ctx context.Context, claim string) error {
	//fencelint:lock efficiency
	ok, err := p.rdb.SetNX(ctx, "sweep", claim, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return nil
	}
	_, err = p.db.ExecContext(ctx, `UPDATE vats SET swept = true WHERE swept = false`)
	return err
}
