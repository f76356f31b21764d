package harness

import (
	"slices"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// TestRealPeers: what the methods of a type write stands in the row of the method that locks
// it, whether they have a pointer to it or not. How another method takes the lock is no write.
func TestRealPeers(t *testing.T) {
	corpus := kit.Corpus(t)
	got := guardsAt(rowsAtMarks(t, corpus, "peers", "// lock"))
	if want := markedLines(t, corpus, "peers", "// none"); len(got) != 1 || !slices.Equal(got["none"], want) {
		t.Errorf("writes %v, marks at %v", got, want)
	}
}

// TestRealObjectNotes: a note on an object says who may work. What it guards is told apart by
// what is seen of it: a patch whose parts name no resourceVersion, and a process that is handed
// nothing of the lock, refuse nobody by it.
func TestRealObjectNotes(t *testing.T) {
	corpus := kit.Corpus(t)
	got := guardsAt(rowsAtMarks(t, corpus, "objectnotes", "// lock"))
	for _, guard := range []string{"none", "unknown"} {
		slices.Sort(got[guard])
		if want := markedLines(t, corpus, "objectnotes", "// "+guard); !slices.Equal(slices.Compact(got[guard]), want) {
			t.Errorf("%s at %v, marks at %v", guard, got[guard], want)
		}
	}
}
