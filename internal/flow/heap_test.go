package flow

import (
	"strings"
	"testing"
	"time"
)

// Writes whose places hang on each other's are found each once, not in every order: twelve
// calls that tie records together would take hours.
func TestBasesAreFoundOnce(t *testing.T) {
	src := `
type node struct { next, prev *node; name string }

func tie(x, y *node) {
	x.next.prev = y.prev
	y.prev.next = x.next
	x.next.next = y.next.prev
	y.next.prev.name = x.prev.name
}

func all(x, y, z *node) string {
` + strings.Repeat("\ttie(x, y)\n\ttie(y.next, z)\n\ttie(z.prev, x.next)\n", 4) + `
	return z.next.prev.name + x.next.next.name
}
`
	done := make(chan bool)
	go func() {
		analyseStd(t, head+"\nvar _ context.Context\n"+src)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("not done after a minute")
	}
}
