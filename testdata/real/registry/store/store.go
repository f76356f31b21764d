// Package store has a registry of drivers: which of them a program uses, its imports say.
package store

import (
	"context"
	"fmt"
)

// Store keeps.
type Store interface {
	Save(ctx context.Context, fence int64, v int) error
}

var drivers = map[string]func(dsn string) (Store, error){}

// Register adds a driver.
func Register(name string, open func(dsn string) (Store, error)) { drivers[name] = open }

// Open opens.
func Open(name, dsn string) (Store, error) {
	open := drivers[name]
	if open == nil {
		return nil, fmt.Errorf("no driver %q", name)
	}
	return open(dsn)
}
