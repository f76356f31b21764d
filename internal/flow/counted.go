package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// raises reports whether a store adds a constant to the field that it stores in.
func raises(st *ssa.Store, field string) bool {
	sum, ok := st.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD {
		return false
	}
	x, y := sum.X, sum.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	load, ok := x.(*ssa.UnOp)
	if _, constant := y.(*ssa.Const); !ok || !constant || load.Op != token.MUL {
		return false
	}
	from, ok := load.X.(*ssa.FieldAddr)
	return ok && fieldName(from.X.Type(), from.Field) == field
}

// Counted reports whether code of the package raises a field by a constant: its
// values are numbers of this process.
func (a *Analysis) Counted(field string) bool { return a.counted[field] }

// CountedVar reports whether code of the package raises a package variable by a constant, and
// gives it no other value while the program runs.
func (a *Analysis) CountedVar(name string) bool {
	short, own := strings.CutPrefix(name, a.Pkg.Path()+".")
	v, ok := a.ssa.Members[short].(*ssa.Global)
	if !own || !ok {
		return false
	}
	some := false
	for _, st := range a.stored[v] {
		sum, ok := st.Val.(*ssa.BinOp)
		if st.Parent().Name() == "init" {
			continue
		}
		if !ok || sum.Op != token.ADD {
			return false
		}
		load, ok := sum.X.(*ssa.UnOp)
		if _, constant := sum.Y.(*ssa.Const); !ok || !constant || load.X != v {
			return false
		}
		some = true
	}
	return some
}
