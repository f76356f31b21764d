package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// neverHolds reports whether an interface is what a value is asked for whether it has its
// methods, as generated code does for hooks, and the value is of a type that has not.
func neverHolds(v ssa.Value) bool {
	ex, ok := v.(*ssa.Extract)
	if !ok || ex.Index != 0 {
		return false
	}
	ask, ok := ex.Tuple.(*ssa.TypeAssert)
	if !ok {
		return false
	}
	x := ask.X
	for {
		wider, ok := x.(*ssa.ChangeInterface)
		if !ok {
			break
		}
		x = wider.X
	}
	m, ok := x.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	of, ok := ask.AssertedType.Underlying().(*types.Interface)
	return ok && !types.Implements(m.X.Type(), of)
}
