package table

import (
	"testing"

	"fencelint.example/real/testimports/worker"
)

func TestWorker(t *testing.T) {
	if (&worker.Worker{Store: &Prices{}}) == nil {
		t.Fatal("none")
	}
}
