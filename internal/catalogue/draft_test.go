package catalogue

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/verify"
	"github.com/fencelint/fencelint/model"
)

// load reads a draft as a user's file, and compares it with the package.
func load(t *testing.T, text string, pkg *types.Package) *model.Library {
	t.Helper()
	table, err := model.Builtin().WithSource("fencelint.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	libs := Own(table, "fencelint.yaml")
	if len(libs) != 1 {
		t.Fatalf("%d libraries\n%s", len(libs), text)
	}
	faults, _ := verify.Library(libs[0], func(string) (*types.Package, error) { return pkg, nil })
	for _, f := range faults {
		t.Errorf("%v\n%s", f, text)
	}
	return libs[0]
}

func TestDraft(t *testing.T) {
	pkg := packageOf(t, "example.com/house/lock", houseLock)
	d := NewDraft(pkg, "example.com/house")
	want := `fencelint: 1
libraries:
  # decide: the name under which reports speak of it, and store: what is behind it
  - lib: lock
    paths: [example.com/house/lock]
    # decide: modules of which only these rows count, and which are not looked into
    modules: [example.com/house]
    # decide: what happens to tokens in a failover: consensus, single-node, async-replica, per-process
    durability: unknown
    locks:
      # func New(name string) *Client
      # decide: key: is that the name of the lock, so that equal keys are one lock? else take key out
      - {call: New, role: open, handle: "ret[0]", key: "arg[0]"}
      # func (*Client).Acquire(ctx context.Context, key string, ttl time.Duration) (*Lease, error)
      # decide: mode: block (waits, perhaps for a bounded time) or try (answers at once)
      # decide: key: is arg[1] the name of the lock, so that equal keys are one lock? else take key out
      # decide: lost: how the loss shows: none, "chan_close:ret[0]", "ctx_done:ret[0]", "poll:recv.Valid()", extend
      # decide: ` + tokenQuestion + `
      - {call: Client.Acquire, role: acquire, mode: block, handle: "ret[0]", key: "arg[1]", ttl: "arg[2]", ok: "ret[1]==nil", scope: until_release, token: {class: opaque, at: "ret[0].Epoch()", type: int64}}
      # func (*Lease).Release() error
      # decide: removes: true, if it frees the lock of any owner without a comparison
      - {call: Lease.Release, role: release, handle: recv, ok: "ret[0]==nil"}
      # func (*Lease).Epoch() int64
      # decide: ` + tokenQuestion + `
      - {call: Lease.Epoch, role: token, handle: recv, token: {class: opaque, at: "ret[0]", type: int64}}
`
	if d.Text != want || d.Locks != 4 || d.Sinks != 0 {
		t.Errorf("got %d %d\n%s\nwant\n%s", d.Locks, d.Sinks, d.Text, want)
	}
	load(t, d.Text, pkg)
	// answered
	text := strings.NewReplacer("durability: unknown", "durability: consensus", "class: opaque", "class: epoch",
		"scope: until_release", "lost: none, scope: until_release").Replace(d.Text)
	if e := load(t, text, pkg).Locks[1]; e.Token.Class != model.ClassEpoch || e.Token.Durability != "consensus" || e.Lost.Kind != "none" {
		t.Errorf("answers have not arrived: %+v", e)
	}
}

// TestDraftRows: what is seen in a declaration, and what is not.
func TestDraftRows(t *testing.T) {
	const lease = "type Lease struct{}\nfunc (Lease) Unlock() {}\n"
	for _, c := range []struct{ src, want, not string }{
		{"type Locker interface { Lock(ctx context.Context) error; Unlock(ctx context.Context) error }", `{call: Locker.Lock, role: acquire, mode: block, handle: recv, ok: "ret[0]==nil"`, ""},
		{"type Locker struct{}\nfunc (*Locker) TryLock(name string) (bool, error) { return false, nil }\nfunc (*Locker) Unlock(name string) error { return nil }",
			`{call: Locker.TryLock, role: acquire, mode: try, handle: key, key: "arg[0]", ok: "ret[0]==true && ret[1]==nil"`, ""},
		{"type Locker struct{}\nfunc (*Locker) Unlock(name string) error { return nil }\nfunc (*Locker) Lock(name string) error { return nil }", `{call: Locker.Unlock, role: release, handle: key, key: "arg[0]", ok: "ret[0]==nil"}`, ""},
		{"func Obtain(ctx context.Context, key string) (context.Context, error) { return nil, nil }", `{call: Obtain, role: acquire, mode: block, key: "arg[1]", ok: "ret[1]==nil", lost: "ctx_done:ret[0]"`, ""},
		{lease + "func Acquire(k string) (Lease, <-chan struct{}, error) { return Lease{}, nil, nil }", `handle: "ret[0]", key: "arg[0]", ok: "ret[2]==nil", lost: "chan_close:ret[1]"`, ""},
		{lease + "type Pool struct{}\nfunc (Pool) Acquire() *Lease { return nil }\nfunc Release(l *Lease) error { return nil }", `{call: Release, role: release, handle: "arg[0]", ok: "ret[0]==nil"}`, ""},
		{"type Session struct{}\nfunc (*Session) Done() <-chan struct{} { return nil }\ntype Mutex struct{}\nfunc NewMutex(s *Session, name string) *Mutex { return nil }\nfunc (*Mutex) Lock() error { return nil }\nfunc (*Mutex) Unlock() error { return nil }",
			`{call: Mutex.Lock, role: acquire, mode: block, handle: recv, session: "recv<-NewMutex.arg[0]", key: "recv<-NewMutex.arg[1]", ok: "ret[0]==nil", lost: "chan_close:session.Done()"`, ""},
		{"type Locker struct{}\nfunc (Locker) WithLock(ctx context.Context, key string, f func(ctx context.Context) error) error { return nil }", `{call: Locker.WithLock, role: region, key: "arg[1]", callback: "arg[2]", lost: "ctx_done:callback.arg[0]", scope: callback, token: {class: none}}`, ""},
		{lease + "func Acquire() (Lease, error) { return Lease{}, nil }\nfunc (Lease) Refresh(ttl time.Duration) error { return nil }", `{call: Lease.Refresh, role: extend, handle: recv, ok: "ret[0]==nil", lost: refused}`, ""},
		{lease + "func Acquire() (Lease, error) { return Lease{}, nil }\nfunc (Lease) IsHeld() bool { return false }", `{call: Lease.IsHeld, role: check, handle: recv, ok: "ret[0]==true", traps: [toctou]}`, ""},
		{"type Locker[T any] struct{}\nfunc (Locker[T]) Lock() error { return nil }\nfunc (Locker[T]) Unlock() {}", `{call: Locker.Lock, role: acquire`, ""},
		{"type inner struct{}\nfunc (inner) Lock() error { return nil }\nfunc (inner) Unlock() {}\ntype Outer struct{ inner }", `{call: inner.Lock, role: acquire`, "Outer.Lock"},
		{"type Store struct{}\nfunc (Store) Put(ctx context.Context, key string, value []byte) error { return nil }", `{call: Store.Put, kind: kv_put, boundary: store, key: "arg[1]", value: "arg[2]"}`, "durability"},
		{"type Store struct{}\nfunc (Store) Delete(key string) error { return nil }\nfunc (Store) Get(key string) error { return nil }", `{call: Store.Delete, kind: kv_put, boundary: store, key: "arg[0]", term: delete}`, "Get"},
		{"type Bus struct{}\nfunc (Bus) Publish(topic string, m any) error { return nil }", `{call: Bus.Publish, kind: message, boundary: queue, key: "arg[0]", value: "arg[1]"}`, ""},
		{"type Pay struct{}\nfunc (Pay) Charge(ctx context.Context, cents int) (string, error) { return \"\", nil }", `{call: Pay.Charge, kind: call, boundary: external, value: "arg[1]"}`, ""},
		{lease + "func Hold(key string) (*Lease, error) { return nil, nil }", `{call: Hold, role: acquire, mode: block, handle: "ret[0]", key: "arg[0]", ok: "ret[1]==nil"`, ""},
		{"func Take(key string) (unlock func(), err error) { return nil, nil }", `{call: Take, role: acquire, mode: block, handle: "ret[0]", release: "ret[0]", key: "arg[0]", ok: "ret[1]==nil"`, ""},
		{"func Lock(key string, f func() error) error { return nil }", `{call: Lock, role: region, key: "arg[0]", callback: "arg[1]", scope: callback`, ""},
		{"type Mutex struct{}\nfunc New(key string) (*Mutex, error) { return nil, nil }\nfunc (*Mutex) Lock() error { return nil }\nfunc (*Mutex) Unlock() error { return nil }", `{call: New, role: open, handle: "ret[0]", key: "arg[0]", ok: "ret[1]==nil"}`, "call: New, role: acquire"},
		{"func Take(key string) (epoch int64, unlock func(), err error) { return 0, nil, nil }", `ok: "ret[2]==nil", scope: until_release, token: {class: opaque, at: "ret[0]", type: int64}}`, ""},
		{"func WithLock(key string, f func(ctx context.Context, fence int64) error) error { return nil }", `lost: "ctx_done:callback.arg[0]", scope: callback, token: {class: opaque, at: "callback.arg[1]", type: int64}}`, ""},
		{"type DB struct{}\nfunc (DB) Exec(ctx context.Context, query string, args ...any) (int, error) { return 0, nil }", `{call: DB.Exec, kind: exec, boundary: store, stmt: 1, lang: sql, args: 2}`, ""},
		{"type Clock struct{}\nfunc (Clock) Locksmith() error { return nil }\nfunc (Clock) Setting() error { return nil }\nfunc (Clock) Done() <-chan struct{} { return nil }", "", "locks:"},
		{"type Clock struct{}\nfunc (Clock) lock() error { return nil }\nfunc (Clock) SetNow(t time.Time) {}", "", "{call"},
	} {
		pkg := packageOf(t, "example.com/x", "package x\nimport (\"context\"; \"time\")\nvar _ context.Context\nvar _ time.Time\n"+c.src)
		d := NewDraft(pkg, "")
		if !strings.Contains(d.Text, c.want) || c.not != "" && strings.Contains(d.Text, c.not) {
			t.Errorf("%s\ngot\n%s\nwant %s, not %q", c.src, d.Text, c.want, c.not)
		}
		if d.Locks+d.Sinks > 0 {
			load(t, d.Text, pkg)
		}
	}
}

// TestDraftNames: whatever a package is called, its draft can be loaded.
func TestDraftNames(t *testing.T) {
	for _, name := range []string{"null", "y", "on", "no", "lock2"} {
		path := "example.com/" + name + "/v2~x"
		pkg := packageOf(t, path, fmt.Sprintf("package %s\ntype Locker interface { Lock() error; Unlock() }\n", name))
		load(t, NewDraft(pkg, path).Text, pkg)
	}
}
