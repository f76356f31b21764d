//go:build unix

package claims

import (
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/fencelint/fencelint/internal/harness/servers"
)

const zkPath = "github.com/go-zookeeper/zk."

type silent struct{}

func (silent) Printf(string, ...any) {}

var anybody = zk.WorldACL(zk.PermAll)

// zooKeeper starts a server, and opens two sessions.
func zooKeeper(t *testing.T) (a, b *zk.Conn) {
	t.Helper()
	addr := serve(t, "ZooKeeper", servers.StartZooKeeper)
	open := func() *zk.Conn {
		c, events, err := zk.Connect([]string{addr}, 10*time.Second, zk.WithLogger(silent{}))
		must(t, err)
		t.Cleanup(c.Close)
		for deadline := time.After(2 * time.Minute); c.State() != zk.StateHasSession; {
			select {
			case <-events:
			case <-deadline:
				t.Fatal("no session")
			}
		}
		return c
	}
	a, b = open(), open()
	for _, path := range []string{"/locks", "/locks/x"} {
		_, err := a.Create(path, nil, 0, anybody)
		must(t, err)
	}
	_, err := a.Create("/data", []byte("0"), 0, anybody)
	must(t, err)
	return a, b
}

// announce makes a node that stands in line for the lock.
func announce(t *testing.T, c *zk.Conn) (node string, created int64) {
	t.Helper()
	node, err := c.CreateProtectedEphemeralSequential("/locks/x/n-", nil, anybody)
	must(t, err)
	_, stat, err := c.Exists(node)
	must(t, err)
	return node, stat.Czxid
}

// The node of a later owner was created later; a check of the own node in the unit of the
// write refuses whoever has lost it.
func TestZooKeeperOwnNode(t *testing.T) {
	class(t, zkPath+"Conn.CreateProtectedEphemeralSequential", "epoch")
	if g := row(t, zkPath+"Conn.Multi").Guard; g != "own_node" {
		t.Errorf("the models guard with %q", g)
	}
	a, b := zooKeeper(t)
	mine, first := announce(t, a)
	write := func(node, value string) error {
		_, err := b.Multi(&zk.CheckVersionRequest{Path: node, Version: 0}, &zk.SetDataRequest{Path: "/data", Data: []byte(value), Version: -1})
		return err
	}
	must(t, write(mine, "a"))
	a.Close() // the session ends, and its nodes with it
	next, second := announce(t, b)
	if first >= second {
		t.Errorf("created at %d, then %d", first, second)
	}
	if err := write(mine, "obsolete"); !errors.Is(err, zk.ErrNoNode) {
		t.Errorf("the obsolete owner: %v", err)
	}
	must(t, write(next, "b"))
	if data, _, err := b.Get("/data"); err != nil || string(data) != "b" {
		t.Errorf("data %q, %v", data, err)
	}
}

// A lock node with a fixed path tells owners not apart: each one's has version 0.
func TestZooKeeperFixedPath(t *testing.T) {
	a, b := zooKeeper(t)
	_, err := a.Create("/locks/fixed", nil, zk.FlagEphemeral, anybody)
	must(t, err)
	if _, err := b.Create("/locks/fixed", nil, zk.FlagEphemeral, anybody); !errors.Is(err, zk.ErrNodeExists) {
		t.Errorf("two owners: %v", err)
	}
	must(t, a.Delete("/locks/fixed", 0))
	_, err = b.Create("/locks/fixed", nil, zk.FlagEphemeral, anybody)
	must(t, err)
	if _, err := a.Multi(&zk.CheckVersionRequest{Path: "/locks/fixed", Version: 0}, &zk.SetDataRequest{Path: "/data", Data: []byte("obsolete"), Version: -1}); err != nil {
		t.Errorf("the former owner is refused: %v", err)
	}
}

// A version is compared for equality, and -1 with nothing.
func TestZooKeeperVersion(t *testing.T) {
	a, b := zooKeeper(t)
	_, stat, err := a.Get("/data")
	must(t, err)
	_, err = b.Set("/data", []byte("b"), stat.Version)
	must(t, err)
	if _, err := a.Set("/data", []byte("a"), stat.Version); !errors.Is(err, zk.ErrBadVersion) {
		t.Errorf("a version from before: %v", err)
	}
	if _, err := a.Set("/data", []byte("a"), -1); err != nil {
		t.Errorf("any version: %v", err)
	}
	if err := a.Delete("/data", stat.Version); !errors.Is(err, zk.ErrBadVersion) {
		t.Errorf("a delete of a version from before: %v", err)
	}
	must(t, a.Delete("/data", -1))
}

// The recipe shows nothing that a receiver could compare.
func TestZooKeeperRecipe(t *testing.T) {
	class(t, zkPath+"Lock.Lock", "none")
	a, b := zooKeeper(t)
	first, second := zk.NewLock(a, "/locks/recipe", anybody), zk.NewLock(b, "/locks/recipe", anybody)
	must(t, first.Lock())
	won := make(chan error, 1)
	go func() { won <- second.Lock() }()
	select {
	case err := <-won:
		t.Fatalf("two owners: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	a.Close()
	must(t, <-won)
	if err := first.Unlock(); err == nil {
		t.Error("who lost its session releases the lock")
	}
}
