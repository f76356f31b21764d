package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// How a carrier is asked: what is read from it, received or selected, and which of the
// values says that the lock is held.

func (a *Analysis) carrierOf(v ssa.Value) *Carrier {
	if name := a.places.name(v); name != "" {
		return a.carriers[a.places.find(name)]
	}
	return nil
}

// loaded asks the value of a place.
func (c *Carrier) loaded(in ssa.Instruction) *question {
	q := &question{at: in, index: -1, name: c.names}
	switch {
	case c.names:
		return q
	case c.Yes != "":
		q.yes, q.no = parseTuple(c.Yes), parseTuple(c.No)
		return q
	}
	q.yes = c.yes[:1]
	q.no = []abs{{}}
	if c.yes[0].k == isInt {
		q.no = []abs{{k: isInt, n: c.unused()}}
	}
	if c.yes[0].k == wording {
		q.no = []abs{{k: wording, name: "\x00"}}
	}
	return q
}

// kept looks for an entry of a map; of a flag it is no difference whether it is not there
// or false.
func (c *Carrier) kept(in *ssa.Lookup) *question {
	q := &question{at: in, index: -1, yes: []abs{{k: nonNil}}, no: []abs{{k: isNil}}}
	if m, ok := in.X.Type().Underlying().(*types.Map); ok && isBoolean(m.Elem()) {
		q.yes, q.no = []abs{boolean(true)}, []abs{boolean(false)}
	}
	if in.CommaOk {
		q.yes, q.no = append(q.yes, boolean(true)), append(q.no, boolean(false))
	}
	return q
}

// unused is a number that is not set in a hold.
func (c *Carrier) unused() int64 {
	n := int64(0)
	for slices.Contains(c.yes, abs{k: isInt, n: n}) {
		n++
	}
	return n
}

// received waits for a value from a channel.
func (c *Carrier) received(in *ssa.UnOp) *question {
	q := &question{at: in, index: -1}
	if c.Yes != "" {
		q.yes, q.no = parseTuple(c.Yes), parseTuple(c.No)
		if in.CommaOk {
			q.yes, q.no = append(q.yes, abs{}), append(q.no, abs{})
		}
	}
	return q
}

// selected waits for a value from one of several channels: not to get one from this is
// a no.
func (c *Carrier) selected(in *ssa.Select, i int) *question {
	q := &question{at: in, index: i}
	k := 0
	for _, st := range in.States[:i] {
		if st.Dir == types.RecvOnly {
			k++
		}
	}
	n := in.Type().(*types.Tuple).Len()
	q.yes = make([]abs, n)
	q.yes[0] = abs{k: isInt, n: int64(i)}
	if c.Yes != "" {
		q.no = slices.Clone(q.yes)
		q.yes[2+k], q.no[2+k] = parseTuple(c.Yes)[0], parseTuple(c.No)[0]
	}
	return q
}

// set gives the results of the instruction a value.
func (q *question) set(s *state, vals []abs) {
	if len(vals) == 0 {
		return
	}
	v := q.at.(ssa.Value)
	if vals[0].k == wording {
		s.flags |= texts
	}
	if _, tuple := v.Type().(*types.Tuple); tuple {
		s.tups.put(v, vals)
		return
	}
	s.set(v, vals[0])
}

// elsewhere lists the states in which a select goes on by another channel.
func (q *question) elsewhere(s *state) []*state {
	sel, ok := q.at.(*ssa.Select)
	if !ok {
		return nil
	}
	var out []*state
	first := 0
	if !sel.Blocking {
		first = -1
	}
	for i := first; i < len(sel.States); i++ {
		if i != q.index {
			n := s.clone()
			t := make([]abs, sel.Type().(*types.Tuple).Len())
			t[0] = abs{k: isInt, n: int64(i)}
			n.tups.put(sel, t)
			out = append(out, n)
		}
	}
	return out
}
