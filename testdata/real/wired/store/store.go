// Package store says what is asked of a store.
package store

import "context"

// Store keeps a number under an epoch.
type Store interface {
	Save(ctx context.Context, epoch int64, n int) error
}
