package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A statement is often put together by a record of the program's own, of which a buffer is a
// part: what its methods write there is what the functions that call them write.

// usesRecord notes what is done with the buffer in a record; false if the record goes where it
// is not followed.
func (w *textWriter) usesRecord(rec ssa.Value, field int) bool {
	for _, r := range *rec.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field == field && !w.uses(r) {
				return false
			}
		case *ssa.Call:
			if !w.call(r, rec) {
				return false
			}
		case *ssa.MakeInterface: // it is written to like its buffer
			if !embeds(rec.Type(), field) || !w.uses(r) {
				return false
			}
		case *ssa.DebugRef, *ssa.UnOp:
		default:
			return false
		}
	}
	return true
}

// partOf is the buffer's field, if a value is the record and not the buffer.
func (w *textWriter) partOf(v ssa.Value) string {
	if w.part == "" || takesPieces(v.Type()) {
		return ""
	}
	return w.part
}

// embeds reports whether a field of a record is one whose methods are the record's own.
func embeds(t types.Type, field int) bool {
	st, ok := deref(t).Underlying().(*types.Struct)
	return ok && st.Field(field).Embedded()
}

// textsInParts lists what the function writes into buffers that are parts of its parameters.
func (f *fn) textsInParts() []Store {
	var out []Store
	for i, p := range f.f.Params {
		st, ok := deref(p.Type()).Underlying().(*types.Struct)
		if _, address := p.Type().Underlying().(*types.Pointer); !ok || !address || p.Referrers() == nil {
			continue
		}
		for k := range st.NumFields() {
			if !takesPieces(types.NewPointer(st.Field(k).Type())) {
				continue
			}
			w := &textWriter{fn: f, part: f.a.known.field(p.Type(), k)}
			if !w.usesRecord(p, k) || len(w.pieces) == 0 {
				continue
			}
			part := &term.Term{Kind: term.Field, Str: w.part, Args: []*term.Term{term.NewParam(i)}}
			to := &term.Term{Kind: term.Field, Str: writtenMark, Args: []*term.Term{part}}
			out = append(out, Store{To: to, Value: term.NewConcat(w.parts()...)})
		}
	}
	return out
}
