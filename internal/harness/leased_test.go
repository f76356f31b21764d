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
	r := kit.Run(t, kit.Corpus(t), kit.Tool(t), "register", "-o", "json", "./leased/...")
	var rows []report.Row
	if err := json.Unmarshal([]byte(r.Stdout), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%v: %d rows\n%s%s", err, len(rows), r.Stdout, r.Stderr)
	}
	for i, where := range []string{"leased/keeper/keeper.go:44", "leased/worker/worker.go:27"} {
		if r := rows[i]; r.Role != "open" || r.Library != "interface:docs.Docs" || fmt.Sprint(r.File, ":", r.Line) != where {
			t.Errorf("%+v", r)
		}
	}
	if rows := rows[1:]; slices.ContainsFunc(rows[0].Boundaries, func(b report.Boundary) bool { return !strings.HasPrefix(b.Receiver, "table:") }) {
		t.Errorf("%+v", rows[0].Boundaries)
	}
}
