package prove

import (
	"testing"

	"github.com/fencelint/fencelint/internal/flow"
)

func TestLockShaped(t *testing.T) {
	for _, c := range []struct {
		method, results string
		want            bool
	}{
		{"TryLock", "(context.Context, context.CancelFunc)", true},
		{"Lock", "(context.Context, func(), error)", true},
		{"Lock", "(func(), error)", true},
		{"Lock", "(context.Context)", false},
		{"Open", "(context.Context, context.CancelFunc)", false},
	} {
		m := &flow.Event{Kind: flow.May, Dyn: &flow.DynCall{Iface: "p.Source", Method: c.method, Results: c.results}}
		if got := (&judge{}).lockShaped(&flow.Summary{}, m); got != c.want {
			t.Errorf("%s%s: %v", c.method, c.results, got)
		}
	}
}
