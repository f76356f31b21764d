package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxClosed bounds the types that a field may have and still be followed at once.
const maxClosed = 3

// closedFields finds the unexported fields of an interface type that hold values of
// few concrete types, whatever code runs: each assignment in the package, outside
// tests, converts one right there. No other package can assign to them.
func (a *Analysis) closedFields() {
	a.closed = make(map[string][]string)
	open := make(map[string]bool)
	for _, f := range a.indexed {
		if !f.Pos().IsValid() || !isTestFile(a.Fset.Position(f.Pos()).Filename) {
			a.fieldTypes(f, open)
		}
	}
	for name := range open {
		delete(a.closed, name)
	}
}

func (a *Analysis) fieldTypes(f *ssa.Function, open map[string]bool) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				a.assignedType(in, open)
			case *ssa.FieldAddr:
				if handedOut(in) {
					open[a.known.field(in.X.Type(), in.Field)] = true
				}
			case *ssa.ChangeType:
				openFields(in.Type(), open)
			}
		}
	}
}

// handedOut reports whether the address of a field goes anywhere but into a read or an
// assignment right there: who has it can assign as well.
func handedOut(fa *ssa.FieldAddr) bool {
	if !types.IsInterface(deref(fa.Type())) || fa.Referrers() == nil {
		return false
	}
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == ssa.Value(fa) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// openFields notes the fields of a struct that takes over the values of another type.
func openFields(t types.Type, open map[string]bool) {
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		open[fieldName(t, i)] = true
	}
}

func (a *Analysis) assignedType(st *ssa.Store, open map[string]bool) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || !types.IsInterface(st.Val.Type()) {
		return
	}
	field := deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field)
	if field.Exported() || field.Pkg() != a.Pkg {
		return
	}
	name := a.known.field(fa.X.Type(), fa.Field)
	if a.mayLock(st.Val.Type()) {
		open[name] = true // a lock behind an interface has its class there, and is followed as such
		return
	}
	switch v := st.Val.(type) {
	case *ssa.Const: // nil
	case *ssa.MakeInterface:
		t := typeName(v.X.Type())
		a.types[t] = v.X.Type()
		for _, old := range a.closed[name] {
			if old == t {
				return
			}
		}
		if a.closed[name] = append(a.closed[name], t); len(a.closed[name]) > maxClosed {
			open[name] = true
		}
	default:
		open[name] = true
	}
}
