// Package kept says what a lock is.
package kept

import "context"

// Lock is held until it is released.
type Lock interface {
	Release(ctx context.Context) error
}
