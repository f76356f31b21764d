package worker

import (
	"testing"

	"fencelint.example/real/testimports/table"
)

func TestStore(t *testing.T) {
	if (&Worker{Store: table.New(nil)}) == nil {
		t.Fatal("none")
	}
}
