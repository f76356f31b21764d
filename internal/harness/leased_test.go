package harness

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/report"
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

// TestRealOpenTransactions: what goes through the transaction that took a lock is named so
// in the register, though nobody implements it; what goes past it is not.
func TestRealOpenTransactions(t *testing.T) {
	corpus := kit.Corpus(t)
	got := guardsAt(rowsAtMarks(t, corpus, "opentx", "// open"))
	for _, guard := range []string{"session", "none", "unknown"} {
		if want := markedLines(t, corpus, "opentx", "// "+guard); !slices.Equal(got[guard], want) {
			t.Errorf("%s at %v, marks at %v", guard, got[guard], want)
		}
	}
}

// TestRealLocksInLiterals: what is written in a function literal that another package runs
// stands in the row of the lock that the literal takes.
func TestRealLocksInLiterals(t *testing.T) {
	corpus := kit.Corpus(t)
	got := guardsAt(rowsAtMarks(t, corpus, "inlit", "// lock"))
	for _, guard := range []string{"session", "none"} {
		if want := markedLines(t, corpus, "inlit", "// "+guard); !slices.Equal(got[guard], want) {
			t.Errorf("%s at %v, marks at %v", guard, got[guard], want)
		}
	}
}

// guardsAt lists the places of the boundaries by their guards.
func guardsAt(rows []report.Row) map[string][]string {
	got := make(map[string][]string)
	for _, row := range rows {
		for _, b := range row.Boundaries {
			got[b.Guard] = append(got[b.Guard], fmt.Sprint(b.File, ":", b.Line))
		}
	}
	return got
}
