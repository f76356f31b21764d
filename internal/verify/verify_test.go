package verify

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/model"
)

const lib = `package lib

import "context"

type Store interface{ Put(key string, value []byte) error }
type Client struct{ Store }
type Lock struct{ Name string; count int }
type Options struct{ OnLost func(); TTL int }

const Verb = "x"

func New(c *Client, name string) *Lock { return nil }
func (l *Lock) Acquire(ctx context.Context, ttl int, opts ...func()) (<-chan struct{}, bool, error) { return nil, false, nil }
func (l *Lock) Token() int64 { return 0 }
func Run(name string, f func(ctx context.Context)) {}
`

// verifyRow compares one line of a model with lib.
func verifyRow(t *testing.T, list, line string) []error {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lib.go", lib, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("example.com/lib", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := "fencelint: 1\nlibraries:\n  - lib: lib\n    paths: [example.com/lib]\n    " + list + ": " + line + "\n"
	table, err := model.Builtin().WithSource("lib.yaml", []byte(src))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	faults, rows := Library(table.Libraries()[0], func(string) (*types.Package, error) { return pkg, nil })
	if rows == 0 && list != "neutral" && list != "carriers" {
		t.Errorf("%s: nothing compared", line)
	}
	return faults
}

func TestRight(t *testing.T) {
	for _, c := range [][2]string{
		{"locks", `[{call: Lock.Acquire, role: acquire, handle: recv, session: "recv<-New.arg[0]", key: "recv<-New.arg[1]", ttl: "arg[1]", ok: "ret[0]!=nil && ret[1]==true && ret[2]==nil", lost: "chan_close:ret[0] | err:ret[2]", token: {class: epoch, at: recv.Token()}}]`},
		{"locks", `[{call: Run, role: region, callback: "arg[1]", lost: "ctx_done:callback.arg[0]"}, {const: Verb, role: guard}, {type: Options, role: guard}]`},
		{"locks", `[{field: Options.TTL, role: option}, {funcfield: Options.OnLost, role: lost, lost: "callback:value"}, {implements: Store.Put, role: region}]`},
		{"sinks", `[{call: Store.Put, kind: kv_put, boundary: store, stmt: 0, key: "arg[0]", value: "arg[1]"}]`},
		{"neutral", "[Lock.Token, New]"},
		{"carriers", "{Client: pool}"},
	} {
		for _, f := range verifyRow(t, c[0], c[1]) {
			t.Errorf("%s: %v", c[1], f)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, c := range []struct{ list, line, want string }{
		{"locks", `[{call: Lock.Aquire, role: acquire}]`, "no method Aquire of Lock"},
		{"locks", `[{call: Lok.Acquire, role: acquire}]`, "no type Lok"},
		{"locks", `[{call: Make, role: open}]`, "no function Make"},
		{"locks", `[{call: Client.Put, role: acquire}]`, "is known as example.com/lib.Store.Put, not as example.com/lib.Client.Put"},
		{"locks", `[{call: Lock.Acquire, role: acquire, handle: "arg[3]"}]`, "argument 3 of"},
		{"locks", `[{call: Lock.Acquire, role: acquire, handle: "ret[3]"}]`, "result 3 of"},
		{"locks", `[{call: Run, role: region, handle: recv}]`, "no receiver"},
		{"locks", `[{call: Lock.Acquire, role: acquire, ok: "ret[1]==nil"}]`, "the value is a bool"},
		{"locks", `[{call: Lock.Acquire, role: acquire, ok: "ret[2]==true"}]`, "the value is a error"},
		{"locks", `[{call: Lock.Acquire, role: acquire, lost: "chan_close:ret[2]"}]`, "lost chan_close:ret[2]: the value is a error"},
		{"locks", `[{call: Lock.Acquire, role: acquire, lost: "chan_close:session.Done()"}]`, "names no session"},
		{"locks", `[{call: Lock.Acquire, role: acquire, key: "recv<-Make.arg[0]"}]`, "no function Make"},
		{"locks", `[{call: Lock.Acquire, role: acquire, key: "recv<-New.arg[2]"}]`, "argument of New 2"},
		{"locks", `[{call: Lock.Acquire, role: acquire, token: {class: epoch, at: recv.Token}}]`, "no .Token of"},
		{"locks", `[{call: Lock.Acquire, role: acquire, token: {class: epoch, at: recv.Epoch()}}]`, "no .Epoch() of"},
		{"locks", `[{call: Run, role: region, callback: "arg[0]"}]`, "is no function but string"},
		{"locks", `[{call: Run, role: region, callback: "arg[1]", lost: "ctx_done:callback.arg[1]"}]`, "argument of the callback 1"},
		{"locks", `[{field: Options.TTLs, role: option}]`, "no field TTLs of Options"},
		{"locks", `[{const: Noun, role: guard}]`, "no constant Noun"},
		{"locks", `[{type: Noun, role: guard}]`, "no type Noun"},
		{"locks", `[{call: Lock.Acquire, role: acquire, ttl: "opt:WithTTL"}]`, "no option WithTTL"},
		{"locks", `[{call: Lock.Acquire, role: acquire, key: "arg[1][*]"}]`, "[*] on int"},
		{"sinks", `[{call: Store.Put, kind: kv_put, boundary: store, stmt: 2}]`, "argument 2 of"},
		{"sinks", `[{call: Lock.Acquire, kind: exec, boundary: store, stmt: 1}]`, "argument 1 is no text but int"},
		{"sinks", `[{call: Store.Put, kind: kv_put, boundary: store, types: [Lock]}]`, "no method Put of Lock"},
		{"neutral", "[Lock.Tokens]", "no method Tokens"},
		{"carriers", "{Conn: conn}", "no type Conn"},
	} {
		faults := verifyRow(t, c.list, c.line)
		if len(faults) == 0 || !strings.Contains(faults[0].Error(), c.want) {
			t.Errorf("%s: faults %v, want %q", c.line, faults, c.want)
		}
	}
}
