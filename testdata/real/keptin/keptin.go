// Package keptin has its leases in maps and atomics of an object.
package keptin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrLost tells that another owner has taken over.
var ErrLost = errors.New("lost")

// lease is a lock with the epoch that came with it.
type lease struct {
	mu    *concurrency.Mutex
	epoch int64
}

// Pool holds shards.
type Pool struct {
	sess   *concurrency.Session
	db     *sql.DB
	leases map[string]*lease
	byNum  map[int]lease
	smap   sync.Map
	cur    atomic.Pointer[lease]
}

// NewPool makes one.
func NewPool(s *concurrency.Session, db *sql.DB) *Pool {
	return &Pool{sess: s, db: db, leases: make(map[string]*lease), byNum: map[int]lease{}}
}

func (p *Pool) acquire(ctx context.Context, shard string) (*lease, error) {
	m := concurrency.NewMutex(p.sess, "/shards/"+shard)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return &lease{mu: m, epoch: m.Header().Revision}, nil
}

func must(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		return ErrLost
	}
	return nil
}

// GoodMapStraight reads the lease out of the map again.
func (p *Pool) GoodMapStraight(ctx context.Context, shard string, n int) error {
	l, err := p.acquire(ctx, shard)
	if err != nil {
		return err
	}
	p.leases[shard] = l
	return must(p.db.ExecContext(ctx, `UPDATE shards SET n = $3, epoch = $2 WHERE id = $1 AND epoch < $2`, shard, p.leases[shard].epoch, n))
}

// BadMapStraight has it changed there.
func (p *Pool) BadMapStraight(ctx context.Context, shard string, n int) error {
	l, err := p.acquire(ctx, shard)
	if err != nil {
		return err
	}
	others := map[string]*other{}
	others[shard] = &other{l.epoch}
	others[shard].epoch = time.Now().UnixNano()
	return must(p.db.ExecContext(ctx, `UPDATE shards SET n = $3, epoch = $2 WHERE id = $1 AND epoch < $2`, shard, others[shard].epoch, n)) // want "clocktoken"
}

// GoodMapValue keeps it by value.
func (p *Pool) GoodMapValue(ctx context.Context, shard int, n int) error {
	l, err := p.acquire(ctx, fmt.Sprint(shard))
	if err != nil {
		return err
	}
	p.byNum[shard] = *l
	cur := p.byNum[shard]
	return must(p.db.ExecContext(ctx, `UPDATE shards SET n = $3, epoch = $2 WHERE id = $1 AND epoch < $2`, shard, cur.epoch, n))
}

// GoodSyncStraight keeps it in a map of its own kind.
func (p *Pool) GoodSyncStraight(ctx context.Context, shard string, n int) error {
	l, err := p.acquire(ctx, shard)
	if err != nil {
		return err
	}
	p.smap.Store(shard, l)
	return p.syncWrite(ctx, shard, n)
}

func (p *Pool) syncWrite(ctx context.Context, shard string, n int) error {
	v, ok := p.smap.Load(shard)
	if !ok {
		return ErrLost
	}
	l := v.(*lease)
	return must(p.db.ExecContext(ctx, `UPDATE shards SET n = $3, epoch = $2 WHERE id = $1 AND epoch < $2`, shard, l.epoch, n))
}

// GoodAtomic keeps one for all.
func (p *Pool) GoodAtomic(ctx context.Context, shard string, n int) error {
	l, err := p.acquire(ctx, shard)
	if err != nil {
		return err
	}
	p.cur.Store(l)
	defer p.cur.Store(nil)
	return p.atomicWrite(ctx, shard, n)
}

func (p *Pool) atomicWrite(ctx context.Context, shard string, n int) error {
	l := p.cur.Load()
	if l == nil {
		return ErrLost
	}
	return must(p.db.ExecContext(ctx, `UPDATE shards SET n = $3, epoch = $2 WHERE id = $1 AND epoch < $2`, shard, l.epoch, n))
}

type other struct{ epoch int64 }
