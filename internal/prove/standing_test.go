package prove

import "testing"

// A finding leads to the other writes of its call, each once, and to few of many.
func TestOnePerCall(t *testing.T) {
	at := func(line int) Place { return Place{Pkg: "p", File: "p.go", Line: line} }
	of := func(rule string, line int) Finding {
		return Finding{Rule: rule, Pos: 7, Related: []Related{{Place: at(line), Message: leavesHere}}}
	}
	fs := []Finding{of("unfencedwrite", 1), of("unfencedwrite", 2), of("unfencedwrite", 2), of("unfencedwrite", 1), of("unprovedwrite", 3)}
	got := onePerCall(fs)
	if len(got) != 2 || len(got[0].Related) != 2 || got[0].Related[1].Place != at(2) || len(got[1].Related) != 1 {
		t.Errorf("two of one rule and one of another: %+v", got)
	}
	var many []Finding
	for line := range 20 {
		many = append(many, of("unfencedwrite", line+1))
	}
	if got := onePerCall(many); len(got) != 1 || len(got[0].Related) != 1+othersShown {
		t.Errorf("many of one rule: %+v", got)
	}
}
