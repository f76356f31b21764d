package prove

import (
	"testing"

	"github.com/fencelint/fencelint/internal/flow"
)

func TestProtector(t *testing.T) {
	place := func(line int) flow.Place { return flow.Place{Pkg: "q", File: "q.go", Line: line} }
	acq := &flow.Event{Key: "lib.Lock", Chain: []flow.Step{{Place: place(1), Func: "q.F"}}}
	j := judgeOf(t, "")
	j.u = &Unit{}
	j.a.Imported = &flow.Imported{Touches: []flow.Touch{
		{How: flow.InHold, Resource: "table:a", Step: flow.Step{Place: place(7), Func: "q.Pay"}},
		{How: flow.Bare, Resource: "table:b", Step: flow.Step{Place: place(8), Func: "q.Read"}},
	}}
	own := &pair{acq: acq, sum: &flow.Summary{}, w: &flow.Event{}}
	j.correctness(own, decision{resource: "table:c"})
	j.correctness(&pair{acq: acq, sum: &flow.Summary{}, w: &flow.Event{}}, decision{resource: "table:?"})
	for resource, want := range map[string]string{
		"table:a": "a correctness lock in Pay", "table:b": "", "table:c": "the correctness lock lib.Lock", "table:?": "", "": "",
	} {
		got, _, ok := j.protector(resource)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", resource, got, ok, want)
		}
	}
	if out := j.protects(); len(out) != 1 || out[0].Resource != "table:c" || out[0].How != flow.InHold {
		t.Errorf("passed on: %v", out)
	}
}
