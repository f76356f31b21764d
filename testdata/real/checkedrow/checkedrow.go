// Package checkedrow keeps leases in rows that a transaction locks, looks at and writes.
package checkedrow

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ErrTaken says that another has the lease.
var ErrTaken = errors.New("another has the lease")

// Locks are leases in rows.
type Locks struct {
	db *sql.DB
	me string
}

// Acquire takes a lease that nobody has, or whose time is over.
//
//fencelint:lock correctness
func (l *Locks) Acquire(ctx context.Context, name string) (bool, error) {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var owner string
	var until time.Time
	err = tx.QueryRowContext(ctx, "SELECT owner, expires_at FROM work_leases WHERE name = $1 FOR UPDATE", name).Scan(&owner, &until)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if _, err := tx.ExecContext(ctx, "INSERT INTO work_leases (name, owner, expires_at) VALUES ($1, $2, $3)", name, l.me, time.Now().Add(time.Minute)); err != nil {
			return false, err
		}
		return true, tx.Commit()
	case err != nil:
		return false, err
	case owner != l.me && until.After(time.Now()):
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, "UPDATE work_leases SET owner = $1, expires_at = $2 WHERE name = $3", l.me, time.Now().Add(time.Minute), name); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// Release gives it back.
func (l *Locks) Release(ctx context.Context, name string) error {
	_, err := l.db.ExecContext(ctx, "DELETE FROM work_leases WHERE name = $1 AND owner = $2", name, l.me)
	return err
}

// Work writes while it has the lease.
func (l *Locks) Work(ctx context.Context, id int64) error {
	ok, err := l.Acquire(ctx, "work")
	if err != nil || !ok {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx), "work")
	_, err = l.db.ExecContext(ctx, "UPDATE jobs SET state = 'done' WHERE id = $1", id) // want "unfencedwrite"
	return err
}

// Lease is a row.
type Lease struct {
	Name      string `gorm:"primaryKey"`
	Holder    string
	ExpiresAt time.Time
}

// Records are leases in rows that a mapper reads.
type Records struct {
	db *gorm.DB
	me string
}

// Acquire takes a lease that nobody has, or whose time is over.
//
//fencelint:lock correctness
func (r *Records) Acquire(ctx context.Context, name string) error {
	return r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var l Lease
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&l, "name = ?", name).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return tx.Create(&Lease{Name: name, Holder: r.me, ExpiresAt: time.Now().Add(time.Minute)}).Error
		}
		if err != nil {
			return err
		}
		if l.Holder != r.me && time.Now().Before(l.ExpiresAt) {
			return ErrTaken
		}
		l.Holder, l.ExpiresAt = r.me, time.Now().Add(time.Minute)
		return tx.Save(&l).Error
	})
}

// Release gives it back.
func (r *Records) Release(ctx context.Context, name string) error {
	return r.db.WithContext(ctx).Where("name = ? AND holder = ?", name, r.me).Delete(&Lease{}).Error
}

// Work writes while it has the lease.
func (r *Records) Work(ctx context.Context, id int64) error {
	if err := r.Acquire(ctx, "work"); err != nil {
		return err
	}
	defer r.Release(context.WithoutCancel(ctx), "work")
	return r.db.Exec("UPDATE jobs SET state = 'sent' WHERE id = ?", id).Error // want "unfencedwrite"
}
