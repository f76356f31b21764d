package flow

import (
	"slices"

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
	return part(f.a.known.field(fa.X.Type(), fa.Field), outer)
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
// go into a part. arg, if not nil, gives the arguments of the call.
func (f *fn) pathIn(s *term.Subst, to *term.Term, arg func(int) ssa.Value) *term.Term {
	if to.Kind == term.Param && arg != nil {
		return f.pathTo(arg(to.N))
	}
	if !isPart(to) {
		return nil
	}
	outer := f.pathIn(s, to.Args[0], arg)
	if outer == nil {
		outer = whichOne(s.Apply(to.Args[0]))
	}
	return part(to.Str, outer)
}

// argumentsOf gives the arguments of a call that names its function, nil for other calls.
func argumentsOf(c ssa.CallInstruction) func(int) ssa.Value {
	if c.Common().StaticCallee() == nil {
		return nil
	}
	return func(n int) ssa.Value {
		if args := c.Common().Args; n < len(args) {
			return args[n]
		}
		return nil
	}
}

// partAt is the content of a field, or of a record, inside a record where an instruction
// takes its address; known is what is known of it otherwise.
func (f *fn) partAt(fa *ssa.FieldAddr, known *term.Term) *term.Term {
	if f.heaped == underWay {
		return known
	}
	if pointsToRecord(fa) {
		return f.recordPartAt(fa, fa, known)
	}
	if path := f.pathTo(fa.X); path != nil {
		f.fillHeap()
		return f.inPart(path, f.a.known.field(fa.X.Type(), fa.Field), fa, known)
	}
	return known
}

// inPart is the content of a field of a part of a record where an instruction runs.
func (f *fn) inPart(path *term.Term, name string, at ssa.Instruction, known *term.Term) *term.Term {
	return f.partOf(path, at, known, partRead{
		is: func(field string) (bool, bool) { return field == name, true },
		of: func(whole *term.Term, at ssa.Instruction) *term.Term { return f.ofCopy(name, whole, at) },
	})
}

// partRead is what is read of a part of a record.
type partRead struct {
	is func(field string) (it, sure bool)                    // whether a write goes there
	of func(whole *term.Term, at ssa.Instruction) *term.Term // it in the part as a whole
}

func (f *fn) partOf(path *term.Term, at ssa.Instruction, known *term.Term, read partRead) *term.Term {
	var ws []write
	some := false
	away := f.awayAt(path)
	for i := range f.heap {
		st := &f.heap[i]
		w := st.write
		if it, sure := read.is(st.field); it && st.path != nil && samePlace(st.path, path) {
			w.perhaps = w.perhaps || !sure
			ws, some = append(ws, w), true
		} else if it && f.partHeld(away, st) {
			w.perhaps = true
			ws, some = append(ws, w), true
		} else if val := f.coveredBy(st, path, 0); val != nil {
			w.val = read.of(val, st.at)
			ws = append(ws, w)
		}
	}
	if !some {
		return known
	}
	root := path
	for isPart(root) {
		root = root.Args[0]
	}
	var first ssa.Instruction
	if root.Kind == term.Struct {
		first = f.madeAt(root.Site)
	}
	vals, initially := f.reaching(ws, first, at)
	if initially || len(vals) == 0 {
		vals = append(vals, known)
	}
	return term.NewAlt(vals...)
}

// coveredBy is what a write gives a part of a record as a whole, nil if it does not: the
// part itself is written, or a record around it.
func (f *fn) coveredBy(st *heapStore, path *term.Term, depth int) *term.Term {
	at := st.base
	if st.path != nil {
		at = st.path
	}
	given := func() *term.Term {
		if st.local != nil {
			return f.value(st.local)
		}
		return st.val
	}
	if st.field == wholeMark && samePlace(at, path) {
		return given()
	}
	if !isPart(path) || depth > maxNested {
		return nil
	}
	if outer := path.Args[0]; st.field == path.Str && samePlace(at, outer) {
		return given()
	} else if val := f.coveredBy(st, outer, depth+1); val != nil {
		return f.ofCopy(path.Str, val, st.at)
	}
	return nil
}

// recordPartAt is a record inside another one, with what was written to its fields by way of
// its address.
func (f *fn) recordPartAt(v ssa.Value, at ssa.Instruction, known *term.Term) *term.Term {
	if f.heaped == underWay || known.Kind != term.Struct || known.Site != "" {
		return known // it is asked for its fields by which one it is
	}
	path := f.pathTo(v)
	if path == nil {
		return known
	}
	f.fillHeap()
	names, vals, some := slices.Clone(known.Names), slices.Clone(known.Args), false
	for i := range f.heap {
		st := &f.heap[i]
		if st.path == nil || st.field == wholeMark || !samePlace(st.path, path) {
			continue
		}
		some = true
		v := f.inPart(path, st.field, at, term.NewField(st.field, known))
		if k := slices.Index(names, st.field); k >= 0 {
			vals[k] = v
		} else {
			names, vals = append(names, st.field), append(vals, v)
		}
	}
	if !some {
		return known
	}
	t := term.NewStruct(known.Str, "", names, vals)
	t.Open = t.Kind == term.Struct && known.Open
	return t
}

// withParts gives the records inside others, of which a call is given the addresses, what
// they have then.
func (f *fn) withParts(c ssa.CallInstruction, args []*term.Term) []*term.Term {
	if c.Common().StaticCallee() == nil || f.heaped == underWay {
		return args
	}
	out := args
	for i, v := range c.Common().Args {
		if _, ok := v.(*ssa.FieldAddr); !ok || i >= len(args) {
			continue
		}
		if t := f.recordPartAt(v, c, args[i]); t != args[i] {
			out = slices.Clone(out)
			out[i] = t
		}
	}
	return out
}

// readAt is where the field of a record is read whose address an instruction takes: of a copy
// that nobody changes, where it was made.
func readAt(fa *ssa.FieldAddr, base *term.Term) ssa.Instruction {
	v, ok := fa.X.(*ssa.Alloc)
	if !ok || base.Kind == term.Struct || !kept(v) {
		return fa
	}
	var made *ssa.Store
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok {
			if made != nil {
				return fa
			}
			made = st
		}
	}
	if made == nil {
		return fa
	}
	return made
}

// awayAt lists the addresses of one part of a record that go elsewhere.
func (f *fn) awayAt(path *term.Term) []*ssa.FieldAddr {
	var out []*ssa.FieldAddr
	for _, fa := range f.partsAway() {
		if samePlace(f.pathTo(fa), path) {
			out = append(out, fa)
		}
	}
	return out
}

// partHeld reports whether a part of a record, whose address goes away, may be what a write
// goes to by another name.
func (f *fn) partHeld(away []*ssa.FieldAddr, st *heapStore) bool {
	for _, fa := range away {
		h := f.otherNames(fa)
		if h.seen[name{in: f, v: st.of}] {
			return true
		}
		for _, a := range st.base.Alternatives() {
			if cell := cellOfTerm(unbox(a)); st.of == nil && cell != "" && h.at(cell) {
				return true
			}
		}
	}
	return false
}

// partsAway lists the addresses of records inside others that go elsewhere.
func (f *fn) partsAway() []*ssa.FieldAddr {
	if f.away == nil {
		f.away = []*ssa.FieldAddr{}
		for _, b := range f.f.Blocks {
			for _, in := range b.Instrs {
				if fa, ok := in.(*ssa.FieldAddr); ok && pointsToRecord(fa) && goesAway(fa) {
					f.away = append(f.away, fa)
				}
			}
		}
	}
	return f.away
}
