// Package deco wraps locks: the class is that of who uses the interface.
package deco

import (
	"context"
	"log"
	"time"

	"fencelint.example/real/portlock/port"
)

type Logged struct{ next port.Locker }

func NewLogged(l port.Locker) port.Locker { return &Logged{l} }

func (d *Logged) Acquire(ctx context.Context, key string) (port.Lease, error) {
	l, err := d.next.Acquire(ctx, key)
	if err != nil {
		log.Println("lock", key, err)
		return nil, err
	}
	return l, nil
}

// Patient is a decorator that this program does not use.
type Patient struct{ next port.Locker }

func (d *Patient) Acquire(ctx context.Context, key string) (port.Lease, error) {
	for i := 0; ; i++ {
		l, err := d.next.Acquire(ctx, key)
		if err == nil || i == 3 {
			return l, err
		}
		time.Sleep(time.Second)
	}
}
