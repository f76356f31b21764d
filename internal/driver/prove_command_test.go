package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProve compares what is shown with the files in testdata/prove: the first line is
// the arguments, one behind each tab, the second the exit code.
func TestProve(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "prove", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(data), "\n")
		args := strings.Split(strings.ReplaceAll(head, `\n`, "\n"), "\t")
		out := (&module{t: t}).tool(append([]string{"prove"}, args...)...)
		got := head + "\n" + string(rune('0'+out.code)) + "\n" + out.stdout + out.stderr
		if got == string(data) {
			continue
		}
		if os.Getenv("FENCELINT_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, data)
	}
}

func TestProveJSON(t *testing.T) {
	m := &module{t: t}
	out := m.tool("prove", "-o", "json", "UPDATE a SET v = $1, f = $2 WHERE id = $3 AND f < $2")
	out.want(t, 0)
	var list []proofJSON
	if err := json.Unmarshal([]byte(out.stdout), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v: %s", err, out.stdout)
	}
	p := list[0]
	if p.Verdict != "proved" || p.Fence != "f" || len(p.Tokens) != 1 || p.Tokens[0] != "$2" || p.Table[0].Answer != "refused" || p.Resource != "a" {
		t.Errorf("%+v", p)
	}
	if out := m.tool("prove", "-o", "json", "SELECT 1"); !strings.Contains(out.stdout, `"tokens": []`) {
		t.Errorf("got %s", out.stdout)
	}
}

func TestProveUsage(t *testing.T) {
	m := &module{t: t}
	const update = "UPDATE a SET f = $1 WHERE f < $1"
	m.tool("prove").want(t, 2, "one statement in quotes")
	m.tool("prove", "UPDATE", "a").want(t, 2, "one statement in quotes")
	m.tool("prove", " ").want(t, 2, "empty")
	m.tool("prove", "-dialect", "postgre", update).want(t, 2, "want one of postgres, mysql")
	m.tool("prove", "-token", "7", update).want(t, 2, "no such placeholder; there are $1")
	m.tool("prove", "-lua", "-dynamo", "x").want(t, 2, "exclude one another")
	m.tool("prove", "-update", "SET a = :b", "x").want(t, 2, "go with -dynamo")
	m.tool("prove", "UPDATE a SET x = 1; UPDATE b SET y = 2").want(t, 2, "several")
	m.tool("prove", "-nonsense", "x").want(t, 2, "no flag -nonsense")
	m.tool("help", "prove").want(t, 0, "usage: fencelint prove", "-dialect", "Exit codes: 0 proved")
}
