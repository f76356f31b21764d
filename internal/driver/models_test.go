package driver

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/catalogue"
)

const house = `-- go.mod --
module toy.example/m

go 1.26
-- a.go --
package m
-- fencelint.yaml --
fencelint: 1
libraries:
  - lib: house
    paths: [toy.example/house/lock]
    locks:
      - {call: Client.Acquire, role: acquire, mode: block, token: {class: opaque}}
      - {call: Client.Release, role: release}
`

func TestModels(t *testing.T) {
	m := newModule(t, house)
	m.tool("models").want(t, 0, "house ", "toy.example/house/lock", "redsync", "libraries: ")
	m.tool("models", "house").want(t, 0, "model file: fencelint.yaml", "Client.Acquire: acquire, block; token: opaque\n", "waits, perhaps")
	m.tool("models", "github.com/bsm/redislock").want(t, 0, "Client.Obtain: acquire")
	m.write("sub/b.go", "package sub\n")
	dir := m.dir
	m.dir = filepath.Join(dir, "sub")
	m.tool("models", "house").want(t, 0, "model file: ../fencelint.yaml")
	m.dir = dir
	for _, name := range []string{"", "house"} {
		out := m.tool("models", "-o", "json", name)
		if name == "" {
			out = m.tool("models", "-o", "json")
		}
		out.want(t, 0)
		var list []catalogue.Detail
		if err := json.Unmarshal([]byte(out.stdout), &list); err != nil {
			t.Fatal(err)
		}
		if name == "house" && (len(list) != 1 || len(list[0].Rows) != 2 || list[0].Rows[0].Pos != "fencelint.yaml:6:9") {
			t.Errorf("got %+v", list)
		}
	}
}

func TestModelsUsage(t *testing.T) {
	m := newModule(t, house)
	m.tool("models", "redsyn").want(t, 2, "nothing is known of redsyn; did you mean redsync?")
	m.tool("models", "a", "b").want(t, 2, "one library or import path at a time")
	m.tool("models", "-o", "sarif").want(t, 2, "want text or json")
	m.tool("models", "-nonsense").want(t, 2, "fencelint models: no flag -nonsense")
	m.tool("models", "-fencelint.models", "none.yaml").want(t, 3, "none.yaml")
	m.tool("help", "models").want(t, 0, "usage: fencelint models [flags]", "-o form")
	m.tool("models", "-h").want(t, 0, "usage: fencelint models")
	m.write("fencelint.yaml", "fencelint: 1\nlibraries:\n  - lib: house\n    lock: []\n")
	m.tool("models").want(t, 3, "fencelint.yaml:4:5: unknown key", "did you mean")
}

const houseUser = `
-- go.mod --
module toy.example/m
go 1.26
require toy.example/house v0.0.0
replace toy.example/house => ../house
-- a/a.go --
package a
import "toy.example/house/lock"
var Client lock.Client
-- alone/alone.go --
package alone
-- fencelint.yaml --
fencelint: 1
libraries:
  - lib: house
    paths: [toy.example/house/lock]
    locks:
      - {call: Client.Acquire, role: acquire, handle: "ret[0]", ok: "ret[1]==nil"}
      - {call: Client.Relase, role: release}
-- ../house/go.mod --
module toy.example/house
go 1.26
-- ../house/lock/lock.go --
package lock

import (
	"context"
	"time"
)

// Client takes locks.
type Client struct{ inner }
type inner struct{}

func (*inner) Release(key string) error { return nil }

// Lease is a lock that is held.
type Lease struct{}

func (c *Client) Acquire(ctx context.Context, key string, ttl time.Duration) (*Lease, error) { return nil, nil }
func (l *Lease) Epoch() int64 { return 0 }
func (l *Lease) Lost() <-chan struct{} { return nil }
func (l *Lease) Release(ctx context.Context) error { return nil }
-- ../house/store/store.go --
package store

import "context"

// Store keeps values.
type Store interface {
	Put(ctx context.Context, key string, value []byte) error
	Get(ctx context.Context, key string) ([]byte, error)
}
`

func TestModelsCheck(t *testing.T) {
	m := newModule(t, houseUser)
	out := m.tool("models", "check", "./...")
	out.want(t, 1)
	want := "fencelint.yaml:7:9: house.Client.Relase: no method Relase of Client; did you mean Release? (toy.example/house/lock)\n" +
		"fencelint.yaml: rows compared: 2; places that match nothing: 1\n"
	if out.stdout != want || m.tool("models", "check").stdout != want {
		t.Errorf("got\n%s\nwant\n%s", out.stdout, want)
	}
	m.tool("models", "check", "./alone").want(t, 1, "fencelint.yaml:3:5: house: this program has no package toy.example/house/lock")
	m.write("right.yaml", "fencelint: 1\nlibraries:\n  - lib: house\n    paths: [toy.example/house/lock]\n    locks:\n      - {call: Lease.Release, role: release}\n")
	m.tool("models", "check", "-fencelint.models", "right.yaml").want(t, 0, "right.yaml: rows compared: 1; places that match nothing: 0\n")
	m.tool("models", "check", "./nowhere").want(t, 2, "nowhere")
	m.tool("models", "check", "-h").want(t, 0, "usage: fencelint models check [flags] [packages]", "-tags")
	m.tool("help", "models", "check").want(t, 0, "usage: fencelint models check [flags] [packages]")
	m.tool("help", "models", "chek").want(t, 2, "no rule and no command \"chek\"")
	broken := newModule(t, house+"-- b/b.go --\npackage b\nimport _ \"toy.example/none\"\n")
	broken.tool("models", "check", "./...").want(t, 1, "this program has no package toy.example/house/lock")
	none := newModule(t, "-- go.mod --\nmodule toy.example/m\ngo 1.26\n-- a.go --\npackage m\n")
	none.tool("models", "check").want(t, 2, "there is no fencelint.yaml beside go.mod", "fencelint models add IMPORT/PATH")
}

// What add drafts is what check and the analysis read.
func TestModelsAdd(t *testing.T) {
	m := newModule(t, houseUser)
	known := m.tool("models", "add", "toy.example/house/lock")
	known.want(t, 0, "paths: [toy.example/house/lock]", "modules: [toy.example/house]",
		"{call: Client.Acquire, role: acquire, mode: block, handle: \"ret[0]\", key: \"arg[1]\", ttl: \"arg[2]\", ok: \"ret[1]==nil\", "+
			"lost: \"chan_close:ret[0].Lost()\", scope: until_release, token: {class: opaque, at: \"ret[0].Epoch()\", type: int64}}",
		"{call: inner.Release, role: release, handle: key, key: \"arg[0]\"",
		"there is a fencelint.yaml; put the draft below its \"libraries:\"")
	m.write("fencelint.yaml", known.stdout)
	m.tool("models", "check", "./...").want(t, 0, "places that match nothing: 0")
	m.tool("models", "lock").want(t, 0, "Lease.Release: release")
	m.write("fencelint.yaml", strings.ReplaceAll(known.stdout, "class: opaque", "class: epoch"))
	m.tool("models", "lock").want(t, 0, "token: epoch at ret[0].Epoch() (unknown)")
	m.write("fencelint.yaml", "") // what the shell makes before the command runs
	store := m.tool("models", "add", "toy.example/house/store")
	store.want(t, 0, "{call: Store.Put, kind: kv_put, boundary: store, key: \"arg[1]\", value: \"arg[2]\"}", "about locks: 0, about writes: 1")
	if strings.Contains(store.stderr, "there is a fencelint.yaml") {
		t.Errorf("got\n%s", store.stderr)
	}
	if again := m.tool("models", "add", "toy.example/house/store"); again != store {
		t.Error("two runs differ")
	}
}

func TestModelsAddUsage(t *testing.T) {
	m := newModule(t, houseUser)
	m.tool("models", "add").want(t, 2, "name one package by its import path")
	m.tool("models", "add", "./...").want(t, 2, "name one package by its import path")
	m.tool("models", "add", "sync").want(t, 2, "sync is of the standard library")
	m.tool("models", "add", "toy.example/m/alone").want(t, 2, "nothing in toy.example/m/alone is named and shaped like a lock or a write", "go doc")
	m.tool("models", "add", "toy.example/house/none").want(t, 3, "toy.example/house/none")
	m.tool("models", "example.com/none").want(t, 2, "fencelint models add example.com/none drafts rows")
	m.tool("help", "models", "add").want(t, 0, "usage: fencelint models add [flags] IMPORT/PATH")
	bare := newModule(t, "-- a.go --\npackage a\n")
	bare.tool("models", "add", "toy.example/house/lock").want(t, 2, "there is no go.mod")
}
