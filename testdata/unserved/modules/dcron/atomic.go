// Package dcron has the declarations that fixtures use.
package dcron

import "context"

// Atomic marks runs of jobs.
type Atomic interface {
	SetIfNotExists(ctx context.Context, key, value string) bool
}
