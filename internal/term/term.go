// Package term is the language in which fencelint speaks of values that exist
// only when the program runs: a tree over constants, parameters, fields, calls.
//
// What enters are terms built from one function's code; what leaves are the same
// terms, simplified and with parameters replaced by the caller's terms. A term
// knows nothing of SSA, of positions or of locks, so that it can travel in a fact.
//
// Pointers and what they point to are one term: a *T and its T have the same
// fields. A term is immutable; two terms are equal when their keys are.
package term

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a term stands for.
type Kind uint8

// The kinds. Str, N, Names and Args of a Term mean what is written here.
const (
	Unknown Kind = iota // nothing is known; Str is the reason, in words
	Const               // a constant; Str its text, Typ "string", "int", "bool", "nil", "float"
	Param               // parameter N of the function, the receiver being parameter 0
	Free                // content of captured variable N
	Global              // package variable Str ("path.name")
	Call                // result N of calling Str with Args; Site tells two calls apart
	Field               // field Str ("path.Type.name") of Args[0]
	Elem                // element of Args[0] at Args[1]
	Struct              // value of type Str with fields Names[i] = Args[i]; other fields are zero
	List                // Args in order; Open if more may follow
	Concat              // string concatenation of Args
	Alt                 // one of Args
	Func                // function Str
	Closure             // function literal Str with captured variables Args
	Bound               // method Str bound to receiver Args[0]
	Op                  // operator Str applied to Args
	Convert             // conversion to basic type Str of Args[0]
	Iface               // Args[0] of concrete type Str in an interface; chosen only where there is no Args[1], if there is one
)

// MaxSize bounds the nodes of a term; what would be larger becomes Unknown.
const MaxSize = 160

// Term is one value. The zero Term is Unknown without a reason.
type Term struct {
	Kind  Kind
	Str   string
	Typ   string
	Site  string
	N     int
	Open  bool
	Names []string
	Args  []*Term

	size int
	key  string
}

// NewUnknown returns a term of which nothing is known, for the reason given.
func NewUnknown(reason string) *Term { return &Term{Kind: Unknown, Str: reason} }

// NewString returns a string constant.
func NewString(s string) *Term { return &Term{Kind: Const, Typ: "string", Str: s} }

// NewConst returns a constant of type "int", "bool", "float" or "nil" from its text.
func NewConst(typ, text string) *Term { return &Term{Kind: Const, Typ: typ, Str: text} }

// Nil is the nil constant.
var Nil = Shared(NewConst("nil", "nil"))

// Shared makes a term ready to be used by several goroutines: its key and its size, which
// others get when they are first asked for, are set at once.
func Shared(t *Term) *Term {
	t.Key()
	return t
}

// NewParam returns parameter n.
func NewParam(n int) *Term { return &Term{Kind: Param, N: n} }

// NewFree returns captured variable n.
func NewFree(n int) *Term { return &Term{Kind: Free, N: n} }

// NewGlobal returns the package variable with the given qualified name.
func NewGlobal(name string) *Term { return &Term{Kind: Global, Str: name} }

// NewFunc returns a function value.
func NewFunc(id string) *Term { return &Term{Kind: Func, Str: id} }

// NewCall returns result n of a call; site "" makes equal calls equal.
func NewCall(fn, site string, n int, args ...*Term) *Term {
	return bounded(&Term{Kind: Call, Str: fn, Site: site, N: n, Args: args})
}

// Named returns a copy of a call's term that names the type which the call fills.
func (t *Term) Named(typ string) *Term {
	if t.Kind != Call || typ == "" {
		return t
	}
	c := *t
	c.Typ, c.key = typ, ""
	return &c
}

// NewStruct returns a value of type typ; names and values go together. With a
// site the value has an identity: code elsewhere may set its other fields.
func NewStruct(typ, site string, names []string, values []*Term) *Term {
	return bounded(&Term{Kind: Struct, Str: typ, Site: site, Names: names, Args: values})
}

// NewList returns the elements of a slice or array; open means that more may follow.
func NewList(open bool, elems ...*Term) *Term {
	return bounded(&Term{Kind: List, Open: open, Args: elems})
}

// NewClosure returns a function literal with what it captured.
func NewClosure(id string, captured ...*Term) *Term {
	return bounded(&Term{Kind: Closure, Str: id, Args: fitting(captured)})
}

// NewBound returns a method value.
func NewBound(method string, recv *Term) *Term {
	return bounded(&Term{Kind: Bound, Str: method, Args: fitting([]*Term{recv})})
}

// NewOp returns an operator applied to operands; the length of a list or text that is
// known is a number, and so is what is added to it.
func NewOp(op string, operands ...*Term) *Term {
	if n := folded(op, operands); n != nil {
		return n
	}
	return bounded(&Term{Kind: Op, Str: op, Args: operands})
}

// NewConvert returns a conversion of x to the basic type typ.
func NewConvert(typ string, x *Term) *Term {
	if x.Kind == Unknown || (x.Kind == Convert && x.Str == typ) {
		return x
	}
	if typ == "digits" && x.Kind == Const && x.Typ == "int" {
		return NewString(x.Str)
	}
	return bounded(&Term{Kind: Convert, Str: typ, Args: []*Term{x}})
}

// NewIface returns x, of concrete type typ, as the content of an interface.
func NewIface(typ string, x *Term) *Term {
	return bounded(&Term{Kind: Iface, Str: typ, Args: []*Term{x}})
}

func bounded(t *Term) *Term {
	n := 1
	for _, a := range t.Args {
		n += a.Size()
	}
	if n > MaxSize {
		return trimmed(t, MaxSize*3/4) // with room for what is wrapped around it
	}
	t.size = n
	return t
}

// Size is the number of nodes of t.
func (t *Term) Size() int {
	if t.size == 0 {
		t.size = 1
		for _, a := range t.Args {
			t.size += a.Size()
		}
	}
	return t.size
}

// maxText bounds the terms whose key is their text; the key of a larger one is a
// hash, made from the keys of its parts, so that no key costs more than its node.
const maxText = 12

// Key is canonical: two terms are equal if and only if their keys are.
func (t *Term) Key() string {
	if t.key == "" {
		if t.Size() <= maxText {
			var b [256]byte
			t.key = string(t.appendText(b[:0]))
		} else {
			t.key = t.hash()
		}
	}
	return t.key
}

// hash is the key of a large term. No text begins like it.
func (t *Term) hash() string {
	h := fnv.New128a()
	var n [binary.MaxVarintLen64]byte
	text := func(s string) {
		h.Write(n[:binary.PutUvarint(n[:], uint64(len(s)))])
		h.Write([]byte(s))
	}
	open := byte(0)
	if t.Open {
		open = 1
	}
	h.Write([]byte{byte(t.Kind), open})
	h.Write(n[:binary.PutVarint(n[:], int64(t.N))])
	for _, s := range [...]string{t.Str, t.Typ, t.Site} {
		text(s)
	}
	h.Write(n[:binary.PutUvarint(n[:], uint64(len(t.Names)))])
	for _, s := range t.Names {
		text(s)
	}
	for _, a := range t.Args {
		text(a.Key())
	}
	return "#" + string(h.Sum(nil))
}

func (t *Term) appendText(b []byte) []byte {
	b = append(b, 'a'+byte(t.Kind))
	if t.Str != "" {
		b = strconv.AppendQuote(b, t.Str)
	}
	b = append(b, t.Typ...)
	if t.Site != "" {
		b = append(append(b, '@'), t.Site...)
	}
	if t.N != 0 {
		b = strconv.AppendInt(append(b, '#'), int64(t.N), 10)
	}
	if t.Open {
		b = append(b, '+')
	}
	if len(t.Args) == 0 {
		return b
	}
	b = append(b, '(')
	for i, a := range t.Args {
		if i > 0 {
			b = append(b, ',')
		}
		if i < len(t.Names) {
			b = append(append(b, t.Names[i]...), '=')
		}
		b = append(b, a.Key()...)
	}
	return append(b, ')')
}

// compare orders terms by what they are made of; it is 0 if they are equal.
func (t *Term) compare(u *Term) int {
	if t == u {
		return 0
	}
	if c := cmp.Or(
		cmp.Compare(t.Kind, u.Kind), strings.Compare(t.Str, u.Str), strings.Compare(t.Typ, u.Typ), strings.Compare(t.Site, u.Site), cmp.Compare(t.N, u.N),
		cmp.Compare(len(t.Args), len(u.Args)), slices.Compare(t.Names, u.Names), slices.CompareFunc(t.Args, u.Args, (*Term).compare),
	); c != 0 || t.Open == u.Open {
		return c
	}
	if u.Open {
		return -1
	}
	return 1
}

// Equal reports whether t and u are the same value wherever both are evaluated once.
func (t *Term) Equal(u *Term) bool {
	switch {
	case t == u:
		return true
	case t.Kind != u.Kind || t.N != u.N || t.Str != u.Str || len(t.Args) != len(u.Args) || t.Site != u.Site || t.Typ != u.Typ || t.Open != u.Open:
		return false
	case len(t.Args) == 0:
		return true
	}
	if t.key != "" && u.key != "" {
		return t.key == u.key
	}
	return slices.Equal(t.Names, u.Names) && slices.EqualFunc(t.Args, u.Args, (*Term).Equal)
}

// Any reports whether pred holds for t or a term inside it.
func (t *Term) Any(pred func(*Term) bool) bool {
	if pred(t) {
		return true
	}
	for _, a := range t.Args {
		if a.Any(pred) {
			return true
		}
	}
	return false
}

// Symbolic reports whether t depends on what a caller supplies.
func (t *Term) Symbolic() bool {
	return t.Any(func(u *Term) bool { return u.Kind == Param || u.Kind == Free })
}

// Alternatives lists what t may be: the members of an Alt, or t itself.
func (t *Term) Alternatives() []*Term {
	if t.Kind == Alt {
		return t.Args
	}
	return []*Term{t}
}
