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
