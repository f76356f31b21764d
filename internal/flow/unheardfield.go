package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A refusal that is put into a field is told by whoever asks the field. One that nobody outside
// of this package can ask, and nobody in it does, tells nothing; and what is put into a record
// that is only given back is told by whoever looks at the record.

// keepsQuiet notes a store of what tells of a refusal where it is heard by nobody as yet; false
// for other instructions.
func (e *explorer) keepsQuiet(in ssa.Instruction, s *state) bool {
	st, ok := in.(*ssa.Store)
	if !ok {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if a := s.of(st.Val); !ok || !s.wouldTell(a) || a.k == record || localField(fa) != nil {
		return false
	}
	if al, ok := fa.X.(*ssa.Alloc); ok && onlyGivenBack(al) {
		s.set(al, abs{k: nonNil, sig: true})
		return true
	}
	return !e.f.a.asksField(fieldVar(fa))
}

// wouldTell reports whether a value tells of a refusal, if anybody looks at it.
func (s *state) wouldTell(a abs) bool {
	return a.sig && a.k != isNil || a.k == nonNil && s.flags&branched != 0
}

// onlyGivenBack reports whether a record leaves its function as a result alone.
func onlyGivenBack(al *ssa.Alloc) bool {
	given := false
	for _, r := range *al.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			given = true
		case *ssa.FieldAddr:
			if !onlyAccessed(r) {
				return false
			}
		default:
			return false
		}
	}
	return given
}

// asksField reports whether a field may be read for more than to print it. Fields with exported
// names are anybody's, and so is an embedded record.
func (a *Analysis) asksField(v *types.Var) bool {
	if v.Exported() || v.Embedded() {
		return true
	}
	v = v.Origin()
	asked, known := a.asks[v]
	if !known {
		asked = slices.ContainsFunc(a.indexed, func(f *ssa.Function) bool { return asksIn(f, v) })
		if a.asks == nil {
			a.asks = make(map[*types.Var]bool)
		}
		a.asks[v] = asked
	}
	return asked
}

// asksIn reports whether a function reads a field for more than to print it, or to do nothing
// more once it has put an error there itself.
func asksIn(f *ssa.Function, v *types.Var) bool {
	var reads []ssa.Value
	stores := false
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				if fieldVar(in).Origin() == v {
					reads, stores = append(reads, in), stores || isSet(in)
				}
			case *ssa.Field:
				if in.X.Type().Underlying().(*types.Struct).Field(in.Field).Origin() == v {
					reads = append(reads, in)
				}
			}
		}
	}
	sticky := stores && f.Signature.Results().Len() == 0
	return slices.ContainsFunc(reads, func(r ssa.Value) bool {
		return !(sticky && onlyAskedForNil(r)) && goesOn(r, make(map[ssa.Value]bool))
	})
}

// onlyAskedForNil reports whether what is at an address is only compared with nil.
func onlyAskedForNil(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != addr
		case *ssa.UnOp:
			return slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool { return !isNilQuestion(u) })
		}
		return true
	})
}

func isNilQuestion(in ssa.Instruction) bool {
	if _, ok := in.(*ssa.DebugRef); ok {
		return true
	}
	b, ok := in.(*ssa.BinOp)
	return ok && (isNilConst(b.X) || isNilConst(b.Y))
}
