package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A version guards what lies between its read and the write. Where an object is read only to
// be overwritten with what was decided before, that is next to nothing.

// overwrites reports whether an object was read in this function, and is changed before an
// instruction by values that do not come from what was read, and that no decision about
// it led to.
func (f *fn) overwrites(v ssa.Value, at ssa.CallInstruction) bool {
	read := map[ssa.Value]bool{}
	obj := original(v)
	f.sources(obj, read)
	if len(read) == 0 || !f.readsObject(read) {
		return false
	}
	read[v], read[obj] = true, true
	o := &overwriting{f: f, read: read, at: at, seen: map[ssa.Value]bool{}}
	for x := range read {
		o.putInto(x)
	}
	if unwrapped := unwrap(v); unwrapped != v {
		o.putInto(unwrapped)
	}
	return o.given && !o.derived && !o.decided()
}

// maxPutIn bounds the values that are kept of what is put into an object.
const maxPutIn = 8

// putIn are the values that are put, before an instruction, into an object which this function
// has read, each behind the name of the field, or the key of the map, that gets it.
func (f *fn) putIn(v ssa.Value, at ssa.CallInstruction) []*term.Term {
	read := map[ssa.Value]bool{}
	f.sources(original(v), read)
	o := &overwriting{f: f, read: read, at: at, seen: map[ssa.Value]bool{}}
	for x := range read {
		o.putInto(x)
	}
	if u := unwrap(v); len(read) > 0 && u != v {
		o.putInto(u)
	}
	var out []*term.Term
	for _, p := range o.places {
		if t := f.value(p.val); t.Kind != term.Const && len(out) < maxPutIn && f.before(p.by, at) {
			out = append(out, term.NewList(false, f.placeName(p), t))
		}
	}
	slices.SortFunc(out, func(a, b *term.Term) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// placeName is the key of the map, or the name of the field, that a value is put into.
func (f *fn) placeName(p place) *term.Term {
	if p.key != nil {
		return f.value(p.key)
	}
	if fa, ok := p.part.(*ssa.FieldAddr); ok {
		name := f.a.known.field(fa.X.Type().Underlying().(*types.Pointer).Elem(), fa.Field)
		return term.NewString(name[strings.LastIndexByte(name, '.')+1:])
	}
	return term.NewUnknown("a place without a name")
}

// sources collects the values that an object may be, as far as calls made them here.
func (f *fn) sources(v ssa.Value, out map[ssa.Value]bool) {
	switch x := v.(type) {
	case *ssa.Phi:
		if out[x] {
			return
		}
		out[x] = true
		for _, e := range x.Edges {
			f.sources(e, out)
		}
	case *ssa.Extract, *ssa.Call, *ssa.Alloc:
		out[x] = true
	}
}

// readsObject reports whether one of the values is what a read of the models gave.
func (f *fn) readsObject(values map[ssa.Value]bool) bool {
	for v := range values {
		if _, made := v.(*ssa.Alloc); made {
			continue
		}
		if f.value(v).Any(f.isRead) {
			return true
		}
	}
	return false
}

func (f *fn) isRead(u *term.Term) bool {
	if u.Kind != term.Call {
		return false
	}
	c := f.a.Models.FuncKey(u.Str)
	return c != nil && c.Sink != nil && c.Sink.Boundary == "read"
}

// overwriting is what is put into an object between its read and its update.
type overwriting struct {
	f    *fn
	read map[ssa.Value]bool // the object
	at   ssa.CallInstruction
	seen map[ssa.Value]bool

	given   bool // something is put in that was there before
	derived bool // something that comes from the object, or of which that cannot be told
	places  []place
}

// place is a part of the object into which a value is put.
type place struct {
	part ssa.Value // address of a field, or a map
	key  ssa.Value // of the map
	val  ssa.Value
	by   ssa.Instruction
}

// putInto looks at what is stored in an object or in a part of it.
func (o *overwriting) putInto(v ssa.Value) {
	if o.seen[v] || v.Referrers() == nil {
		return
	}
	o.seen[v] = true
	for _, r := range *v.Referrers() {
		switch in := r.(type) {
		case *ssa.FieldAddr:
			o.putInto(in)
		case *ssa.IndexAddr:
			o.putInto(in)
		case *ssa.UnOp:
			o.putInto(in)
		case *ssa.MakeInterface:
			o.putInto(in)
		case *ssa.Store:
			if in.Addr == v {
				o.put(in.Val)
				o.places = append(o.places, place{part: v, val: in.Val, by: in})
			}
		case *ssa.MapUpdate:
			if in.Map == v {
				o.put(in.Value)
				o.places = append(o.places, place{v, in.Key, in.Value, in})
			}
		case ssa.CallInstruction:
			o.call(in, v)
		}
	}
}

// put notes a value that is stored.
func (o *overwriting) put(v ssa.Value) {
	switch v.(type) {
	case *ssa.Const, *ssa.MakeMap, *ssa.MakeSlice:
		return
	}
	if o.comesFrom(v, map[ssa.Value]bool{}) {
		o.derived = true
		return
	}
	o.given = true
}

// call notes what a function that is given the object is given beside it.
func (o *overwriting) call(c ssa.CallInstruction, obj ssa.Value) {
	if c == o.at || !o.f.before(c, o.at) {
		return
	}
	common := c.Common()
	if name := common.Value.Name(); common.IsInvoke() || name == "DeepCopy" || name == "len" {
		return
	}
	more := false
	for _, a := range common.Args {
		if a != obj && !o.read[a] {
			o.put(a)
			more = true
		}
	}
	if res := common.Signature().Results().Len(); !more && res == 0 {
		o.derived = true // it changes the object in a way that is not seen
	}
}

// maxDerived bounds how many values are looked at behind one.
const maxDerived = 200

// comesFrom reports whether a value is computed from the object.
func (o *overwriting) comesFrom(v ssa.Value, seen map[ssa.Value]bool) bool {
	if o.read[v] || len(seen) > maxDerived {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	in, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && o.comesFrom(*op, seen) {
			return true
		}
	}
	return false
}

// decided reports whether a decision about the object led to the update.
func (o *overwriting) decided() bool {
	end := o.at.Block()
	for _, b := range o.f.f.Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !b.Dominates(end) || b == end {
			continue
		}
		one := slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != end && !reachable(s)[end] })
		if one && o.comesFrom(cond.Cond, map[ssa.Value]bool{}) && !o.saves(cond.Cond) {
			return true
		}
	}
	return false
}

// saves reports whether a condition does no more than to save a write: it asks whether a
// part of the object has the value already that is put into it.
func (o *overwriting) saves(cond ssa.Value) bool {
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		cond = not.X
	}
	var a, b ssa.Value
	switch c := cond.(type) {
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false
		}
		a, b = c.X, c.Y
	case *ssa.Call:
		callee := c.Call.StaticCallee()
		if callee == nil || callee.Name() != "DeepEqual" && callee.Name() != "Equal" || len(c.Call.Args) != 2 {
			return false
		}
		a, b = unwrap(c.Call.Args[0]), unwrap(c.Call.Args[1])
	default:
		return false
	}
	return slices.ContainsFunc(o.places, func(p place) bool {
		return o.holds(p, a) && o.f.value(p.val).Equal(o.f.value(b)) || o.holds(p, b) && o.f.value(p.val).Equal(o.f.value(a))
	})
}

// holds reports whether a value was read from a part of the object.
func (o *overwriting) holds(p place, v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		return p.key == nil && o.samePart(p.part, x.X)
	case *ssa.Lookup:
		return p.key != nil && o.f.value(p.key).Equal(o.f.value(x.Index)) && o.samePart(p.part, x.X)
	}
	return false
}

// samePart reports whether two values are, or point to, the same part of the object.
func (o *overwriting) samePart(a, b ssa.Value) bool {
	if a == b || o.read[a] && o.read[b] {
		return true
	}
	switch x := a.(type) {
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && o.samePart(x.X, y.X)
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == y.Op && o.samePart(x.X, y.X)
	}
	return false
}

// unwrap is the value in an interface.
func unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}
