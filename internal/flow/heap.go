package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// heapStore is a write to a field that this function sees happen.
type heapStore struct {
	write
	field string
	base  *term.Term
	path  *term.Term        // to the part of a record that base is, nil if it is none
	of    ssa.Value         // the address of the record, if an instruction writes
	own   *ssa.Alloc        // the function's own variable, if it is one
	local ssa.Value         // what is stored in that
	again func() *term.Term // what base is once it is known what fields hold; nil if that is the same
	asked int               // how often that was asked for without an answer
	keeps []string          // the fields that a write to the whole record leaves as they are
	anew  func() *term.Term // what is stored once it is known what fields hold; nil if that is the same
	busy  bool              // that is being found
	tried int               // how often it was
}

// stored is what a store stores.
func (f *fn) stored(st *heapStore) *term.Term {
	switch {
	case st.anew == nil || f.heaped != finished:
		return st.val
	case st.busy:
		return term.NewUnknown(term.FromItself)
	}
	st.busy = true
	v := st.anew()
	st.busy = false
	if st.tried++; !v.Any(fromItself) || st.tried == maxAsked {
		st.val, st.anew = v, nil
	}
	return v
}

// wholeMark names, in a store, all that a place holds.
const wholeMark = "*"

// fieldAt is the content of a field where the instruction at runs: what the last
// assignment on each path to it stored, or what anybody may have stored.
func (f *fn) fieldAt(name string, base *term.Term, at ssa.Instruction) *term.Term {
	t := f.storedAt(name, base, at)
	if f.indexed && f.heaped == finished {
		return f.withIndexed(part(name, whichOne(base)), at, t)
	}
	return t
}

func (f *fn) storedAt(name string, base *term.Term, at ssa.Instruction) *term.Term {
	if isHeader(name) {
		return f.headerAt(name, base, at)
	}
	if base.Kind == term.Alt {
		base = term.Present(base)
	}
	if base.Kind == term.Alt {
		var out []*term.Term
		for _, b := range f.a.withoutFailed(name, base) {
			out = append(out, f.fieldAt(name, b, at))
		}
		return term.NewAlt(out...)
	}
	plain := term.NewField(name, base)
	if base.Kind == term.Unknown || base.Kind == term.Const || f.heaped == underWay {
		return plain
	}
	f.fillHeap()
	ws := f.writesOf(name, base)
	if len(ws) == 0 {
		if f.leftZero(name, base) {
			return term.NewConst("zero", "0")
		}
		if plain.Kind == term.Field && base.Kind == term.Struct && !base.Open {
			if v, ok := f.madeAt(base.Site).(*ssa.Alloc); ok && f.siteOf(v) == base.Site && kept(v) {
				return term.NewConst("zero", "0")
			}
		}
		return f.emptyAtFirst(base, name, plain)
	}
	var first ssa.Instruction
	if base.Kind == term.Struct {
		first = f.madeAt(base.Site)
	}
	vals, initially := f.reaching(ws, first, at)
	if initially {
		if v, ok := first.(*ssa.Alloc); ok && f.siteOf(v) == base.Site && isNumber(fieldTypeOf(v, name)) && !f.filledUnseen(base) {
			plain = term.NewConst("zero", "0")
		}
		vals = append(vals, f.emptyAtFirst(base, name, plain))
	}
	if len(vals) == 0 {
		return plain
	}
	return term.NewAlt(vals...)
}

// fieldTypeOf is the type of a field of a variable's own record.
func fieldTypeOf(v *ssa.Alloc, name string) types.Type {
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	if st, ok := elem.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if strings.HasSuffix(name, st.Field(i).Name()) && fieldName(v.Type(), i) == name {
				return st.Field(i).Type()
			}
		}
	}
	return types.Typ[types.Invalid]
}

// writesOf lists what the heap has of the field of a record.
func (f *fn) writesOf(name string, base *term.Term) []write {
	var out []write
	for st := range f.storesOf(name, base) {
		if st.field != name && st.field != wholeMark || slices.Contains(st.keeps, name) {
			continue
		}
		one, some := f.meets(st, base)
		if !some && (base.Kind != term.Struct || base.Site == "" || !f.heldAt(base.Site, st.base)) {
			continue
		}
		w := st.write
		w.perhaps = w.perhaps || !one
		if st.anew != nil && st.field != wholeMark {
			w.find = func() *term.Term { return f.stored(st) }
		}
		if st.local != nil {
			w.val = f.value(st.local)
		}
		if st.field == wholeMark {
			if st.own != nil && isRecord(fieldTypeOf(st.own, name)) {
				continue // its parts are in the term of the struct
			}
			w.val = f.ofCopy(name, w.val, st.at)
		}
		out = append(out, w)
	}
	return out
}

// maxCopies bounds the copies of a record that are followed back.
const maxCopies = 4

// copied is a field of a record where an instruction copies that, so many copies back.
type copied struct {
	name string
	from *term.Term
	at   ssa.Instruction
	back int
}

// ofCopy is a field of a record that is copied by an instruction. Records that are copied
// to and fro on several ways come to the same copy again and again: each is followed once
// for one question.
func (f *fn) ofCopy(name string, from *term.Term, at ssa.Instruction) *term.Term {
	switch from.Kind {
	case term.Struct, term.Field, term.Param, term.Free:
	default:
		return term.NewField(name, from)
	}
	if f.followed >= maxCopies {
		return term.NewField(name, from)
	}
	k := copied{name, from, at, f.followed}
	if f.followed == 0 {
		f.atCopies = nil // what was found while other values were under way
	} else if t := f.atCopies[k]; t != nil {
		return t
	}
	f.followed++
	t := f.fieldAt(name, from, at)
	if f.followed--; f.followed > 0 {
		if f.atCopies == nil {
			f.atCopies = make(map[copied]*term.Term)
		}
		f.atCopies[k] = t
	}
	return t
}

// meets reports whether a write is one to the given record alone, and whether it can be
// one to it.
func (f *fn) meets(st *heapStore, base *term.Term) (one, some bool) {
	if samePlace(st.base, base) {
		return true, true
	}
	f.findBase(st)
	alts := st.base.Alternatives()
	if st.base.Kind == term.Elem { // under a key that is not known
		alts = term.Settle(st.base).Alternatives()
	}
	some = slices.ContainsFunc(alts, func(a *term.Term) bool { return samePlace(unbox(a), base) })
	return some && len(alts) == 1, some
}

// samePlace reports whether two records are one. What is known of its content is no matter.
func samePlace(a, b *term.Term) bool {
	if a.Kind != b.Kind || a.Str != b.Str {
		return false
	}
	switch a.Kind {
	case term.Struct:
		if a.Site != "" || b.Site != "" {
			return a.Site == b.Site
		}
	case term.Field:
		return samePlace(a.Args[0], b.Args[0])
	case term.Call:
		if a.Site != "" && a.Site == b.Site && a.N == b.N {
			return true
		}
	}
	return a.Equal(b)
}

// fillHeap collects the assignments to fields, by this function, by those that it calls,
// and by literals that run later. The values met on the way are computed without the heap,
// and forgotten again.
func (f *fn) fillHeap() {
	if f.heaped != untouched {
		return
	}
	f.heaped = underWay
	kept := f.values
	f.values = make(map[ssa.Value]*term.Term)
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			f.heapOf(in)
		}
	}
	f.values = kept
	f.heaped = finished
}

func (f *fn) heapOf(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		f.heapOfField(in)
	case *ssa.Store:
		f.heapOfWhole(in)
	case ssa.CallInstruction:
		f.heapOfCall(in)
		if c, ok := in.(*ssa.Call); ok {
			f.heapOfSetter(c)
			f.heapOfHeader(c)
		}
	case *ssa.MakeClosure:
		f.heapOfLiteral(in)
	case *ssa.Convert:
		f.heapOfUnsafe(in)
	case *ssa.MakeInterface:
		f.heapOfDecoded(in)
	case *ssa.MapUpdate:
		f.heapOfMapUpdate(in)
		f.heapOfMapEntry(in)
	}
}

// heapOfField notes what is written at the address of a field.
func (f *fn) heapOfField(fa *ssa.FieldAddr) {
	f.heapOfArray(fa)
	own, local := fa.X.(*ssa.Alloc)
	if local && pointsToRecord(fa) {
		f.heapOfPart(fa)
		return // its parts are in the term of the struct
	}
	var base, path *term.Term
	for _, w := range append(f.writesTo(fa), f.writesUnder(fa)...) {
		if base == nil {
			base, path = f.placeOf(fa.X), f.pathTo(fa.X)
		}
		st := heapStore{write: w, field: f.a.known.field(fa.X.Type(), fa.Field), base: base, path: path, of: fa.X, again: f.later(base, fa.X)}
		if local {
			st.own = own
			if s, ok := w.at.(*ssa.Store); ok && s.Addr == fa {
				st.local = s.Val
			}
		}
		f.heap = append(f.heap, st)
	}
}

// heapOfPart notes what is written to a record inside a variable as a whole.
func (f *fn) heapOfPart(fa *ssa.FieldAddr) {
	for _, w := range f.writesTo(fa) {
		f.heap = append(f.heap, heapStore{write: w, field: wholeMark, base: term.NewUnknown("a part"), path: f.pathTo(fa)})
	}
}

// isRecord reports whether values of a type have parts.
func isRecord(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// placeOf is the record at an address. Of a variable it is only said which one.
func (f *fn) placeOf(v ssa.Value) *term.Term {
	t := f.value(v)
	if _, ok := v.(*ssa.Alloc); ok && t.Kind == term.Struct && t.Site != "" {
		return term.NewStruct(t.Str, t.Site, nil, nil)
	}
	return t
}

// later computes a base again that is what a field holds.
func (f *fn) later(base *term.Term, v ssa.Value) func() *term.Term {
	if !isField(base) {
		return nil
	}
	return func() *term.Term { return goneOn(f.value(v)) }
}

// isField reports whether a term is what a field holds, or may be.
func isField(t *term.Term) bool {
	return slices.ContainsFunc(t.Alternatives(), func(a *term.Term) bool { return a.Kind == term.Field })
}

// heapOfWhole notes that a record is given another content.
func (f *fn) heapOfWhole(st *ssa.Store) {
	p, ok := st.Addr.Type().Underlying().(*types.Pointer)
	if !ok {
		return
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return
	}
	switch addr := st.Addr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
		return
	case *ssa.Alloc:
		f.heap = append(f.heap, heapStore{write: write{at: st}, field: wholeMark, base: f.placeOf(addr), local: st.Val, own: addr})
		return
	}
	base := f.value(st.Addr)
	f.heap = append(f.heap, heapStore{write: write{at: st, val: f.value(st.Val)}, field: wholeMark, base: base, again: f.later(base, st.Addr)})
}

// heapOfDecoded notes that a record is filled from outside: with what it is given there.
func (f *fn) heapOfDecoded(m *ssa.MakeInterface) {
	by := takenBy(m)
	if by == nil || !pointsToRecord(m.X) {
		return
	}
	if callKey(by.Common()) == "reflect.ValueOf" && f.setsByReflection() {
		w := write{at: by, val: term.NewUnknown("what reflection sets"), perhaps: true, beside: true}
		f.heap = append(f.heap, heapStore{write: w, field: wholeMark, base: f.placeOf(m.X)})
		return
	}
	if scansInto(by, m) {
		if w := f.writtenBoxed(m); w != nil {
			h := heapStore{write: *w, field: wholeMark, base: f.placeOf(m.X)}
			h.own, _ = m.X.(*ssa.Alloc)
			f.heap = append(f.heap, h)
		}
		return
	}
	row := readsInto(by)
	if f.reads(by) && !row || (row || f.reads(by)) && givesRecord(callKey(by.Common())) {
		h := heapStore{write: write{at: by, val: f.read(by, m)}, field: wholeMark, base: f.placeOf(m.X)}
		h.own, _ = m.X.(*ssa.Alloc)
		f.heap = append(f.heap, h)
		return
	}
	if !row && f.decodedInto(m) == nil {
		return
	}
	w := *f.writtenBoxed(m)
	if dropped := w.perhaps; dropped {
		w.val = term.NewAlt(w.val, term.NewStruct(typeName(deref(m.X.Type())), "", nil, nil))
	} else if w.val.Kind == term.Call && !row {
		w.perhaps = true // what is not in the text stays as it is
	}
	h := heapStore{write: w, field: wholeMark, base: f.placeOf(m.X)}
	h.own, _ = m.X.(*ssa.Alloc)
	if key := callKey(by.Common()); decodes(key) {
		if p, ok := types.Unalias(m.X.Type()).(*types.Pointer); ok {
			h.keeps, _ = leftOut(p, key)
		}
	}
	f.heap = append(f.heap, h)
}

// stores lists the assignments that a caller can see.
func (f *fn) stores() []Store {
	f.fillHeap()
	out := f.texts()
	for i := range f.heap {
		st := &f.heap[i]
		if st.own != nil || !visibleBase(st.place()) {
			continue
		}
		if _, one := st.at.(*ssa.Store); one && st.field == wholeMark {
			if _, param := st.at.(*ssa.Store).Addr.(*ssa.Parameter); param {
				continue // it is among those through the address
			}
		}
		to := &term.Term{Kind: term.Field, Str: st.field, Args: []*term.Term{goneOn(st.place())}}
		out = append(out, Store{To: to, Value: f.settledAt(st), Perhaps: f.leaves(&st.write)})
	}
	for i, p := range f.f.Params {
		if _, ok := p.Type().Underlying().(*types.Pointer); !ok {
			continue
		}
		to := &term.Term{Kind: term.Field, Str: wholeMark, Args: []*term.Term{term.NewParam(i)}}
		for _, w := range f.writesTo(p) {
			out = append(out, Store{To: to, Value: w.val, Perhaps: f.leaves(&w)})
		}
	}
	out = append(out, f.elements()...)
	out = append(out, f.foundStores()...)
	out = append(out, f.keptStores()...)
	if len(out) > maxStores {
		out = out[:maxStores]
	}
	return out
}

// place is the record that a store goes to, in terms of which a caller can tell which one it
// is.
func (st *heapStore) place() *term.Term {
	if st.path != nil && visibleBase(st.path) && !st.path.Any(func(u *term.Term) bool { return u.Kind == term.Struct }) {
		return st.path
	}
	return st.base
}

// goneOn is a record in which what a loop found by way of itself has a name of its own: it is
// no record that is still to be found.
func goneOn(t *term.Term) *term.Term {
	if t.Kind != term.Alt || !slices.ContainsFunc(t.Args, fromItself) {
		return t
	}
	alts := slices.Clone(t.Args)
	for i := range alts {
		if fromItself(alts[i]) {
			alts[i] = term.NewUnknown(furtherOn)
		}
	}
	return term.NewAlt(alts...)
}

const furtherOn = "a record to which a loop goes on"

func isFurtherOn(t *term.Term) bool { return t.Kind == term.Unknown && t.Str == furtherOn }

// leaves reports whether a write may leave its place as it is, when the function has ended
// without an error.
func (f *fn) leaves(w *write) bool { return w.perhaps || w.beside || !onEachWay(w.at, f.f) }

// maxStores bounds the assignments of one summary; what is left out is missing
// as a value, so that it counts as unknown.
const maxStores = 64

// settledAt evaluates a stored value with the heap in place.
func (f *fn) settledAt(h *heapStore) *term.Term {
	if st, ok := h.at.(*ssa.Store); ok {
		return f.value(st.Val)
	}
	return h.val
}

func visibleBase(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		return u.Kind == term.Param || u.Kind == term.Free || u.Kind == term.Global || u.Kind == term.Struct || makesRequest(u)
	})
}
