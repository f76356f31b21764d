package claimonce

import (
	"context"
	"testing"
)

// A test has a fixed name for its worker: that says nothing of those of the program.
func TestRun(t *testing.T) {
	w := &worker{id: "worker-1"}
	if w.db == nil {
		t.Skip("no database")
	}
	if err := w.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
}
