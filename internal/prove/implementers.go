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
func (j *judge) throughTypes(p *pair, o *flow.Obligation) {
	for _, c := range slices.Concat(j.conversionsTo(o.Call.Dyn.Iface), j.a.Imported.Conversions) {
		known := slices.Contains(o.Done, c.Type)
		if c.Iface != o.Call.Dyn.Iface || known && !c.Pos.IsValid() {
			continue
		}
		o.Done = append(o.Done, c.Type)
		j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
	}
}

// handedObject judges a call through an interface in a function that runs what it is
// given under a lock: the class is that of the lock's user, and so is the object.
func (j *judge) handedObject(p *pair) {
	src := p.acq.Source()
	if p.w.Kind != flow.Dyn || p.w.Dyn.Method == "" || !correct(p.acq) || correct(src) || p.w.Recv == nil {
		return
	}
	one := flow.TheOne(p.w.Recv)
	if one == nil || p.w.Source().Recv == nil || flow.TheOne(p.w.Source().Recv) != nil {
		return
	}
	o := &flow.Obligation{Hold: p.acq, Call: p.w}
	c := flow.Conversion{Type: one.Str, Iface: p.w.Dyn.Iface, Value: one.Args[0]}
	j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
}
