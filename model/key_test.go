package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"
)

// check type-checks one file as a package of a given path.
func check(t testing.TB, std types.Importer, path, src string, deps map[string]*types.Package) (*types.Package, *types.Info, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	conf := types.Config{Importer: depImporter{deps, std}}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, info, f
}

type depImporter struct {
	deps map[string]*types.Package
	std  types.Importer
}

func (d depImporter) Import(path string) (*types.Package, error) {
	if p := d.deps[path]; p != nil {
		return p, nil
	}
	return d.std.Import(path)
}

// concurrency is a stand-in with the shape of the real package.
const concurrency = `package concurrency

import "context"

type Session struct{}
func NewSession() *Session { return nil }
type Mutex struct{}
func NewMutex(s *Session, pfx string) *Mutex { return nil }
func (m *Mutex) Lock(ctx context.Context) error { return nil }
`

const kv = `package clientv3

type KV interface{ Put(k, v string) error }
type Client struct{ KV }
`

const house1 = `package lock

type Guard[T any] struct{ v T }
func (g *Guard[T]) Acquire() (<-chan struct{}, error) { return nil, nil }
func With[T any](v T, f func()) {}
`

const user = `package user

import (
	"context"
	"database/sql"

	"example.com/generic/lock"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type embedded struct{ *concurrency.Mutex }
type again struct{ embedded }
type alias = concurrency.Mutex
type pool struct{ *sql.DB }
type local interface{ Lock(context.Context) error }
type store interface{ clientv3.KV }

func calls(m *concurrency.Mutex, e embedded, a again, al *alias, p pool, c *clientv3.Client, l local, g *lock.Guard[int], s store,
	anon interface{ Lock(context.Context) error }, err error) {
	ctx := context.Background()
	m.Lock(ctx)
	e.Lock(ctx)
	a.Lock(ctx)
	al.Lock(ctx)
	f := m.Lock
	f(ctx)
	(*concurrency.Mutex).Lock(m, ctx)
	p.Exec("UPDATE t SET x = 1")
	c.Put("k", "v")
	s.Put("k", "v")
	l.Lock(ctx)
	g.Acquire()
	lock.With(1, nil)
	concurrency.NewMutex(nil, "")
	anon.Lock(ctx)
	_ = err.Error()
}
`

// Whatever way a method is reached, its key is that of the type that declares it.
func TestKey(t *testing.T) {
	std := importer.Default()
	deps := make(map[string]*types.Package)
	for path, src := range map[string]string{
		"go.etcd.io/etcd/client/v3/concurrency": concurrency, "go.etcd.io/etcd/client/v3": kv, "example.com/generic/lock": house1,
	} {
		deps[path], _, _ = check(t, std, path, src, nil)
	}
	_, info, _ := check(t, std, "example.com/user", user, deps)
	count := make(map[string]int)
	table := with(t, `{fencelint: 1, libraries: [{lib: g, paths: [example.com/generic/lock], locks: [{call: Guard.Acquire, role: acquire}, {call: With, role: region, callback: "arg[1]"}]}]}`)
	known := make(map[string]bool)
	for _, obj := range info.Uses {
		if fn, ok := obj.(*types.Func); ok {
			key := Key(fn)
			count[key]++
			call := table.Func(fn)
			known[key] = call != nil
			if key != "" && table.FuncKey(key) != call {
				t.Errorf("%s: Func and FuncKey differ", key)
			}
		}
	}
	want := map[string]int{
		"go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock": 6,
		"go.etcd.io/etcd/client/v3/concurrency.NewMutex":   1,
		"go.etcd.io/etcd/client/v3.KV.Put":                 2,
		"database/sql.DB.Exec":                             1,
		"example.com/user.local.Lock":                      1,
		"example.com/generic/lock.Guard.Acquire":           1,
		"example.com/generic/lock.With":                    1,
		"context.Background":                               1,
		"error.Error":                                      1,
		"":                                                 1, // method of an unnamed interface
	}
	if !maps.Equal(count, want) {
		t.Errorf("keys are %v", count)
	}
	for key, n := range want {
		foreign := slices.Contains([]string{"example.com/user.local.Lock", "context.Background", "error.Error", ""}, key)
		if n > 0 && known[key] == foreign {
			t.Errorf("%s is known: %v", key, known[key])
		}
	}
	if table.Func(nil) != nil {
		t.Error("nil is known")
	}
}

func TestCarrier(t *testing.T) {
	pkg, _, _ := check(t, importer.Default(), "example.com/c", `package c
import "database/sql"
type alias = sql.Tx
type own struct{ *sql.DB }
var (
	Pool *sql.DB
	Conn *sql.Conn
	Tx *alias
	Stmt sql.Stmt
	Result sql.Result
	Own own
	Text string
)`, nil)
	for name, want := range map[string]string{"Pool": "pool", "Conn": "conn", "Tx": "tx", "Stmt": "stmt", "Result": "result", "Own": "", "Text": ""} {
		if got := Builtin().Carrier(pkg.Scope().Lookup(name).Type()); got != want {
			t.Errorf("Carrier(%s) = %q, want %q", name, got, want)
		}
	}
}

// A type that declared the methods in earlier releases leads to the same rows,
// so that a program on an old release of a library is read like one on a new.
func TestOlder(t *testing.T) {
	const path = "github.com/redis/go-redis/v9."
	for _, name := range []string{"Set", "SetNX", "Eval", "Del"} {
		old, now := Builtin().FuncKey(path+"Cmdable."+name), Builtin().FuncKey(path+"cmdable."+name)
		if now == nil || old != now {
			t.Errorf("Cmdable.%s is %v, cmdable.%[1]s is %v", name, old, now)
		}
	}
	if Builtin().FuncKey(path+"Cmdable.Nothing") != nil {
		t.Error("a method that no row names is known")
	}
}
