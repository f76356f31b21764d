package harness

import (
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// TestRealLeasesThatAreNotRead: a lease that is kept where it cannot be read is open in the
// register, at the place where it is taken. Where it is prolonged, and what is taken from
// memory, or passed on by a type of the same interface, has no row.
func TestRealLeasesThatAreNotRead(t *testing.T) {
	corpus := kit.Corpus(t)
	for _, row := range rowsAtMarks(t, corpus, "leased", "// open") {
		if row.Role != "open" || !strings.HasPrefix(row.Library, "interface:") {
			t.Errorf("%+v", row)
		}
	}
}
