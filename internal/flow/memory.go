package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// write is an instruction that gives a place a value: a variable, a field, an element.
type write struct {
	at      ssa.Instruction
	val     *term.Term
	find    func() *term.Term // the value, if it is found when somebody asks; nil if it is val
	perhaps bool              // it may leave the place as it is
	beside  bool              // it happens at some time behind the instruction
	late    bool              // it happens when the function ends
}

// value is what is written.
func (w *write) value() *term.Term {
	if w.find != nil {
		return w.find()
	}
	return w.val
}

// reaching lists what can be in a place where an instruction runs, by the writes that no
// other one hides, and reports whether what was there at first can still be there. What
// runs beside is taken to have written once.
func (f *fn) reaching(ws []write, first, at ssa.Instruction) (vals []*term.Term, initially bool) {
	hides := make(map[ssa.Instruction]bool, len(ws)+1)
	beside := false
	for i := range ws {
		if w := &ws[i]; !w.late && !w.beside {
			hides[w.at] = hides[w.at] || !w.perhaps
		}
		beside = beside || ws[i].beside
	}
	if first != nil {
		hides[first] = true
	}
	came := f.cameTo(at, hides)
	for i := range ws {
		w := &ws[i]
		switch {
		case w.late:
			if !atEnd(at) {
				continue
			}
		case w.beside:
			if !comesAfter(w.at, at) || term.IsZero(w.value()) { // whoever clears a token gives none
				continue
			}
		case !came[w.at]:
			continue
		}
		vals = append(vals, w.value())
	}
	if beside {
		for i := range ws {
			hides[ws[i].at] = hides[ws[i].at] || ws[i].beside
		}
		came = f.cameTo(at, hides)
	}
	return vals, came[first]
}

// atEnd reports whether an instruction comes behind the deferred calls.
func atEnd(at ssa.Instruction) bool {
	for _, in := range at.Block().Instrs {
		if _, ok := in.(*ssa.RunDefers); ok {
			return true
		}
		if in == at {
			break
		}
	}
	return false
}

// cameTo tells which of some instructions, nil for the beginning of the function, there is
// a way from to another one that passes none of those that hide what was before.
func (f *fn) cameTo(at ssa.Instruction, hides map[ssa.Instruction]bool) map[ssa.Instruction]bool {
	came := make(map[ssa.Instruction]bool, len(hides)+1)
	marked, seen := newBlocks(at.Parent()), newBlocks(at.Parent())
	for in := range hides {
		if in.Parent() == at.Parent() {
			marked.add(in.Block())
		}
	}
	var room [32]*ssa.BasicBlock
	work := room[:0]
	back := func(b *ssa.BasicBlock, n int) { // from an instruction of a block to those before it
		if marked.has(b) {
			for ; n > 0; n-- {
				in := b.Instrs[n-1]
				if hidden, ok := hides[in]; ok {
					if came[in] = true; hidden {
						return
					}
				}
			}
		}
		if b.Index == 0 {
			came[nil] = true
		}
		for _, p := range b.Preds {
			if f.taken == nil || at.Parent() != f.f || f.taken[edge{p, b}] {
				work = append(work, p)
			}
		}
	}
	back(at.Block(), f.inBlock(at.Block(), at))
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen.add(b) {
			back(b, len(b.Instrs))
		}
	}
	return came
}

// writesTo lists the writes to the place at an address: by this function, by those that
// it gives the address, and by the literals that have it.
func (f *fn) writesTo(addr ssa.Value) []write {
	if addr.Referrers() == nil {
		return nil
	}
	var out []write
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				out = append(out, write{at: r, val: f.value(r.Val)})
			} else if w := f.writtenInList(r, addr); w != nil {
				out = append(out, *w)
			} else if at, ok := r.Addr.(*ssa.Alloc); ok {
				out = append(out, f.writesBy(at)...)
			}
		case *ssa.Phi:
			out = append(out, f.writesThrough(r)...)
		case *ssa.MakeInterface:
			if w := f.writtenBoxed(r); w != nil {
				out = append(out, *w)
			}
		case ssa.CallInstruction:
			if w := f.writtenByCall(r, addr); w != nil {
				out = append(out, *w)
			}
		case *ssa.MakeClosure:
			out = append(out, f.writtenByLiteral(r, addr)...)
		}
	}
	return out
}

// writesBy lists the writes through a variable that has the address of a place: it may
// have that of another one.
func (f *fn) writesBy(pointer ssa.Value) []write {
	var out []write
	for _, r := range *pointer.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			out = append(out, f.writesThrough(r)...)
		case *ssa.MakeClosure:
			lit, _ := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b != pointer || lit == nil || i >= len(lit.FreeVars) {
					continue
				}
				sub := &term.Subst{Params: []*term.Term{}, Free: f.atAnyTime(r)}
				for _, w := range f.a.function(lit).writesBy(lit.FreeVars[i]) {
					out = append(out, write{at: r, val: sub.Apply(w.val), perhaps: true, beside: true})
				}
			}
		}
	}
	return out
}

// writesThrough lists the stores at a pointer that may be the address of a place.
func (f *fn) writesThrough(p ssa.Value) []write {
	var out []write
	for _, u := range *p.Referrers() {
		if st, ok := u.(*ssa.Store); ok && st.Addr == p {
			out = append(out, write{at: st, val: f.value(st.Val), perhaps: true})
		}
	}
	return out
}

// writtenByCall is what a call writes through an address that it is given.
func (f *fn) writtenByCall(c ssa.CallInstruction, addr ssa.Value) *write {
	w := &write{at: c, perhaps: errorDropped(c)}
	if val, how := f.rawAtomic(c); how != notAtomic {
		if how == readsNumber {
			return nil
		}
		w.val, w.perhaps = val, how == triesNumber
	} else if w.val = f.outParam(c, addr, &w.perhaps); w.val == nil || pointsToRecord(addr) && w.val.Kind == term.Call && !decodes(w.val.Str) {
		return nil // a method of a record does not replace it
	}
	_, w.beside = c.(*ssa.Go)
	_, w.late = c.(*ssa.Defer)
	return w
}

// errorDropped reports whether a call gives an error that nothing looks at: it may have
// done nothing.
func errorDropped(c ssa.CallInstruction) bool {
	res := c.Common().Signature().Results()
	n := res.Len()
	if n == 0 || !isError(res.At(n-1).Type()) {
		return false
	}
	v := c.Value()
	if v == nil {
		return true
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if r.Index == n-1 && len(*r.Referrers()) > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// writtenByLiteral lists the writes of a literal to a variable that it captured.
func (f *fn) writtenByLiteral(m *ssa.MakeClosure, addr ssa.Value) []write {
	lit, ok := m.Fn.(*ssa.Function)
	if !ok {
		return nil
	}
	var out []write
	for i, b := range m.Bindings {
		if b != addr || i >= len(lit.FreeVars) {
			continue
		}
		late := onlyDeferred(m)
		for _, w := range f.a.function(lit).writesTo(lit.FreeVars[i]) {
			sub := &term.Subst{Params: []*term.Term{}, Free: f.atAnyTime(m)}
			out = append(out, write{at: m, val: sub.Apply(w.val), beside: !late, late: late})
		}
	}
	return out
}

// atAnyTime lists what the variables hold at any time that a literal captured.
func (f *fn) atAnyTime(m *ssa.MakeClosure) []*term.Term {
	out := make([]*term.Term, len(m.Bindings))
	for i, b := range m.Bindings {
		out[i] = f.value(b)
	}
	return out
}

// onlyDeferred reports whether a literal runs when the function ends, and at no other time.
func onlyDeferred(m *ssa.MakeClosure) bool {
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Defer:
			if r.Call.Value != m {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// load is what the place at an address holds where an instruction reads it: a variable, or
// what a parameter or a captured variable points to.
func (f *fn) load(at ssa.Instruction, addr ssa.Value) *term.Term {
	elem := addr.Type().Underlying().(*types.Pointer).Elem()
	switch elem.Underlying().(type) {
	case *types.Struct:
		return f.loadRecord(at, addr)
	case *types.Array:
		return f.value(addr)
	}
	ws := append(f.writesTo(addr), f.writesUnder(addr)...)
	if len(ws) == 0 {
		return f.value(addr)
	}
	first, own := addr.(*ssa.Alloc)
	var vals []*term.Term
	initially := false
	if own {
		vals, initially = f.reaching(ws, first, at)
		initially = initially && isNumber(elem)
	} else {
		vals, initially = f.reaching(ws, nil, at)
	}
	switch {
	case initially && own:
		vals = append(vals, term.NewConst("zero", "0"))
	case initially || len(vals) == 0:
		vals = append(vals, f.value(addr))
	}
	return term.NewAlt(vals...)
}

// loadRecord is a record where it is read as a whole. Of one that nobody else can reach all
// fields are known: those that are not set are zero.
func (f *fn) loadRecord(at ssa.Instruction, addr ssa.Value) *term.Term {
	t := f.value(addr)
	v, ok := addr.(*ssa.Alloc)
	if !ok || t.Kind != term.Struct || t.Site == "" || t.Open || f.heaped == underWay {
		return t
	}
	f.fillHeap()
	if !kept(v) {
		return f.setBeside(t, at)
	}
	vals := slices.Clone(t.Args)
	for i, name := range t.Names {
		ws := f.writesOf(name, t)
		if len(ws) == 0 {
			continue
		}
		some, initially := f.reaching(ws, v, at)
		if initially {
			some = append(some, term.NewConst("zero", "0"))
		}
		if len(some) > 0 {
			vals[i] = term.NewAlt(some...)
		}
	}
	return term.NewStruct(t.Str, "", t.Names, vals)
}

// setBeside is a record where it is read as a whole, with what literals set in fields that
// are not set otherwise.
func (f *fn) setBeside(t *term.Term, at ssa.Instruction) *term.Term {
	names, vals := t.Names, t.Args
	for st := range f.storesBeside() {
		if !st.beside || strings.Contains(st.field, "[") || st.field == wholeMark || slices.Contains(names, st.field) || !samePlace(st.base, t) {
			continue
		}
		if v := f.fieldAt(st.field, t, at); v.Kind != term.Field {
			names, vals = append(slices.Clone(names), st.field), append(slices.Clone(vals), v)
		}
	}
	return term.NewStruct(t.Str, t.Site, names, vals)
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// loadable reports whether what is at an address is followed write by write.
func loadable(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.Parameter, *ssa.FreeVar:
		_, ok := addr.Type().Underlying().(*types.Pointer)
		return ok
	}
	return false
}

// captured is what a literal finds in a variable, whenever it runs: what is there when it
// is made, or what is put there later.
func (f *fn) captured(m *ssa.MakeClosure, b ssa.Value) *term.Term {
	v, ok := b.(*ssa.Alloc)
	if !ok {
		return f.value(b)
	}
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	if !isNumber(elem) {
		return f.value(b)
	}
	if countsAttempts(m, v) {
		return term.NewCall(AttemptCounter, f.siteOf(m), 0)
	}
	ws := append(f.writesTo(v), f.writesUnder(v)...)
	vals, initially := f.reaching(ws, v, m)
	later := false
	for i := range ws {
		if w := &ws[i]; w.beside && w.at != ssa.Instruction(m) || comesAfter(m, w.at) {
			vals, later = append(vals, w.val), true
		}
	}
	if initially && !later || len(vals) == 0 {
		vals = append(vals, term.NewConst("zero", "0"))
	}
	return term.NewAlt(vals...)
}

func pointsToRecord(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	return ok && isRecord(p.Elem())
}
