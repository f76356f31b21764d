//go:build unix

package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"fencelint.example/reports/internal/servers"
)

// TestMain is a writer if the story starts the test as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "writer" {
		main()
		return
	}
	os.Exit(m.Run())
}

const told = `unfenced: two writers of report 1
  A has the lock and renders
  A is stopped, and its lease runs out
  B has the lock and renders
  B writes: done
  A goes on
  A writes: done
  report 1 now reads: rendered by A
  asked to pay 2×, paid 2×
fenced: two writers of report 2
  A has the lock and renders
  A is stopped, and its lease runs out
  B has the lock and renders
  B writes: done
  A goes on
  A writes: refused: the report has a newer owner or version
  report 2 now reads: rendered by B
payment: the author of the fenced report
  no answer, the payment stays pending: asked to pay 1×, paid 1×
  settled: asked to pay 2×, paid 1×
repair: a statement that knows no fence, on the fenced report
  report 2 now reads: by hand
`

// TestRun stops a real process until its lease has run out.
//
//fencelint:staletest resource=report_result
func TestRun(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), &out)
	if errors.Is(err, servers.ErrNoPostgres) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("%v, after\n%s", err, out.String())
	}
	if out.String() != told {
		t.Errorf("the story went\n%s\nand not\n%s", out.String(), told)
	}
}
