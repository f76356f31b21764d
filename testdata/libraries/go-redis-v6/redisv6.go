// Package redisv6 locks with SET NX.
package redisv6

import (
	"database/sql"
	"errors"
	"time"

	"github.com/go-redis/redis"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`

// Unfenced has no number to present; what it wrote is compared when it goes.
func Unfenced(rdb *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX("lock:stall", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer rdb.Eval(compareAndDelete, []string{"lock:stall"}, me)
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// ErrOnly takes a command without an error for a grant.
func ErrOnly(rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := rdb.SetNX("lock:barn", uuid.NewString(), time.Minute).Err(); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Blind deletes whatever is there, and never expires.
func Blind(rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if !rdb.SetNX("lock:shed", uuid.NewString(), 0).Val() { // want "noexpiry"
		return nil
	}
	defer rdb.Del("lock:shed") // want "unsaferelease"
	_, err := db.Exec(open)    // want "unfencedwrite"
	return err
}

// Counted presents a number that anybody may draw at any time.
func Counted(rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX("lock:mill", uuid.NewString(), time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	n, err := rdb.Incr("fence:mill").Result()
	if err != nil {
		return err
	}
	res, err := db.Exec(`UPDATE mills SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, n) // want "unboundcounter"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Worded says it by words.
func Worded(rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := rdb.Do("SET", "lock:gate", uuid.NewString(), "NX", "PX", 60000).Err(); err != nil {
		return err
	}
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Mark is no lock.
func Mark(rdb *redis.Client, id string) error {
	return rdb.SetNX("seen:"+id, 1, time.Hour).Err()
}
