package flow

import "golang.org/x/tools/go/ssa"

// ended is what is returned, by Outcome.Returns, on a way that does not come back to the
// caller: the program ends, or the write is tried again, and its outcome is that of the new
// attempt.
const ended = "!"

// attempts tells the ways from a refusal that lead to a new attempt of the same write, whose
// outcome is another one. A loop that works off one item after the other comes to its write again after
// a grant, too.
type attempts struct {
	f     *fn
	call  *ssa.Call
	reads map[*ssa.Call]bool // what the write is made from, and may be read anew
	grant func(*explorer)    // walks from a grant of the write
	rest  int8               // 1: after a grant the write does not come again; -1: it does
}

// again reports whether only a refusal leads to the write again.
func (a *attempts) again() bool {
	if a.rest == 0 {
		a.rest = 1
		x := &explorer{f: a.f, visit: func(c ssa.CallInstruction, _ *state) bool {
			if c == ssa.CallInstruction(a.call) {
				a.rest = -1
			}
			return a.rest > 0
		}}
		a.grant(x)
		if x.capped {
			a.rest = -1
		}
	}
	return a.rest > 0
}

// begins reports whether a call reads anew, on the way from a refusal, what the write was
// made from.
func (a *attempts) begins(c ssa.CallInstruction) bool {
	call, ok := c.(*ssa.Call)
	if !ok || !call.Block().Dominates(a.call.Block()) {
		return false
	}
	if a.reads == nil {
		a.reads = callsBehind(a.call)
	}
	return a.reads[call] && a.again()
}

// maxBehind bounds the values that are looked at for what a write is made from.
const maxBehind = 300

// callsBehind lists the calls that can fail of whose results the arguments of a call are made.
func callsBehind(call *ssa.Call) map[*ssa.Call]bool {
	out := make(map[*ssa.Call]bool)
	seen := make(map[ssa.Value]bool)
	var look func(v ssa.Value)
	look = func(v ssa.Value) {
		if v == nil || seen[v] || len(seen) >= maxBehind {
			return
		}
		seen[v] = true
		if in, ok := v.(ssa.Instruction); ok {
			if c, ok := v.(*ssa.Call); ok && c != call && canFail(c) {
				out[c] = true
				return
			}
			for _, o := range in.Operands(nil) {
				look(*o)
			}
		}
		for _, s := range partsStored(v) {
			look(s)
		}
	}
	for _, o := range call.Operands(nil) {
		look(*o)
	}
	return out
}

func canFail(c *ssa.Call) bool {
	res := c.Call.Signature().Results()
	return res.Len() > 1 && isError(res.At(res.Len()-1).Type())
}

// partsStored lists what is assigned to a variable, or to a part of it.
func partsStored(v ssa.Value) []ssa.Value {
	if _, ok := v.(*ssa.Alloc); !ok {
		return nil
	}
	var out []ssa.Value
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				out = append(out, r.Val)
			}
		case *ssa.IndexAddr:
			out = append(out, storesTo(r)...)
		case *ssa.FieldAddr:
			out = append(out, storesTo(r)...)
		}
	}
	return out
}

func storesTo(addr ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, r := range *addr.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == addr {
			out = append(out, s.Val)
		}
	}
	return out
}
