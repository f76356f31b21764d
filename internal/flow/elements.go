package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What lists and maps hold that were made here, and that other code changes: literals that
// captured them, functions that are given them, and other names for them.

// elemMark names, in a store, what a list or map holds; the value is a pair of key and
// element.
const elemMark = "[]"

// putElem is an element that other code puts into a list or a map; sure says that it is there
// before anything reads it.
type putElem struct {
	key, val *term.Term
	sure     bool
}

// elemWalk collects the entries that other code than the stores at hand puts there.
type elemWalk struct {
	*fn
	seen  map[ssa.Value]bool
	made  ssa.Value // whose direct stores are known; nil: all count
	found []putElem
}

// putElsewhere lists what is put into a list or map otherwise than by the name under which
// it was made.
func (f *fn) putElsewhere(made ssa.Value) []putElem {
	w := &elemWalk{fn: f, seen: make(map[ssa.Value]bool), made: made}
	w.uses(made)
	return append(w.found, f.putUnder(made)...)
}

// putInto is the same with what this function puts there itself.
func (f *fn) putInto(v ssa.Value) []putElem {
	w := &elemWalk{fn: f, seen: make(map[ssa.Value]bool)}
	w.uses(v)
	return append(w.found, f.putUnder(v)...)
}

func (w *elemWalk) uses(v ssa.Value) {
	if w.seen[v] || v.Referrers() == nil {
		return
	}
	w.seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if r.X == v && !w.direct(v) {
				for _, s := range w.storesTo(r) {
					w.put(w.value(r.Index), s)
				}
			}
		case *ssa.MapUpdate:
			if r.Map == v && v != w.made {
				w.put(w.value(r.Key), w.value(r.Value))
				w.found[len(w.found)-1].sure = w.putFirst(r, v)
			}
		case *ssa.Slice:
			before := len(w.found)
			w.uses(r)
			if r.Low != nil && !term.IsZero(w.value(r.Low)) { // its first is another one
				for i := range w.found[before:] {
					w.found[before+i].key = term.NewUnknown("an index")
				}
			}
		case *ssa.ChangeType:
			w.uses(r)
		case *ssa.MakeInterface: // sort.Slice(list, …)
			w.uses(r)
		case *ssa.Phi:
			w.uses(r)
		case *ssa.Store:
			if at, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				w.variable(at)
			}
		case *ssa.MakeClosure:
			w.literal(r, v, func(inner *elemWalk, x ssa.Value) { inner.uses(x) })
		case ssa.CallInstruction:
			w.call(r, v)
		}
	}
}

// direct reports whether what is stored under a name is known where the list is made.
func (w *elemWalk) direct(v ssa.Value) bool {
	if v == w.made {
		return true
	}
	sl, ok := v.(*ssa.Slice)
	return ok && sl.X == w.made && sl.Low == nil
}

func (w *elemWalk) put(key, val *term.Term) { w.found = append(w.found, putElem{key: key, val: val}) }

// variable follows a list or map by the variable in which it is kept.
func (w *elemWalk) variable(at *ssa.Alloc) {
	if w.seen[at] {
		return
	}
	w.seen[at] = true
	w.loads(at)
}

func (w *elemWalk) loads(at ssa.Value) {
	for _, r := range *at.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			w.uses(r)
		case *ssa.MakeClosure:
			w.literal(r, at, func(inner *elemWalk, x ssa.Value) { inner.loads(x) })
		}
	}
}

// literal follows what a literal captured.
func (w *elemWalk) literal(m *ssa.MakeClosure, v ssa.Value, follow func(*elemWalk, ssa.Value)) {
	lit, ok := m.Fn.(*ssa.Function)
	if !ok {
		return
	}
	for i, b := range m.Bindings {
		if b != v || i >= len(lit.FreeVars) {
			continue
		}
		inner := &elemWalk{fn: w.a.function(lit), seen: w.seen}
		follow(inner, lit.FreeVars[i])
		if len(inner.found) == 0 {
			continue
		}
		sub := &term.Subst{Params: []*term.Term{}, Free: w.atAnyTime(m)}
		for _, e := range inner.found {
			w.put(sub.Apply(e.key), sub.Apply(e.val))
		}
	}
}

// call notes what a function puts into a list or map that it is given.
func (w *elemWalk) call(c ssa.CallInstruction, v ssa.Value) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch {
		case b.Name() == "copy" && common.Args[0] == v:
			w.put(term.NewUnknown("an index"), term.NewUnknown("an element that is copied"))
		case b.Name() == "append" && common.Args[0] == v:
			if part, ok := v.(*ssa.Slice); ok && part.High != nil && part.Max == nil { // in place of what is behind it
				w.put(term.NewUnknown("an index"), term.NewUnknown("an element that is appended to a part"))
			}
		case b.Name() == "delete":
			w.put(w.value(common.Args[1]), term.NewConst("zero", "0"))
		case b.Name() == "clear" && v != w.made:
			w.put(term.NewUnknown("an index"), term.NewConst("zero", "0"))
		}
		return
	}
	if sum := w.staticSummary(common); sum != nil {
		var sub *term.Subst
		for _, st := range sum.Stores {
			if !st.inElement() || st.To.Args[0].Kind != term.Param || len(st.Value.Args) != 2 {
				continue
			}
			if n := st.To.Args[0].N; n >= len(common.Args) || common.Args[n] != v {
				continue
			}
			if sub == nil {
				sub = w.subst(c, nil)
			}
			w.put(sub.Apply(st.Value.Args[0]), sub.Apply(st.Value.Args[1]))
			w.found[len(w.found)-1].sure = !st.Perhaps && w.madeFor(c, v)
		}
		return
	}
	if readsBytes(c, v) {
		w.put(term.NewUnknown("an index"), term.NewUnknown("a byte that is read"))
	}
	if len(common.Args) > 0 && common.Args[0] == v && !(v == w.made && hasKeys(v)) && !givenUp(c, v) && rearranges(common.StaticCallee()) {
		w.put(term.NewUnknown("an index"), term.NewUnknown("an element that is moved"))
	}
}

// putFirst reports whether a function puts an entry into a map that it is given, each time,
// and before it does anything else with the map.
func (f *fn) putFirst(u *ssa.MapUpdate, v ssa.Value) bool {
	_, given := v.(*ssa.Parameter)
	_, known := u.Key.(*ssa.Const)
	if !given || !known || !onEachWay(u, f.f) {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.MapUpdate, *ssa.DebugRef:
		default:
			if !f.comesFirst(u, r) {
				return false
			}
		}
	}
	return true
}

// madeFor reports whether a map is made for a call, and nothing else has it.
func (f *fn) madeFor(c ssa.CallInstruction, v ssa.Value) bool {
	_, now := c.(*ssa.Call)
	if _, made := v.(*ssa.MakeMap); !made || !now {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MapUpdate:
			if r.Map != v || !f.comesFirst(r, c) {
				return false
			}
		default:
			if r != c {
				return false
			}
		}
	}
	return true
}

// rearranges reports whether a function of the standard library changes the elements of its
// first argument, or their order.
func rearranges(callee *ssa.Function) bool {
	if callee == nil || origin(callee).Pkg == nil {
		return false
	}
	name := origin(callee).Name()
	switch origin(callee).Pkg.Pkg.Path() {
	case "sort":
		return !strings.HasPrefix(name, "Search") && !strings.HasSuffix(name, "Sorted")
	case "slices":
		return rearranging[name] || strings.HasPrefix(name, "Sort") && !strings.HasPrefix(name, "Sorted")
	case "maps":
		return name == "Copy" || name == "Insert" || name == "DeleteFunc"
	}
	return false
}

// givenUp reports whether nothing has a list any more but the call that changes it, and gives
// it back.
func givenUp(c ssa.CallInstruction, v ssa.Value) bool {
	n := 0
	if c.Common().Signature().Results().Len() == 0 {
		return false
	}
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			n++
		}
	}
	return n == 1
}

// rearranging are the functions of package slices that do so to what they are given.
var rearranging = set("Reverse", "Insert", "Replace", "Delete", "DeleteFunc", "Compact", "CompactFunc")

// elements lists what the function puts into lists and maps that it is given.
func (f *fn) elements() []Store {
	var out []Store
	for i, p := range f.f.Params {
		if !hasElements(p.Type()) {
			continue
		}
		to := &term.Term{Kind: term.Field, Str: elemMark, Args: []*term.Term{term.NewParam(i)}}
		for _, e := range f.putInto(p) {
			out = append(out, Store{To: to, Value: term.NewList(false, e.key, e.val), Perhaps: !e.sure})
		}
	}
	return out
}

// hasKeys reports whether a value is a map.
func hasKeys(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// hasElements reports whether values of a type are lists or maps, or addresses of arrays.
func hasElements(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Array)
		return ok
	}
	return false
}

// changed is a list or map that a call gave, with what is put into it afterwards.
func (f *fn) changed(v ssa.Value, t *term.Term) *term.Term {
	switch {
	case t.Kind == term.Struct && t.Str == "map":
		return withEntries(t, f.putInto(v))
	case t.Kind == term.List && len(t.Args) > 0:
		return withElements(t, f.putInto(v))
	case isBytes(v.Type()) && (knowsText(t) || t.Kind == term.Call && t.Str == binaryPrefix+"bytes") && len(f.putInto(v)) > 0:
		return term.NewUnknown("bytes that are changed")
	}
	return t
}

// withEntries is a map with what other code puts into it, at some time.
func withEntries(m *term.Term, put []putElem) *term.Term {
	for _, e := range put {
		if m.Kind != term.Struct || m.Str != "map" {
			return m
		}
		val := e.val
		for i, n := range m.Names {
			if n == e.key.Key() && !e.sure {
				val = term.NewAlt(m.Args[i], val)
			}
		}
		m = withEntry(m, e.key.Key(), val, e.sure)
	}
	return m
}

// withElements is a list of which other code replaces elements, at some time.
func withElements(l *term.Term, put []putElem) *term.Term {
	if l.Kind != term.List || len(put) == 0 {
		return l
	}
	elems := append([]*term.Term{}, l.Args...)
	for _, e := range put {
		n, ok := term.IntValue(e.key)
		for i := range elems {
			if !ok || int64(i) == n {
				elems[i] = term.NewAlt(elems[i], e.val)
			}
		}
	}
	return term.NewList(l.Open, elems...)
}

// sliced is a part of a list or of a text, as far as its bounds are known.
func (f *fn) sliced(v *ssa.Slice) *term.Term {
	x := f.value(v.X)
	if v.Low == nil && v.High == nil {
		return x
	}
	return f.part(v, x)
}

func (f *fn) part(v *ssa.Slice, x *term.Term) *term.Term {
	if x.Kind == term.Alt {
		out := make([]*term.Term, len(x.Args))
		for i, a := range x.Args {
			out[i] = f.part(v, a)
		}
		return term.NewAlt(out...)
	}
	text, isText := term.StringValue(x)
	isText = isText && x.Typ == "string"
	low, ok := f.limit(v.Low, 0)
	high, ok2 := f.limit(v.High, sizeOf(x, text))
	known := ok && ok2 && 0 <= low && low <= high
	switch {
	case x.Kind == term.List && known && high <= int64(len(x.Args)):
		return term.NewList(x.Open && v.High == nil, x.Args[low:high]...)
	case x.Kind == term.List && len(x.Args) > 0:
		return term.NewUnknown("a part of a list")
	case isText && known && high <= int64(len(text)):
		return term.NewString(text[low:high])
	case knowsText(x), x.Kind == term.Convert:
		return term.NewUnknown("a part of a text")
	case x.Kind == term.Param && isString(v.X.Type()):
		return term.NewOp("part", x)
	case x.Kind == term.Param && isList(v.X.Type()) && !isBytes(v.X.Type()):
		return term.NewCall(partOfList, "", 0, x, f.endOf(v.Low, term.NewConst("int", "0")), f.endOf(v.High, term.NewOp("len", x)))
	}
	return x // what is not known is so in its parts
}

// partOfList is the call that stands for a part of a list which the caller gives.
const partOfList = "a part of a list"

func (f *fn) endOf(v ssa.Value, none *term.Term) *term.Term {
	if v == nil {
		return none
	}
	return f.value(v)
}

// foldPartOfList takes the part once the list is known.
func foldPartOfList(args []*term.Term, _ int) *term.Term {
	if len(args) != 3 || args[0].Kind != term.List && args[0].Symbolic() {
		return nil
	}
	l := args[0]
	low, ok := term.IntValue(args[1])
	high, ok2 := term.IntValue(args[2])
	if args[2].Kind == term.Op && args[2].Str == "len" {
		high, ok2 = int64(len(l.Args)), true
	}
	if l.Kind != term.List || !ok || !ok2 || low < 0 || low > high || high > int64(len(l.Args)) {
		return term.NewUnknown(partOfList)
	}
	return term.NewList(l.Open && args[2].Kind == term.Op, l.Args[low:high]...)
}

func sizeOf(x *term.Term, text string) int64 {
	if x.Kind == term.List {
		return int64(len(x.Args))
	}
	return int64(len(text))
}

// limit is a bound of a part, as a number; none if there is no bound.
func (f *fn) limit(v ssa.Value, none int64) (int64, bool) {
	if v == nil {
		return none, true
	}
	return f.number(f.value(v), 0)
}

// number computes a number from constants and the lengths of what is known.
func (f *fn) number(t *term.Term, depth int) (int64, bool) {
	if n, ok := term.IntValue(t); ok || t.Kind != term.Op || depth > maxNested {
		return n, ok
	}
	if t.Str == "len" && len(t.Args) == 1 {
		s, ok := term.StringValue(t.Args[0])
		switch x := t.Args[0]; {
		case ok && x.Typ == "string":
			return int64(len(s)), true
		case x.Kind == term.List && !x.Open:
			return int64(len(x.Args)), true
		}
	}
	if len(t.Args) != 2 || t.Str != "+" && t.Str != "-" {
		return 0, false
	}
	a, ok := f.number(t.Args[0], depth+1)
	b, ok2 := f.number(t.Args[1], depth+1)
	if t.Str == "-" {
		b = -b
	}
	return a + b, ok && ok2
}
