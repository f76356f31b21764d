package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// Unset reports whether a field that the code which makes a value leaves out is zero for
// good: no other package can set it, and this one sets it only in values that it is just
// making. Then it does not matter what other values hold in that field.
func (a *Analysis) Unset(field string) bool {
	a.findSetters()
	later, seen := a.setLater[field]
	return seen && !later
}

// MayLack reports whether there may be values without the text that the package stores in
// a field of others. That somebody sets it later is believed of a whole statement, without
// which nothing would run, and not of a part, without which another one does.
func (a *Analysis) MayLack(field string, text *term.Term) bool {
	a.findSetters()
	return a.leftUnset[field] && (a.Unset(field) || isFragment(text))
}

// partWords are the words with which a part of a statement begins.
var partWords = pattern.New(`(?i)^\s*((AND|OR|WHERE|IF|ON|FOR|RETURNING)\b|,)`)

func isFragment(text *term.Term) bool {
	s, ok := term.StringValue(text)
	return ok && partWords.MatchString(s)
}

func (a *Analysis) findSetters() {
	if a.setLater != nil {
		return
	}
	a.setLater, a.leftUnset = make(map[string]bool), make(map[string]bool)
	for _, f := range a.indexed {
		if !f.Pos().IsValid() || !isTestFile(a.Fset.Position(f.Pos()).Filename) {
			a.noteSetters(f)
		}
	}
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
			case *ssa.Alloc:
				a.noteMade(in)
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

// noteMade notes the fields that are not set in a value where it is made. One that is empty
// and only read, as what comes back with an error, is no value to work with.
func (a *Analysis) noteMade(v *ssa.Alloc) {
	n, ok := types.Unalias(deref(v.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() != a.Pkg {
		return
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return
	}
	set, used := make(map[int]bool), false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			continue
		case *ssa.FieldAddr:
			set[r.Field] = set[r.Field] || len(storesIn(r)) > 0
		case *ssa.Store:
			if r.Addr == v {
				return // a copy
			}
		}
		used = true
	}
	for i := range st.NumFields() {
		if used && !set[i] {
			a.leftUnset[a.known.field(v.Type(), i)] = true
		}
	}
}
