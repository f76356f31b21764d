// Package redigo locks with SET NX by words.
package redigo

import (
	"database/sql"

	"github.com/gomodule/redigo/redis"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// NilReply takes an answer without an error for a grant: a key that is taken answers nil.
func NilReply(c redis.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := c.Do("SET", "lock:stall", uuid.NewString(), "NX", "PX", 60000); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Looked tests both.
func Looked(c redis.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Do("SET", "lock:barn", uuid.NewString(), "NX", "PX", 60000)
	if err != nil || r == nil {
		return err
	}
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// Asked lets the library turn nil into an error.
func Asked(c redis.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := redis.String(c.Do("SET", "lock:gate", uuid.NewString(), "NX", "PX", 60000)); err != nil {
		return err
	}
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Blind deletes whatever is there, and never expires.
func Blind(c redis.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Do("SET", "lock:shed", uuid.NewString(), "NX") // want "noexpiry"
	if err != nil || r == nil {
		return err
	}
	defer c.Do("DEL", "lock:shed") // want "unsaferelease"
	_, err = db.Exec(open)         // want "unfencedwrite"
	return err
}

var (
	keep = redis.NewScript(2, `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[2], 'who', ARGV[2])
return 1`)
	other = redis.NewScript(2, `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'who', ARGV[2])
return 1`)
)

// Scripted writes in a script whose first key is that of the lock.
func Scripted(c redis.Conn, who string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	r, err := c.Do("SET", "lock:desk", me, "NX", "PX", 60000)
	if err != nil || r == nil {
		return err
	}
	_, err = keep.Do(c, "lock:desk", "desk", me, who)
	return err
}

// Elsewhere has a script that asks another key.
func Elsewhere(c redis.Conn, who string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	r, err := c.Do("SET", "lock:table", me, "NX", "PX", 60000)
	if err != nil || r == nil {
		return err
	}
	_, err = other.Do(c, "lock:table", "table", me, who) // want "unfencedwrite"
	return err
}
