package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Fields that are set from what they held before, such as a text that grows in a request:
// in.Update = ptr(*in.Update + ", ttl = :t").

// heldBefore is what a field of a variable holds where it is read while the content of that
// variable is being found: the read is part of what a field is set to, and what comes after
// it has no say in that. It is nil where others may have set the field by then.
func (f *fn) heldBefore(v *ssa.FieldAddr) *term.Term {
	own, ok := v.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	if t, begun := f.values[own]; !begun || t != nil {
		return nil
	}
	var ws []write
	for _, r := range *own.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field != v.Field {
				continue
			}
			if ws, ok = f.plainStores(ws, r); !ok {
				return nil
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			if mayPrecede(r, v) {
				return nil
			}
		}
	}
	vals, initially := f.reaching(ws, own, v)
	if initially || len(vals) == 0 {
		return nil
	}
	return term.NewAlt(vals...)
}

// plainStores adds the assignments to the place at an address, which nothing else is done
// with but reading it.
func (f *fn) plainStores(ws []write, addr *ssa.FieldAddr) ([]write, bool) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr {
				return nil, false
			}
			ws = append(ws, write{at: r, find: func() *term.Term { return f.value(r.Val) }})
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return ws, true
}
