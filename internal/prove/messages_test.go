package prove

import (
	"slices"
	"strings"
	"testing"
)

// ownWords are rules whose messages are written where they are found.
var ownWords = []string{"poollock", "txlock", "bypasswrite"}

// TestEveryRuleHasWords: no rule that a boundary can break falls back to the words
// of another one.
func TestEveryRuleHasWords(t *testing.T) {
	for rule := range rank {
		m := messages[rule]
		switch own := slices.Contains(ownWords, rule); {
		case own:
		case m.what == "" || m.then == "" || m.todo == "":
			t.Errorf("%s has no message of its own", rule)
		case !strings.Contains(m.what, "{write}"):
			t.Errorf("the message of %s does not name the write", rule)
		}
	}
}

// TestWorse: a boundary that can have several forms is as bad as its worst one, in
// whatever order they are met.
func TestWorse(t *testing.T) {
	good := decision{verdict: proved, guard: "fence"}
	unfenced := decision{verdict: refuted, rule: "unfencedwrite"}
	stale := decision{verdict: refuted, rule: "staleadmitted"}
	hidden := decision{verdict: unproved, rule: "unprovedwrite"}
	open := decision{verdict: waiting}
	for _, c := range []struct{ a, b, want decision }{
		{good, unfenced, unfenced},
		{good, hidden, hidden},
		{hidden, unfenced, unfenced},
		{unfenced, stale, stale},
		{good, open, open},
		{open, hidden, hidden},
		{decision{}, good, good},
	} {
		for _, got := range []decision{worse(c.a, c.b), worse(c.b, c.a)} {
			if got.verdict != c.want.verdict || got.rule != c.want.rule {
				t.Errorf("of %s %s and %s %s the worse is %s %s", c.a.verdict, c.a.rule, c.b.verdict, c.b.rule, got.verdict, got.rule)
			}
		}
	}
}

// TestPlacesInWords: {line} is put in with its word, and with the file where that is another.
func TestPlacesInWords(t *testing.T) {
	for name, m := range messages {
		if strings.Contains(m.what+m.then+m.todo, "line {line}") {
			t.Errorf("%s: the word before {line} is said twice", name)
		}
	}
}
