package flow

import (
	"testing"

	"github.com/fencelint/fencelint/internal/term"
)

// The bases of eight writes hang on each other. Each is found once while the first one is,
// and anew a few times at most, not in every order.
func TestBasesAreFoundOnce(t *testing.T) {
	f := &fn{heap: make([]heapStore, 8)}
	asked := 0
	for i := range f.heap {
		f.heap[i] = heapStore{base: term.NewUnknown("not yet known"), again: func() *term.Term {
			asked++
			for j := range f.heap {
				f.meets(&f.heap[j], term.NewParam(0))
			}
			return term.NewUnknown(term.FromItself)
		}}
	}
	for round := 1; round <= 2*maxAsked; round++ {
		f.meets(&f.heap[0], term.NewParam(0))
		if most := len(f.heap) * min(round, maxAsked); asked > most {
			t.Fatalf("asked %d times for %d bases in %d rounds, want at most %d", asked, len(f.heap), round, most)
		}
	}
	if asked < len(f.heap) {
		t.Errorf("asked %d times for %d bases", asked, len(f.heap))
	}
}
