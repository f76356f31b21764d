package report

import (
	"strings"
	"testing"
)

// One write that two ways lead to is told once, the shorter way in full.
func TestExplanationWays(t *testing.T) {
	lock := &LockExplained{Row: Row{File: "a.go", Line: 3, Library: "toy", Class: "correctness"}, Steps: []Reason{{Kind: "acquired", Text: "in F: mu.Lock", File: "a.go", Line: 3}}}
	write := func(path, via []string) WriteExplained {
		return WriteExplained{
			Boundary: Boundary{File: "b.go", Line: 9, Receiver: "table:t", Guard: "none", Verdict: "refuted", Reason: "no guard", Path: path, Via: via},
			Lock:     lock, Steps: []Reason{{Kind: "call", Text: "in G"}, {Kind: "call", Text: "in\x1b H"}, {Kind: "token", Text: "$1"}, {Kind: "origin", Text: "deep", Depth: 1}, {Kind: "rule", Text: "unfencedwrite"}},
		}
	}
	e := &Explanation{File: "b.go", Line: 9, Writes: []WriteExplained{
		write([]string{"F", "G"}, []string{"a.go:5", "c.go:7"}), write([]string{"H"}, []string{"a.go:6"}),
	}}
	var b strings.Builder
	if err := ExplanationText(&b, e); err != nil {
		t.Fatal(err)
	}
	want := `b.go:9  write: table:t  guard: none
	lock       a.go:3  correctness, toy
	acquired   in F: mu.Lock  (a.go:3)
	call       in G
	           in\x1b H
	token      $1
	             deep
	refuted    no guard
	rule       unfencedwrite
	also via   F (a.go:5) > G (c.go:7)
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestExplanationJSON(t *testing.T) {
	var b strings.Builder
	e := &Explanation{File: "b.go", Line: 9, Writes: []WriteExplained{{Lock: &LockExplained{}}}}
	if err := ExplanationJSON(&b, e); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"locks": []`, `"findings": []`, `"path": []`, `"boundaries": []`, `"steps": []`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
