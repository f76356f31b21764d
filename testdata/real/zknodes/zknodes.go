// Package zknodes keeps locks in nodes of ZooKeeper without the recipe for them: a node is
// made only while there is none of its name, and goes with the session. Nodes by which a
// process announces itself are made in the same way, and are no locks.
//
//fencelint:lock correctness
package zknodes

import (
	"errors"

	"github.com/go-zookeeper/zk"
)

// Keeper tries requests again while the connection is away.
type Keeper struct{ conn *zk.Conn }

func (k *Keeper) again(request func() error) {
	for range 3 {
		if err := request(); !errors.Is(err, zk.ErrConnectionClosed) {
			return
		}
	}
}

func (k *Keeper) make(path string, data []byte, mode int32) (made string, err error) {
	k.again(func() error {
		made, err = k.conn.Create(path, data, mode, zk.WorldACL(zk.PermAll))
		return err
	})
	return
}

// AcquireLock is told by its caller which node it is.
func (k *Keeper) AcquireLock(path, owner string) bool {
	_, err := k.make(path, []byte(owner), zk.FlagEphemeral)
	return err == nil
}

// ReleaseLock takes the node away.
func (k *Keeper) ReleaseLock(path string) error { return k.conn.Delete(path, -1) }

// Settle works in the hold.
func (k *Keeper) Settle(owner string) error {
	if !k.AcquireLock("/billing/lock", owner) {
		return nil
	}
	defer k.ReleaseLock("/billing/lock")
	_, err := k.conn.Set("/billing/total", []byte("1"), -1) // want "unfencedwrite"
	return err
}

// Twice asks for the lock once more on its way: that is no write of the hold.
func (k *Keeper) Twice(owner string) error {
	if !k.AcquireLock("/billing/lock", owner) {
		return nil
	}
	if err := k.Settle(owner); err != nil { // want "unfencedwrite"
		return err
	}
	_, err := k.make("/billing/settled", nil, zk.FlagEphemeral) // want "unprovedwrite"
	return err
}

// Join announces the process: nobody is kept out by it.
func (k *Keeper) Join(host string, port []byte) error {
	if _, err := k.make("/members/"+host, port, zk.FlagEphemeral); err != nil {
		return err
	}
	_, err := k.conn.Set("/members", []byte(host), -1)
	return err
}

// Number is one of many nodes that wait in line.
func (k *Keeper) Number() error {
	_, err := k.make("/queue/item-", nil, zk.FlagSequence)
	return err
}
