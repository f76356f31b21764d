package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Writes to what is found somewhere: at a pointer, or into a list or map, that was read from
// a field, a list, a package variable, or that a call gave. To whoever made the thing they
// are writes under another name.

// outsideMark names, in a store, what a pointer, list or map leads to that the function has
// found. Typ of the place is the type of that, the value a pair of key and element; the key
// of a variable is nil.
const outsideMark = "*found"

// outside reports whether the store goes to what was found somewhere.
func (s *Store) outside() bool {
	return s.To.Kind == term.Field && s.To.Str == outsideMark && len(s.Value.Args) == 2
}

// goesInto reports whether the store is one to an argument, or to an element of it.
func (s *Store) goesInto(isIt func(*term.Term) bool) bool {
	if s.To.Kind != term.Field {
		return false
	}
	base := s.To.Args[0]
	for base.Kind == term.Elem {
		base = base.Args[0]
	}
	return isIt(base)
}

// changesElement is the list or map of which the store changes an element in part, nil for
// other stores.
func (s *Store) changesElement() *term.Term {
	if !s.inField() || s.To.Args[0].Kind != term.Elem {
		return nil
	}
	return s.To.Args[0].Args[0]
}

// writesType reports whether the store, by an argument of a type, is one to a thing.
func (s *Store) writesType(thing string, arg types.Type, depth int) bool {
	if s.outside() {
		return s.To.Typ == thing
	}
	return depth == 0 && pointedType(arg) == thing && (s.throughAddress() || s.inElement() && len(s.Value.Args) == 2)
}

// foundWrite is a write to something that a function found.
type foundWrite struct {
	aliasWrite
	base ssa.Value // of one by an instruction
	typ  string
	cell string // where it was found, unfollowed if that is not known
}

const unfollowed = "?"

// cellLoads lists what a function and its literals read from each cell.
func (f *fn) cellLoads() map[string][]name {
	if f.loads == nil {
		f.loads = make(map[string][]name)
		f.eachInstr(func(x *fn, in ssa.Instruction) {
			v, ok := in.(ssa.Value)
			if !ok || !leads(v.Type()) {
				return
			}
			switch in.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr:
				return
			}
			if cell := cellOf(v); cell != "" {
				f.loads[cell] = append(f.loads[cell], name{in: x, v: v})
			}
		})
	}
	return f.loads
}

// leads reports whether values of a type can lead to a thing.
func leads(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// eachInstr visits the instructions of a function and of the literals in it.
func (f *fn) eachInstr(visit func(x *fn, in ssa.Instruction)) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			visit(f, in)
		}
	}
	for _, lit := range f.f.AnonFuncs {
		f.a.function(lit).eachInstr(visit)
	}
}

// fromCells follows the address out of the places that keep it.
func (h *holders) fromCells(f *fn) {
	loads := f.cellLoads()
	for _, cell := range sortedKeys(h.cells) {
		for _, n := range loads[cell] {
			n.depth = h.cells[cell]
			h.uses(n)
		}
	}
}

// outOfSight adds the writes to what was found where the thing may be.
func (h *holders) outOfSight(f *fn) {
	for _, w := range f.foundWrites() {
		if (w.typ == h.typ || w.typ == "" && w.cell != unfollowed) && h.at(w.cell) && (w.base == nil || !h.seen[name{in: w.in, v: w.base}]) {
			h.writes = append(h.writes, w.aliasWrite)
		}
	}
}

// at reports whether the thing can be in a cell.
func (h *holders) at(cell string) bool {
	if cell == unfollowed {
		return h.held
	}
	if _, ok := h.cells[cell]; ok {
		return true
	}
	if cell == anyElement {
		for c := range h.cells {
			if strings.HasPrefix(c, anyElement) {
				return true
			}
		}
	}
	return false
}

const anyElement = "element "

// foundWrites lists the writes of a function, of its literals and of those that it calls,
// to what they found.
func (f *fn) foundWrites() []foundWrite {
	if f.found != nil {
		return f.found
	}
	f.found = []foundWrite{}
	f.eachInstr(func(x *fn, in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			w := foundWrite{aliasWrite: aliasWrite{in: x, at: in, val: in.Val}, base: in.Addr, cell: unfollowed}
			if ia, ok := in.Addr.(*ssa.IndexAddr); ok {
				w.base, w.key = ia.X, ia.Index
			}
			if called(w.base) {
				w.typ = pointedType(w.base.Type())
				f.found = append(f.found, w)
			}
		case *ssa.MapUpdate:
			if called(in.Map) {
				f.found = append(f.found, foundWrite{aliasWrite{in: x, at: in, key: in.Key, val: in.Value}, in.Map, pointedType(in.Map.Type()), unfollowed})
			}
		case ssa.CallInstruction:
			sum := x.staticSummary(in.Common())
			if sum == nil {
				return
			}
			for k := range sum.Stores {
				st := &sum.Stores[k]
				if list := st.changesElement(); list != nil {
					if cell := cellOfTerm(list); cell != "" && cell != unfollowed {
						f.found = append(f.found, foundWrite{aliasWrite: aliasWrite{in: x, at: in, lost: changedInPart}, cell: cell})
					}
				} else if st.outside() {
					if cell := cellOfTerm(st.To.Args[0]); cell != "" {
						f.found = append(f.found, foundWrite{aliasWrite: aliasWrite{in: x, at: in, by: st}, typ: st.To.Typ, cell: cell})
					}
				}
			}
		}
	})
	return f.found
}

// called reports whether a value came out of a call of which it is not known what it gives.
func called(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		return !isBuiltin(v.Common())
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return true
		case *ssa.TypeAssert:
			return called(t.X)
		}
	case *ssa.TypeAssert:
		return called(v.X)
	case *ssa.ChangeType:
		return called(v.X)
	case *ssa.Slice:
		return called(v.X)
	}
	return false
}

// cellOfTerm names the place that a value was read from; "" for what is given by a caller,
// which is followed into the call.
func cellOfTerm(t *term.Term) string {
	switch t.Kind {
	case term.Field:
		return t.Str
	case term.Elem:
		root := t.Args[0]
		for root.Kind == term.Elem {
			root = root.Args[0]
		}
		if root.Kind == term.Param {
			return ""
		}
		return anyElement
	case term.Global:
		return "var " + t.Str
	case term.Param, term.Free, term.Const:
		return ""
	case term.Iface:
		return cellOfTerm(t.Args[0])
	}
	return unfollowed
}

// heldAt reports whether a record that this function makes, or has made, can be what was
// found somewhere else.
func (f *fn) heldAt(site string, found *term.Term) bool {
	if madeHere(found) {
		return false
	}
	v, ok := f.madeAt(site).(*ssa.Alloc)
	if !ok || f.siteOf(v) != site { // a function made it: a loop may have come to it
		return slices.ContainsFunc(found.Alternatives(), isFurtherOn)
	}
	for _, a := range found.Alternatives() {
		if h := f.otherNames(v); isFurtherOn(a) && (h.held || len(h.cells) > 0) {
			return true
		}
		cell := cellOfTerm(unbox(a))
		if cell != "" && a.Kind != term.Struct && f.otherNames(v).at(cell) {
			return true
		}
	}
	return false
}

// madeHere reports whether a record is known to be one that is made in sight, whichever way
// leads to it. Most are, and a long list of them is compared with each other.
func madeHere(found *term.Term) bool {
	if found.Kind == term.Alt {
		return !slices.ContainsFunc(found.Args, func(a *term.Term) bool { return a.Kind != term.Struct })
	}
	return found.Kind == term.Struct
}

// foundStores lists what the function, and those that it calls, write to what they found
// where a caller knows of it.
func (f *fn) foundStores() []Store {
	var out []Store
	add := func(typ string, base, key, val *term.Term) {
		if !visibleBase(base) || base.Size() > maxFound || len(out) >= maxFoundStores {
			return
		}
		if val.Size() > maxFound {
			val = term.NewUnknown(term.TooLarge)
		}
		s := Store{
			To:    &term.Term{Kind: term.Field, Str: outsideMark, Typ: typ, Args: []*term.Term{base}},
			Value: &term.Term{Kind: term.List, Args: []*term.Term{key, val}}, Perhaps: true,
		}
		if !slices.ContainsFunc(out, func(o Store) bool { return o.To.Equal(s.To) && o.Value.Equal(s.Value) }) {
			out = append(out, s)
		}
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				f.foundStore(in, add)
			case *ssa.MapUpdate:
				if found(in.Map) && (canBeToken(in.Value.Type()) || isString(in.Value.Type()) && isConst(in.Key)) {
					add(pointedType(in.Map.Type()), f.value(in.Map), f.value(in.Key), f.value(in.Value))
				}
			case ssa.CallInstruction:
				f.foundByCall(in, add)
			}
		}
	}
	return out
}

// Bounds of such stores in a summary.
const (
	maxFound       = 24
	maxFoundStores = 16
)

func (f *fn) foundStore(in *ssa.Store, add func(typ string, base, key, val *term.Term)) {
	if !canBeToken(in.Val.Type()) {
		return
	}
	if ia, ok := in.Addr.(*ssa.IndexAddr); ok {
		if found(ia.X) {
			add(pointedType(ia.X.Type()), f.value(ia.X), f.value(ia.Index), f.value(in.Val))
		}
	} else if found(in.Addr) {
		add(pointedType(in.Addr.Type()), f.value(in.Addr), term.Nil, f.value(in.Val))
	}
}

// foundByCall adds what a called function writes to what it found, or to what it is given
// that this function found.
func (f *fn) foundByCall(c ssa.CallInstruction, add func(typ string, base, key, val *term.Term)) {
	common := c.Common()
	sum := f.staticSummary(common)
	if sum == nil {
		return
	}
	var sub *term.Subst
	apply := func(t *term.Term) *term.Term {
		if sub == nil {
			sub = f.subst(c, nil)
		}
		return sub.Apply(t)
	}
	for _, st := range sum.Stores {
		switch {
		case st.outside():
			add(st.To.Typ, apply(st.To.Args[0]), apply(st.Value.Args[0]), apply(st.Value.Args[1]))
		case st.To.Kind != term.Field || st.To.Args[0].Kind != term.Param || st.To.Args[0].N >= len(common.Args):
		case st.inElement() || st.throughAddress():
			arg := common.Args[st.To.Args[0].N]
			if !found(arg) || pointsToRecord(arg) {
				continue
			}
			if st.throughAddress() {
				add(pointedType(arg.Type()), apply(st.To.Args[0]), term.Nil, apply(st.Value))
			} else if len(st.Value.Args) == 2 {
				add(pointedType(arg.Type()), apply(st.To.Args[0]), apply(st.Value.Args[0]), apply(st.Value.Args[1]))
			}
		}
	}
}

// found reports whether a pointer, list or map was read from somewhere.
func found(v ssa.Value) bool { return foundIn(v, make(map[ssa.Value]bool)) }

func foundIn(v ssa.Value, seen map[ssa.Value]bool) bool {
	switch v := v.(type) {
	case *ssa.Slice:
		return foundIn(v.X, seen)
	case *ssa.ChangeType:
		return foundIn(v.X, seen)
	case *ssa.Phi:
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return foundIn(e, seen) })
	case *ssa.UnOp:
		at, ok := v.X.(*ssa.Alloc)
		if !ok || v.Op != token.MUL {
			return v.Op == token.MUL || v.Op == token.ARROW
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(*at.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && st.Addr == at && foundIn(st.Val, seen)
		})
	case *ssa.Lookup, *ssa.Index, *ssa.Field, *ssa.TypeAssert, *ssa.Extract:
		return true
	case *ssa.Call:
		return !isBuiltin(v.Common())
	}
	return false
}

// canBeToken reports whether a value of the type can be a token: a number, or anything.
func canBeToken(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsInteger != 0 && u.Kind() != types.Uint8
	case *types.Interface:
		return u.NumMethods() == 0
	}
	return false
}

// keptStores lists the package variables that keep what the function is given.
func (f *fn) keptStores() []Store {
	var out []Store
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !leads(st.Val.Type()) {
				continue
			}
			g, ok := st.Addr.(*ssa.Global)
			if !ok {
				continue
			}
			if v := f.value(st.Val); v.Size() <= maxFound && v.Any(func(u *term.Term) bool { return u.Kind == term.Param }) {
				out = append(out, Store{To: term.NewGlobal(strings.TrimPrefix(globalName(g), "var ")), Value: v, Perhaps: true})
			}
		}
	}
	return out
}
