// Package goetcdlock hides a session of etcd, and with it the number.
package goetcdlock

import (
	"context"
	"database/sql"

	"github.com/Scalingo/go-etcd-lock/v5/lock"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, l lock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, err := l.WaitAcquireWithContext(ctx, "/stall", 60)
	if err != nil {
		return err
	}
	defer held.Release()
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(l lock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, _ := l.Acquire("/stall", 60) // want "acquireignored"
	defer held.Release()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Cheap saves work only.
func Cheap(l *lock.EtcdLocker, db *sql.DB) error {
	//fencelint:lock efficiency
	held, err := l.WaitAcquire("/page", 60)
	if err != nil {
		return err
	}
	defer held.Release()
	_, err = db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}

// Late writes when the lock is gone.
func Late(l lock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, err := l.Acquire("/stall", 60)
	if err != nil {
		return err
	}
	if err := held.Release(); err != nil {
		return err
	}
	_, err = db.Exec(open) // want "writeafterrelease"
	return err
}
