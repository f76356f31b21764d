package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// aliasWrite is a write under another name: by an instruction, or by a function that it
// calls.
type aliasWrite struct {
	in       *fn
	at       ssa.Instruction
	key, val ssa.Value // no key: of all of the thing
	by       *Store
	lost     string // why it is not known what it writes
}

// parts are the key and the value of a write, in terms of the function that made the thing.
func (w *aliasWrite) parts(f *fn) (key, val *term.Term) {
	x := w.in
	key, val = term.NewUnknown("an index"), term.NewConst("zero", "0")
	switch {
	case w.by != nil:
		sub := x.subst(w.at.(ssa.CallInstruction), nil)
		if val = w.by.Value; !w.by.throughAddress() {
			key, val = sub.Apply(val.Args[0]), val.Args[1]
		}
		val = sub.Apply(val)
	case w.lost != "":
		val = term.NewUnknown(w.lost)
	default:
		if w.key != nil {
			key = x.value(w.key)
		}
		if w.val != nil {
			val = x.value(w.val)
		}
	}
	for x != f && x.f.Parent() != nil {
		outer := x.a.function(x.f.Parent())
		key, val = outer.outward(x, key), outer.outward(x, val)
		x = outer
	}
	return key, val
}

// outward gives a term of a literal in terms of the function around it.
func (f *fn) outward(lit *fn, t *term.Term) *term.Term {
	if !t.Symbolic() {
		return t
	}
	m := f.makes(lit)
	sub := &term.Subst{Params: []*term.Term{}, Free: make([]*term.Term, len(lit.f.FreeVars))}
	t.Any(func(u *term.Term) bool {
		if u.Kind == term.Free && m != nil && u.N < len(m.Bindings) && sub.Free[u.N] == nil {
			sub.Free[u.N] = f.value(m.Bindings[u.N])
		}
		return false
	})
	return sub.Apply(t)
}

// makes is where a literal is made; nil if it captures nothing.
func (f *fn) makes(lit *fn) *ssa.MakeClosure {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok && m.Fn == lit.f {
				return m
			}
		}
	}
	return nil
}

// where says where in the function that made the thing a write is.
func (w *aliasWrite) where(f *fn) write {
	out := write{at: w.at, perhaps: true}
	_, out.beside = w.at.(*ssa.Go)
	_, out.late = w.at.(*ssa.Defer)
	for x := w.in; x != f && x.f.Parent() != nil; {
		outer := x.a.function(x.f.Parent())
		out.at, out.beside, out.late = outer.f.Blocks[0].Instrs[0], true, false
		if m := outer.makes(x); m != nil {
			out.at, out.late = m, onlyDeferred(m)
			out.beside = !out.late
		}
		x = outer
	}
	return out
}

// writesUnder lists the writes to a variable, or to a field, under other names.
func (f *fn) writesUnder(addr ssa.Value) []write {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FieldAddr:
	default:
		return nil
	}
	if arrayIn(addr) != nil {
		return nil // they go to its elements
	}
	var out []write
	h := f.otherNames(addr)
	for i := range h.writes {
		w := h.writes[i].where(f)
		_, w.val = h.writes[i].parts(f)
		out = append(out, w)
	}
	return out
}

// putUnder lists what is put into a list or map under other names.
func (f *fn) putUnder(made ssa.Value) []putElem {
	var out []putElem
	h := f.otherNames(made)
	for i := range h.writes {
		key, val := h.writes[i].parts(f)
		out = append(out, putElem{key: key, val: val})
	}
	return out
}
