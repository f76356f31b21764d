// Package zk writes nodes of ZooKeeper.
package zk

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-zookeeper/zk"
	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/nodes")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

type plan struct{ Steps int }

// Kept writes with the version of what was read: no update is lost.
func Kept(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		data, st, err := c.Get("/plans/kept")
		if err != nil {
			return err
		}
		var p plan
		if err := json.Unmarshal(data, &p); err != nil {
			return err
		}
		p.Steps++
		if data, err = json.Marshal(p); err != nil {
			return err
		}
		_, err = c.Set("/plans/kept", data, st.Version)
		return err
	})
}

// ReadBefore writes with a version that was read before the lock was taken.
func ReadBefore(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	_, st, err := c.Get("/plans/before")
	if err != nil {
		return err
	}
	return held(ctx, s, func() error {
		_, err := c.Set("/plans/before", []byte("x"), st.Version)
		return err
	})
}

// Any writes whatever is there.
func Any(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, err := c.Set("/plans/any", []byte("x"), -1) // want "unfencedwrite"
		return err
	})
}

// AnyOnOneWay writes whatever is there where nothing was read.
func AnyOnOneWay(ctx context.Context, s *concurrency.Session, c *zk.Conn, fresh bool) error {
	return held(ctx, s, func() error {
		version := int32(-1)
		if fresh {
			_, st, err := c.Get("/plans/way")
			if err != nil {
				return err
			}
			version = st.Version
		}
		_, err := c.Set("/plans/way", []byte("x"), version) // want "unfencedwrite"
		return err
	})
}

// Deaf throws the refusal away.
func Deaf(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, st, err := c.Get("/plans/deaf")
		if err != nil {
			return err
		}
		c.Set("/plans/deaf", []byte("x"), st.Version) // want "rejectionignored"
		return nil
	})
}

// Swallowed takes a refusal for success.
func Swallowed(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, st, err := c.Get("/plans/swallowed")
		if err != nil {
			return err
		}
		_, err = c.Set("/plans/swallowed", []byte("x"), st.Version) // want "rejectionignored"
		if errors.Is(err, zk.ErrBadVersion) {
			return nil
		}
		return err
	})
}

// Removed deletes what was read.
func Removed(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, st, err := c.Get("/plans/removed")
		if err != nil {
			return err
		}
		return c.Delete("/plans/removed", st.Version)
	})
}

// RemovedAny deletes whatever is there.
func RemovedAny(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		return c.Delete("/plans/gone", -1) // want "unfencedwrite"
	})
}

// Fenced says that the lock needs an order, and a version is none.
func Fenced(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	mu := concurrency.NewMutex(s, "/locks/fenced")
	//fencelint:lock correctness contract=fence
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, st, err := c.Get("/plans/fenced")
	if err != nil {
		return err
	}
	_, err = c.Set("/plans/fenced", []byte("x"), st.Version) // want "casnotfence"
	return err
}

// Compared states that contract, and the version stands for what was read.
func Compared(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	mu := concurrency.NewMutex(s, "/locks/compared")
	//fencelint:lock correctness contract=cas
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	data, st, err := c.Get("/plans/compared")
	if err != nil {
		return err
	}
	_, err = c.Set("/plans/compared", append(data, 'x'), st.Version)
	return err
}

// LookedUp asks for nothing but the version, just before it writes.
func LookedUp(ctx context.Context, s *concurrency.Session, c *zk.Conn, data []byte) error {
	mu := concurrency.NewMutex(s, "/locks/looked")
	//fencelint:lock correctness contract=cas
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, st, err := c.Exists("/plans/looked")
	if err != nil {
		return err
	}
	_, err = c.Set("/plans/looked", data, st.Version) // want "casnotfence"
	return err
}

// Made is taken once.
func Made(ctx context.Context, s *concurrency.Session, c *zk.Conn, order string) error {
	return held(ctx, s, func() error {
		_, err := c.Create("/orders/"+order, nil, 0, zk.WorldACL(zk.PermAll))
		return err
	})
}

// MadeAtRandom is refused by nobody.
func MadeAtRandom(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, err := c.Create("/orders/"+uuid.NewString(), nil, zk.FlagPersistent, zk.WorldACL(zk.PermAll)) // want "unfencedwrite"
		return err
	})
}

// Queued gets a number of its own each time.
func Queued(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, err := c.Create("/queue/n-", nil, zk.FlagSequence, zk.WorldACL(zk.PermAll)) // want "unfencedwrite"
		return err
	})
}

// Announced goes with its session.
func Announced(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		_, err := c.Create("/plans/running", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)) // want "unprovedwrite"
		return err
	})
}
