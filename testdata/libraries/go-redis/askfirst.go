package redis9

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// grantAbsent is SET NX and a number, written out in one step.
var grantAbsent = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return nil end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return redis.call('INCR', KEYS[2])`)

// freeOwn refuses first and deletes then.
var freeOwn = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

// freeOthers deletes what is not its own.
var freeOthers = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

var errHeld = errors.New("held by another")

// pass is one tenure of a key.
type pass struct {
	rdb   *redis.Client
	owner string
	n     int64
}

//fencelint:lock correctness
func takePass(ctx context.Context, rdb *redis.Client) (*pass, error) {
	p := &pass{rdb: rdb, owner: uuid.NewString()}
	n, err := grantAbsent.Run(ctx, rdb, []string{"{pass}:lock", "{pass}:seq"}, p.owner, 30000).Int64()
	if errors.Is(err, redis.Nil) {
		return nil, errHeld
	}
	if err != nil {
		return nil, err
	}
	p.n = n
	return p, nil
}

func (p *pass) free(ctx context.Context) error {
	return freeOwn.Run(ctx, p.rdb, []string{"{pass}:lock"}, p.owner).Err()
}

// AskedFirst presents the number that came with the grant.
func AskedFirst(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	p, err := takePass(ctx, rdb)
	if err != nil {
		return err
	}
	defer p.free(ctx)
	return numbered(db.ExecContext(ctx, `UPDATE ramps SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, p.n))
}

// AskedDiffers lets every other number through.
func AskedDiffers(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	p, err := takePass(ctx, rdb)
	if err != nil {
		return err
	}
	defer p.free(ctx)
	return numbered(db.ExecContext(ctx, `UPDATE piers SET open = true, fence = $1 WHERE id = 1 AND fence <> $1`, p.n)) // want "staleadmitted"
}

// AskedAndFreed deletes the key of whoever has it now.
func AskedAndFreed(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	p, err := takePass(ctx, rdb)
	if err != nil {
		return err
	}
	defer freeOthers.Run(ctx, rdb, []string{"{pass}:lock"}, p.owner) // want "unsaferelease"
	return numbered(db.ExecContext(ctx, `UPDATE quays SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, p.n))
}

func numbered(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errHeld, err)
	}
	return nil
}
