package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Other names of what is made here. A variable, list or map is written to under the name by
// which it was made, which memory.go and elements.go follow, and under any other name that
// its address has: one kept in a field, in a list, sent on a channel, given back by a
// function. Where the address goes is followed here, by the code alone: what is written is
// computed when it is asked for. What is kept under a field is found wherever that field is
// read, whoever's it is.

// holders is who else has the address of one thing.
type holders struct {
	typ    string         // of what is held, as stores out of sight name it
	seen   map[name]bool  // values that are the address
	cells  map[string]int // places that keep it, and how far the address is behind what they hold
	held   bool           // something that is not followed has it
	writes []aliasWrite
}

// name is a value by which a thing can be had.
type name struct {
	in      *fn // the function that made the thing, or a literal in it
	v       ssa.Value
	depth   int  // how many pointers lie between
	direct  bool // stores through it are known where the thing is made
	shifted bool // it is a part of a list
}

// otherNames tells where the address of a thing goes that this function makes.
func (f *fn) otherNames(made ssa.Value) *holders {
	if h := f.holders[made]; h != nil {
		return h
	}
	h := &holders{}
	if f.holders == nil {
		f.holders = make(map[ssa.Value]*holders)
	}
	f.holders[made] = h
	if !goesAway(made) {
		return h
	}
	h.typ, h.seen, h.cells = pointedType(made.Type()), make(map[name]bool), make(map[string]int)
	h.uses(name{in: f, v: made, direct: true})
	for n := -1; len(h.cells) > 0 && n != len(h.seen); {
		n = len(h.seen)
		h.fromCells(f)
	}
	if len(h.cells) > 0 && !h.held {
		h.held = slices.ContainsFunc(f.givenToCalls(), h.takenBy)
	}
	if h.held || len(h.cells) > 0 {
		h.outOfSight(f)
	}
	return h
}

// goesAway reports whether an address goes anywhere but into loads and stores.
func goesAway(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Val == v
		case *ssa.MapUpdate:
			return r.Map != v
		case *ssa.UnOp, *ssa.DebugRef, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Lookup, *ssa.Range, *ssa.Return, *ssa.Index, *ssa.BinOp:
			return false
		}
		return true
	})
}

// pointedType is the type of what an address leads to, and of a list or map itself; "" for
// one that is not known, in code for several types.
func pointedType(t types.Type) string {
	list, elem := "", t.Underlying()
	switch u := elem.(type) {
	case *types.Pointer:
		elem = u.Elem()
		if a, ok := elem.Underlying().(*types.Array); ok {
			list, elem = "[]", a.Elem()
		}
	case *types.Slice:
		list, elem = "[]", u.Elem()
	case *types.Map:
		if _, open := types.Unalias(u.Elem()).(*types.TypeParam); open {
			return ""
		}
	}
	if _, open := types.Unalias(elem).(*types.TypeParam); open {
		return ""
	}
	return list + types.TypeString(elem, nil)
}

func elementCell(t types.Type) string { return "element " + types.TypeString(t, nil) }

// cellOf names the place that an address leads to, or that a value was read from: all that a
// field holds, whoever's it is, and all that is kept in lists, maps and channels of one
// type; "" for others.
func cellOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return fieldName(v.X.Type(), v.Field)
	case *ssa.Field:
		return fieldName(v.X.Type(), v.Field)
	case *ssa.IndexAddr:
		return elementCell(deref(v.Type()))
	case *ssa.Global:
		return globalName(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.ARROW:
			return elementCell(v.Type())
		case token.MUL:
			return cellOf(v.X)
		}
	case *ssa.Lookup, *ssa.Index:
		return elementCell(v.Type())
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Next, *ssa.Lookup, *ssa.UnOp, *ssa.Select:
			return elementCell(v.Type())
		}
	}
	return ""
}

// uses looks at what is done with one name.
func (h *holders) uses(n name) {
	if h.seen[n] || n.v.Referrers() == nil || len(h.seen) > maxNames {
		h.held = h.held || len(h.seen) > maxNames
		return
	}
	h.seen[n] = true
	for _, r := range *n.v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			switch {
			case r.Val == n.v:
				h.keptAt(n, r.Addr)
			case n.depth == 0 && !n.direct && pointedType(n.v.Type()) == h.typ:
				h.writes = append(h.writes, aliasWrite{in: n.in, at: r, val: r.Val})
			}
		case *ssa.MapUpdate:
			switch {
			case r.Value == n.v || r.Key == n.v:
				h.keep(elementCell(n.v.Type()), n.depth)
			case n.depth == 0 && !n.direct:
				h.writes = append(h.writes, aliasWrite{in: n.in, at: r, key: r.Key, val: r.Value})
			}
		case *ssa.IndexAddr:
			if r.X == n.v && n.depth == 0 {
				h.element(n, r)
			}
		case *ssa.MakeClosure:
			h.captured(n, r)
		case ssa.CallInstruction:
			h.call(n, r)
		case *ssa.Send, *ssa.Select:
			h.keep(elementCell(n.v.Type()), n.depth)
		default:
			h.follow(n, r)
		}
	}
}

// maxNames bounds the names of a thing that are followed.
const maxNames = 200

// follow goes on with what an instruction makes of a name.
func (h *holders) follow(n name, r ssa.Instruction) {
	next := name{in: n.in, depth: n.depth, shifted: n.shifted}
	switch r := r.(type) {
	case *ssa.UnOp:
		if r.Op != token.MUL || n.depth == 0 {
			return
		}
		next.v, next.depth = r, n.depth-1
	case *ssa.Slice:
		next.v, next.direct, next.shifted = r, n.direct && r.Low == nil, n.shifted || r.Low != nil
	case *ssa.Convert:
		if !isUnsafe(r.Type()) && !isUnsafe(n.v.Type()) {
			return
		}
		next.v = r
	case *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		next.v = r.(ssa.Value)
	case *ssa.Extract:
		if r.Index != 0 {
			return
		}
		next.v = r
	default:
		return
	}
	h.uses(next)
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// element notes what is stored in an element under another name, and that the address of one
// goes elsewhere.
func (h *holders) element(n name, ia *ssa.IndexAddr) {
	for _, r := range *ia.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			switch {
			case r.Val == ia:
				h.writes = append(h.writes, aliasWrite{in: n.in, at: r, lost: "an element whose address is kept"})
			case !n.direct:
				w := aliasWrite{in: n.in, at: r, key: ia.Index, val: r.Val}
				if n.shifted {
					w.key, w.lost = nil, ""
				}
				h.writes = append(h.writes, w)
			}
		case *ssa.FieldAddr:
			if !n.direct && len(storesIn(r)) > 0 {
				h.writes = append(h.writes, aliasWrite{in: n.in, at: r, lost: changedInPart})
			}
		}
	}
}

// storesIn lists the stores to a field and the fields of it.
func storesIn(fa *ssa.FieldAddr) []*ssa.Store {
	var out []*ssa.Store
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == fa {
				out = append(out, r)
			}
		case *ssa.FieldAddr:
			out = append(out, storesIn(r)...)
		}
	}
	return out
}

func (h *holders) keep(cell string, depth int) { h.cells[cell] = max(h.cells[cell], depth) }

// keptAt notes that the address is stored somewhere.
func (h *holders) keptAt(n name, addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.Alloc:
		h.uses(name{in: n.in, v: a, depth: n.depth + 1})
	case *ssa.FieldAddr:
		h.keep(cellOf(a), n.depth)
	case *ssa.IndexAddr:
		h.keep(cellOf(a), n.depth)
		if list, ok := a.X.(*ssa.Alloc); ok { // it may be the list of arguments of a call
			h.uses(name{in: n.in, v: list, depth: n.depth + 1})
		}
	case *ssa.Global:
		h.keep(cellOf(a), n.depth)
		h.held = true
	default:
		h.held = true
	}
}

// captured follows a name into a literal.
func (h *holders) captured(n name, m *ssa.MakeClosure) {
	lit, ok := m.Fn.(*ssa.Function)
	if !ok {
		return
	}
	for i, b := range m.Bindings {
		if b == n.v && i < len(lit.FreeVars) {
			h.uses(name{in: n.in.a.function(lit), v: lit.FreeVars[i], depth: n.depth, direct: n.direct, shifted: n.shifted})
		}
	}
}

// call follows a name into a call.
func (h *holders) call(n name, c ssa.CallInstruction) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		h.builtin(n, c, b.Name())
		return
	}
	sum := n.in.staticSummary(common)
	for i, a := range common.Args {
		if a != n.v {
			continue
		}
		h.held = h.held || slices.ContainsFunc(common.Args, h.takenByLiteral)
		if sum == nil {
			h.held = h.held || common.StaticCallee() == nil || givesOut(common)
			continue
		}
		isIt := func(u *term.Term) bool { return u.Kind == term.Param && u.N == i }
		for k := range sum.Stores {
			h.storedBy(n, c, &sum.Stores[k], isIt)
		}
		for k, t := range sum.Results {
			if t != nil && t.Any(isIt) {
				h.result(n, c, k, t, isIt)
			}
		}
	}
}

// takenByLiteral reports whether a value is a function that may be given the thing.
func (h *holders) takenByLiteral(v ssa.Value) bool {
	lit := functionIn(v)
	return lit != nil && h.takenBy(lit)
}

func (h *holders) takenBy(lit *ssa.Function) bool {
	return slices.ContainsFunc(lit.Params, func(p *ssa.Parameter) bool { return pointedType(p.Type()) == h.typ })
}

// functionIn is the function that a value is, nil for others.
func functionIn(v ssa.Value) *ssa.Function {
	if c, ok := v.(*ssa.ChangeType); ok { // to a named type of functions
		v = c.X
	}
	if m, ok := v.(*ssa.MakeClosure); ok {
		v = m.Fn
	}
	lit, _ := v.(*ssa.Function)
	return lit
}

// givenToCalls lists the functions that the calls of a function and of its literals are
// given.
func (f *fn) givenToCalls() []*ssa.Function {
	if f.given != nil {
		return f.given
	}
	f.given = []*ssa.Function{}
	f.eachInstr(func(_ *fn, in ssa.Instruction) {
		if c, ok := in.(ssa.CallInstruction); ok {
			for _, v := range c.Common().Args {
				if lit := functionIn(v); lit != nil && !slices.Contains(f.given, lit) {
					f.given = append(f.given, lit)
				}
			}
		}
	})
	return f.given
}

// storedBy notes what a store of a called function does with a name that it is given.
func (h *holders) storedBy(n name, c ssa.CallInstruction, st *Store, isIt func(*term.Term) bool) {
	if st.goesInto(isIt) && (!n.direct || n.depth > 0) && st.writesType(h.typ, n.v.Type(), n.depth) {
		h.writes = append(h.writes, aliasWrite{in: n.in, at: c, by: st})
	}
	if list := st.changesElement(); list != nil && !n.direct && n.depth == 0 && isIt(list) {
		h.writes = append(h.writes, aliasWrite{in: n.in, at: c, lost: changedInPart})
	}
	if st.outside() || !st.Value.Any(isIt) {
		return
	}
	switch {
	case st.To.Kind == term.Global:
		h.keep("var "+st.To.Str, n.depth)
		h.held = true
	case st.inField():
		h.keep(st.To.Str, n.depth)
	default:
		h.held = true
	}
}

// result follows a name into what a call gives back: the address itself, or something that
// has it.
func (h *holders) result(n name, c ssa.CallInstruction, k int, t *term.Term, isIt func(*term.Term) bool) {
	if slices.ContainsFunc(t.Alternatives(), func(a *term.Term) bool { return isIt(unbox(a)) }) {
		if v := resultOf(c, k); v != nil {
			h.uses(name{in: n.in, v: v, depth: n.depth})
		}
		return
	}
	h.inside(t, n.depth, isIt)
}

// inside notes the fields that hold the address in a value that is given back.
func (h *holders) inside(t *term.Term, depth int, isIt func(*term.Term) bool) {
	for i, a := range t.Args {
		switch {
		case !a.Any(isIt):
		case t.Kind == term.Struct && t.Str != "map" && i < len(t.Names) && isIt(unbox(a)):
			h.keep(t.Names[i], depth)
		case t.Kind == term.Closure || t.Kind == term.Bound || isIt(a) && t.Kind != term.Alt && t.Kind != term.Iface:
			h.held = h.held || t.Kind != term.Field && t.Kind != term.Call && t.Kind != term.Op && t.Kind != term.Convert
		default:
			h.inside(a, depth, isIt)
		}
	}
}

// resultOf is the value that a result of a call becomes, nil if nobody asks for it.
func resultOf(c ssa.CallInstruction, k int) ssa.Value {
	call := c.Value()
	if call == nil {
		return nil
	}
	if c.Common().Signature().Results().Len() == 1 {
		return call
	}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == k {
			return x
		}
	}
	return nil
}

func (h *holders) builtin(n name, c ssa.CallInstruction, what string) {
	args := c.Common().Args
	if len(args) == 0 || args[0] != n.v || n.depth > 0 {
		return
	}
	switch {
	case what == "append":
		if v := c.Value(); v != nil {
			h.uses(name{in: n.in, v: v, shifted: n.shifted})
		}
	case n.direct:
	case what == "copy":
		h.writes = append(h.writes, aliasWrite{in: n.in, at: c, lost: "an element that is copied"})
	case what == "delete":
		h.writes = append(h.writes, aliasWrite{in: n.in, at: c, key: args[1]})
	case what == "clear":
		h.writes = append(h.writes, aliasWrite{in: n.in, at: c, lost: "an element of a map that is cleared"})
	}
}

// lenders are the functions of the standard library that keep what they are given, to give
// it out again.
var lenders = set("Put", "Store", "Swap", "CompareAndSwap", "LoadOrStore", "PushBack", "PushFront", "InsertBefore", "InsertAfter")

func givesOut(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil {
		return false
	}
	callee = origin(callee)
	if callee.Pkg == nil || !lenders[callee.Name()] {
		return false
	}
	switch callee.Pkg.Pkg.Path() {
	case "sync", "sync/atomic", "container/list":
		return true
	}
	return false
}
