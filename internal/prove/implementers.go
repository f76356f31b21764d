package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
)

// maxNested bounds the interfaces behind interfaces that a call is followed through.
const maxNested = 3

// throughTypes judges a call through an interface in a hold by the types that this
// package, or one that it imports, makes into that interface, and what those call through
// interfaces in turn. In an imported package this hold was not known yet.
func (j *judge) throughTypes(p *pair, o *flow.Obligation, depth int) {
	for _, c := range slices.Concat(j.conversionsTo(o.Call.Dyn.Iface), j.a.Imported.Conversions) {
		known := slices.Contains(o.Done, c.Type)
		if c.Iface != o.Call.Dyn.Iface || known && !c.Pos.IsValid() {
			continue
		}
		o.Done = append(o.Done, c.Type)
		j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
		if known || depth == maxNested {
			continue
		}
		for _, w := range j.a.Implement(o.Hold, o.Call, c) {
			if w.Kind == flow.Dyn && w.Dyn.Iface != "" && w.Dyn.Method != "" {
				j.throughTypes(p, &flow.Obligation{Hold: o.Hold, Call: w, Accepts: o.Accepts}, depth+1)
			}
		}
	}
}
