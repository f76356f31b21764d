package redigo

import (
	"errors"

	"github.com/gomodule/redigo/redis"
	"github.com/google/uuid"
)

var errTaken = errors.New("somebody else has it")

func held(c redis.Conn) error {
	r, err := c.Do("SET", "lock:fair", uuid.NewString(), "NX", "PX", 60000)
	if err != nil {
		return err
	}
	if r == nil {
		return errTaken
	}
	return nil
}

// Queued sends several commands as one: each of them is a write, and EXEC is none besides.
func Queued(c redis.Conn, ids []string) error {
	//fencelint:lock correctness
	if err := held(c); err != nil {
		return err
	}
	if err := c.Send("MULTI"); err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.Send("SET", "booth:"+id, "open"); err != nil { // want "unfencedwrite"
			return err
		}
	}
	_, err := c.Do("EXEC")
	return err
}

// Watched sends them only where nobody has changed what they rest on: no update is lost.
func Watched(c redis.Conn) error {
	//fencelint:lock correctness
	if err := held(c); err != nil {
		return err
	}
	if _, err := c.Do("WATCH", "booths"); err != nil {
		return err
	}
	n, err := redis.Int(c.Do("GET", "booths"))
	if err != nil {
		return err
	}
	if err := c.Send("MULTI"); err != nil {
		return err
	}
	if err := c.Send("SET", "booths", n+1); err != nil {
		return err
	}
	r, err := c.Do("EXEC")
	if err != nil {
		return err
	}
	if r == nil {
		return errTaken
	}
	return nil
}

// WatchedLate watches when the commands are queued already.
func WatchedLate(c redis.Conn, n int) error {
	//fencelint:lock correctness
	if err := held(c); err != nil {
		return err
	}
	if err := c.Send("MULTI"); err != nil {
		return err
	}
	if _, err := c.Do("WATCH", "booths"); err != nil {
		return err
	}
	if err := c.Send("SET", "booths", n+1); err != nil { // want "unfencedwrite"
		return err
	}
	_, err := c.Do("EXEC")
	return err
}

// IfThere writes only where there is something, whoever wrote it.
func IfThere(c redis.Conn, id string) error {
	//fencelint:lock correctness
	if err := held(c); err != nil {
		return err
	}
	_, err := c.Do("SET", "booth:"+id, "open", "PX", 1000, "XX") // want "unfencedwrite"
	return err
}

// IfNew writes only where there is nothing.
func IfNew(c redis.Conn, id string) error {
	//fencelint:lock correctness
	if err := held(c); err != nil {
		return err
	}
	n, err := redis.Int(c.Do("SETNX", "booth:"+id, "open"))
	if err != nil {
		return err
	}
	if n == 0 {
		return errTaken
	}
	return nil
}
