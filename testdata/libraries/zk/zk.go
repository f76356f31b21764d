// Package zk uses the lock recipe of ZooKeeper's client, and the same by hand.
package zk

import (
	"database/sql"
	"errors"

	"github.com/go-zookeeper/zk"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Recipe has no number to present.
func Recipe(c *zk.Conn, db *sql.DB) error {
	l := zk.NewLock(c, "/stalls/1", zk.WorldACL(zk.PermAll))
	//fencelint:lock correctness
	if err := l.Lock(); err != nil {
		return err
	}
	defer l.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(c *zk.Conn, db *sql.DB) error {
	l := zk.NewLock(c, "/stalls/2", zk.WorldACL(zk.PermAll))
	//fencelint:lock correctness
	l.LockWithData([]byte("me")) // want "acquireignored"
	defer l.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Node presents the transaction that made its own node.
func Node(c *zk.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/stalls/3/lock-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	defer c.Delete(node, -1)
	_, st, err := c.Exists(node)
	if err != nil {
		return err
	}
	res, err := db.Exec(`UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, st.Czxid)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Version presents the version of its node, which starts anew with each.
func Version(c *zk.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/barns/1/lock-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	_, st, err := c.Exists(node)
	if err != nil {
		return err
	}
	res, err := db.Exec(`UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, st.Version) // want "volatiletoken"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}
