package harness

import (
	"encoding/json"
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
	r := kit.Run(t, corpus, kit.Tool(t), "register", "-o", "json", "./leased/...")
	var rows []report.Row
	if err := json.Unmarshal([]byte(r.Stdout), &rows); err != nil {
		t.Fatalf("%v\n%s%s", err, r.Stdout, r.Stderr)
	}
	var got []string
	for _, row := range rows {
		got = append(got, fmt.Sprint(row.File, ":", row.Line))
		if row.Role != "open" || !strings.HasPrefix(row.Library, "interface:") {
			t.Errorf("%+v", row)
		}
	}
	if want := markedLines(t, corpus, "leased", "// open"); !slices.Equal(got, want) {
		t.Errorf("rows %v\nmarks %v", got, want)
	}
}
