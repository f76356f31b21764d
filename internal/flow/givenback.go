package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// givenBack is the release by a function value that came with the acquisition, nil for
// the call of any other.
func (f *fn) givenBack(c ssa.CallInstruction, t target) *Event {
	if t.dyn.Method != "" || len(t.args) == 0 {
		return nil
	}
	for _, v := range t.args[0].Alternatives() {
		v = unbox(v)
		call := f.a.known.byKey(v.Str)
		if v.Kind != term.Call || call == nil {
			continue
		}
		for _, l := range call.Locks {
			if l.Release.Root == "ret" && l.Release.Index == v.N && l.Handle.Root == "ret" {
				handle := term.NewCall(v.Str, v.Site, l.Handle.Index, v.Args...)
				return &Event{Kind: Release, Lib: l.Lib, Recv: handle, Site: f.siteOf(c), Chain: []Step{f.step(c)}}
			}
		}
	}
	return nil
}
