package flow

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// alloc is the content of a variable whose address is taken: the union of what
// is stored, whenever that is.
func (f *fn) alloc(v *ssa.Alloc) *term.Term {
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	switch elem.Underlying().(type) {
	case *types.Struct:
		return f.structAlloc(v, elem)
	case *types.Array:
		return f.arrayAlloc(v)
	}
	return f.scalarAlloc(v)
}

func (f *fn) structAlloc(v *ssa.Alloc, typ types.Type) *term.Term {
	var names []string
	var vals []*term.Term
	var whole []*term.Term
	filled := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v && !ownContent(r.Val, v) {
				whole = append(whole, f.value(r.Val))
			}
		case *ssa.FieldAddr:
			name := f.a.known.field(v.Type(), r.Field)
			for _, val := range f.storesTo(r) {
				names, vals = withPart(names, vals, name, val)
			}
		case ssa.CallInstruction:
			if name, recv, val := f.setter(r); recv == v {
				names, vals = withPart(names, vals, name, val)
			} else if name == "" {
				names, vals = f.setByCall(r, v, names, vals)
			}
		case *ssa.MakeInterface:
			if t := f.decodedInto(r); t != nil {
				whole = append(whole, t)
			} else if by := takenBy(r); by != nil && (f.reads(by) || readsInto(by) || scansInto(by, r)) {
				filled = true
			}
		}
	}
	if len(whole) == 1 && len(names) == 0 {
		if w := whole[0]; w.Kind != term.Struct || w.Str == "map" {
			return w
		}
		names, vals = whole[0].Names, whole[0].Args // a copy is a record of its own
		if !whole[0].Open {
			whole = nil
		}
	} else if len(whole) == 1 && whole[0].Kind == term.Struct && whole[0].Str != "map" {
		for i, n := range whole[0].Names { // the rest of a copy of which other parts are set
			names, vals = withPart(names, vals, n, whole[0].Args[i])
		}
	}
	t := term.NewStruct(typeName(typ), f.siteOf(v), names, vals)
	if t.Kind == term.Struct {
		t.Open = len(whole) > 0 || filled
	}
	return t
}

// decodedInto is what is decoded into a record, nil for anything else that is done with its
// address.
func (f *fn) decodedInto(m *ssa.MakeInterface) *term.Term {
	if by := takenBy(m); by == nil || !fills(callKey(by.Common())) {
		return nil // what else it is given may be made of the record itself
	}
	w := f.writtenBoxed(m)
	switch {
	case w == nil, w.val.Kind == term.Call && !decodes(w.val.Str):
		return nil
	case w.perhaps:
		return term.NewAlt(w.val, term.NewStruct(typeName(deref(m.X.Type())), "", nil, nil))
	}
	return w.val
}

// takenBy is the call that an address is boxed for, as an argument or as one of a variable
// list; nil if there is none.
func takenBy(m *ssa.MakeInterface) ssa.CallInstruction {
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			return r
		case *ssa.Store:
			if c := listTakenBy(r); c != nil {
				return c
			}
		}
	}
	return nil
}

// listTakenBy is the call that is given the list whose element is stored.
func listTakenBy(st *ssa.Store) ssa.CallInstruction {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	arr, ok := ia.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *arr.Referrers() {
		if sl, ok := r.(*ssa.Slice); ok {
			for _, u := range *sl.Referrers() {
				if c, ok := u.(ssa.CallInstruction); ok {
					return c
				}
			}
		}
	}
	return nil
}

// fills reports whether what a function writes through an address is told by its arguments.
func fills(key string) bool {
	return key == "errors.As" || strings.HasPrefix(key, "fmt.Sscan") || decodes(key)
}

// ownContent reports whether a value is what the variable holds already, as where a named
// result is returned, or holds at first.
func ownContent(val ssa.Value, v *ssa.Alloc) bool {
	u, ok := val.(*ssa.UnOp)
	if ok {
		return u.X == v
	}
	c, ok := val.(*ssa.Const)
	return ok && c.Value == nil
}

// kept reports whether nobody but this function can set a field of a variable: its
// address, and that of its fields, go into loads and stores alone.
func kept(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr {
				return false
			}
		case *ssa.FieldAddr:
			if !kept(r) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// withPart adds what a field may be.
func withPart(names []string, vals []*term.Term, name string, val *term.Term) ([]string, []*term.Term) {
	i := slices.Index(names, name)
	if i < 0 {
		return append(names, name), append(vals, val)
	}
	if a := vals[i]; a.Kind == term.Struct && val.Kind == term.Struct && a.Str == val.Str && a.Site+val.Site == "" {
		vals[i] = merged(a, val)
	} else {
		vals[i] = term.NewAlt(a, val)
	}
	return names, vals
}

// merged is a struct of which parts were stored in several places.
func merged(a, b *term.Term) *term.Term {
	names, vals := slices.Clone(a.Names), slices.Clone(a.Args)
	for i, n := range b.Names {
		names, vals = withPart(names, vals, n, b.Args[i])
	}
	t := term.NewStruct(a.Str, "", names, vals)
	t.Open = t.Kind == term.Struct && (a.Open || b.Open)
	return t
}

// storesTo lists the values stored through an address computed in this function;
// for a nested struct or array the address of a part counts as one Struct or List.
func (f *fn) storesTo(addr ssa.Value) []*term.Term {
	var out []*term.Term
	for _, w := range f.writesTo(addr) {
		out = append(out, w.val)
	}
	var parts recordParts
	if f.partsOf(addr, &parts); len(parts.vals) > 0 {
		elem := addr.Type().Underlying().(*types.Pointer).Elem()
		out = append(out, parts.record(typeName(elem), len(out) > 0))
	}
	return out
}

// recordParts are the parts of a record that are stored one by one.
type recordParts struct {
	names []string
	vals  []*term.Term
}

// partsOf adds what is stored in the parts of a record.
func (f *fn) partsOf(addr ssa.Value, p *recordParts) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, v := range f.storesTo(r) {
				p.names, p.vals = withPart(p.names, p.vals, f.a.known.field(addr.Type(), r.Field), v)
			}
		case ssa.CallInstruction:
			if name, recv, v := f.setter(r); recv == addr {
				p.names, p.vals = withPart(p.names, p.vals, name, v)
			} else if name == "" {
				p.names, p.vals = f.setByCall(r, addr, p.names, p.vals)
			}
		}
	}
}

// record is the record; open if it is also stored as a whole.
func (p *recordParts) record(typ string, open bool) *term.Term {
	t := term.NewStruct(typ, "", p.names, p.vals)
	t.Open = t.Kind == term.Struct && open
	return t
}

// copied is the array that a variable is given as a whole, nil if it is given none.
func (f *fn) copied(v *ssa.Alloc) *term.Term {
	var whole []*term.Term
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == v {
			whole = append(whole, f.value(st.Val))
		}
	}
	if len(whole) == 0 {
		return nil
	}
	return term.NewAlt(whole...)
}

func (f *fn) arrayAlloc(v *ssa.Alloc) *term.Term {
	if t := f.filled(v); t != nil {
		return t
	} else if t := f.encodedIn(v); t != nil {
		return t
	}
	arr := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if arr.Len() > term.MaxSize {
		return term.NewUnknown("a large array")
	}
	whole := f.copied(v)
	elems := make([]*term.Term, arr.Len())
	parts := make(map[int64]*recordParts)
	var anywhere []*term.Term // what is stored where the index is not known
	for _, ia := range elementAddrs(v) {
		i, ok := term.IntValue(f.value(ia.Index))
		if !ok {
			anywhere = append(anywhere, f.storesTo(ia)...)
		} else if i < int64(len(elems)) {
			for _, w := range f.writesTo(ia) {
				elems[i] = term.NewAlt(w.val, elems[i])
			}
			if parts[i] == nil {
				parts[i] = &recordParts{}
			}
			f.partsOf(ia, parts[i])
		}
	}
	if whole != nil && len(parts)+len(anywhere) == 0 {
		return withElements(whole, f.putInto(v))
	}
	for i := range elems {
		elems[i] = f.elementMade(arr.Elem(), i, elems[i], parts[int64(i)], whole)
		elems[i] = term.NewAlt(append(anywhere[:len(anywhere):len(anywhere)], elems[i])...)
	}
	return withElements(term.NewList(false, elems...), f.putElsewhere(v))
}

// elementMade is an element of an array of what is stored in it, in parts of it, and in the
// whole array.
func (f *fn) elementMade(typ types.Type, i int, stored *term.Term, parts *recordParts, whole *term.Term) *term.Term {
	if whole != nil {
		stored = term.NewAlt(stored, elementOf(whole, term.NewConst("int", strconv.Itoa(i))))
	}
	if parts == nil || len(parts.vals) == 0 {
		if stored == nil {
			return term.NewConst("zero", "0")
		}
		return stored
	}
	if stored == nil {
		return parts.record(typeName(typ), false)
	}
	var out []*term.Term
	for _, a := range stored.Alternatives() {
		if a.Kind == term.Struct && a.Site == "" {
			out = append(out, parts.over(a))
		} else {
			out = append(out, a, parts.record(typeName(typ), true))
		}
	}
	return term.NewAlt(out...)
}

// over is a record some parts of which are stored at some time.
func (p *recordParts) over(t *term.Term) *term.Term {
	names, vals := slices.Clone(t.Names), slices.Clone(t.Args)
	for i, name := range p.names {
		v := term.NewAlt(p.vals[i], term.NewField(name, t))
		if k := slices.Index(names, name); k >= 0 {
			vals[k] = v
		} else {
			names, vals = append(names, name), append(vals, v)
		}
	}
	out := term.NewStruct(t.Str, "", names, vals)
	out.Open = out.Kind == term.Struct && t.Open
	return out
}

// elementOf is an element of an array: of one that is zero, too.
func elementOf(arr, index *term.Term) *term.Term {
	if term.IsZero(arr) {
		return arr
	}
	return term.NewElem(arr, index)
}

// elementAddrs lists the addresses of elements of an array, also by way of a slice of all of it.
func elementAddrs(v ssa.Value) []*ssa.IndexAddr {
	var out []*ssa.IndexAddr
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			out = append(out, r)
		case *ssa.Slice:
			if r.X == v && r.Low == nil {
				out = append(out, elementAddrs(r)...)
			}
		}
	}
	return out
}

func (f *fn) scalarAlloc(v *ssa.Alloc) *term.Term {
	ws := append(f.writesTo(v), f.writesUnder(v)...)
	if len(ws) == 0 {
		return term.NewConst("zero", "0")
	}
	vals := make([]*term.Term, len(ws))
	for i := range ws {
		vals[i] = ws[i].val
	}
	return term.NewAlt(vals...)
}

// writtenBoxed follows &x into the variadic ...any of a call such as Scan.
func (f *fn) writtenBoxed(m *ssa.MakeInterface) *write {
	for _, r := range *m.Referrers() {
		if st, ok := r.(*ssa.Store); ok {
			if w := f.writtenInList(st, m); w != nil {
				return w
			}
		}
		if c, ok := r.(ssa.CallInstruction); ok {
			return f.writtenByCall(c, m)
		}
	}
	return nil
}

// writtenInList follows an address that is put into the list of arguments of a call.
func (f *fn) writtenInList(st *ssa.Store, v ssa.Value) *write {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok || st.Val != v {
		return nil
	}
	arr, ok := ia.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	elem := 0
	if c, ok := ia.Index.(*ssa.Const); ok {
		elem = int(c.Int64())
	}
	for _, r := range *arr.Referrers() {
		sl, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range *sl.Referrers() {
			if c, ok := u.(ssa.CallInstruction); ok && !onlyLooks(c.Common()) {
				return &write{at: c, val: f.written(c, elem, v), perhaps: errorDropped(c)}
			}
		}
	}
	return nil
}

// OutParam is added to the number of an argument through which a call writes.
const OutParam = 100

// outParam is what a call writes through the address v, nil for nothing; perhaps is set if
// it may leave what is there.
func (f *fn) outParam(c ssa.CallInstruction, v ssa.Value, perhaps *bool) *term.Term {
	common := c.Common()
	for i, a := range common.Args {
		if a != v {
			continue
		}
		if sum := f.staticSummary(common); sum != nil {
			return f.storedByCallee(c, sum, i, perhaps)
		}
		if common.Signature().Recv() != nil && !common.IsInvoke() {
			i--
		}
		if onlyLooks(common) || i >= 0 && keepsAddresses(common) {
			return nil
		}
		return f.written(c, i, v)
	}
	return nil
}

func (f *fn) storedByCallee(c ssa.CallInstruction, sum *Summary, i int, perhaps *bool) *term.Term {
	var vals []*term.Term
	var sub *term.Subst // the arguments may be made of what is asked for
	sure := false
	for _, st := range sum.Stores {
		if st.throughAddress() && st.To.Args[0].Kind == term.Param && st.To.Args[0].N == i {
			if sub == nil {
				sub = f.subst(c, nil)
			}
			vals = append(vals, sub.Apply(st.Value))
			sure = sure || !st.Perhaps
		}
	}
	if len(vals) == 0 {
		return nil
	}
	*perhaps = *perhaps || !sure
	return term.NewAlt(vals...)
}

// written is what a call writes through its argument i, the address v.
func (f *fn) written(c ssa.CallInstruction, i int, v ssa.Value) *term.Term {
	key, from := f.firstOf(c.Common())
	if len(from) > 0 && ReadsRow(key) {
		from = append(from[:1:1], f.asks(key, c.Common())...)
	}
	t := term.NewCall(key, f.siteOf(c), OutParam+i, from...)
	switch {
	case key == "errors.As":
		t = t.Named(filledType(v))
	case decodes(key):
		t = t.Named(codedType(v, key))
	}
	if r := roundTrip(t); r != nil {
		return r
	}
	return t
}
