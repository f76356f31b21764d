package model

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/fencelint/fencelint/model/index"
)

// house is a user's model file.
const house = `fencelint: 1
import: [sql]
libraries:
  - lib: house
    paths: [example.com/house/lock, example.com/house/v*/lock, example.com/house/gen/...]
    modules: [example.com/house]
    carriers: {Session: conn}
    neutral: [Log]
    locks:
      - {call: [Mutex.Acquire, Mutex.Try*], role: acquire, handle: recv, ok: "ret[0]!=nil && ret[1]==nil", lost: "chan_close:ret[0]", token: {class: epoch, at: "recv.Epoch()"}}
      - {call: Mutex.Set, role: acquire, where: [{at: "arg[0].Mode", eq: NX}], handle: key, key: ["arg[1].Bucket", "arg[1].Key"]}
      - {field: Options.Fence, role: option}
      - {funcfield: Options.OnLost, role: lost, lost: "callback:value"}
      - {rediscmd: Conn.Do, role: acquire, cmd: SET, needs: [NX], words: 0, handle: key, key: "word[1]"}
    sinks:
      - {call: Session.Exec, kind: exec, boundary: store, stmt: 0, args: 1, profile: sql.result}
      - {call: "v1*Service.Create", kind: call, boundary: external, input: "arg[last]"}
  - lib: overrides
    paths: [database/sql]
    sinks:
      - {call: DB.Ping, kind: exec, boundary: external}
`

func with(t *testing.T, src string) *Table {
	t.Helper()
	table, err := Builtin().WithSource("house.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestOverlay(t *testing.T) {
	table := with(t, house)
	acquire := table.FuncKey("example.com/house/lock.Mutex.Acquire")
	if acquire == nil || len(acquire.Locks) != 1 {
		t.Fatalf("Mutex.Acquire: %+v", acquire)
	}
	if l := acquire.Locks[0]; l.ID != "house.Mutex.Acquire" || len(l.OK) != 2 || l.OK[0].String() != "ret[0]!=nil" || l.Lost.Kind != "chan_close" || l.Token.At.String() != "recv.Epoch()" {
		t.Errorf("Mutex.Acquire: %+v", l)
	}
	for key, found := range map[string]bool{
		"example.com/house/v3/lock.Mutex.Acquire":          true, // pattern of the path
		"example.com/house/gen/a/b.Mutex.Acquire":          true,
		"example.com/house/lock.Mutex.TryLater":            true, // pattern of the name
		"example.com/house/lock.v1PaymentService.Create":   true,
		"example.com/house/lock.Mutex.Lock":                false,
		"example.com/house/other.Mutex.Acquire":            false,
		"example.com/house/lock.Log":                       true,
		"go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock": true, // from the base
		"database/sql.DB.Exec":                             true,
		"":                                                 false,
		"nodots":                                           false,
	} {
		if got := table.FuncKey(key) != nil; got != found {
			t.Errorf("FuncKey(%s) found: %v", key, got)
		}
	}
	if c := table.FuncKey("example.com/house/lock.Mutex.Set"); len(c.Locks) != 0 || len(c.Depends) != 1 || len(c.Depends[0].Keys) != 2 {
		t.Errorf("Mutex.Set: %+v", c)
	}
	if c := table.FuncKey("example.com/house/lock.Session.Exec"); c.Sink.Carrier != "conn" || c.Sink.Profile == nil || c.Sink.Profile.Rejection.Symbol != "database/sql.Result.RowsAffected" {
		t.Errorf("Session.Exec: %+v", c.Sink)
	}
	if c := table.FuncKey("database/sql.DB.Ping"); c.Sink == nil || c.Sink.Boundary != "external" {
		t.Errorf("DB.Ping keeps the base's row: %+v", c)
	}
	if c := Builtin().FuncKey("database/sql.DB.Ping"); !c.Neutral || c.Sink != nil {
		t.Errorf("the base has changed: %+v", c)
	}
	if f := table.Field("example.com/house/lock", "Options", "Fence"); len(f) != 1 {
		t.Errorf("Options.Fence: %v", f)
	}
	if k := table.Kind("funcfield"); len(k) == 0 || k[0].ID != "house.Options.OnLost" {
		t.Errorf("funcfield: %v", k)
	}
	if k := table.Kind("rediscmd"); len(k) == 0 || k[0].Match.Cmd != "SET" {
		t.Errorf("rediscmd: %v", k)
	}
}

func TestQuestionsWithoutParsing(t *testing.T) {
	table := Builtin()
	for path, want := range map[string]Weight{
		"database/sql": Store, "go.etcd.io/etcd/client/v3/concurrency": Locking, "go.etcd.io/etcd/client/v3": Locking,
		"example.com/x": Unmodelled, "": Unmodelled, "database": Unmodelled, "sync": Unmodelled,
	} {
		if got := table.Weight(path); got != want {
			t.Errorf("Weight(%q) = %d, want %d", path, got, want)
		}
		if table.Matters(path) != (want >= Files) || table.Stores(path) != (want >= Store) {
			t.Errorf("Matters or Stores of %q", path)
		}
	}
	for path, want := range map[string]bool{
		"go.etcd.io/etcd": true, "go.etcd.io/etcd/client/v3/naming": true, "go.etcd.io/etcdx": false, "database/sql": true,
		"database": false, "": false, "example.com/house": false,
	} {
		if got := table.Leaf(path); got != want {
			t.Errorf("Leaf(%q) = %v", path, got)
		}
	}
	over := with(t, house)
	if !over.Leaf("example.com/house/x") || !over.Leaf("go.etcd.io/etcd") || over.Weight("example.com/house/lock") != Locking || over.Weight("example.com/house/v2/lock") != Locking {
		t.Error("the user's file is not asked")
	}
}

// A table parses only the file of the path that it is asked about.
func TestLazy(t *testing.T) {
	x := &index.Index{Files: []string{"a", "b"}, Paths: []index.Entry{{Path: "example.com/a", Weight: Locking}, {Path: "example.com/b", File: 1, Weight: Locking}}}
	fsys := fstest.MapFS{"data/a.yaml": {Data: []byte("fencelint: 1\nlibraries: [{lib: a, paths: [example.com/a], locks: [{call: Lock, role: acquire}]}]")}}
	table := newTable(x, fsys)
	if table.FuncKey("example.com/a.Lock") == nil {
		t.Error("a.Lock is not found")
	}
	if !table.Matters("example.com/b") || table.FuncKey("example.com/c.Lock") != nil {
		t.Error("questions about paths")
	}
	defer func() {
		if recover() == nil {
			t.Error("the missing file of b went unseen")
		}
	}()
	table.FuncKey("example.com/b.Lock")
}

func TestConcurrent(t *testing.T) {
	table := newTable(&index.Builtin, data)
	var wg sync.WaitGroup
	got := make([]*Call, 16)
	for i := range got {
		wg.Go(func() {
			got[i] = table.FuncKey("go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock")
			table.Kind("sql")
			table.Libraries()
		})
	}
	wg.Wait()
	for _, c := range got {
		if c == nil || c != got[0] {
			t.Fatal("the file was parsed more than once")
		}
	}
}

// Each fault is an error with its place and, where a word is nearly right, the
// word that was meant.
func TestFaults(t *testing.T) {
	head := "fencelint: 1\nlibraries:\n  - lib: x\n    paths: [example.com/x]\n"
	lock := func(s string) string { return head + "    locks:\n      - {call: M.Lock, role: acquire, " + s + "}\n" }
	sink := func(s string) string {
		return head + "    sinks:\n      - {call: M.Do, kind: exec, boundary: store, " + s + "}\n"
	}
	for _, c := range []struct{ src, want string }{
		{"", "m.yaml: empty model file"},
		{"fencelint: 2", `m.yaml:1:12: format version "2"`},
		{"libraries: []", `m.yaml:1:1: a model file begins with "fencelint: 1"`},
		{"fencelint: 1\nlibrary: []", `m.yaml:2:1: unknown key in model file "library"; did you mean "libraries"?`},
		{"fencelint: 1\nfencelint: 1", `m.yaml:2:1: key "fencelint" in model file is repeated; first in line 1`},
		{"fencelint: 1\n---\nfencelint: 1", "m.yaml:2:1: one document a file"},
		{"fencelint: [", "m.yaml:"},
		{"fencelint: 1\nlibraries: &a []\n", "m.yaml:2:12: anchors and aliases"},
		{"fencelint: 1\nlibraries: [x]", "m.yaml:2:13: library must be a mapping"},
		{"fencelint: 1\nlibraries: [{store: s}]", "m.yaml:2:13: a library needs a name"},
		{"fencelint: 1\nimport: [sqll]", `m.yaml:1:1: unknown import "sqll"; did you mean "sql"?`},
		{head + "    pats: []", `m.yaml:5:5: unknown key in library "pats"; did you mean "paths"?`},
		{head + "    modules: [/abs]", `"/abs" is no import path`},
		{head + "    modules: ['g*.com/x']", `"g*.com/x" is no import path`},
		{head + "    modules: ['...']", `"..." is no import path`},
		{lock("mode: blok"), `m.yaml:6:45: unknown mode "blok"; did you mean "block"?`},
		{lock("hanlde: recv"), `unknown key in lock "hanlde"; did you mean "handle"?`},
		{lock("handle: receiver"), "m.yaml:6:47: handle: a path begins with recv"},
		{lock("handle: "), "handle is empty"},
		{lock("ok: 'ret[0]=nil'"), "ok: want a comparison"},
		{lock("lost: 'chan_closed:ret[0]'"), "lost: a signal is one of"},
		{lock("token: {class: epohc}"), `unknown token class "epohc"; did you mean "epoch"?`},
		{lock("token: epoch"), "token must be a mapping"},
		{lock("traps: [toctuo]"), `unknown trap "toctuo"; did you mean "toctou"?`},
		{lock("sql: x"), "an entry has one match"},
		{lock("maybe: perhaps"), "maybe must be true or false"},
		{lock("notes: {hand: x}"), `unknown field in notes "hand"; did you mean "handle"?`},
		{lock("where: [{at: recv, re: '('}]"), "re: error parsing regexp"},
		{head + "    locks: [{call: M.Lock}]", "a lock entry needs a role"},
		{head + "    locks: [{role: acquire}]", "a lock entry needs a match"},
		{head + "    locks: [{sql: '(', id: a, role: acquire}]", "sql: error parsing regexp"},
		{head + "    locks: [{sql: 'x', role: acquire}]", "needs an id"},
		{head + "    locks: [{call: A.B.C, role: acquire}]", `call "A.B.C" must be Type.Name or Name`},
		{head + "    locks: [{call: .B, role: acquire}]", "must be Type.Name or Name"},
		{head + "    locks: [{call: [], role: acquire}]", "call is empty"},
		{head + "    locks: [{call: Lock, role: acquire}, {call: Lock, role: release}]", `m.yaml:5:42: id "x.Lock" is taken; first in line 5`},
		{sink("stmt: one"), "stmt must be the index of an argument"},
		{sink("stmt: -1"), "stmt must be the index of an argument"},
		{sink("profile: sql.reslut"), `unknown profile "sql.reslut"`},
		{sink("gives_a: tx"), "gives_a without gives"},
		{head + "    sinks: [{call: M.Do, kind: exce, boundary: store}]", `unknown kind "exce"; did you mean "exec"?`},
		{head + "    sinks: [{call: M.Do, kind: exec, boundary: store|cash}]", `unknown boundary "cash"; did you mean "cache"?`},
		{head + "    sinks: [{call: M.Do, kind: exec}]", "a sink needs call, kind and boundary"},
		{head + "    sinks: [{call: M.Do, kind: exec, boundary: store}, {call: M.Do, kind: exec, boundary: store}]", "M.Do has a row already, in line 5"},
	} {
		_, err := Builtin().WithSource("m.yaml", []byte(c.src))
		if err == nil {
			t.Errorf("accepted:\n%s", c.src)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s\nin\n%s", err, c.want, c.src)
		}
		var e *Error
		if !errors.As(err, &e) || e.Pos.File != "m.yaml" {
			t.Errorf("%v is no *Error of m.yaml", err)
		}
	}
}

// A file that is made to be slow is refused, not worked off.
func TestBounds(t *testing.T) {
	var many strings.Builder
	many.WriteString("fencelint: 1\nlibraries:\n  - lib: x\n    paths: [")
	for i := range 90 {
		fmt.Fprintf(&many, "a/%d/..., ", i)
	}
	many.WriteString("]\n    sinks:\n")
	for i := range 500 {
		fmt.Fprintf(&many, "      - {call: F%d, kind: exec, boundary: store}\n", i)
	}
	var paths strings.Builder
	for i := range 200 {
		fmt.Fprintf(&paths, "a/b%d, ", i)
	}
	for _, c := range []struct{ src, want string }{
		{many.String(), "calls with a pattern or more"},
		{"fencelint: 1\nlibraries: [{lib: x, paths: [" + paths.String() + "]}]", "more than 100 import paths"},
		{strings.Repeat("#\n", maxFileSize), "longer than"},
		{strings.Repeat("[", 100000), "m.yaml"},
		{"fencelint: " + strings.Repeat("9", 10000), "..."},
	} {
		_, err := Builtin().WithSource("m.yaml", []byte(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > (maxErrors+1)*(maxMessage+20) {
			t.Errorf("got %.300v, want %s", err, c.want)
		}
	}
}

func TestManyFaults(t *testing.T) {
	src := "fencelint: 1\nlibraries:\n" + strings.Repeat("  - lib: [x]\n", 100)
	_, err := Builtin().WithSource("m.yaml", []byte(src))
	if err == nil || strings.Count(err.Error(), "\n") != maxErrors || !strings.Contains(err.Error(), "more faults left out") {
		t.Errorf("got %v", err)
	}
}

func TestWithFile(t *testing.T) {
	if same, err := Builtin().With(""); err != nil || same != Builtin() {
		t.Errorf("no file: %v", err)
	}
	if _, err := Builtin().With(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	name := filepath.Join(t.TempDir(), "fencelint.yaml")
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(house, "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := Builtin().With(name)
	if err != nil || table.FuncKey("example.com/house/lock.Mutex.Acquire") == nil {
		t.Errorf("file with CRLF: %v", err)
	}
}

func TestVocabularies(t *testing.T) {
	for _, v := range []vocabulary{
		roleWords, classWords, modeWords, scopeWords, carrierWords, durabilityWords, guardWords, kindWords, boundaryWords, signalWords,
		conditionWords, reportWords, shapeWords, severityWords, proofWords, unitWords, trapWords,
	} {
		words := v.words()
		slices.Sort(words)
		if len(slices.Compact(words)) != len(v.terms) {
			t.Errorf("%s: a word is repeated", v.what)
		}
		for _, term := range v.terms {
			if term.Word == "" || term.Meaning == "" {
				t.Errorf("%s: %q means %q", v.what, term.Word, term.Meaning)
			}
		}
	}
	if !slices.IsSortedFunc(trapWords.terms, func(a, b Term) int { return strings.Compare(a.Word, b.Word) }) {
		t.Error("traps are not sorted")
	}
}

func FuzzModelFile(f *testing.F) {
	f.Add([]byte(house))
	for _, name := range modelFiles(f) {
		src, _ := data.ReadFile("data/" + name + ".yaml")
		f.Add(src)
	}
	f.Add([]byte("fencelint: 1\nlibraries: [{lib: x, paths: [a/b], locks: [{sql: x, id: y, role: acquire}]}]"))
	f.Add([]byte("{? [a]: b, <<: *a}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		table, err := Builtin().WithSource("f.yaml", src)
		if err != nil {
			if !strings.Contains(err.Error(), "f.yaml") {
				t.Errorf("no place in %v", err)
			}
			return
		}
		for _, l := range table.Libraries()[:1] {
			for _, p := range l.Paths {
				for _, e := range l.Locks {
					table.FuncKey(joinKey(p, e.Match.Recv, e.Match.Name))
				}
			}
		}
	})
}

func BenchmarkMattersUnmodelled(b *testing.B) {
	table := Builtin()
	for b.Loop() {
		table.Matters("example.com/some/other/package")
	}
}

func BenchmarkLeafUnmodelled(b *testing.B) {
	table := Builtin()
	for b.Loop() {
		table.Leaf("example.com/some/other/package/far/down")
	}
}

func BenchmarkFirstLookup(b *testing.B) {
	for _, key := range []string{"go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock", "database/sql.DB.ExecContext"} {
		b.Run(key, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if newTable(&index.Builtin, data).FuncKey(key) == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}

func BenchmarkLaterLookup(b *testing.B) {
	table := Builtin()
	b.ReportAllocs()
	for b.Loop() {
		table.FuncKey("go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock")
	}
}

// Notes may remark on fields that exist, or on the match as a whole.
func TestNoteFields(t *testing.T) {
	for _, name := range lockFieldNames {
		if name != "match" && !slices.ContainsFunc(lockFields, func(f field[lockDraft]) bool { return f.name == name }) {
			t.Errorf("notes allow %q, which is no field", name)
		}
	}
}

// TestForKeepsOwn: who is at work on a modelled library still has the rows of a file of
// their own and of their project's other modules, and others have the same table as before.
func TestForKeepsOwn(t *testing.T) {
	user, err := Builtin().WithSource("own.yaml", []byte("fencelint: 1\nlibraries:\n  - lib: own\n    paths: [example.com/own]\n    locks: [{call: Take, role: acquire}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if user.For("example.com/else") != user {
		t.Error("a package of nobody's library gets another table")
	}
	at := user.For("github.com/bsm/redislock")
	if !at.analysed("github.com/bsm/redislock") || at.analysed("example.com/own") || user.analysed("github.com/bsm/redislock") {
		t.Error("the library at work on is not the one that is analysed")
	}
	server := user.For("go.etcd.io/etcd/server/v3")
	if !server.analysed("go.etcd.io/etcd/server/v3/lease") || server.analysed("go.etcd.io/etcd/client/v3/concurrency") {
		t.Error("another module of the same project is not what its models say")
	}
	if c := at.FuncKey("example.com/own.Take"); c == nil || len(c.Locks) != 1 {
		t.Errorf("the file's own rows are gone: %+v", c)
	}
}
