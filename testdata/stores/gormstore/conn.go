package gormstore

import (
	"context"

	"gorm.io/gorm"
)

// GoodConn writes through the connection that it is handed, and that has the lock.
func GoodConn(ctx context.Context, db *gorm.DB) error {
	return db.WithContext(ctx).Connection(func(c *gorm.DB) error {
		//fencelint:lock correctness
		if err := c.Exec("SELECT pg_advisory_lock(7)").Error; err != nil {
			return err
		}
		defer c.Exec("SELECT pg_advisory_unlock(7)")
		return c.Exec("UPDATE seats SET guests = guests + 1 WHERE id = 1").Error
	})
}

// BadConn writes through the pool.
func BadConn(ctx context.Context, db *gorm.DB) error {
	return db.WithContext(ctx).Connection(func(c *gorm.DB) error {
		//fencelint:lock correctness
		if err := c.Exec("SELECT pg_advisory_lock(7)").Error; err != nil {
			return err
		}
		defer c.Exec("SELECT pg_advisory_unlock(7)")
		return db.Exec("UPDATE seats SET guests = guests + 1 WHERE id = 2").Error // want "unfencedwrite"
	})
}

// BadPool takes it through the pool, too.
func BadPool(ctx context.Context, db *gorm.DB) error {
	//fencelint:lock correctness
	if err := db.WithContext(ctx).Exec("SELECT pg_advisory_lock(7)").Error; err != nil { // want "poollock"
		return err
	}
	return db.WithContext(ctx).Exec("UPDATE seats SET guests = guests + 1 WHERE id = 3").Error
}
