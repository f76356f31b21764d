package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

func sample() []Finding {
	return []Finding{
		{
			Rule: "unfencedwrite", Message: "no guard", Position: Position{"a/b c.go", 3, 7}, EndLine: 3, EndCol: 9,
			Package: "m/a", Key: "k",
			Related: []Step{{Position{"a/lock.go", 1, 2}, "acquired here"}},
			Fixes:   []Fix{{"add", []Edit{{"a/b c.go", 10, 10, "x"}}}},
		},
		{Rule: "lockclass", Message: "unclassified\x1b[0m", Position: Position{"a/a.go", 9, 1}, EndLine: 9, EndCol: 1},
	}
}

func TestText(t *testing.T) {
	list := sample()
	Sort(list)
	var b bytes.Buffer
	if err := Text(&b, list); err != nil {
		t.Fatal(err)
	}
	want := "a/a.go:9:1: unclassified\\x1b[0m (lockclass)\n" +
		"a/b c.go:3:7: no guard (unfencedwrite)\n\ta/lock.go:1:2: acquired here\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestVetTree(t *testing.T) {
	var b bytes.Buffer
	if err := Vet(&b, "m/a", sample()); err != nil {
		t.Fatal(err)
	}
	var tree map[string]map[string][]map[string]any
	if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
		t.Fatal(err)
	}
	d := tree["m/a"]["unfencedwrite"][0]
	if d["posn"] != "a/b c.go:3:7" || d["end"] != "a/b c.go:3:9" || d["category"] != "unfencedwrite" || d["message"] != "no guard" {
		t.Errorf("got %v", d)
	}
	if !strings.Contains(b.String(), `"suggested_fixes"`) || !strings.Contains(b.String(), `"filename": "a/b c.go"`) {
		t.Errorf("no fix in %s", b.String())
	}
	b.Reset()
	if err := Vet(&b, "m/a", nil); err != nil || strings.TrimSpace(b.String()) != "{}" {
		t.Errorf("clean package: got %q", b.String())
	}
}

func TestEmptyListsAreArrays(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, nil); err != nil || strings.TrimSpace(b.String()) != "[]" {
		t.Errorf("findings: got %q", b.String())
	}
	b.Reset()
	if err := RegisterJSON(&b, []Row{{}}); err != nil || !strings.Contains(b.String(), `"boundaries": []`) {
		t.Errorf("row: got %q", b.String())
	}
}

func TestSortRows(t *testing.T) {
	rows := []Row{
		{File: "b.go", Line: 1},
		{File: "a.go", Line: 20, Boundaries: []Boundary{{File: "z.go"}, {File: "c.go", Line: 5}, {File: "c.go", Line: 4}}},
		{File: "a.go", Line: 3},
		{File: "b.go", Line: 1},
		{File: "b.go", Line: 1, Class: "critical"},
	}
	rows = SortRows(rows)
	if len(rows) != 4 {
		t.Errorf("%d rows, want the two that say the same as one", len(rows))
	}
	if rows[0].Line != 3 || rows[1].Line != 20 || rows[1].Boundaries[0].Line != 4 || rows[2].File != "b.go" {
		t.Errorf("got %+v", rows)
	}
}

func docs() []*rule.Doc {
	return []*rule.Doc{
		{Name: "lockclass", RawDocumentation: lint.RawDocumentation{Title: "t", Text: "x", Severity: lint.SeverityWarning}},
		{Name: "unfencedwrite", RawDocumentation: lint.RawDocumentation{Title: "t", Text: "x", Severity: lint.SeverityError}},
	}
}

func TestSARIF(t *testing.T) {
	run := Run{Version: "1", Rules: docs(), Findings: sample(), Faults: []string{"m/b: broken"},
		Line: func(string, int) string { return "a𝔸ö := xy" }}
	var b bytes.Buffer
	if err := SARIF(&b, run); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	got := log.Runs[0]
	if got.Invocations[0].Successful || got.Invocations[0].Notifications[0].Message.Text != "m/b: broken" {
		t.Errorf("invocation: %+v", got.Invocations)
	}
	r := got.Results[0]
	if r.RuleID != "unfencedwrite" || r.RuleIndex != 1 || r.Level != "error" {
		t.Errorf("result: %+v", r)
	}
	p := r.Locations[0].Physical
	// Byte column 7 stands behind a letter, a pair of surrogates and one more letter.
	if p.Artifact.URI != "a/b%20c.go" || p.Region.StartLine != 3 || p.Region.StartColumn != 5 {
		t.Errorf("location: %+v %+v", p.Artifact, p.Region)
	}
	flow := r.CodeFlows[0].ThreadFlows[0].Locations
	if len(flow) != 2 || flow[0].Location.Message.Text != "acquired here" || flow[1].Location.Physical.Artifact.URI != "a/b%20c.go" {
		t.Errorf("flow: %+v", flow)
	}
}

func TestFingerprints(t *testing.T) {
	f := Finding{Rule: "r", Key: "k", Position: Position{"a.go", 1, 1}}
	moved := f
	moved.Line = 99
	other := f
	other.Key = "k2"
	seen := map[string]int{}
	a, b, c := fingerprint(f, seen), fingerprint(f, seen), fingerprint(other, seen)
	if a == b || a == c || b == c {
		t.Errorf("not unique: %s %s %s", a, b, c)
	}
	if again := fingerprint(moved, map[string]int{}); again != a {
		t.Errorf("a moved line changes %s to %s", a, again)
	}
}

func TestColumnOfUnreadableLine(t *testing.T) {
	r := Run{Line: func(string, int) string { return "" }}
	if got := r.column(Position{"a.go", 4, 12}); got != 12 {
		t.Errorf("got %d", got)
	}
}
