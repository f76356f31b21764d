// Package turned has comparisons of claims and releases that are turned round.
package turned

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errLost = errors.New("lost")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

// GoodClaim keeps to the order.
func GoodClaim(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND expires_at < now()`, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}

// BadClaim does not.
func BadClaim(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND expires_at > now()`, id, me)); err != nil { // want "lockstolen"
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}

// BadClaimOr does not.
func BadClaimOr(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND (owner IS NULL OR expires_at >= now())`, id, me)); err != nil { // want "lockstolen"
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}

// BadUpsert does not.
func BadUpsert(ctx context.Context, db *sql.DB, name string, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `INSERT INTO turned_leases (name, owner, expires_at) VALUES ($1, $2, now() + interval '1 minute') ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at WHERE turned_leases.expires_at > now()`, name, me)); err != nil { // want "lockstolen"
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE name = $1 AND owner = $2`, name, me, out))
}

// GoodRenew keeps to the order.
func GoodRenew(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND expires_at < now()`, id, me)); err != nil {
		return err
	}
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET expires_at = now() + interval '1 minute' WHERE id = $1 AND owner = $2 AND expires_at > now()`, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}

var releaseWrong = redis.NewScript(`if redis.call('get', KEYS[1]) ~= ARGV[1] then return redis.call('del', KEYS[1]) end return 0`)
var releaseRight = redis.NewScript(`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`)
var releaseRight2 = redis.NewScript(`if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('del', KEYS[1])`)
var releaseWrong2 = redis.NewScript(`local v = redis.call('get', KEYS[1])
if v == ARGV[1] then return 0 else return redis.call('del', KEYS[1]) end`)
var releaseWrong3 = redis.NewScript(`local v = redis.call('get', KEYS[1])
if not (v == ARGV[1]) then redis.call('del', KEYS[1]) return 1 end return 0`)
var releaseNone = redis.NewScript(`return redis.call('del', KEYS[1])`)

// BadRelease does not.
func BadRelease(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseWrong.Run(ctx, r, []string{"lock:turned"}, me) // want "unsaferelease"
	return nil
}

// GoodRelease keeps to the order.
func GoodRelease(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseRight.Run(ctx, r, []string{"lock:turned"}, me)
	return nil
}

// GoodReleaseEarly keeps to the order.
func GoodReleaseEarly(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseRight2.Run(ctx, r, []string{"lock:turned"}, me)
	return nil
}

// BadReleaseElse does not.
func BadReleaseElse(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseWrong2.Run(ctx, r, []string{"lock:turned"}, me) // want "unsaferelease"
	return nil
}

// BadReleaseNot does not.
func BadReleaseNot(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseWrong3.Run(ctx, r, []string{"lock:turned"}, me) // want "unsaferelease"
	return nil
}

// BadReleaseNone does not.
func BadReleaseNone(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	defer releaseNone.Run(ctx, r, []string{"lock:turned"}) // want "unsaferelease"
	return nil
}

// BadReleaseGo does not.
func BadReleaseGo(ctx context.Context, r *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := r.SetNX(ctx, "lock:turned", me, time.Minute).Result()
	if err != nil || !ok {
		return errLost
	}
	if v, err := r.Get(ctx, "lock:turned").Result(); err == nil && v != me {
		r.Del(ctx, "lock:turned") // want "unsaferelease"
	}
	return nil
}

// BadReleaseRow does not.
func BadReleaseRow(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND expires_at < now()`, id, me)); err != nil {
		return err
	}
	defer db.ExecContext(ctx, `DELETE FROM turned_leases WHERE id = $1 AND owner <> $2`, id, me) // want "unsaferelease|staleadmitted|unfencedwrite"
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}

// GoodEither keeps to the order.
func GoodEither(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND ((owner = $2 AND expires_at > now()) OR expires_at < now())`, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out)) // want "identityreused"
}

// GoodOffer keeps to the order.
func GoodOffer(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_offers SET taken_by = $2, expires_at = now() + interval '1 minute' WHERE id = $1 AND taken_by IS NULL AND expires_at > now()`, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_offers SET out = $3 WHERE id = $1 AND taken_by = $2`, id, me, out))
}

// BadMillis does not.
func BadMillis(ctx context.Context, db *sql.DB, id int64, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE turned_leases SET owner = $2, locked_until = $4 WHERE id = $1 AND $3 < locked_until`, id, me, time.Now(), time.Now().Add(time.Minute))); err != nil { // want "lockstolen" "clientclock"
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE turned_leases SET out = $3 WHERE id = $1 AND owner = $2`, id, me, out))
}
