// Package watched keeps a fence in a key that an optimistic transaction of Redis watches.
package watched

import (
	"context"
	"errors"
	"log"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

type Store struct {
	s   *concurrency.Session
	rdb *redis.Client
}

func (s *Store) with(ctx context.Context, key string, fn func(context.Context, int64) error) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, m.Header().Revision)
}

// GoodFence compares the epoch with a watched key and stores it there.
func (s *Store) GoodFence(ctx context.Context) error {
	return s.with(ctx, "a", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "a:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "a:fence", e, 0)
				p.Set(ctx, "a", "x", 0)
				return nil
			})
			return err
		}, "a:fence")
	})
}

// GoodPipe queues and sends by hand.
func (s *Store) GoodPipe(ctx context.Context) error {
	return s.with(ctx, "b", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "b:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			p := tx.TxPipeline()
			p.Set(ctx, "b:fence", e, 0)
			p.Set(ctx, "b", "x", 0)
			_, err = p.Exec(ctx)
			return err
		}, "b:fence")
	})
}

// GoodRetry begins anew where a watched key was changed.
func (s *Store) GoodRetry(ctx context.Context) error {
	return s.with(ctx, "c", func(ctx context.Context, e int64) error {
		txf := func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "c:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur > e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "c:fence", e, 0)
				p.Set(ctx, "c", "x", 0)
				return nil
			})
			return err
		}
		for i := 0; i < 5; i++ {
			err := s.rdb.Watch(ctx, txf, "c:fence")
			if err == nil {
				return nil
			}
			if errors.Is(err, redis.TxFailedErr) {
				continue
			}
			return err
		}
		return errors.New("too many attempts")
	})
}

// BadDropped throws the answer of EXEC away.
func (s *Store) BadDropped(ctx context.Context) error {
	return s.with(ctx, "d", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "d:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, _ = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "d:fence", e, 0) // want "rejectionignored"
				p.Set(ctx, "d", "x", 0)     // want "rejectionignored"
				return nil
			})
			return nil
		}, "d:fence")
	})
}

// BadLogged only logs what the transaction says.
func (s *Store) BadLogged(ctx context.Context) error {
	return s.with(ctx, "e", func(ctx context.Context, e int64) error {
		err := s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "e:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "e:fence", e, 0) // want "rejectionignored"
				p.Set(ctx, "e", "x", 0)     // want "rejectionignored"
				return nil
			})
			return err
		}, "e:fence")
		if err != nil {
			log.Print(err)
		}
		return nil
	})
}

// BadTTL lets the fence expire.
func (s *Store) BadTTL(ctx context.Context) error {
	return s.with(ctx, "f", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "f:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "f:fence", e, time.Minute) // want "nulladmitted"
				p.Set(ctx, "f", "x", 0)               // want "nulladmitted"
				return nil
			})
			return err
		}, "f:fence")
	})
}

// BadEarly reads the fence before it is watched.
func (s *Store) BadEarly(ctx context.Context) error {
	return s.with(ctx, "g", func(ctx context.Context, e int64) error {
		cur, err := s.rdb.Get(ctx, "g:fence").Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "g:fence", e, 0) // want "checkthenact"
				p.Set(ctx, "g", "x", 0)     // want "checkthenact"
				return nil
			})
			return err
		}, "g:fence")
	})
}

// BadTurned compares in the wrong direction.
func (s *Store) BadTurned(ctx context.Context) error {
	return s.with(ctx, "h", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "h:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur < e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "h:fence", e, 0) // want "staleadmitted"
				p.Set(ctx, "h", "x", 0)     // want "staleadmitted"
				return nil
			})
			return err
		}, "h:fence")
	})
}

// BadUnstored never stores what it compares.
func (s *Store) BadUnstored(ctx context.Context) error {
	return s.with(ctx, "i", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "i:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "i", "x", 0) // want "fencenotadvanced"
				return nil
			})
			return err
		}, "i:fence")
	})
}

// BadSwallowed takes a changed key for success.
func (s *Store) BadSwallowed(ctx context.Context) error {
	return s.with(ctx, "j", func(ctx context.Context, e int64) error {
		err := s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "j:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "j:fence", e, 0) // want "rejectionignored"
				p.Set(ctx, "j", "x", 0)     // want "rejectionignored"
				return nil
			})
			return err
		}, "j:fence")
		if errors.Is(err, redis.TxFailedErr) {
			return nil
		}
		return err
	})
}

// BadPipe does not look at what EXEC says.
func (s *Store) BadPipe(ctx context.Context) error {
	return s.with(ctx, "k", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "k:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			p := tx.TxPipeline()
			p.Set(ctx, "k:fence", e, 0) // want "rejectionignored"
			p.Set(ctx, "k", "x", 0)     // want "rejectionignored"
			p.Exec(ctx)
			return nil
		}, "k:fence")
	})
}

// BadClient queues at the client, beside the transaction.
func (s *Store) BadClient(ctx context.Context) error {
	return s.with(ctx, "l", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "l:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			p := s.rdb.TxPipeline()
			p.Set(ctx, "l:fence", e, 0) // want "checkthenact|unfencedwrite|tokennotcompared"
			p.Set(ctx, "l", "x", 0)     // want "checkthenact|unfencedwrite|tokennotcompared"
			_, err = p.Exec(ctx)
			return err
		}, "l:fence")
	})
}

// BadPlain queues without MULTI.
func (s *Store) BadPlain(ctx context.Context) error {
	return s.with(ctx, "n", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "n:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.Pipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "n:fence", e, 0) // want "checkthenact|unfencedwrite|tokennotcompared"
				p.Set(ctx, "n", "x", 0)     // want "checkthenact|unfencedwrite|tokennotcompared"
				return nil
			})
			return err
		}, "n:fence")
	})
}

// GoodField keeps the epoch in a field.
func (s *Store) GoodField(ctx context.Context, id string) error {
	return s.with(ctx, "o", func(ctx context.Context, e int64) error {
		key := "o:" + id
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			v, err := tx.HGet(ctx, key, "fence").Result()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if err == nil {
				cur, err := strconv.ParseInt(v, 10, 64)
				if err != nil {
					return err
				}
				if cur >= e {
					return errStale
				}
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.HSet(ctx, key, "fence", e, "v", "x")
				return nil
			})
			return err
		}, key)
	})
}

// BadField stores it in another one.
func (s *Store) BadField(ctx context.Context, id string) error {
	return s.with(ctx, "q", func(ctx context.Context, e int64) error {
		key := "q:" + id
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.HGet(ctx, key, "fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.HSet(ctx, key, "epoch", e, "v", "x") // want "fencenotadvanced"
				return nil
			})
			return err
		}, key)
	})
}

// BadEarlyKey reads it before the transaction.
func (s *Store) BadEarlyKey(ctx context.Context, id string) error {
	return s.with(ctx, "r", func(ctx context.Context, e int64) error {
		key := "r:" + id
		cur, err := s.rdb.Get(ctx, key).Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			if cur >= e {
				return errStale
			}
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, key, e, 0) // want "checkthenact"
				return nil
			})
			return err
		}, key)
	})
}

func (s *Store) send(ctx context.Context, p redis.Pipeliner) error {
	_, err := p.Exec(ctx)
	return err
}

// GoodHelper sends in a function of its own.
func (s *Store) GoodHelper(ctx context.Context, id string) error {
	return s.with(ctx, "s", func(ctx context.Context, e int64) error {
		key := "s:" + id
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, key).Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return errStale
			}
			p := tx.TxPipeline()
			p.Set(ctx, key, e, 0)
			p.Set(ctx, key+":v", "x", 0)
			return s.send(ctx, p)
		}, key)
	})
}

// GoodCompare compares in a function of its own.
func (s *Store) GoodCompare(ctx context.Context, id string) error {
	return s.with(ctx, "t", func(ctx context.Context, e int64) error {
		key := "t:" + id
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, key).Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if err := newer(e, cur); err != nil {
				return err
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, key, e, 0)
				p.Set(ctx, key+":v", "x", 0)
				return nil
			})
			return err
		}, key)
	})
}

func newer(e, cur int64) error {
	if cur >= e {
		return errStale
	}
	return nil
}

// UnseenError goes on where the read has failed: that is no fence, and for all that a
// compare-and-set.
func (s *Store) UnseenError(ctx context.Context, id string) error {
	return s.with(ctx, "u", func(ctx context.Context, e int64) error {
		key := "u:" + id
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, _ := tx.Get(ctx, key).Int64()
			if cur >= e {
				return errStale
			}
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, key, e, 0)
				return nil
			})
			return err
		}, key)
	})
}

// OtherServer reads the epoch at another server than the one that watches: that is no fence.
func (s *Store) OtherServer(ctx context.Context, replica *redis.Client) error {
	return s.with(ctx, "v", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := replica.Get(ctx, "v").Int64()
			if err != nil {
				return err
			}
			if cur >= e {
				return errStale
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "v", e, 0)
				return nil
			})
			return err
		}, "v")
	})
}
