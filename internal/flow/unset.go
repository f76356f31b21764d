package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Unset reports whether a field that the code which makes a value leaves out is zero for
// good: no other package can set it, and this one sets it only in values that it is just
// making. Then it does not matter what other values hold in that field.
func (a *Analysis) Unset(field string) bool {
	if a.setLater == nil {
		a.setLater = make(map[string]bool)
		for _, f := range a.indexed {
			a.noteSetters(f)
		}
	}
	later, seen := a.setLater[field]
	return seen && !later
}

// noteSetters notes of the unexported fields of the package's types that a function has to
// do with whether it may set them in a value that was made elsewhere.
func (a *Analysis) noteSetters(f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				st := deref(in.X.Type()).Underlying().(*types.Struct)
				if v := st.Field(in.Field); !v.Exported() && v.Pkg() == a.Pkg {
					name := a.known.field(in.X.Type(), in.Field)
					a.setLater[name] = a.setLater[name] || setsLater(in)
				}
			case *ssa.ChangeType:
				openFields(in.Type(), a.setLater)
			case *ssa.Store:
				_, fresh := in.Addr.(*ssa.Alloc)
				if _, whole := in.Val.Type().Underlying().(*types.Struct); whole && !fresh {
					openFields(in.Val.Type(), a.setLater)
				}
			}
		}
	}
}

// setsLater reports whether what is done with the address of a field may set it in a value
// that is not just being made.
func setsLater(fa *ssa.FieldAddr) bool {
	_, fresh := fa.X.(*ssa.Alloc)
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if !fresh || r.Val == ssa.Value(fa) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
