package catalogue

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"sync"
	"testing"

	"github.com/fencelint/fencelint/model"
)

const houseLock = `package lock

import ("context"; "time")

type Client struct{}
type Lease struct{ Name string }

func New(name string) *Client { return nil }
func (c *Client) Acquire(ctx context.Context, key string, ttl time.Duration) (*Lease, error) { return nil, nil }
func (l *Lease) Epoch() int64 { return 0 }
func (l *Lease) Release() error { return nil }
`

// standard reads packages of the standard library, each once.
var standard = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// packageOf type-checks a file.
func packageOf(t *testing.T, path, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lock.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: standard()}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestCheck: one line a row, with the word that was meant, and nothing about rows that match.
func TestCheck(t *testing.T) {
	const older = "example.com/older/lock"
	program := map[string]*types.Package{
		"example.com/house/lock": packageOf(t, "example.com/house/lock", houseLock),
		older:                    packageOf(t, older, "package lock\ntype Client struct{}\nfunc (Client) Grab() error { return nil }\n"),
	}
	for _, c := range []struct {
		paths, locks string
		want         []string
		rows, text   int
	}{
		{"example.com/house/lock", `[{call: Client.Acquire, role: acquire, handle: "ret[0]", ok: "ret[1]==nil", token: {class: epoch, at: "ret[0].Epoch()"}}]`, nil, 1, 0},
		{"example.com/house/lock", `[{call: Client.Acquir, role: acquire}]`, []string{"m.yaml:5:13: house.Client.Acquir: no method Acquir of Client; did you mean Acquire? (example.com/house/lock)"}, 1, 0},
		{"example.com/house/lock", `[{call: [Clients.Acquire, New], role: acquire}]`, []string{"m.yaml:5:13: house.Clients.Acquire: no type Clients; did you mean Client? (example.com/house/lock)"}, 2, 0},
		{"example.com/house/lock", `[{call: Lease.Release, role: release, handle: "ret[1]"}]`, []string{"m.yaml:5:13: house.Lease.Release: result 1 of func() error (example.com/house/lock)"}, 1, 0},
		{"example.com/house/lock", `[{call: "*.Release", role: release}, {call: "*Session.Release", id: s, role: release}]`, []string{"m.yaml:5:49: s: nothing is called *Session.Release (example.com/house/lock)"}, 2, 0},
		{"example.com/house/lock", `[{sql: lock, id: s, role: acquire}]`, nil, 0, 1},
		{"example.com/gone", `[{call: New, role: open}]`, []string{"m.yaml:3:5: house: this program has no package example.com/gone; none of its rows matches"}, 1, 0},
		// a row that one of several versions has is right
		{"example.com/house/lock, " + older, `[{call: Client.Acquire, role: acquire}, {call: Client.Grab, role: acquire}]`, nil, 2, 0},
		{"example.com/*/lock", `[{call: Client.Grab, role: acquire}, {call: Client.Grap, role: acquire}]`, []string{"m.yaml:5:49: house.Client.Grap: no method Grap of Client (example.com/house/lock)"}, 2, 0},
	} {
		src := fmt.Sprintf("fencelint: 1\nlibraries:\n  - lib: house\n    paths: [%s]\n    locks: %s\n", c.paths, c.locks)
		table, err := model.Builtin().WithSource("m.yaml", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		found := Check(Own(table, "m.yaml"), program)
		var got []string
		for _, u := range found.Unmatched {
			got = append(got, u.String())
		}
		if !slices.Equal(got, c.want) || found.Rows != c.rows || found.Text != c.text {
			t.Errorf("%s\ngot  %q, %d rows, %d of text\nwant %q", c.locks, got, found.Rows, found.Text, c.want)
		}
	}
}

func TestMatching(t *testing.T) {
	table := tableOf(t, "{call: Client.Acquire, role: acquire}")
	got := Matching(Own(table, "fencelint.yaml"), []string{"a", "example.com/house/lock", "example.com/house/lock/sub", "github.com/bsm/redislock"})
	if !slices.Equal(got, []string{"example.com/house/lock"}) {
		t.Errorf("got %q", got)
	}
}
