// Package goose locks the session in which migrations run.
package goose

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3/lock"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Session writes on the connection that holds the lock.
func Session(ctx context.Context, l lock.SessionLocker, conn *sql.Conn) error {
	//fencelint:lock correctness
	if err := l.SessionLock(ctx, conn); err != nil {
		return err
	}
	defer l.SessionUnlock(ctx, conn)
	_, err := conn.ExecContext(ctx, open)
	return err
}

// Pool writes on another.
func Pool(ctx context.Context, l lock.SessionLocker, conn *sql.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	if err := l.SessionLock(ctx, conn); err != nil {
		return err
	}
	defer l.SessionUnlock(ctx, conn)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Table locks by a row.
func Table(ctx context.Context, l lock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	if err := l.Lock(ctx, db); err != nil {
		return err
	}
	defer l.Unlock(ctx, db)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, l lock.SessionLocker, conn *sql.Conn) error {
	//fencelint:lock correctness
	_ = l.SessionLock(ctx, conn) // want "acquireignored"
	defer l.SessionUnlock(ctx, conn)
	_, err := conn.ExecContext(ctx, open)
	return err
}
