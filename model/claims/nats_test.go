//go:build unix

package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const natsKV = "github.com/nats-io/nats.go/jetstream.KeyValue."

// jetStream starts a NATS within the process, and connects to it.
func jetStream(t *testing.T) jetstream.JetStream {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	must(t, err)
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("NATS does not answer")
	}
	conn, err := nats.Connect(s.ClientURL())
	must(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(t, err)
	return js
}

func bucket(t *testing.T, js jetstream.JetStream) jetstream.KeyValue {
	t.Helper()
	kv, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "locks", Storage: jetstream.MemoryStorage})
	must(t, err)
	return kv
}

// A key is created once; a later owner's revision is larger; a write under the former
// revision is refused, and a delete without one takes the key of the next owner.
func TestNatsKey(t *testing.T) {
	class(t, natsKV+"Create", "epoch")
	kv, ctx := bucket(t, jetStream(t)), t.Context()
	first, err := kv.Create(ctx, "k", []byte("a"))
	must(t, err)
	if _, err := kv.Create(ctx, "k", []byte("b")); !errors.Is(err, jetstream.ErrKeyExists) {
		t.Errorf("two owners: %v", err)
	}
	must(t, kv.Delete(ctx, "k", jetstream.LastRevision(first)))
	second, err := kv.Create(ctx, "k", []byte("b"))
	must(t, err)
	if second <= first {
		t.Errorf("revision %d, then %d", first, second)
	}
	if _, err := kv.Update(ctx, "k", []byte("a"), first); err == nil {
		t.Error("the obsolete owner renews the key")
	}
	if err := kv.Delete(ctx, "k", jetstream.LastRevision(first)); err == nil {
		t.Error("the obsolete owner deletes the key by its revision")
	}
	must(t, kv.Delete(ctx, "k"))
	if _, err := kv.Get(ctx, "k"); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Errorf("without a revision it deletes nothing: %v", err)
	}
}

// A renewal moves the revision, and a bucket that is made anew counts from one again.
func TestNatsRevision(t *testing.T) {
	class(t, natsKV+"Update", "volatile")
	trap(t, natsKV+"Create", "stream_recreated")
	js, ctx := jetStream(t), context.Background()
	kv := bucket(t, js)
	rev, err := kv.Create(ctx, "k", []byte("a"))
	must(t, err)
	renewed, err := kv.Update(ctx, "k", []byte("a"), rev)
	must(t, err)
	if renewed <= rev {
		t.Errorf("revision %d stays after %d", renewed, rev)
	}
	must(t, js.DeleteKeyValue(ctx, "locks"))
	anew, err := bucket(t, js).Create(ctx, "k", []byte("b"))
	must(t, err)
	if anew >= renewed {
		t.Errorf("a new bucket goes on at %d after %d", anew, renewed)
	}
}
