package harness

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/report"
)

// explained are the lines of the fixture that are asked for, by a piece of their text.
var explained = []struct{ name, text string }{
	{"lock", "err := d.Lock(ctx)"},
	{"wrapper", "err := d.mu.Lock(ctx)"},
	{"call", "return d.ship("},
	{"field", "UPDATE `+table+`"},
	{"counted", "id, d.seen)"},
	{"narrow", "id, turn)) // want \"fencecolumn\""},
	{"lost", "id, turn)) // want \"unprovedwrite\""},
	{"hole", "os.Getenv"},
	{"accepted", "//fencelint:accept"},
	{"loose", "UPDATE docks"},
	{"nothing", "package explain"},
	{"travels", "d.cart(ctx, id, next)"},
	{"session", "SET closed = true"},
	{"compared", "UPDATE moved SET"},
	{"kept", "return f.StoreWork("},
	{"sealed", "/* sealed */"},
}

// TestExplain compares the reasoning about lines of testdata/real/explain with files.
// FENCELINT_UPDATE writes them.
func TestExplain(t *testing.T) {
	tool, dir := kit.Tool(t), kit.Corpus(t)
	for _, c := range explained {
		out := kit.Run(t, dir, tool, "explain", lineWith(t, c.text), "./explain")
		if out.Code != 0 || out.Stderr != "" {
			t.Errorf("%s: exit code %d, %s", c.name, out.Code, out.Stderr)
		}
		// Lines are left out, so that the fixture can grow.
		got := lineNumbers.ReplaceAllString(out.Stdout, "${1}N")
		file := filepath.Join(kit.Root(t), "internal", "harness", "testdata", "explain", c.name+".txt")
		if os.Getenv("FENCELINT_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

var lineNumbers = regexp.MustCompile(`(\.go:|\(line )\d+(:\d+)?`)

// lineWith is the first line of the fixture that has a text, as file:line.
func lineWith(t *testing.T, text string) string {
	t.Helper()
	for _, name := range []string{"explain.go", "travels.go", "session.go", "compared.go", "kept.go"} {
		data, err := os.ReadFile(filepath.Join(kit.Corpus(t), "explain", name))
		if err != nil {
			t.Fatal(err)
		}
		if before, _, ok := strings.Cut(string(data), text); ok {
			return "explain/" + name + ":" + strconv.Itoa(1+strings.Count(before, "\n"))
		}
	}
	t.Fatalf("no line with %q", text)
	return ""
}

// TestExplainJSON reads the answer as a program does. The register of the same package
// has nothing of the reasoning.
func TestExplainJSON(t *testing.T) {
	tool, dir := kit.Tool(t), kit.Corpus(t)
	out := kit.Run(t, dir, tool, "explain", "-o", "json", lineWith(t, "UPDATE `+table+`"), "./explain")
	var e report.Explanation
	if err := json.Unmarshal([]byte(out.Stdout), &e); err != nil || len(e.Writes) != 1 {
		t.Fatalf("%v: %s", err, out.Stdout)
	}
	w := e.Writes[0]
	if w.Verdict != "proved" || w.Lock == nil || w.Lock.Contract != "fence" || len(w.Lock.Steps) == 0 || len(w.Via) != 2 {
		t.Errorf("%+v", w)
	}
	kinds := make(map[string]bool)
	for _, s := range w.Steps {
		kinds[s.Kind] = true
	}
	for _, want := range []string{"call", "statement", "writes", "condition", "argument", "token", "origin", "ordering", "refusal"} {
		if !kinds[want] {
			t.Errorf("no step of kind %s", want)
		}
	}
	if rows := kit.Run(t, dir, tool, "register", "-o", "json", "./explain"); strings.Contains(rows.Stdout, "ordering") || rows.Code != 0 {
		t.Errorf("register: %s", rows.Stdout)
	}
}

// TestExplainEveryWrite asks for writes of other packages: the same verdicts stand in
// the register, whose analysis keeps no reasons.
func TestExplainEveryWrite(t *testing.T) {
	tool, dir := kit.Tool(t), kit.Corpus(t)
	for _, pkg := range []string{"./tx", "./infield", "./ports/...", "./byhand"} {
		var rows []report.Row
		if out := kit.Run(t, dir, tool, "register", "-o", "json", pkg); json.Unmarshal([]byte(out.Stdout), &rows) != nil || len(rows) == 0 {
			t.Fatalf("register: %s", out.Stdout)
		}
		for _, r := range rows[:min(len(rows), 4)] {
			for _, b := range r.Boundaries {
				out := kit.Run(t, dir, tool, "explain", b.File+":"+strconv.Itoa(b.Line), pkg)
				if out.Code != 0 || !strings.Contains(out.Stdout, "\t"+b.Verdict+" ") || !strings.Contains(out.Stdout, b.Reason) {
					t.Errorf("%s:%d: code %d\n%s", b.File, b.Line, out.Code, out.Stdout)
				}
			}
		}
	}
}
