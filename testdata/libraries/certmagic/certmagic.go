// Package certmagic uses locks of the storage of certificates.
package certmagic

import (
	"context"
	"database/sql"
	"time"

	"github.com/caddyserver/certmagic"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present: the interface says so itself.
func Unfenced(ctx context.Context, l certmagic.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	if err := l.Lock(ctx, "stall"); err != nil {
		return err
	}
	defer l.Unlock(ctx, "stall")
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Tried tests the error only.
func Tried(ctx context.Context, l certmagic.TryLocker, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := l.TryLock(ctx, "stall"); err != nil { // want "acquireignored"
		return err
	}
	defer l.Unlock(ctx, "stall")
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Renewed does not hear that it lost the lease.
func Renewed(ctx context.Context, l certmagic.Locker, r certmagic.LockLeaseRenewer, db *sql.DB) error {
	//fencelint:lock correctness
	if err := l.Lock(ctx, "barn"); err != nil {
		return err
	}
	defer l.Unlock(ctx, "barn")
	r.RenewLockLease(ctx, "barn", time.Minute) // want "renewalerror"
	_, err := db.ExecContext(ctx, open)        // want "unfencedwrite"
	return err
}

// Files is a storage of files, which is a lock too.
func Files(ctx context.Context, s *certmagic.FileStorage, db *sql.DB) error {
	//fencelint:lock efficiency
	if err := s.Lock(ctx, "page"); err != nil {
		return err
	}
	defer s.Unlock(ctx, "page")
	_, err := db.ExecContext(ctx, `UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}
