//go:build unix

package claims

import (
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

const etcdPath = "go.etcd.io/etcd/client/v3/concurrency."

func session(t *testing.T, cli *clientv3.Client) *concurrency.Session {
	t.Helper()
	s, err := concurrency.NewSession(cli, concurrency.WithTTL(2))
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// owns asks etcd to write under the condition that a mutex still has its owner.
func owns(t *testing.T, cli *clientv3.Client, m *concurrency.Mutex) bool {
	t.Helper()
	r, err := cli.Txn(t.Context()).If(m.IsOwner()).Then(clientv3.OpPut("/written", "x")).Commit()
	must(t, err)
	return r.Succeeded
}

// A later owner has the larger revision, and etcd refuses the former one.
func TestEtcdMutex(t *testing.T) {
	class(t, etcdPath+"Mutex.Lock", "epoch")
	if g := row(t, etcdPath+"Mutex.Lock").Guard; g != "compare" {
		t.Errorf("the models guard with %q", g)
	}
	cli := etcd(t)
	first, second := session(t, cli), session(t, cli)
	a, b := concurrency.NewMutex(first, "/lock"), concurrency.NewMutex(second, "/lock")
	must(t, a.Lock(t.Context()))
	if !owns(t, cli, a) {
		t.Error("the owner is refused")
	}
	if err := b.TryLock(t.Context()); err != concurrency.ErrLocked {
		t.Errorf("a second owner beside the first: %v", err)
	}
	_, err := cli.Revoke(t.Context(), first.Lease()) // the lease ends; its holder does not know
	must(t, err)
	must(t, b.Lock(t.Context()))
	if owns(t, cli, a) {
		t.Error("the obsolete owner writes")
	}
	if !owns(t, cli, b) {
		t.Error("the new owner is refused")
	}
	if ra, rb := a.Header().Revision, b.Header().Revision; ra >= rb {
		t.Errorf("revision %d, then %d", ra, rb)
	}
}

// The session is the owner, not the mutex: two mutexes of one session are both granted.
func TestEtcdOneSession(t *testing.T) {
	trap(t, etcdPath+"Mutex.Lock", "same_session_two_mutexes")
	cli := etcd(t)
	s := session(t, cli)
	a, b := concurrency.NewMutex(s, "/lock"), concurrency.NewMutex(s, "/lock")
	must(t, a.Lock(t.Context()))
	must(t, b.Lock(t.Context()))
	if !owns(t, cli, a) || !owns(t, cli, b) {
		t.Error("one of the two is refused")
	}
	if ra, rb := a.Header().Revision, b.Header().Revision; ra != rb {
		t.Errorf("revisions %d and %d tell the two apart", ra, rb)
	}
}

// The revision of an election is ordered; its header moves in one tenure and falls after.
func TestEtcdElection(t *testing.T) {
	class(t, etcdPath+"Election.Rev", "epoch")
	class(t, etcdPath+"Election.Header", "volatile")
	cli := etcd(t)
	a, b := concurrency.NewElection(session(t, cli), "/lead"), concurrency.NewElection(session(t, cli), "/lead")
	must(t, a.Campaign(t.Context(), "a"))
	before := a.Header().Revision
	won := make(chan error, 1)
	go func() { won <- b.Campaign(t.Context(), "b") }()
	for waiting := 0; waiting < 2; { // until b stands in line
		r, err := cli.Get(t.Context(), "/lead", clientv3.WithPrefix(), clientv3.WithCountOnly())
		must(t, err)
		waiting = int(r.Count)
		time.Sleep(10 * time.Millisecond)
	}
	for range 5 {
		must(t, a.Proclaim(t.Context(), "a again"))
	}
	late := a.Header().Revision
	if late <= before {
		t.Errorf("the header stays at %d in one tenure", late)
	}
	must(t, a.Resign(t.Context()))
	must(t, <-won)
	if b.Header().Revision >= late {
		t.Errorf("the next leader's header is %d, after %d", b.Header().Revision, late)
	}
	if a.Rev() >= b.Rev() {
		t.Errorf("revision %d, then %d", a.Rev(), b.Rev())
	}
}

// Who takes part in an optimistic transaction is told of a change of what it read.
func TestEtcdSTM(t *testing.T) {
	cli := etcd(t)
	_, err := cli.Put(t.Context(), "/fence", "1")
	must(t, err)
	ran := 0
	_, err = concurrency.NewSTM(cli, func(s concurrency.STM) error {
		ran++
		fence := s.Get("/fence")
		if ran == 1 {
			_, err := cli.Put(t.Context(), "/fence", "2") // a newer owner, between read and write
			must(t, err)
		}
		if fence == "1" {
			s.Put("/data", "obsolete")
		}
		return nil
	})
	must(t, err)
	r, err := cli.Get(t.Context(), "/data")
	must(t, err)
	if ran != 2 || len(r.Kvs) != 0 {
		t.Errorf("ran %d times, and wrote %v", ran, r.Kvs)
	}
}
