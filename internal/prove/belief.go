package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
)

// roleBelief is the role of a row that only adds boundaries to an acquisition of another
// package, in which this one believes; package report joins the two.
const roleBelief = "belief"

// beliefs gives what is believed in the class of the acquisition behind it, and the place
// at which the register has that.
func (j *judge) beliefs(sums []*flow.Summary) {
	j.registered = make(map[flow.Place]*flow.Event)
	perhaps := make(map[flow.Place]*flow.LockClass)
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind == flow.May && e.Belief == nil && e.Hold.Lock != nil {
				perhaps[e.Chain[0].Place] = e.Hold.Lock
			}
			if e.Kind == flow.Acquire && e.Belief == nil {
				if r := j.inRegister(e); r != nil {
					j.registered[e.Chain[0].Place] = r
				}
			}
		}
	}
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Belief == nil {
				continue
			}
			if l := perhaps[e.Belief.Place]; e.Kind == flow.May && l != nil {
				e.Hold.Lock = l
			}
			if e.Kind != flow.Acquire {
				continue
			}
			if a := j.registered[e.Belief.Place]; a != nil {
				e.Hold.Lock = a.Hold.Lock
				j.a.Register(e.Belief.Place, a.Chain[0])
				*e.Belief = a.Chain[0]
			}
		}
	}
}

// inRegister is the acquisition that has a row for e: e itself or what it is a copy of.
func (j *judge) inRegister(e *flow.Event) *flow.Event {
	for ; e != nil; e = e.Source() {
		if j.rows[e] != nil {
			return e
		}
	}
	return nil
}

// rowOfBelief is the row that the boundaries under a belief belong to.
func (j *judge) rowOfBelief(e *flow.Event) *Row {
	var r *Row
	if a := j.registered[e.Belief.Place]; a != nil {
		r = j.rows[a]
	} else {
		r = &Row{Place: e.Belief.Place, Library: e.Hold.Lib, Idiom: "goroutine-leader", Signal: "unknown", Role: roleBelief}
		j.order = append(j.order, e)
	}
	if c := e.Hold.Lock; c != nil && r.Class == "" {
		r.Class, r.Contract = c.Class, c.Contract
	}
	j.rows[e] = r
	return r
}
