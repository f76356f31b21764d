package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Supply is a place where a function value is put into a field.
type Supply struct {
	Value *term.Term
	Pos   token.Pos
	Test  bool
}

// Supplies lists the function values that code of the package puts into a field.
func (a *Analysis) Supplies(field string) []Supply { return a.supplied[field] }

// supply notes a function value that is stored in a field.
func (a *Analysis) supply(field string, v *term.Term, st *ssa.Store) {
	if _, ok := st.Val.Type().Underlying().(*types.Signature); !ok {
		return
	}
	pos := st.Val.Pos()
	if !pos.IsValid() {
		pos = st.Pos()
	}
	a.supplied[field] = append(a.supplied[field], Supply{Value: v, Pos: pos, Test: isTestFile(a.Fset.Position(pos).Filename)})
}
