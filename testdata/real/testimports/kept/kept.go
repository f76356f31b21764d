// Package kept says what a store of the house can do.
package kept

import "context"

// Store keeps prices.
type Store interface {
	Put(ctx context.Context, name string, price int64) error
}
