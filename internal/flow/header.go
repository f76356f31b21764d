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
// read is keyHeader (the value by which a receiver knows a repetition) or
// anyHeader (all other values); both stay fields while the request comes from the
// caller, who may have set headers of his own.
const (
	headerStore = "net/http.Header.set"
	keyHeader   = "net/http.Header.key"
	anyHeader   = "net/http.Header.any"
	headerField = "net/http.Request.Header"
	methodField = "net/http.Request.Method"
	headerPair  = "header"  // call term: name, value
	headerAll   = "headers" // call term: a map of names to values
)

// HeaderBy is the function of the term for the key that a function value sets
// which is given the request: an option, say.
const HeaderBy = "header by"

// HeaderOr is the function of the term for a header that a map may hold: the first
// argument is what the map has under the name, the second what else is there.
const HeaderOr = "header or"

// keyNames are the headers that receivers know repetitions by, in lower case: the case
// of headers says nothing. (Package net/textproto would bring in net and with it, where
// cgo is on, a dynamic linker at the start of each of go vet's processes.)
var keyNames = set("idempotency-key", "x-idempotency-key", "idempotent-key", "paypal-request-id", "x-idempotency-token")

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
	if base.Kind == term.Field && base.Str == headerField {
		if b := f.fieldAt(headerField, base.Args[0], at); b.Key() != base.Key() {
			bases = append(bases, b.Alternatives()...)
		}
	}
	f.fillHeap()
	r := headerRead{f: f, at: at, which: which}
	for i := range f.heap {
		st := &f.heap[i]
		if st.field == headerStore && (st.at != at || f.within) && slices.ContainsFunc(bases, st.base.Equal) {
			r.add(st)
		}
	}
	return r.value(plain)
}

// headerRead collects the header values that reach an instruction.
type headerRead struct {
	f       *fn
	at      ssa.Instruction
	which   string
	last    *heapStore
	lastVal *term.Term
	maybe   []*term.Term
	maps    []*term.Term // what maps that are copied into the header have under the key
}

func (r *headerRead) add(st *heapStore) {
	v := headerValue(st.val, r.which)
	if v == nil || r.f.before(r.at, st.at) {
		return
	}
	if r.which == keyHeader && (st.val.Str == headerAll || st.val.Str == HeaderBy) {
		r.maps = append(r.maps, v)
		return
	}
	if r.which == keyHeader && (st.at == r.at || r.f.before(st.at, r.at)) {
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

// headerValue is what one store puts under the key headers or under the others,
// nil if nothing.
func headerValue(v *term.Term, which string) *term.Term {
	if v.Kind != term.Call || len(v.Args) == 0 {
		return nil
	}
	if v.Str == HeaderBy {
		return v
	}
	if v.Str == headerAll {
		if which == anyHeader {
			return v.Args[0]
		}
		e := term.NewElem(v.Args[0], term.NewString("Idempotency-Key"))
		if term.IsZero(e) {
			return nil
		}
		return e
	}
	name, ok := term.StringValue(v.Args[0])
	isKey := ok && keyNames[strings.ToLower(name)]
	switch {
	case which == anyHeader && !isKey, which == keyHeader && isKey:
		return v.Args[1]
	case which == keyHeader && !ok:
		return term.NewUnknown("a header whose name is not seen")
	}
	return nil
}

// heapOfHeader notes what a call sets in a header map.
func (f *fn) heapOfHeader(c *ssa.Call) {
	if c.Call.StaticCallee() == nil && !c.Call.IsInvoke() {
		f.heapOfOption(c)
		return
	}
	switch f.a.known.called(c.Common()).key {
	case "net/http.Header.Set", "net/http.Header.Add":
	default:
		return
	}
	args := c.Common().Args
	if c.Common().IsInvoke() || len(args) != 3 {
		return
	}
	at, test := ifNotEmpty(c)
	f.storeHeader(at, args[0], f.value(args[1]), f.when(test, f.value(args[2])))
}

// heapOfMapUpdate notes an element that is put into a header map.
func (f *fn) heapOfMapUpdate(m *ssa.MapUpdate) {
	if typeName(m.Map.Type()) != "net/http.Header" {
		return
	}
	first := term.NewElem(f.value(m.Value), term.NewConst("int", "0"))
	f.storeHeader(m, m.Map, f.value(m.Key), first)
}

func (f *fn) storeHeader(at ssa.Instruction, header ssa.Value, name, val *term.Term) {
	v := term.NewCall(headerPair, "", 0, name, val)
	if m := rangedOver(name, val); m != nil {
		v = term.NewCall(headerAll, "", 0, m)
	}
	f.heap = append(f.heap, heapStore{write: write{at: at, val: v}, field: headerStore, base: f.value(header)})
}

// rangedOver is the map over which a loop runs whose key and value are given.
func rangedOver(key, val *term.Term) *term.Term {
	val = unbox(val)
	if key.Kind != term.Call || val.Kind != term.Call || key.Str != "range" || val.Str != "range" || key.N != 1 || val.N != 2 {
		return nil
	}
	if key.Site != val.Site {
		return nil
	}
	return key.Args[0]
}

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
	return t.Kind == term.Call && strings.HasPrefix(t.Str, "net/http.NewRequest")
}

// NoHeader reports whether t is a header of a request that is made in visible
// code, and that nobody is seen to set.
func NoHeader(t *term.Term) bool {
	if t.Kind != term.Field || t.Str != keyHeader {
		return false
	}
	x := t.Args[0]
	for x.Kind == term.Field {
		x = x.Args[0]
	}
	return makesRequest(x) || x.Kind == term.Struct || x.Kind == term.Const
}

// heapOfOption notes that a function value is given a request: what it sets there
// is known when it is known which function it is.
func (f *fn) heapOfOption(c *ssa.Call) {
	for _, a := range c.Call.Args {
		if typeName(a.Type()) == "*net/http.Request" {
			by := term.NewCall(HeaderBy, "", 0, f.value(c.Call.Value))
			f.heap = append(f.heap, heapStore{write: write{at: c, val: by}, field: headerStore, base: term.NewField(headerField, f.value(a))})
		}
	}
}

// KeySetBy is the key that a function sets in the request that it is given, nil if
// it sets none. A function that is not seen stays what it is.
func (a *Analysis) KeySetBy(fv *term.Term) *term.Term { return a.headerSetBy(fv, keyHeader) }

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
