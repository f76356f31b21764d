package catalogue

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/model"
)

func TestPageIsFresh(t *testing.T) {
	want, err := Page(model.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../docs/libraries.md"
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is stale: run go generate ./internal/catalogue (%v)", file, err)
	}
}

// TestPageIsMarkdown: every line of a table has as many cells as its head, links lead to
// headings, and every lock library has its own.
func TestPageIsMarkdown(t *testing.T) {
	page, err := Page(model.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for i, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if cells == 0 {
			cells = n
		}
		if n != cells {
			t.Errorf("line %d: %d cells, the head has %d: %s", i+1, n-1, cells-1, line)
		}
	}
	heads := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(page, -1) {
		heads[strings.ReplaceAll(m[1], "/", "")]++
	}
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if heads[m[1]] != 1 {
			t.Errorf("%d headings for the link to #%s", heads[m[1]], m[1])
		}
	}
	for _, a := range Answers(model.Builtin()) {
		if !strings.Contains(page, "\n### "+a.Lib.Name+"\n") {
			t.Errorf("nothing about %s", a.Lib.Name)
		}
	}
}

// TestAnswers fixes the grades of libraries about which people ask most.
func TestAnswers(t *testing.T) {
	grades := map[string]Answer{}
	for _, a := range Answers(model.Builtin()) {
		grades[a.Lib.Name] = a
	}
	for name, want := range map[string]Grade{
		"etcd": GradeEpoch, "zk": GradePattern, "nats": GradePattern, "consul": GradeReread, "leaderelection": GradeReread,
		"azblob-lease": GradeGuard, "vault-physical": GradeGuard, "sql": GradeGuard, "pglock": GradeNumber, "spindle": GradeNumber,
		"redsync": GradeName, "redislock": GradeName, "dynamolock": GradeName, "go-pglock": GradeNone, "dsync": GradeNone,
	} {
		if a, ok := grades[name]; !ok || a.Grade != want {
			t.Errorf("%s: grade %d, want %d", name, a.Grade, want)
		}
	}
	if s := grades["redislock"].Sentence(); !strings.Contains(s, "after v0.10.0") {
		t.Errorf("redislock: no word about the token to come: %s", s)
	}
	if s := grades["zk"].Sentence(); !strings.Contains(s, "not with `Lock.Lock`") {
		t.Errorf("zk: the lock function is said to give a token: %s", s)
	}
	if _, ok := grades["sqlx"]; ok {
		t.Error("sqlx has no lock of its own")
	}
}

// TestSentences: every class has its answer, whoever writes the model.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ lock, want string }{
		{`token: {class: epoch, at: "ret[0].N"}`, "Yes: `ret[0].N` is issued with the grant and greater for each later owner; a write that compares and stores it is proved."},
		{`token: {class: epoch, at: "ret[0].N", durability: async-replica}`, "Yes: `ret[0].N` is issued with the grant and greater for each later owner; a write that compares and stores it is proved, provided that a failover never loses a number (`-fencelint.strict` does not rely on that)."},
		{`token: {class: epoch, at: "ret[0].N", durability: single-node}`, "Yes: `ret[0].N` is issued with the grant and greater for each later owner; a write that compares and stores it is proved; whether the number survives: as durable as one server."},
		{`token: {class: epoch_reread, at: "read:C.Get.ret[0].N", requires: the read shows me}`, "Yes, by a read after the grant: `ret[0].N` of `C.Get` counts only if the read shows me."},
		{`token: {class: clock, at: "ret[0].T"}`, "No: `ret[0].T` is no fence: from a wall clock ([clocktoken](rules/clocktoken.md))."},
		{`token: {class: opaque, at: "ret[0].T"}`, "No: `ret[0].T` tells owners apart, and has no order ([opaquetoken](rules/opaquetoken.md))."},
		{`token: {class: opaque}, guard: own_node`, "No number, but a guard that the same store decides: version check of the lock's own node; writes elsewhere stay open."},
		{`token: {class: none}`, "No: it shows no number."},
		{`maybe: false`, "No: it shows no number."},
	} {
		table := tableOf(t, "{call: Client.Acquire, role: acquire, "+c.lock+"}")
		if got := Answers(table)[indexOf(table, "house")].Sentence(); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.lock, got, c.want)
		}
	}
}

func indexOf(t *model.Table, name string) int {
	for i, a := range Answers(t) {
		if a.Lib.Name == name {
			return i
		}
	}
	return -1
}

// tableOf is the built-in table with a library house of the given entries.
func tableOf(t *testing.T, locks string) *model.Table {
	t.Helper()
	src := "fencelint: 1\nlibraries:\n  - lib: house\n    store: s\n    paths: [example.com/house/lock]\n    locks:\n      - " + locks + "\n"
	table, err := model.Builtin().WithSource("fencelint.yaml", []byte(src))
	if err != nil {
		t.Fatalf("%s: %v", locks, err)
	}
	return table
}
