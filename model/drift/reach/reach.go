// Package reach calls the libraries in the ways that programs do: through
// clients, interfaces, embedding and method values. The comment behind a call
// is what the models say of it: the role of its lock entries ("?" if arguments
// decide), the kind of its effect ("~" if by shape). It is type-checked, never run.
package reach

import (
	"context"
	"database/sql"
	"net/http"
	"strings"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-zookeeper/zk"
	"github.com/hashicorp/consul/api"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/redis/go-redis/v9"
	"github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/client"
	"github.com/stripe/stripe-go/v82/paymentintent"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"k8s.io/client-go/tools/leaderelection"
)

type house struct{ *concurrency.Mutex }

func etcd(ctx context.Context, h house, c *clientv3.Client, s *concurrency.Session, e *concurrency.Election, v clientv3.Cmp) {
	h.Lock(ctx)                                // acquire
	h.IsOwner()                                // guard
	lock := h.TryLock                          // acquire
	e.Campaign(ctx, "me")                      // acquire
	c.Put(ctx, "k", "v")                       // kv_put
	c.KV.Delete(ctx, "k")                      // kv_put
	c.Txn(ctx).If(h.IsOwner()).Then().Commit() // txn
	clientv3.Compare(v, "=", 1)                // compare
	c.Grant(ctx, 10)                           // open
	concurrency.NewSTM(c, nil)                 // guard txn
	s.Done()                                   // lost
	_ = lock
}

type db struct{ *sql.DB }

type querier interface {
	Exec(context.Context, string, ...any) (pgconn.CommandTag, error)
	Query(context.Context, string, ...any) (pgx.Rows, error)
	QueryRow(context.Context, string, ...any) pgx.Row
}

func byShape(ctx context.Context, q querier) {
	q.Exec(ctx, "")     // ~exec
	q.Query(ctx, "")    // ~query
	q.QueryRow(ctx, "") // ~query_row
}

func database(ctx context.Context, d db, x *sqlx.DB, xt *sqlx.Tx, p *pgxpool.Pool, tx pgx.Tx, b *pgx.Batch, ext sqlx.ExtContext) {
	d.Exec("")                         // exec
	x.ExecContext(ctx, "")             // exec
	xt.Commit()                        // commit
	x.NamedExec("", nil)               // exec
	ext.ExecContext(ctx, "")           // exec
	sqlx.GetContext(ctx, ext, nil, "") // query_row
	p.Exec(ctx, "")                    // exec
	p.QueryRow(ctx, "").Scan()         // scan
	tx.Query(ctx, "")                  // query
	b.Queue("").Exec(nil)              // batch_result
	pgx.BeginFunc(ctx, p, nil)         // begin
	pgx.CollectOneRow[int](nil, nil)   // scan
	p.Acquire(ctx)                     // conn
}

func redisClients(ctx context.Context, c *redis.Client, u redis.UniversalClient, cl *redis.ClusterClient, p redis.Pipeliner, cm redis.Cmdable, s *redis.Script, t *redis.Tx) {
	c.SetNX(ctx, "k", 1, 0)                 // acquire kv_put
	u.SetNX(ctx, "k", 1, 0)                 // acquire kv_put
	cl.SetNX(ctx, "k", 1, 0)                // acquire kv_put
	p.Set(ctx, "k", 1, 0)                   // kv_put
	cm.Incr(ctx, "k")                       // counter kv_put
	cm.Eval(ctx, "", nil)                   // ?acquire script
	s.Run(ctx, c, nil)                      // ?acquire script
	c.Do(ctx, "SET")                        // ?acquire kv_dynamic
	u.Do(ctx, "SET")                        // ?acquire kv_dynamic
	c.SetArgs(ctx, "k", 1, redis.SetArgs{}) // ?acquire kv_put
	c.Watch(ctx, nil)                       // txn
	t.TxPipelined(ctx, nil)                 // batch_flush
	u.Del(ctx, "k")                         // release kv_put
	c.Get(ctx, "k")                         // read
}

func others(ctx context.Context, m *redsync.Mutex, rl *redislock.Client, cl *api.Lock, kv *api.KV, z *zk.Lock, le *leaderelection.LeaderElector, h http.RoundTripper, sc *stripe.Client, api *client.API, pp *stripe.PaymentIntentParams) {
	m.LockContext(ctx)                                                  // acquire
	m.Extend()                                                          // extend
	rl.Obtain(ctx, "k", 0, nil)                                         // acquire
	cl.Lock(nil)                                                        // acquire
	kv.CAS(nil, nil)                                                    // cas
	kv.Acquire(nil, nil)                                                // acquire cas
	z.Lock()                                                            // acquire
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{}) // region
	le.IsLeader()                                                       // check
	h.RoundTrip(nil)                                                    // http
	http.DefaultClient.Do(nil)                                          // http
	sc.V1PaymentIntents.Create(ctx, nil)                                // struct_input
	api.PaymentIntents.New(pp)                                          // struct_input
	paymentintent.New(pp)                                               // struct_input
	paymentintent.Get("", nil)                                          // read
	pp.SetIdempotencyKey("k")                                           // bind
	client.New("key", nil)                                              // client
	strings.ToLower("")                                                 // neutral
}
