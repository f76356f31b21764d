package flow

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// An array in a record is a part of it, and its elements are fields of that part: each under
// its index, or under none if that is not known.

const (
	anyIndex   = "[?]"
	indexBegin = "["
)

// indexField names an element of an array as a field.
func indexField(index *term.Term) string {
	if index.Kind != term.Const {
		return anyIndex
	}
	return indexBegin + index.Key() + "]"
}

// arrayIn is the type of an array inside a record, nil for an address of another kind.
func arrayIn(v ssa.Value) *types.Array {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	arr, _ := deref(fa.Type()).Underlying().(*types.Array)
	return arr
}

// heapOfArray notes what is written to the elements of an array in a record.
func (f *fn) heapOfArray(fa *ssa.FieldAddr) {
	if arrayIn(fa) == nil {
		return
	}
	path := f.pathTo(fa)
	note := func(w write, field string) {
		f.indexed = true
		f.heap = append(f.heap, heapStore{write: w, field: field, base: term.NewUnknown("a part"), path: path})
	}
	for _, ia := range elementAddrs(fa) {
		field := indexField(f.value(ia.Index))
		for _, w := range f.writesTo(ia) {
			w.perhaps = w.perhaps || field == anyIndex
			note(w, field)
		}
		for _, r := range *ia.Referrers() {
			if in, ok := r.(*ssa.FieldAddr); ok {
				for _, st := range storesIn(in) {
					note(write{at: st, val: term.NewUnknown(changedInPart), perhaps: true}, field)
				}
			}
		}
	}
	for _, e := range f.putUnder(fa) {
		note(write{at: fa, val: e.val, perhaps: true, beside: true}, indexField(e.key))
	}
}

// elementOfPart is an element of an array in a record where an instruction reads it.
func (f *fn) elementOfPart(fa *ssa.FieldAddr, index *term.Term, at ssa.Instruction) *term.Term {
	known := elementOf(f.value(fa), index)
	if f.heaped == underWay {
		return known
	}
	f.fillHeap()
	return f.elementIn(f.pathTo(fa), index, at, known)
}

func (f *fn) elementIn(path, index *term.Term, at ssa.Instruction, known *term.Term) *term.Term {
	name := indexField(index)
	return f.partOf(path, at, known, partRead{
		is: func(field string) (it, sure bool) {
			it = field == name || field == anyIndex || name == anyIndex && strings.HasPrefix(field, indexBegin)
			return it, name != anyIndex
		},
		of: func(whole *term.Term, _ ssa.Instruction) *term.Term { return elementOf(whole, index) },
	})
}

// withIndexed is an array in a record, with what was written to its elements.
func (f *fn) withIndexed(path *term.Term, at ssa.Instruction, known *term.Term) *term.Term {
	n := -1
	if known.Kind == term.List && !known.Open {
		n = len(known.Args) - 1
	}
	some := false
	for i := range f.heap {
		st := &f.heap[i]
		if st.path != nil && strings.HasPrefix(st.field, indexBegin) && samePlace(st.path, path) {
			some = true
			n = max(n, fieldIndex(st.field))
		}
	}
	unset := known.Kind == term.Field
	if !some || n >= maxElements || !unset && known.Kind != term.List && !term.IsZero(known) {
		return known
	}
	if f.followed > 0 { // it would be followed for each element and each copy
		return term.NewUnknown("an array in a record that is copied")
	}
	f.followed++
	defer func() { f.followed-- }()
	elems := make([]*term.Term, n+1)
	for i := range elems {
		index := term.NewConst("int", strconv.Itoa(i))
		elems[i] = f.elementIn(path, index, at, elementOf(known, index))
	}
	return term.NewList(unset, elems...)
}

// fieldIndex is the index of an element that is named as a field, -1 if that is not known.
func fieldIndex(field string) int {
	for i := range maxElements {
		if field == indexField(term.NewConst("int", strconv.Itoa(i))) {
			return i
		}
	}
	return -1
}

// maxElements bounds the arrays in records whose elements are followed one by one.
const maxElements = 16

const changedInPart = "an element that is changed in part"

// elementAt is an element of an array of this function, or of a slice of all of it, where an
// instruction reads it; nil if it is not followed write by write.
func (f *fn) elementAt(base ssa.Value, index *term.Term, at ssa.Instruction) *term.Term {
	if sl, ok := base.(*ssa.Slice); ok && sl.Low == nil {
		base = sl.X
	}
	v, ok := base.(*ssa.Alloc)
	if !ok || index.Kind != term.Const {
		return nil
	}
	arr, ok := deref(v.Type()).Underlying().(*types.Array)
	if !ok || isRecord(arr.Elem()) || arr.Len() > maxElements {
		return nil
	}
	var ws []write
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == v {
			ws = append(ws, write{at: st, val: elementOf(f.value(st.Val), index)})
		}
	}
	for _, ia := range elementAddrs(v) {
		i := f.value(ia.Index)
		if i.Kind == term.Const && !i.Equal(index) {
			continue
		}
		for _, w := range f.writesTo(ia) {
			w.perhaps = w.perhaps || i.Kind != term.Const
			ws = append(ws, w)
		}
	}
	if len(ws) == 0 {
		return nil
	}
	vals, initially := f.reaching(ws, v, at)
	if initially {
		vals = append(vals, term.NewConst("zero", "0"))
	}
	for _, e := range f.putElsewhere(v) {
		if e.key.Kind != term.Const || e.key.Equal(index) {
			vals = append(vals, e.val)
		}
	}
	if len(vals) == 0 {
		return nil
	}
	return term.NewAlt(vals...)
}
