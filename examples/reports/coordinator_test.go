//go:build unix

package reports_test

import (
	"fmt"
	"net"
	"os/exec"
	"testing"
	"time"

	"fencelint.example/reports/fenced"
	"fencelint.example/reports/internal/servers"
	"github.com/redis/go-redis/v9"
)

// TestCoordinatorFailover: between A and B, the leader of etcd dies and is replaced. The
// revision is part of what the members agree on, so B's epoch is larger all the same.
func TestCoordinatorFailover(t *testing.T) {
	db, _ := database(t)
	cluster, err := servers.StartEtcd(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Stop)
	sessionA := session(t, 2, cluster.Endpoints()...)
	a := begin(t, t.Context(), fencedWriter(sessionA, db), "A")
	sessionA.Orphan() // a paused process renews no lease
	epochA := storedEpoch(t, db)
	if err := cluster.ReplaceLeader(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The lease of A survived with the rest: B waits until it runs out.
	if err := write(t.Context(), fencedWriter(session(t, 5, cluster.Endpoints()...), db), "B"); err != nil {
		t.Fatal(err)
	}
	if epochB := storedEpoch(t, db); epochB <= epochA {
		t.Errorf("epoch %d after epoch %d", epochB, epochA)
	}
	wantRefused(t, "A", a.finish())
	wantBody(t, db, "B")
}

// TestCoordinatorStartsAnew: an etcd that lost its data counts from one again. No owner
// gets through: truth is safe, and work stands still until somebody restores the
// revision (etcdutl snapshot restore --bump-revision).
func TestCoordinatorStartsAnew(t *testing.T) {
	db, _ := database(t)
	old, err := servers.StartEtcd(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(old.Stop)
	s := session(t, 5, old.Endpoints()...)
	for i := range 5 {
		if err := write(t.Context(), fencedWriter(s, db), fmt.Sprint("before ", i)); err != nil {
			t.Fatal(err)
		}
	}
	anew, err := servers.StartEtcd(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(anew.Stop)
	s = session(t, 5, anew.Endpoints()...)
	for range 2 {
		wantRefused(t, "an owner by the new etcd", write(t.Context(), fencedWriter(s, db), "after"))
	}
	wantBody(t, db, "before 4")
}

// TestRedisCounter: a counter in a Redis that keeps nothing on disk falls back when the
// Redis starts again. Later owners then have smaller numbers, and one has the same as A:
// nobody gets through until the counter is past it.
func TestRedisCounter(t *testing.T) {
	db, _ := database(t)
	store := fenced.Store{DB: db}
	next := func(r *redisServer) int64 {
		n, err := r.client.Incr(t.Context(), "report:epoch").Result()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	r := startRedis(t)
	next(r)
	next(r)
	epochA := next(r)
	if _, err := store.Activate(t.Context(), report, epochA); err != nil {
		t.Fatal(err)
	}
	r.stop()

	r = startRedis(t)
	for epochB := next(r); epochB <= epochA; epochB = next(r) {
		_, err := store.Activate(t.Context(), report, epochB)
		wantRefused(t, fmt.Sprintf("B with %d after A with %d", epochB, epochA), err)
	}
}

type redisServer struct {
	client *redis.Client
	cmd    *exec.Cmd
}

func startRedis(t *testing.T) *redisServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("no redis-server in PATH (Debian: apt-get install redis-server)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().(*net.TCPAddr)
	l.Close()
	cmd := exec.Command(program, "--bind", "127.0.0.1", "--port", fmt.Sprint(addr.Port),
		"--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &redisServer{cmd: cmd, client: redis.NewClient(&redis.Options{Addr: addr.String()})}
	t.Cleanup(r.stop)
	for end := time.Now().Add(10 * time.Second); r.client.Ping(t.Context()).Err() != nil; {
		if time.Now().After(end) {
			t.Fatal("redis-server does not answer")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return r
}

func (r *redisServer) stop() {
	r.client.Close()
	r.cmd.Process.Kill()
	r.cmd.Wait()
}
