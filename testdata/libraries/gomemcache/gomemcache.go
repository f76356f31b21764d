// Package gomemcache locks by adding an item, which memcached may evict.
package gomemcache

import (
	"database/sql"

	"github.com/bradfitz/gomemcache/memcache"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(c *memcache.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := c.Add(&memcache.Item{Key: "lock:stall", Value: []byte(uuid.NewString()), Expiration: 60}); err != nil {
		return err
	}
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(c *memcache.Client, db *sql.DB) error {
	//fencelint:lock correctness
	c.Add(&memcache.Item{Key: "lock:barn", Value: []byte(uuid.NewString()), Expiration: 60}) // want "acquireignored"
	_, err := db.Exec(open)                                                                  // want "unfencedwrite"
	return err
}

// Blind deletes whatever is there, and never expires.
func Blind(c *memcache.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := c.Add(&memcache.Item{Key: "lock:shed", Value: []byte(uuid.NewString())}); err != nil { // want "noexpiry"
		return err
	}
	defer c.Delete("lock:shed") // want "unsaferelease"
	_, err := db.Exec(open)     // want "unfencedwrite"
	return err
}

// Mark is no lock.
func Mark(c *memcache.Client, id string) error {
	return c.Add(&memcache.Item{Key: "seen:" + id, Value: []byte("1"), Expiration: 60})
}
