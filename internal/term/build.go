package term

import (
	"slices"
	"strconv"
	"strings"
)

// MaxAlternatives bounds an Alt; more become Unknown.
const MaxAlternatives = 32

// Reasons why the track of a value is lost that is there to be seen. Nobody else can
// say what it is.
const (
	TooMany    = "too many values meet here"
	TooLarge   = "the expression is too large to follow"
	FromItself = "a value that is computed from itself"
	Reflected  = "a function that is found by reflection"
)

// Lost reports whether the track of t was lost, not that somebody else supplies it.
func (t *Term) Lost() bool {
	return t.Kind == Unknown && (t.Str == TooMany || t.Str == TooLarge || t.Str == FromItself || t.Str == Reflected)
}

// NewText returns a text of which only the beginning is known.
func NewText(reason, begin string) *Term { return &Term{Kind: Unknown, Str: reason, Typ: begin} }

// NewAlt joins what a value may be. Members are flattened, sorted and unique.
func NewAlt(ts ...*Term) *Term {
	var flat []*Term
	for _, t := range ts {
		if t != nil {
			flat = append(flat, t.Alternatives()...)
		}
	}
	if len(flat) > 1 && slices.ContainsFunc(flat, (*Term).NotChosen) {
		if flat = slices.DeleteFunc(flat, (*Term).NotChosen); len(flat) == 0 {
			return NewUnknown(notChosen)
		}
	}
	if len(flat) > 1 && !slices.ContainsFunc(flat[1:], func(t *Term) bool { return !t.Equal(flat[0]) }) {
		flat = flat[:1]
	}
	slices.SortFunc(flat, (*Term).compare)
	flat = slices.CompactFunc(flat, (*Term).Equal)
	switch {
	case len(flat) == 0:
		return NewUnknown("no value reaches this place")
	case len(flat) == 1:
		return flat[0]
	case len(flat) > MaxAlternatives:
		return begun(TooMany, flat)
	}
	return bounded(&Term{Kind: Alt, Args: flat})
}

// begun is what is left of values that are too many or too large: of texts how all of them
// begin, up to a whole word.
func begun(reason string, ts []*Term) *Term {
	begin := commonBegin(ts)
	begin = begin[:strings.LastIndexAny(begin, " \t\n")+1]
	if strings.TrimSpace(begin) == "" {
		return NewUnknown(reason)
	}
	return &Term{Kind: Concat, Args: []*Term{NewString(begin), NewUnknown(reason)}}
}

func commonBegin(ts []*Term) string {
	begin := ts[0].begin()
	for _, t := range ts[1:] {
		other, n := t.begin(), 0
		for n < len(begin) && n < len(other) && begin[n] == other[n] {
			n++
		}
		begin = begin[:n]
	}
	return begin
}

// begin is the text with which a text begins.
func (t *Term) begin() string {
	switch {
	case isString(t):
		return t.Str
	case t.Kind == Concat:
		return t.Args[0].begin()
	case t.Kind == Alt:
		return commonBegin(t.Args)
	}
	return ""
}

// NewConcat joins strings; neighbouring constants melt into one.
func NewConcat(parts ...*Term) *Term {
	var out []*Term
	for _, p := range parts {
		for _, q := range concatParts(p) {
			if isString(q) && q.Str == "" {
				continue
			}
			if isString(q) && len(out) > 0 && isString(out[len(out)-1]) {
				out[len(out)-1] = NewString(out[len(out)-1].Str + q.Str)
				continue
			}
			out = append(out, q)
		}
	}
	switch len(out) {
	case 0:
		return NewString("")
	case 1:
		return out[0]
	}
	return bounded(&Term{Kind: Concat, Args: shrunk(out)})
}

// shrunk makes the largest parts of a text unknown that would be too large: what is
// constant in it must not be lost for what is put in.
func shrunk(parts []*Term) []*Term {
	n := 1
	for _, p := range parts {
		n += p.Size()
	}
	for n > MaxSize {
		i := 0
		for k, p := range parts {
			if p.Size() > parts[i].Size() {
				i = k
			}
		}
		if parts[i].Size() == 1 {
			break
		}
		n -= parts[i].Size() - 1
		parts = slices.Clone(parts)
		if parts[i].Kind == Alt {
			left := concatParts(begun(TooLarge, parts[i].Args))
			parts = slices.Replace(parts, i, i+1, left...)
			n += len(left) - 1
			continue
		}
		parts[i] = tooLarge
	}
	return parts
}

func concatParts(t *Term) []*Term {
	if t.Kind == Concat {
		return t.Args
	}
	return []*Term{t}
}

func isString(t *Term) bool { return t.Kind == Const && t.Typ == "string" }

// NewField selects a field. name is "path.Type.field".
func NewField(name string, base *Term) *Term {
	switch base.Kind {
	case Struct:
		for i, n := range base.Names {
			if n == name {
				return base.Args[i]
			}
		}
		if base.Site != "" || base.Open {
			break // code elsewhere may set it; Settle decides
		}
		return NewConst("zero", "0")
	case Alt:
		if rest := Present(base); rest != base {
			return NewField(name, rest)
		}
		return mapAlt(base, func(t *Term) *Term { return NewField(name, t) })
	case Iface, Convert:
		return NewField(name, base.Args[0])
	case Unknown:
		return base
	case Call:
		if i := givenAs(name, base.Str); i >= 0 && i < len(base.Args) {
			return base.Args[i]
		}
	case Const:
		switch base.Typ {
		case "nil":
			return NewConst("zero", "0")
		case "zero":
			return base
		}
	}
	return bounded(&Term{Kind: Field, Str: name, Args: []*Term{base}})
}

// givenAs is the argument that a function of the standard library puts into a field of
// what it makes, -1 if none is known: the other arguments of a request may be too large
// to be followed.
func givenAs(field, maker string) int {
	if field != "net/http.Request.Method" {
		return -1
	}
	switch maker {
	case "net/http.NewRequest":
		return 0
	case "net/http.NewRequestWithContext":
		return 1
	}
	return -1
}

// Present leaves out of alternatives a pointer that is nil: it has no field, and who asks
// for one ends there; and a list or map that is nil: it has no element.
func Present(t *Term) *Term {
	isNil := func(a *Term) bool { return a.Kind == Const && a.Typ == "nil" }
	if !slices.ContainsFunc(t.Args, isNil) {
		return t
	}
	return NewAlt(slices.DeleteFunc(slices.Clone(t.Args), isNil)...)
}

// NewElem selects an element of a list, map or array.
func NewElem(base, index *Term) *Term {
	switch base.Kind {
	case List:
		if i, ok := IntValue(index); ok && i >= 0 && i < int64(len(base.Args)) {
			return base.Args[i]
		}
		if len(base.Args) > 0 && !base.Open {
			return NewAlt(base.Args...)
		}
	case Struct: // a map literal: names are keys of constants
		return elemOfMap(base, index)
	case Alt:
		if rest := Present(base); rest != base {
			return NewElem(rest, index)
		}
		return mapAlt(base, func(t *Term) *Term { return NewElem(t, index) })
	case Iface, Convert:
		return NewElem(base.Args[0], index)
	case Unknown:
		return base
	case Const:
		if base.Typ == "nil" || base.Typ == "zero" {
			return NewConst("zero", "0")
		}
	}
	return bounded(&Term{Kind: Elem, Args: []*Term{base, index}})
}

func elemOfMap(m, index *Term) *Term {
	if index.Kind == Alt {
		return mapAlt(index, func(i *Term) *Term { return elemOfMap(m, i) })
	}
	if found := entriesUnder(m, index); len(found) > 0 {
		return NewAlt(found...)
	}
	if index.Kind == Const && !m.Open {
		return NewConst("zero", "0")
	}
	if len(m.Args) == 0 || m.Open {
		return NewUnknown("the element of a map")
	}
	if index.Symbolic() {
		return bounded(&Term{Kind: Elem, Args: []*Term{m, index}}) // Settle lists them all
	}
	return NewAlt(m.Args...)
}

// Perhaps is the name under which a map has what is there on some paths only.
const Perhaps = "?"

// entriesUnder lists what a map can hold under a key, in whose place nothing was put later. It
// is empty if no entry has the key.
func entriesUnder(m, index *Term) []*Term {
	if index.Kind == Unknown {
		return nil
	}
	var out []*Term
	perhaps := slices.Contains(m.Names, Perhaps)
	for i, n := range m.Names {
		switch {
		case n == index.Key():
			if !perhaps {
				out = nil
			}
			out = append(out, m.Args[i])
		case len(out) > 0 && n != Perhaps && !isKey(n):
			out = append(out, m.Args[i]) // the keys may be one
		}
	}
	return out
}

// isKey reports whether the name of an entry is that of a constant.
func isKey(name string) bool { return strings.HasPrefix(name, constMark) }

// NewAppend is a list with more elements; what came before may be unknown.
func NewAppend(list, more *Term) *Term {
	if list.Kind == Const {
		list = NewList(false)
	}
	switch {
	case list.Kind == List && !list.Open && more.Kind == List:
		elems := append(append([]*Term{}, list.Args...), more.Args...)
		return NewList(more.Open, elems...)
	case list.Kind == List && !list.Open && more.Kind == Const:
		return list
	case list.Kind == List && !list.Open && len(list.Args) == 0:
		return more // a copy
	case list.Kind == List && !list.Open && more.Symbolic():
		return NewOp("append", list, more) // the caller knows the rest
	case list.Kind == List && !list.Open:
		return NewList(true, list.Args...)
	case list.Kind == List:
		return list
	case list.Kind == Alt:
		return mapAlt(list, func(l *Term) *Term { return NewAppend(l, more) })
	}
	return NewOp("append", list, more)
}

func mapAlt(t *Term, f func(*Term) *Term) *Term {
	out := make([]*Term, len(t.Args))
	for i, a := range t.Args {
		out[i] = f(a)
	}
	return NewAlt(out...)
}

// Replace puts another term in place of a part of t.
func Replace(t, part, by *Term) *Term {
	if t.Equal(part) {
		return by
	}
	args := make([]*Term, len(t.Args))
	same := true
	for i, a := range t.Args {
		args[i] = Replace(a, part, by)
		same = same && args[i] == a
	}
	if same {
		return t
	}
	return t.with(args, t.Site)
}

// Settle answers the fields that nobody was seen to set: of a struct made in
// visible code they are zero. An element of a map whose key is not known is any of them.
func Settle(t *Term) *Term {
	s := &Subst{any: true, Field: func(name string, base *Term) *Term {
		f := NewField(name, base)
		if f.Kind == Field && f.Args[0].Kind == Struct && !f.Args[0].Open {
			return NewConst("zero", "0")
		}
		return f
	}}
	return s.Apply(t)
}

// folded computes an operator whose operands are constants; nil if it is none of those
// with which places in a statement are counted.
func folded(op string, operands []*Term) *Term {
	if op == "len" && len(operands) == 1 {
		return lengthOf(operands[0])
	}
	if op != "+" && op != "-" || len(operands) != 2 {
		return nil
	}
	for i, a := range operands {
		if a.Kind == Alt && operands[1-i].Kind == Const {
			out := make([]*Term, len(a.Args))
			for k, x := range a.Args {
				two := []*Term{operands[0], operands[1]}
				two[i] = x
				if out[k] = folded(op, two); out[k] == nil {
					return nil
				}
			}
			return NewAlt(out...)
		}
	}
	a, ok := IntValue(operands[0])
	b, ok2 := IntValue(operands[1])
	if !ok || !ok2 {
		return nil
	}
	if op == "-" {
		b = -b
	}
	return NewConst("int", strconv.FormatInt(a+b, 10))
}

// lengthOf is the length of a list or text that is known as a whole, nil for others.
func lengthOf(t *Term) *Term {
	switch {
	case t.Kind == List && !t.Open:
		return NewConst("int", strconv.Itoa(len(t.Args)))
	case t.Kind == Const && t.Typ == "string":
		return NewConst("int", strconv.Itoa(len(t.Str)))
	case t.Kind == Const && t.Typ == "nil":
		return NewConst("int", "0")
	case t.Kind == Alt:
		out := make([]*Term, len(t.Args))
		for i, a := range t.Args {
			if out[i] = lengthOf(a); out[i] == nil {
				return nil
			}
		}
		return NewAlt(out...)
	}
	return nil
}
