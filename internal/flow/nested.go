package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A record inside another one has no address of its own in terms: it is a field of the
// outer one, and what is known of its content. Where it lies is told by a path: the outermost
// record, and the fields that lead to the part.

// inside marks a field that is a part of its record, not what it points to.
const inside = "&"

// pathTo is the path to a record inside another one, nil for an address of another kind.
func (f *fn) pathTo(v ssa.Value) *term.Term {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok || !pointsToRecord(fa) {
		return nil
	}
	outer := f.pathTo(fa.X)
	if outer == nil {
		outer = f.rootOf(fa.X)
	}
	return part(fieldName(fa.X.Type(), fa.Field), outer)
}

func part(field string, outer *term.Term) *term.Term {
	return &term.Term{Kind: term.Field, Str: field, Typ: inside, Args: []*term.Term{outer}}
}

func isPart(t *term.Term) bool { return t.Kind == term.Field && t.Typ == inside }

// rootOf is the record at an address, by which one it is.
func (f *fn) rootOf(v ssa.Value) *term.Term { return whichOne(f.value(v)) }

// whichOne is a record without its content.
func whichOne(t *term.Term) *term.Term {
	if t.Kind == term.Struct && t.Site != "" {
		return term.NewStruct(t.Str, t.Site, nil, nil)
	}
	return t
}

// pathIn is the path of a store of another function in terms of this one, nil if it does not
// go into a part.
func pathIn(s *term.Subst, to *term.Term) *term.Term {
	if !isPart(to) {
		return nil
	}
	outer := pathIn(s, to.Args[0])
	if outer == nil {
		outer = whichOne(s.Apply(to.Args[0]))
	}
	return part(to.Str, outer)
}

// partAt is the content of a field of a part of a record where an instruction reads its
// address; known is what is known of it otherwise.
func (f *fn) partAt(fa *ssa.FieldAddr, known *term.Term) *term.Term {
	if f.heaped == underWay {
		return known
	}
	path := f.pathTo(fa.X)
	if path == nil {
		return known
	}
	f.fillHeap()
	name := fieldName(fa.X.Type(), fa.Field)
	var ws []write
	for i := range f.heap {
		st := &f.heap[i]
		if st.path == nil || st.field != name && st.field != wholeMark || !samePlace(st.path, path) {
			continue
		}
		w := st.write
		if st.field == wholeMark {
			w.val = f.ofCopy(name, w.val, st.at)
		}
		ws = append(ws, w)
	}
	if len(ws) == 0 {
		return known
	}
	var first ssa.Instruction
	root := path
	for isPart(root) {
		root = root.Args[0]
	}
	if root.Kind == term.Struct {
		first = f.madeAt(root.Site)
	}
	vals, initially := reaching(ws, first, fa)
	if initially || len(vals) == 0 {
		vals = append(vals, known)
	}
	return term.NewAlt(vals...)
}
