package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Headers of HTTP requests are followed as if they were fields: each Set is an
// assignment to headerStore, whose value is the pair of name and value. What is
// read is keyHeader (the value by which a receiver knows a repetition), matchHeader (the
// version that the receiver must have), noneHeader (the one that it must not have) or
// anyHeader (all values but keys); they stay fields while the request comes from the
// caller, who may have set headers of his own.
const (
	headerStore = "net/http.Header.set"
	keyHeader   = "net/http.Header.key"
	matchHeader = "net/http.Header.match"
	noneHeader  = "net/http.Header.none"
	anyHeader   = "net/http.Header.any"
	headerField = "net/http.Request.Header"
	methodField = "net/http.Request.Method"
	headerPair  = "header"     // call term: name, value
	headerAll   = "headers"    // call term: a map of names to values
	headerCopy  = "headers of" // call term: another header map
)

// HeaderBy is the function of the term for the key that a function value sets
// which is given the request: an option, say.
const HeaderBy = "header by"

// HeaderOr is the function of the term for a header that a map may hold: the first
// argument is what the map has under the name, the second what else is there.
const HeaderOr = "header or"

// headerNames are the headers of which a receiver makes something, in lower case: the case
// of headers says nothing. (Package net/textproto would bring in net and with it, where
// cgo is on, a dynamic linker at the start of each of go vet's processes.)
var headerNames = map[string]map[string]bool{
	keyHeader:   set("idempotency-key", "x-idempotency-key", "idempotent-key", "paypal-request-id", "x-idempotency-token"),
	matchHeader: set("if-match", "if-unmodified-since"),
	noneHeader:  set("if-none-match"),
}

// byTime is the header that compares a time, where others compare a version.
const byTime = "if-unmodified-since"

// HeaderTime is the function of the term for a condition that compares a time.
const HeaderTime = "header time"

// isHeader reports whether a field stands for headers of a request.
func isHeader(name string) bool { return name == anyHeader || headerNames[name] != nil }

// headerOf is what is known of the headers of a request when the instruction at runs.
func (f *fn) headerOf(req *term.Term, which string, at ssa.Instruction) *term.Term {
	return f.headerAt(which, term.NewField(headerField, req), at)
}

// headerAt reads keyHeader or anyHeader of a header map.
func (f *fn) headerAt(which string, base *term.Term, at ssa.Instruction) *term.Term {
	if base.Kind == term.Alt {
		out := make([]*term.Term, len(base.Args))
		for i, b := range base.Args {
			out[i] = f.headerAt(which, b, at)
		}
		return term.NewAlt(out...)
	}
	plain := term.NewField(which, base)
	if base.Kind == term.Unknown || f.heaped == underWay {
		return plain
	}
	bases := []*term.Term{base}
	r := headerRead{f: f, at: at, which: which}
	if base.Kind == term.Field && base.Str == headerField {
		if b := f.fieldAt(headerField, base.Args[0], at); b.Key() != base.Key() {
			bases = append(bases, b.Alternatives()...)
			if r.replaced = f.headerReplaced(base, b, at); r.replaced != nil {
				plain = term.NewField(which, b)
			}
		}
	}
	f.fillHeap()
	for i := range f.heap {
		st := &f.heap[i]
		if st.field == headerStore && (st.at != at || f.within) && slices.ContainsFunc(bases, st.ofRequest) {
			r.add(st)
		}
	}
	return r.value(plain)
}

// ofRequest reports whether a header is set in a header map, or in that of the request which a
// call has made: more may be known by now of what that was given.
func (st *heapStore) ofRequest(base *term.Term) bool {
	if st.base.Equal(base) {
		return true
	}
	if st.base.Kind != term.Field || base.Kind != term.Field || st.base.Str != headerField || base.Str != headerField {
		return false
	}
	x, y := st.base.Args[0], base.Args[0]
	return makesRequest(x) && x.Site != "" && x.Str == y.Str && x.Site == y.Site
}

// headerReplaced is the instruction by which a request has been given another header map,
// which has nothing of the one it had, before the instruction at; nil if that is not certain.
func (f *fn) headerReplaced(was, is *term.Term, at ssa.Instruction) ssa.Instruction {
	if is.Any(was.Equal) {
		return nil
	}
	var last ssa.Instruction
	for _, w := range f.writesOf(headerField, was.Args[0]) {
		if !w.perhaps && !w.beside && !w.late && f.before(w.at, at) && (last == nil || f.before(last, w.at)) {
			last = w.at
		}
	}
	return last
}

// headerRead collects the header values that reach an instruction.
type headerRead struct {
	f        *fn
	at       ssa.Instruction
	which    string
	replaced ssa.Instruction // what was set before it is gone
	last     *heapStore
	lastVal  *term.Term
	maybe    []*term.Term
	maps     []*term.Term // what maps that are copied into the header have under the key
}

func (r *headerRead) add(st *heapStore) {
	v := headerValue(st.val, r.which)
	if v == nil || r.f.before(r.at, st.at) || r.replaced != nil && st.base.Kind == term.Field && r.f.before(st.at, r.replaced) {
		return
	}
	if st.val.Str == headerCopy && !v.Args[0].Equal(st.base) {
		v = r.f.headerAt(r.which, v.Args[0], r.at)
	}
	if r.which != anyHeader && (st.val.Str == headerAll || st.val.Str == headerCopy || st.val.Str == HeaderBy) {
		r.maps = append(r.maps, v)
		return
	}
	if r.which != anyHeader && (st.at == r.at || r.f.before(st.at, r.at)) {
		if r.last == nil || r.f.before(r.last.at, st.at) {
			r.last, r.lastVal = st, v
		}
		return
	}
	r.maybe = append(r.maybe, v)
}

func (r *headerRead) value(plain *term.Term) *term.Term {
	if r.which == anyHeader {
		return term.NewList(false, append(r.maybe, plain)...)
	}
	if r.last != nil {
		plain = r.lastVal
	}
	v := term.NewAlt(append(r.maybe, plain)...)
	for _, m := range r.maps {
		v = term.NewCall(HeaderOr, "", 0, m, v)
	}
	return v
}

// headerValue is what one store puts under the headers of one kind, nil if nothing.
func headerValue(v *term.Term, which string) *term.Term {
	if v.Kind != term.Call || len(v.Args) == 0 {
		return nil
	}
	switch v.Str {
	case HeaderBy:
		return v
	case headerCopy:
		return term.NewField(which, v.Args[0])
	case headerAll:
		if which == anyHeader {
			return v.Args[0]
		}
		args := []*term.Term{term.NewString(which), v.Args[0]}
		e := foldHeaderIn(args, 0)
		if e == nil {
			return term.NewCall(headerIn, "", 0, args...)
		}
		if term.IsZero(e) {
			return nil
		}
		return e
	}
	name, ok := term.StringValue(v.Args[0])
	if which == keyHeader && !ok {
		return term.NewUnknown("a header whose name is not seen")
	}
	return namedHeader(strings.ToLower(name), v.Args[1], which)
}

// namedHeader is a value if its name, in lower case, is that of a header of one kind, nil
// if not.
func namedHeader(name string, v *term.Term, which string) *term.Term {
	switch {
	case which == matchHeader && name == byTime:
		return term.NewCall(HeaderTime, "", 0, v)
	case which == anyHeader && !headerNames[keyHeader][name], headerNames[which][name]:
		return v
	}
	return nil
}

// headerIn is the function of the term for what a map has under the names of a header: the
// field that stands for it, and the map.
const headerIn = "header in"

// foldHeaderIn finds a header in a map whose names are seen.
func foldHeaderIn(args []*term.Term, _ int) *term.Term {
	which, _ := term.StringValue(args[0])
	m := unbox(args[1])
	if term.IsZero(m) {
		return term.NewConst("zero", "0")
	}
	if m.Kind != term.Struct {
		return nil
	}
	for i, n := range m.Names {
		if name, ok := term.KeyedString(n); ok {
			if v := namedHeader(strings.ToLower(name), m.Args[i], which); v != nil {
				return v
			}
		}
	}
	if m.Open {
		return nil
	}
	return term.NewConst("zero", "0")
}

// heapOfHeader notes what a call sets in a header map.
func (f *fn) heapOfHeader(c *ssa.Call) {
	if c.Call.StaticCallee() == nil && !c.Call.IsInvoke() {
		f.heapOfOption(c)
		return
	}
	call := f.a.known.called(c.Common()).call
	args := c.Common().Args
	if call == nil || call.Sink == nil || call.Sink.Kind != "header" || c.Common().IsInvoke() || len(args) < 2 || ofDroppedCopy(args[0]) {
		return
	}
	base := f.value(args[0])
	if typ := typeName(args[0].Type()); typ != "net/http.Header" {
		base = term.NewField(headerField, builtRequest(base, typ))
	}
	at, test := ifNotEmpty(c)
	if c.Common().StaticCallee().Name() == "Del" {
		f.storeHeader(c, base, f.value(args[1]), term.NewConst("zero", "0"))
		return
	}
	if len(args) == 2 {
		f.storeHeader(at, base, nil, f.value(args[1]))
		return
	}
	f.storeHeader(at, base, f.value(args[1]), f.when(test, f.value(args[2])))
}

// ofDroppedCopy reports whether a header map is a copy, or that of a copy of a request, and
// nobody is given that: what is set in it goes nowhere.
func ofDroppedCopy(header ssa.Value) bool {
	if load, ok := header.(*ssa.UnOp); ok {
		fa, ok := load.X.(*ssa.FieldAddr)
		return ok && isCopy(fa.X, "(*net/http.Request).Clone") && !slices.ContainsFunc(*fa.X.Referrers(), func(r ssa.Instruction) bool {
			switch r.(type) {
			case *ssa.FieldAddr, *ssa.DebugRef:
				return false
			}
			return true
		})
	}
	return isCopy(header, "(net/http.Header).Clone") && !slices.ContainsFunc(*header.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.Call)
		_, debug := r.(*ssa.DebugRef)
		return !debug && !(ok && c.Call.Signature().Recv() != nil && len(c.Call.Args) > 0 && c.Call.Args[0] == header)
	})
}

func isCopy(v ssa.Value, by string) bool {
	c, ok := v.(*ssa.Call)
	return ok && c.Call.StaticCallee() != nil && c.Call.StaticCallee().String() == by
}

// builtRequest is what the steps of a builder of a type go on with: they all give back
// the request that they were called on.
func builtRequest(t *term.Term, typ string) *term.Term {
	steps := strings.TrimPrefix(typ, "*") + "."
	for t.Kind == term.Call && strings.HasPrefix(t.Str, steps) && len(t.Args) > 0 {
		t = t.Args[0]
	}
	return t
}

// heapOfMapUpdate notes an element that is put into a header map.
func (f *fn) heapOfMapUpdate(m *ssa.MapUpdate) {
	if typeName(m.Map.Type()) != "net/http.Header" {
		return
	}
	first := term.NewElem(f.value(m.Value), term.NewConst("int", "0"))
	f.storeHeader(m, f.value(m.Map), f.value(m.Key), first)
}

// storeHeader notes that a value is set under a name, or all of a map if there is none.
func (f *fn) storeHeader(at ssa.Instruction, header, name, val *term.Term) {
	var v *term.Term
	if name == nil {
		v = term.NewCall(headerAll, "", 0, val)
	} else if m, lists := rangedOver(name, val); lists {
		v = term.NewCall(headerCopy, "", 0, m)
	} else if m != nil {
		v = term.NewCall(headerAll, "", 0, m)
	} else {
		v = term.NewCall(headerPair, "", 0, name, val)
	}
	f.heap = append(f.heap, heapStore{write: write{at: at, val: v}, field: headerStore, base: header})
}

// rangedOver is the map over which a loop runs whose key and value are given; whether
// the value is one of a list of values that the map has, as a header map does.
func rangedOver(key, val *term.Term) (m *term.Term, lists bool) {
	if key.Kind == term.Call && canonical[key.Str] && len(key.Args) == 1 {
		key = key.Args[0]
	}
	if key.Kind != term.Call || key.Str != "range" || key.N != 1 {
		return nil, false
	}
	val = unbox(val)
	for n := 0; n < 2; n++ {
		if val.Kind == term.Call && val.Str == "range" && val.N == 2 && val.Site == key.Site {
			return key.Args[0], n > 0
		}
		if len(val.Args) == 0 || val.Kind != term.Elem && (val.Kind != term.Call || val.Str != "range") {
			break
		}
		val = unbox(val.Args[0])
	}
	return nil, false
}

// canonical are the functions that write the name of a header as it is written mostly.
var canonical = set("net/http.CanonicalHeaderKey", "net/textproto.CanonicalMIMEHeaderKey", "strings.ToLower")

// KeyWhen is the function of the term for a value that is set only if another one,
// the first argument, is not empty.
const KeyWhen = "when"

// ifNotEmpty is where an assignment counts as made: at the test that a text is not
// empty, if it is made under that test only. The text is the second result.
func ifNotEmpty(c ssa.CallInstruction) (ssa.Instruction, ssa.Value) {
	b := c.Block()
	if len(b.Preds) != 1 {
		return c, nil
	}
	test, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok || test.Block().Succs[0] != b {
		return c, nil
	}
	if x := notEmpty(test.Cond); x != nil {
		return test, x
	}
	return c, nil
}

// notEmpty is what a condition demands to be there: x != "", x != nil, len(x) > 0.
func notEmpty(v ssa.Value) ssa.Value {
	cond, ok := v.(*ssa.BinOp)
	if !ok || cond.Op != token.NEQ && cond.Op != token.GTR {
		return nil
	}
	k, ok := cond.Y.(*ssa.Const)
	switch {
	case !ok:
	case k.Value == nil && isNillable(k):
		return cond.X
	case k.Value == nil:
	case k.Value.ExactString() == `""` && cond.Op == token.NEQ:
		return cond.X
	case k.Value.ExactString() == "0":
		if c, ok := cond.X.(*ssa.Call); ok {
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
				return c.Call.Args[0]
			}
		}
	}
	return nil
}

// when is a value that is there only if a text is not empty.
func (f *fn) when(test ssa.Value, val *term.Term) *term.Term {
	if test == nil {
		return val
	}
	return term.NewCall(KeyWhen, "", 0, f.value(test), val)
}

// makesRequest lists the calls that make a request or a header map of their own.
func makesRequest(t *term.Term) bool {
	return t.Kind == term.Call && (strings.HasPrefix(t.Str, "net/http.NewRequest") || strings.HasSuffix(t.Str, ".Client.R") || strings.HasSuffix(t.Str, ".Client.NewRequest"))
}

// NoHeader reports whether t is a header of a request that is made in visible
// code, and that nobody is seen to set.
func NoHeader(t *term.Term) bool {
	if t.Kind != term.Field || headerNames[t.Str] == nil {
		return false
	}
	x := t.Args[0]
	for x.Kind == term.Field {
		x = x.Args[0]
	}
	return makesRequest(x) || x.Kind == term.Struct || x.Kind == term.Const
}

// heapOfOption notes that a function value is given a request or its headers: what it sets
// there is known when it is known which function it is.
func (f *fn) heapOfOption(c *ssa.Call) {
	for _, a := range c.Call.Args {
		var base *term.Term
		switch typeName(a.Type()) {
		case "*net/http.Request":
			base = term.NewField(headerField, f.value(a))
		case "net/http.Header":
			base = f.value(a)
		default:
			continue
		}
		by := term.NewCall(HeaderBy, "", 0, f.value(c.Call.Value))
		f.heap = append(f.heap, heapStore{write: write{at: c, val: by}, field: headerStore, base: base})
	}
}

// KeySetBy is the key that a function sets in the request that it is given, nil if
// it sets none. A function that is not seen stays what it is.
func (a *Analysis) KeySetBy(fv *term.Term) *term.Term { return a.headerSetBy(fv, keyHeader) }

// ConditionSetBy is the condition of a kind, EffectMatch or EffectNone, that a function
// sets in the request that it is given, nil if it sets none.
func (a *Analysis) ConditionSetBy(fv *term.Term, kind string) *term.Term {
	return a.headerSetBy(fv, conditions[kind])
}

// SentBy is what else a function sets in the headers of the request that it is given.
func (a *Analysis) SentBy(fv *term.Term) *term.Term { return a.headerSetBy(fv, anyHeader) }

func (a *Analysis) headerSetBy(fv *term.Term, which string) *term.Term {
	var out []*term.Term
	for _, v := range fv.Alternatives() {
		if v.Kind != term.Closure && v.Kind != term.Func {
			out = append(out, v)
			continue
		}
		sum := a.byName(v.Str)
		if sum == nil {
			continue
		}
		free := v.Args
		if free == nil {
			free = []*term.Term{}
		}
		sub := &term.Subst{Free: free, Global: a.global, Call: refold}
		for _, st := range sum.Stores {
			if st.To.Str != headerStore {
				continue
			}
			if k := headerValue(sub.Apply(st.Value), which); k != nil {
				out = append(out, k)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return term.NewAlt(out...)
}
