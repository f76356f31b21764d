package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// isOfType answers for an error that is no more than a text, whether it is, or has in it, one
// of another type: it is not, and code that asks so takes it for any other. Nil if the type
// may be one of those that carry such a text.
func isOfType(a abs, t types.Type, in *ssa.Function) *abs {
	if a.k != nonNil || !a.sig || a.name == "" || carriesText(t, in) || !plainError(a.name, in) {
		return nil
	}
	b := boolean(false).signal()
	return &b
}

// isTarget is isOfType of what errors.As is given.
func isTarget(a abs, target ssa.Value) *abs {
	m, ok := target.(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	if ptr, ok := m.X.Type().Underlying().(*types.Pointer); ok {
		return isOfType(a, ptr.Elem(), m.Parent())
	}
	return nil
}

// carriesText reports whether a type may be that of an error which has only a text, or which
// this package makes of one.
func carriesText(t types.Type, in *ssa.Function) bool {
	if i, ok := t.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			if m.Name() != "Error" && m.Name() != "Unwrap" && m.Name() != "Is" {
				return false
			}
		}
		return true
	}
	n := namedOf(t)
	return n == nil || n.Pkg() == nil || in.Pkg == nil || n.Pkg() == in.Pkg.Pkg
}

// plainError reports whether a package variable holds what errors.New made.
func plainError(name string, in *ssa.Function) bool {
	if name == "database/sql.ErrNoRows" {
		return true
	}
	if in == nil || in.Pkg == nil {
		return false
	}
	short, ok := strings.CutPrefix(name, in.Pkg.Pkg.Path()+".")
	g, isVar := in.Pkg.Members[short].(*ssa.Global)
	if !ok || !isVar || in.Pkg.Func("init") == nil {
		return false
	}
	plain := false
	for _, b := range in.Pkg.Func("init").Blocks {
		for _, i := range b.Instrs {
			if st, ok := i.(*ssa.Store); ok && st.Addr == g {
				c, ok := st.Val.(*ssa.Call)
				plain = ok && callKey(c.Common()) == "errors.New"
			}
		}
	}
	return plain
}
