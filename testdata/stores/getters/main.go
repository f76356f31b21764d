// Command getters asks interfaces of its own for clients and rows, of which no implementation
// is in sight: what only gives or fills something is no write.
package main

import (
	"context"
	"time"

	"github.com/bsm/redislock"
	"github.com/jackc/pgx/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pool is an object of a kind of the program's own.
type Pool struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Free int
}

// PoolInterface is the client of one kind, as generators write it.
type PoolInterface interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*Pool, error)
	Update(ctx context.Context, pool *Pool, opts metav1.UpdateOptions) (*Pool, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

// PoolsGetter gives it.
type PoolsGetter interface {
	Pools(namespace string) PoolInterface
}

type rowScanner interface {
	Scan(dest ...any) error
}

func scanned(row rowScanner) (free int, err error) {
	err = row.Scan(&free)
	return free, err
}

func lock(ctx context.Context, lc *redislock.Client) (*redislock.Lock, error) {
	//fencelint:lock correctness
	return lc.Obtain(ctx, "lock:pool", time.Minute, nil)
}

func good(ctx context.Context, lc *redislock.Client, pools PoolsGetter, conn *pgx.Conn) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	free, err := scanned(conn.QueryRow(ctx, `SELECT free FROM pools WHERE id = 1`))
	if err != nil {
		return err
	}
	p, err := pools.Pools("ns").Get(ctx, "plan", metav1.GetOptions{})
	if err != nil {
		return err
	}
	p.Free = free
	_, err = pools.Pools("ns").Update(ctx, p, metav1.UpdateOptions{})
	return err
}

func bad(ctx context.Context, lc *redislock.Client, pools PoolsGetter, conn *pgx.Conn) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	if _, err := scanned(conn.QueryRow(ctx, `UPDATE pools SET free = free - 1 WHERE id = 1 RETURNING free`)); err != nil { // want "unfencedwrite"
		return err
	}
	return pools.Pools("ns").Delete(ctx, "plan", metav1.DeleteOptions{}) // want "unfencedwrite"
}

var (
	lc    *redislock.Client
	pools PoolsGetter
	conn  *pgx.Conn
)

func main() {
	ctx := context.Background()
	if good(ctx, lc, pools, conn) != nil || bad(ctx, lc, pools, conn) != nil {
		panic("not done")
	}
}
