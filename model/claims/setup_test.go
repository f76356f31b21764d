//go:build unix

package claims

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"slices"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"github.com/fencelint/fencelint/internal/harness/servers"
	"github.com/fencelint/fencelint/model"
)

// row is what the models say of a call.
func row(t *testing.T, key string) *model.Lock {
	t.Helper()
	c := model.Builtin().FuncKey(key)
	if c == nil || len(c.Locks)+len(c.Depends) == 0 {
		t.Fatalf("the models have no row about %s", key)
	}
	return slices.Concat(c.Locks, c.Depends)[0]
}

// class fails unless the models say that a call gives tokens of a class.
func class(t *testing.T, key string, want model.TokenClass) {
	t.Helper()
	if got := row(t, key).Token.Class; got != want {
		t.Errorf("the models call the token of %s %q; what is shown here is that it is %q", key, got, want)
	}
}

// trap fails unless the models warn of something.
func trap(t *testing.T, key, want string) {
	t.Helper()
	if got := row(t, key).Traps; !slices.Contains(got, want) {
		t.Errorf("the models say of %s only %q, not %s", key, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// etcd starts a server within the process, and connects to it.
func etcd(t *testing.T) *clientv3.Client {
	t.Helper()
	cfg := embed.NewConfig()
	cfg.Dir = t.TempDir()
	peer, client := localURL(t), localURL(t)
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	cfg.InitialCluster = cfg.Name + "=" + peer.String()
	cfg.TickMs, cfg.ElectionMs = 50, 500 // leases of one second become possible
	cfg.UnsafeNoFsync = true
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	server, err := embed.StartEtcd(cfg)
	must(t, err)
	t.Cleanup(server.Close)
	select {
	case <-server.Server.ReadyNotify():
	case err := <-server.Err():
		t.Fatal(err)
	case <-time.After(time.Minute):
		t.Fatal("etcd does not answer")
	}
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{client.String()}, DialTimeout: 10 * time.Second, Logger: zap.NewNop()})
	must(t, err)
	t.Cleanup(func() { cli.Close() })
	return cli
}

func localURL(t *testing.T) url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return url.URL{Scheme: "http", Host: l.Addr().String()}
}

// redisServer starts a Redis and says where it listens.
func redisServer(t *testing.T) string {
	t.Helper()
	return serve(t, "Redis", servers.StartRedis)
}

// postgres starts a PostgreSQL and connects to it with at most two connections.
func postgres(t *testing.T) *sql.DB {
	t.Helper()
	addr := serve(t, "PostgreSQL", servers.StartPostgres)
	return connect(t, "pgx", "postgres://postgres@"+addr+"/postgres?sslmode=disable")
}

// mariadb starts a MariaDB and connects to it with at most two connections.
func mariadb(t *testing.T) *sql.DB {
	t.Helper()
	addr := serve(t, "MariaDB", servers.StartMariaDB)
	return connect(t, "mysql", "root@tcp("+addr+")/mysql")
}

func serve(t *testing.T, name string, start func() (*servers.Server, error)) string {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Skipf("no %s: %v", name, err)
	}
	t.Cleanup(s.Stop)
	return s.Addr
}

func connect(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	for range 100 {
		if err = db.Ping(); err == nil {
			return db
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal(err)
	return nil
}

// two pins two connections of a pool.
func two(t *testing.T, db *sql.DB) (a, b *sql.Conn) {
	t.Helper()
	var err error
	a, err = db.Conn(t.Context())
	must(t, err)
	t.Cleanup(func() { a.Close() })
	b, err = db.Conn(t.Context())
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return a, b
}

// querier is a connection, a transaction or a pool.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ask is the one value that a query answers.
func ask[T any](t *testing.T, q querier, query string, args ...any) (v T) {
	t.Helper()
	if err := q.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
	return v
}

// signal fails unless the models say that a receiver refuses a write in some way.
func signal(t *testing.T, key, want string) {
	t.Helper()
	c := model.Builtin().FuncKey(key)
	if c == nil || c.Sink == nil || c.Sink.Profile == nil {
		t.Fatalf("the models do not say how %s is refused", key)
	}
	if got := c.Sink.Profile.Rejection.Signal; got != want {
		t.Errorf("the models say that %s is refused by %s; what is shown here is %s", key, got, want)
	}
}
