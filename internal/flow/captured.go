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
