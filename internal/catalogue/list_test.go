package catalogue

import (
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/model"
)

func TestList(t *testing.T) {
	list := List(tableOf(t, "{call: Client.Acquire, role: acquire}"))
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.Library
		if e.Library == "" || e.File == "" || e.Paths == nil {
			t.Errorf("%+v", e)
		}
	}
	if !slices.IsSorted(names) {
		t.Error("not sorted")
	}
	i := slices.Index(names, "house")
	if i < 0 || list[i].Locks != 1 || list[i].Writes != 0 || list[i].File != "fencelint.yaml" {
		t.Errorf("the user's own library: %d %+v", i, list[max(i, 0)])
	}
	var b strings.Builder
	if err := WriteList(&b, list[i:i+1]); err != nil {
		t.Fatal(err)
	}
	want := "library  locks  writes  checked against  import paths\n" +
		"house    1      0       -                example.com/house/lock\n\n" +
		"libraries: 1; rows about locks: 1, about writes: 0\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestFind(t *testing.T) {
	table := model.Builtin()
	for name, want := range map[string]string{
		"redsync": "redsync", "github.com/go-redsync/redsync/v4": "redsync", "gopkg.in/redsync.v1": "redsync-v1",
		"k8s.io/client-go/kubernetes/typed/core/v1": "client-go-typed", "database/sql": "database/sql",
		"redsyn": "", "example.com/none": "",
	} {
		got := ""
		if libs := Find(table, name); len(libs) > 0 {
			got = libs[0].Name
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"redsyn": "redsync", "github.com/bsm/redislok": "github.com/bsm/redislock",
		"github.com/go-redsync/redsync/redis/goredis": "github.com/go-redsync/redsync", "example.com/none/at/all": "",
	} {
		if got := Near(table, name); got != want {
			t.Errorf("near %s: %q, want %q", name, got, want)
		}
	}
}

func TestRowsInWords(t *testing.T) {
	for _, c := range []struct{ lock, want string }{
		{`{call: Client.Acquire, role: acquire, mode: try, handle: "ret[0]", key: ["arg[0]", "arg[1]"], ok: "ret[1]==nil", lost: "chan_close:ret[0].Lost() | extend", token: {class: epoch, at: "ret[0].N", durability: consensus}, guard: compare, guard_at: "ret[0].Cmp()", traps: [no_ttl], since: v2, notes: {ttl: for ever}}`,
			"Client.Acquire: acquire, try; handle ret[0]; key arg[0], arg[1]; succeeded if ret[1]==nil; loss: ret[0].Lost() is closed, or an extension fails; " +
				"token: epoch at ret[0].N (consensus); guard: compare at ret[0].Cmp(); traps: no_ttl; since v2; note: ttl: for ever"},
		{`{call: Del, role: release, maybe: true, removes: true, where: [{at: "arg[1]", eq: X}, {at: "arg[2]", present: true}]}`,
			"Del: release; only if arg[1] is X and arg[2] is set; often no lock at all; note: removes the lock of any owner"},
		{`{rediscmd: Conn.Do, cmd: SET, needs: [NX], role: acquire, lost: none}`, "Conn.Do SET NX: acquire; loss: not told"},
		{`{sql: "(?i)lock", id: x, role: tx_lock}`, "statement /(?i)lock/: tx_lock"},
		{`{implements: Runner.Start, role: region}`, "every Runner.Start: region"},
		{`{field: Pair.Index, role: token, token: {class: none}}`, "field Pair.Index: token; token: none"},
	} {
		lib := Find(tableOf(t, c.lock), "house")[0]
		if got := Rows(lib)[0].String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestRefusalInWords(t *testing.T) {
	for _, r := range Rows(Find(model.Builtin(), "etcd-kv")[0]) {
		if r.Call == "Txn.Commit" {
			if want := "response_field TxnResponse.Succeeded: false, with a nil error"; r.Refusal != want || r.Boundary != "store" {
				t.Errorf("got %q, want %q", r.Refusal, want)
			}
			return
		}
	}
	t.Error("no Txn.Commit")
}

// TestDetails: the words that rows use are explained, and no others.
func TestDetails(t *testing.T) {
	table := tableOf(t, `{call: Client.Acquire, role: acquire, token: {class: opaque}, traps: [no_ttl]}`)
	var b strings.Builder
	if err := WriteDetails(&b, Details(table, Find(table, "house"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"house\n  import paths: example.com/house/lock\n  behind it: s\n  model file: fencelint.yaml\n\n  locks\n    Client.Acquire: acquire",
		"\n  acquire ", "\n  opaque ", "\n  no_ttl ",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for _, not := range []string{"epoch", "kinds of effects", "\n  release"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%q in\n%s", not, b.String())
		}
	}
}
