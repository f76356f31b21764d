package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A refusal that a literal leaves in a variable of the function around it is told by that
// function, if it does anything with the variable but writing it into a log.

// heardOutside reports whether what a literal stores in a variable that it has captured is
// looked at by other code than such that only prints it.
func heardOutside(v *ssa.FreeVar) bool {
	cell, ok := source(v).(*ssa.Alloc)
	return !ok || goesOn(cell, make(map[ssa.Value]bool))
}

// goesOn reports whether an address, or what is read from it, has a use that is no print.
func goesOn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		if handsOn(v, r, seen) {
			return true
		}
	}
	return false
}

func handsOn(v ssa.Value, r ssa.Instruction, seen map[ssa.Value]bool) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		if r.Addr == v {
			return false // it is set
		}
		el, ok := r.Addr.(*ssa.IndexAddr)
		return !ok || goesOn(el.X, seen) // an element of an argument list
	case *ssa.IndexAddr:
		return false // of the list: the elements that are set
	case *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Slice:
		return goesOn(r.(ssa.Value), seen)
	case *ssa.MakeClosure:
		lit := r.Fn.(*ssa.Function)
		for i, b := range r.Bindings {
			if b == v && goesOn(lit.FreeVars[i], seen) {
				return true
			}
		}
		return false
	case *ssa.Call:
		return callHandsOn(r, seen)
	}
	return true
}

// callHandsOn reports whether a call does more with what it is given than to print it: one
// whose results are not used, or that has none, is a print if it takes anything.
func callHandsOn(c *ssa.Call, seen map[ssa.Value]bool) bool {
	g := c.Common().StaticCallee()
	if g == nil || len(g.Blocks) > 0 { // the package's own function does what it does
		return true
	}
	return !c.Common().Signature().Variadic() || goesOn(c, seen)
}

// toldBy notes, behind a call that was given a literal, that what the literal sets may tell
// of the refusal which was heard there; false if it sets nothing.
func (f *fn) toldBy(call *ssa.Call, s *state) bool {
	before := len(s.cells)
	for _, arg := range call.Call.Args {
		if conv, ok := arg.(*ssa.ChangeType); ok {
			arg = conv.X
		}
		m, ok := arg.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		lit := m.Fn.(*ssa.Function)
		for _, b := range lit.Blocks {
			for _, in := range b.Instrs {
				if st, ok := in.(*ssa.Store); ok {
					f.toldAt(st.Addr, lit, m, s)
				}
			}
		}
	}
	return len(s.cells) > before
}

func (f *fn) toldAt(addr ssa.Value, lit *ssa.Function, m *ssa.MakeClosure, s *state) {
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		if cell, ok := m.Bindings[slices.Index(lit.FreeVars, addr)].(*ssa.Alloc); ok {
			s.cells.put(cell, abs{sig: true})
		}
	case *ssa.FieldAddr:
		field := f.a.known.field(addr.X.Type(), addr.Field)
		for at, name := range f.findFlags().name {
			if name == field {
				s.cells.put(at, abs{sig: true})
			}
		}
	}
}
