package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	dir := t.TempDir()
	src := "package p // want \"a\"\n\nvar x = 1 // remark // want \"b|c\" \"d\"\n// wanted \"e\"\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Marks(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"p.go:1: a", "p.go:3: b|c", "p.go:3: d"}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i].String() != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}

func TestMarkThatCannotBeRead(t *testing.T) {
	for _, line := range []string{`x() // want unfencedwrite`, `x() // want "unfencedwrite`, `x() // want "a", "b"`, `x() // want "a" as it should be`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte("package p\n\n"+line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if marks, err := Marks(dir); err == nil {
			t.Errorf("%s: no error, %v", line, marks)
		}
	}
}

func TestCheck(t *testing.T) {
	at := func(line int, rule string) Finding {
		return Finding{Rule: rule, Position: Position{"p.go", line, 2}, Message: "m"}
	}
	want := func(line int, rules ...string) Mark { return Mark{"p.go", line, rules} }
	for _, c := range []struct {
		name  string
		marks []Mark
		found []Finding
		wrong string
	}{
		{"nothing", nil, nil, ""},
		{"met", []Mark{want(3, "a")}, []Finding{at(3, "a")}, ""},
		{"twice the same", []Mark{want(3, "a")}, []Finding{at(3, "a"), at(3, "a")}, ""},
		{"missing", []Mark{want(3, "a")}, nil, "p.go:3: missing a"},
		{"unexpected", nil, []Finding{at(4, "b")}, "p.go:4: unexpected b: m"},
		{"other line", []Mark{want(3, "a")}, []Finding{at(4, "a")}, "p.go:3: missing a; p.go:4: unexpected a: m"},
		{"either", []Mark{want(3, "a", "b")}, []Finding{at(3, "b")}, ""},
		{"either is one", []Mark{want(3, "a", "b")}, []Finding{at(3, "a"), at(3, "b")}, "p.go:3: unexpected b: m"},
		{"both", []Mark{want(3, "a"), want(3, "b")}, []Finding{at(3, "b"), at(3, "a")}, ""},
		{"the choosy one first", []Mark{want(3, "a", "b"), want(3, "a")}, []Finding{at(3, "a"), at(3, "b")}, ""},
	} {
		var wrong []string
		for _, w := range Check(c.marks, c.found) {
			wrong = append(wrong, w.String())
		}
		if got := strings.Join(wrong, "; "); got != c.wrong {
			t.Errorf("%s: %q, want %q", c.name, got, c.wrong)
		}
	}
}

func TestFromVet(t *testing.T) {
	root := filepath.FromSlash("/r")
	out := `# pkg
{}
{"p":{"a":[{"category":"a","posn":"/r/p/x:y.go:3:7","message":"m","related":[{"posn":"/q/z.go:1:2","message":"n"}]}]}}`
	if _, err := FromVet(strings.NewReader(out), root); err == nil {
		t.Error("text before the JSON was read")
	}
	got, err := FromVet(strings.NewReader(strings.TrimPrefix(out, "# pkg\n")), root)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].String() != "p/x:y.go:3:7: a: m <- /q/z.go:1:2 n" {
		t.Errorf("%v", got)
	}
	for _, bad := range []string{`{"p":{"a":{"error":"boom"}}}`, `{"p":{"a":[{"category":"b","posn":"x:1:1"}]}}`, `{`} {
		if _, err := FromVet(strings.NewReader(bad), root); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestFromCommand(t *testing.T) {
	root := filepath.FromSlash("/r")
	in := `[{"rule":"a","message":"m","file":"p/x.go","line":3,"col":7,"related":[{"file":"/r/q.go","line":1,"col":2,"message":"n"}]}]`
	got, err := FromCommand(strings.NewReader(in), root)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].String() != "p/x.go:3:7: a: m <- q.go:1:2 n" {
		t.Errorf("%v", got)
	}
	if d := Diff("l", got, "r", nil); len(d) != 1 || !strings.HasPrefix(d[0], "only l: p/x.go:3:7") {
		t.Errorf("%v", d)
	}
	if d := Diff("l", got, "r", got); d != nil {
		t.Errorf("%v", d)
	}
}
