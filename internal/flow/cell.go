package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// cellWrite is an instruction that gives a variable a value.
type cellWrite struct {
	at      ssa.Instruction
	val     *term.Term
	perhaps bool // it may leave the variable as it is
}

// load is what a variable holds where it is read: what the last write on each way to
// it stored, if that can be told; else whatever is stored at any time.
func (f *fn) load(u *ssa.UnOp, v *ssa.Alloc) *term.Term {
	ws, ok := f.cellWrites(v)
	if !ok || len(ws) < 2 {
		return f.value(v)
	}
	var last *cellWrite
	for i := range ws {
		if w := &ws[i]; f.before(w.at, u) && (last == nil || f.before(last.at, w.at)) {
			last = w
		}
	}
	if last == nil || last.perhaps {
		return f.value(v)
	}
	for i := range ws {
		if w := &ws[i]; w != last && !f.before(w.at, last.at) && comesAfter(w.at, u) {
			return f.value(v)
		}
	}
	return last.val
}

// cellWrites lists what writes to a variable; false if that may happen elsewhere, or
// the variable is no single value.
func (f *fn) cellWrites(v *ssa.Alloc) ([]cellWrite, bool) {
	switch v.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Struct, *types.Array:
		return nil, false
	}
	var out []cellWrite
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				out = append(out, cellWrite{at: r, val: f.value(r.Val)})
			} else if t := f.storedAddress(r, v); t != nil {
				out = append(out, cellWrite{at: r, val: t})
			} else {
				return nil, false
			}
		case *ssa.MakeInterface:
			t := f.boxedAddress(r)
			if t == nil {
				return nil, false
			}
			out = append(out, cellWrite{at: r, val: t})
		case *ssa.Call:
			if t := f.outParam(r, v); t != nil {
				out = append(out, cellWrite{r, t, f.staticSummary(r.Common()) != nil && !alwaysStores(r, v)})
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return out, true
}

// alwaysStores reports whether a function that is given an address stores something there
// on each way to its end.
func alwaysStores(c *ssa.Call, addr ssa.Value) bool {
	callee := origin(c.Common().StaticCallee())
	for i, p := range callee.Params {
		if i >= len(c.Call.Args) || c.Call.Args[i] != addr || p.Referrers() == nil {
			continue
		}
		for _, r := range *p.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == p && onEachWay(st, callee) {
				return true
			}
		}
	}
	return false
}

// onEachWay reports whether an instruction runs before each return of its function that
// tells of no error.
func onEachWay(in ssa.Instruction, f *ssa.Function) bool {
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !tellsError(r) && !in.Block().Dominates(b) {
			return false
		}
	}
	return true
}

func tellsError(r *ssa.Return) bool {
	return slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return isError(v.Type()) && !isNilConst(v) })
}

// filledField is a field of a variable that a library has filled as a whole, read before
// the program stores anything in it; nil if that cannot be told.
func (f *fn) filledField(v *ssa.FieldAddr) *term.Term {
	al, ok := v.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var whole *term.Term
	later := false
	for _, r := range *al.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			t := f.boxedAddress(r)
			if whole != nil || t == nil || t.Kind != term.Call || !decodes(t.Str) || !f.before(r, v) {
				return nil
			}
			whole = t
		case *ssa.FieldAddr:
			if r.Field != v.Field {
				continue
			}
			for _, st := range *r.Referrers() {
				if _, load := st.(*ssa.UnOp); load || isDebug(st) {
					continue
				}
				if comesAfter(st, v) {
					return nil
				}
				later = true
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil
		}
	}
	if whole == nil || !later {
		return nil
	}
	return term.NewField(fieldName(v.X.Type(), v.Field), whole)
}

func isDebug(in ssa.Instruction) bool {
	_, ok := in.(*ssa.DebugRef)
	return ok
}
