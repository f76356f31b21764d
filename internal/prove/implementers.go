package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
)

// maxNested bounds the interfaces behind interfaces that a call is followed through.
const maxNested = 3

// throughImports judges a call through an interface in a hold by the types that imported
// packages made into that interface, and what those call through interfaces in turn:
// where that was done this hold was not known yet.
func (j *judge) throughImports(p *pair, o *flow.Obligation, depth int) {
	for _, c := range j.a.Imported.Conversions {
		if c.Iface != o.Call.Dyn.Iface || slices.Contains(o.Done, c.Type) {
			continue
		}
		o.Done = append(o.Done, c.Type)
		j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
		if depth == maxNested {
			continue
		}
		for _, w := range j.a.Implement(o.Hold, o.Call, c) {
			if w.Kind == flow.Dyn && w.Dyn.Iface != "" && w.Dyn.Method != "" {
				j.throughImports(p, &flow.Obligation{Hold: o.Hold, Call: w, Accepts: o.Accepts}, depth+1)
			}
		}
	}
}
