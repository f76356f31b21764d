package flow

import (
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A value that is encoded and decoded again is the same value. The term of what a
// decoder writes names the type that it fills, so that it is known which value fits.

// filledType names the type to which an address points that is given to a call.
func filledType(v ssa.Value) string {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if p, ok := v.Type().Underlying().(*types.Pointer); ok {
		return typeName(p.Elem())
	}
	return ""
}

// codedType is the same for a type of which it is known which fields go through an encoding,
// "" for others.
func codedType(v ssa.Value, key string) string {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	p, ok := types.Unalias(v.Type()).(*types.Pointer)
	if !ok {
		return ""
	}
	if isMessage(p) {
		return typeName(p.Elem())
	}
	if codesItself(p) {
		return ""
	}
	if _, known := leftOut(p, key); !known {
		return ""
	}
	return typeName(p.Elem())
}

// leftOut lists the fields of a record that an encoding leaves out: what a decoder is given
// keeps them. It is not known of encodings whose tags are not.
func leftOut(p *types.Pointer, key string) (fields []string, known bool) {
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || isMessage(p) || codesItself(p) {
		return nil, !ok || isMessage(p)
	}
	tag := tagOf(key)
	for i := range st.NumFields() {
		f := st.Field(i)
		word, _ := reflect.StructTag(st.Tag(i)).Lookup(tag)
		switch {
		case f.Embedded():
			if !f.Exported() || strings.Contains(st.Tag(i), `:"-"`) {
				return nil, false
			}
		case !f.Exported(), tag != "" && word == "-":
			fields = append(fields, fieldName(p, i))
		case strings.Contains(st.Tag(i), `:"-"`) && tag == "":
			return nil, false
		}
	}
	return fields, true
}

// tagOf is the key under which the tags of fields tell an encoding how to write them, "" if
// that is not known. Package encoding/gob has none.
func tagOf(key string) string {
	for _, tag := range []string{"json", "xml", "yaml", "bson", "msgpack", "toml", "gob"} {
		if strings.Contains(key[:strings.LastIndexByte(key, '.')+1], tag) {
			return tag
		}
	}
	return ""
}

// codesItself reports whether the code of a type tells how it is encoded or decoded.
func codesItself(p *types.Pointer) bool {
	for i, ms := 0, types.NewMethodSet(p); i < ms.Len(); i++ {
		if name := ms.At(i).Obj().Name(); strings.HasPrefix(name, "Marshal") || strings.HasPrefix(name, "Unmarshal") ||
			name == "GobEncode" || name == "GobDecode" {
			return true
		}
	}
	return false
}

// roundTrip is what a call writes that undoes another call; nil for others.
func roundTrip(t *term.Term) *term.Term {
	if t.Kind != term.Call || t.N < OutParam || len(t.Args) == 0 {
		return nil
	}
	switch {
	case t.Str == "errors.As":
		return errorIn(t.Args[0], t.Typ)
	case strings.HasPrefix(t.Str, "fmt.Sscan") && t.N >= OutParam:
		return scanned(t)
	case decodes(t.Str):
		return decoded(t)
	}
	return nil
}

// decoded is the value of the type that is filled, if the bytes were encoded from one.
func decoded(t *term.Term) *term.Term {
	from, codec := t.Args[0], t.Str[:strings.LastIndexByte(t.Str, '.')]
	if strings.HasSuffix(t.Str, ".Decoder.Decode") {
		codec = strings.TrimSuffix(codec, ".Decoder")
		from = readFrom(from)
	}
	from = readFrom(from)
	if from.Kind == term.Alt {
		return eachForm(from, func(a *term.Term) *term.Term {
			c := *t
			return decoded(term.NewCall(c.Str, c.Site, c.N, a).Named(c.Typ))
		})
	}
	if from.Kind != term.Call || len(from.Args) == 0 || from.Str != codec+".Marshal" && from.Str != codec+".MarshalIndent" {
		return nil
	}
	if v := from.Args[0]; t.Typ != "" && typeOfTerm(v) == t.Typ {
		return unbox(v)
	}
	return nil
}

// readFrom is what a reader or decoder reads.
func readFrom(t *term.Term) *term.Term {
	for t.Kind == term.Iface || t.Kind == term.Call && len(t.Args) == 1 && wrapsBytes[t.Str] {
		t = t.Args[0]
	}
	return t
}

// wrapsBytes make a reader or a decoder of their argument.
var wrapsBytes = set("bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString", "strings.NewReader", "bufio.NewReader",
	"encoding/json.NewDecoder", "encoding/gob.NewDecoder", "encoding/xml.NewDecoder")

// typeOfTerm names the type of a struct value, "" if it is not known.
func typeOfTerm(t *term.Term) string {
	switch t.Kind {
	case term.Iface:
		return strings.TrimPrefix(t.Str, "*")
	case term.Struct:
		return t.Str
	case term.Alt:
		name := typeOfTerm(t.Args[0])
		for _, a := range t.Args[1:] {
			if typeOfTerm(a) != name {
				return ""
			}
		}
		return name
	}
	return ""
}

// errorIn is the error of a type that another one carries; nil if none is in sight.
func errorIn(t *term.Term, typ string) *term.Term {
	if typ == "" {
		return nil
	}
	found := carried(t, typ)
	if len(found) == 0 {
		return nil
	}
	return term.NewAlt(found...)
}

// carried lists the errors of a type that an error is or wraps.
func carried(t *term.Term, typ string) []*term.Term {
	switch {
	case t.Kind == term.Iface && t.Str == typ:
		return []*term.Term{t.Args[0]}
	case t.Kind == term.Alt, t.Kind == term.List, t.Kind == term.Call && (t.Str == "fmt.Errorf" || t.Str == "errors.Join"):
		var out []*term.Term
		for _, a := range t.Args {
			out = append(out, carried(a, typ)...)
		}
		return out
	}
	return nil
}

// scanned is the value behind the only number in a text, scanned into a number.
func scanned(t *term.Term) *term.Term {
	text := t.Args[0]
	if t.N != OutParam || text.Kind == term.Alt {
		return nil
	}
	if text.Kind == term.Concat {
		var hole *term.Term
		for _, p := range text.Args {
			if s, ok := term.StringValue(p); ok && !strings.ContainsAny(s, "0123456789") {
				continue
			}
			if hole != nil {
				return nil
			}
			hole = p
		}
		text = hole
	}
	return text
}

// gotten is the field that the getter of a generated message gives; nil for other
// calls.
func (f *fn) gotten(c *ssa.Call, recv *term.Term) *term.Term {
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || callee.Signature.Params().Len() != 0 || callee.Signature.Results().Len() != 1 {
		return nil
	}
	name, ok := strings.CutPrefix(callee.Name(), "Get")
	p, isPointer := callee.Signature.Recv().Type().(*types.Pointer)
	if !ok || !isPointer {
		return nil
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || !isMessage(p) {
		return nil
	}
	for i := range st.NumFields() {
		if v := st.Field(i); v.Name() == name && types.Identical(v.Type(), callee.Signature.Results().At(0).Type()) {
			return f.fieldAt(fieldName(p, i), recv, c)
		}
	}
	return nil
}

// isMessage reports whether a type is a message of protocol buffers.
func isMessage(p *types.Pointer) bool {
	for _, name := range []string{"ProtoReflect", "ProtoMessage"} {
		obj, _, _ := types.LookupFieldOrMethod(p, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}
