package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// effectType names the last argument of a boundary at another system.
const effectType = "fencelint.effect"

// IsEffect reports whether an argument is what is known of an effect, which the code
// itself does not pass.
func IsEffect(t *term.Term) bool { return t.Kind == term.Struct && t.Str == effectType }

// The parts of an effect.
const (
	EffectKey    = "key"    // by what the receiver knows a repetition; zero if there is no such thing
	EffectSent   = "sent"   // what else is sent in headers
	EffectMethod = "method" // the method of a request
	EffectMatch  = "match"  // the version that the receiver must have for a request to be accepted
	EffectNone   = "none"   // the version that it must not have
)

// conditions are the headers by which a request says what its receiver must have. An
// effect has the parts of those that the request may carry.
var conditions = map[string]string{EffectMatch: matchHeader, EffectNone: noneHeader}

// Conditional reports whether an effect may carry a condition of its receiver's state.
func (e *Event) Conditional() bool {
	return e.Effect(EffectMatch) != nil || e.Effect(EffectNone) != nil
}

// Effect is a part of what a boundary at another system sends, nil if e is none.
func (e *Event) Effect(part string) *term.Term {
	n := len(e.Args)
	if n == 0 || e.Args[n-1].Kind != term.Struct || e.Args[n-1].Str != effectType {
		return nil
	}
	if i := slices.Index(e.Args[n-1].Names, part); i >= 0 {
		return e.Args[n-1].Args[i]
	}
	return nil
}

// isEffect reports whether a sink hands something to another system.
func isEffect(s *model.Sink) bool {
	return strings.Contains(s.Boundary, "external") || strings.Contains(s.Boundary, "queue")
}

// effect gathers what the call c sends to another system, as it is when c runs.
func (f *fn) effect(c ssa.CallInstruction, t target, s *model.Sink) *term.Term {
	_, args := split(t)
	f.within = callKey(c.Common()) != t.key
	defer func() { f.within = false }()
	names := []string{EffectKey}
	vals := []*term.Term{f.effectKey(c, t, s, args)}
	if req := requestOf(t, args); req != nil {
		names = append(names, EffectSent)
		vals = append(vals, f.headerOf(req, anyHeader, c))
		if !t.onRequest() {
			names, vals = append(names, EffectMethod), append(vals, f.fieldAt(methodField, req, c))
		}
		for _, part := range []string{EffectMatch, EffectNone} {
			if v := f.headerOf(req, conditions[part], c); !NoHeader(v) {
				names, vals = append(names, part), append(vals, v)
			}
		}
	}
	return term.NewStruct(effectType, "", names, vals)
}

// onRequest reports whether a method is that of a request which its client builds step by
// step.
func (t target) onRequest() bool {
	return t.sig != nil && t.sig.Recv() != nil && t.call != nil && t.call.Sink != nil && t.call.Sink.Condition == "receiver" && strings.HasSuffix(t.call.Sink.IdemKey, " header")
}

// requestOf is the argument that is an HTTP request, or the request that is built.
func requestOf(t target, args []*term.Term) *term.Term {
	if t.sig == nil {
		return nil
	}
	if t.onRequest() {
		return builtRequest(t.args[0], typeName(t.sig.Recv().Type()))
	}
	for i, a := range args {
		if i < t.sig.Params().Len() && typeName(t.sig.Params().At(i).Type()) == "*net/http.Request" {
			return a
		}
	}
	return nil
}

// effectKey finds the key where the model says that it is: in a header, in an
// argument, in an option, or in a field of the input.
func (f *fn) effectKey(c ssa.CallInstruction, t target, s *model.Sink, args []*term.Term) *term.Term {
	at := s.IdemKey
	if at == "" {
		at = s.Dedupe
	}
	switch {
	case at == "":
		return term.NewConst("zero", "0")
	case strings.HasSuffix(at, " header"):
		if req := requestOf(t, args); req != nil {
			return f.headerOf(req, keyHeader, c)
		}
		return term.NewConst("zero", "0")
	}
	if p, err := model.ParsePath(at); err == nil && p.Root == "arg" && p.Index >= 0 && p.Index < len(args) && len(p.Steps) == 0 {
		return args[p.Index]
	}
	word := at[strings.LastIndexByte(at, '.')+1:]
	if o := option(args, word); o != nil {
		return o
	}
	i := s.Input.Index
	if i == model.LastArg {
		i = len(args) - 1
	}
	if s.Input.Root != "arg" || i < 0 || i >= len(args) {
		return term.NewConst("zero", "0")
	}
	if list, _, batch := strings.Cut(at, "."); batch && s.IdemKey == "" {
		return entryKeys(f.fieldNamed(c, inputType(t, i), args[i], list), word)
	}
	return f.fieldNamed(c, inputType(t, i), args[i], word)
}

// entryKeys are the keys of a list of messages that one call sends.
func entryKeys(list *term.Term, name string) *term.Term {
	var keys []*term.Term
	var collect func(t *term.Term) bool
	collect = func(t *term.Term) bool {
		switch {
		case t.Kind == term.Alt, t.Kind == term.Op && t.Str == "append":
			return !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !collect(a) })
		case t.Kind == term.List && !t.Open:
			for _, e := range t.Args {
				e = unbox(e)
				if e.Kind != term.Struct || e.Open {
					return false
				}
				keys = append(keys, term.Settle(term.NewField(e.Str+"."+name, e)))
			}
			return true
		}
		return t.Equal(term.Nil) || term.IsZero(t) || t.Kind == term.Unknown && t.Str == term.FromItself
	}
	if !collect(list) || len(keys) == 0 {
		return term.NewUnknown("those of a list of messages that is not followed")
	}
	return term.NewAlt(keys...)
}

func inputType(t target, i int) types.Type {
	if t.sig == nil || i >= t.sig.Params().Len() {
		return nil
	}
	return t.sig.Params().At(i).Type()
}

// option finds, among the arguments, the call of an option constructor.
func option(args []*term.Term, name string) *term.Term {
	var found *term.Term
	for _, a := range args {
		a.Any(func(u *term.Term) bool {
			if found == nil && u.Kind == term.Call && len(u.Args) > 0 && strings.HasSuffix(u.Str, "."+name) {
				found = u.Args[len(u.Args)-1]
			}
			return found != nil
		})
	}
	return found
}

// fieldNamed is a field of x, promoted ones too, as it is when c runs.
func (f *fn) fieldNamed(c ssa.CallInstruction, typ types.Type, x *term.Term, name string) *term.Term {
	if typ == nil {
		return term.NewUnknown("an input whose type is not known")
	}
	obj, path, _ := types.LookupFieldOrMethod(typ, true, f.a.Pkg, name)
	if v, ok := obj.(*types.Var); !ok || !v.IsField() {
		return term.NewUnknown("an input that has no field " + name)
	}
	for n, i := range path {
		if n == len(path)-1 {
			return f.setBefore(fieldName(typ, i), x, c)
		}
		x = f.fieldAt(fieldName(typ, i), x, c)
		st, ok := deref(typ).Underlying().(*types.Struct)
		if !ok {
			return x
		}
		typ = st.Field(i).Type()
	}
	return x
}

// setBefore is fieldAt for a field whose absence matters: in a struct that this
// function fills part by part, what is stored after at is not there yet.
func (f *fn) setBefore(name string, base *term.Term, at ssa.Instruction) *term.Term {
	if base.Kind != term.Struct || base.Open || base.Site != "" {
		return f.fieldAt(name, base, at)
	}
	f.fillHeap()
	seen := false
	var last *heapStore
	var vals []*term.Term
	for i := range f.heap {
		st := &f.heap[i]
		if st.field != name || !st.base.Equal(base) {
			continue
		}
		seen = true
		switch {
		case f.before(st.at, at):
			if last == nil || f.before(last.at, st.at) {
				last = st
			}
		case !f.before(at, st.at):
			vals = append(vals, st.val)
		}
	}
	switch {
	case !seen:
		return f.fieldAt(name, base, at)
	case last != nil:
		return term.NewAlt(append(vals, last.val)...)
	}
	return term.NewAlt(append(vals, term.NewConst("zero", "0"))...)
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// setter is the field that a call sets which a model knows to do nothing else,
// such as SetIdempotencyKey, with the value.
func (f *fn) setter(c ssa.CallInstruction) (field string, recv ssa.Value, val *term.Term) {
	common := c.Common()
	callee := common.StaticCallee()
	if callee == nil {
		return "", nil, nil
	}
	if name, val := f.atomicSet(c); name != "" {
		return name, common.Args[0], val
	}
	if len(common.Args) != 2 {
		return "", nil, nil
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return "", nil, nil
	}
	call := f.a.known.of(obj).call
	if call == nil || call.Sink == nil || call.Sink.Kind != "bind" || call.Sink.IdemKey == "" {
		return "", nil, nil
	}
	name := call.Sink.IdemKey[strings.LastIndexByte(call.Sink.IdemKey, '.')+1:]
	recv = common.Args[0]
	v, path, _ := types.LookupFieldOrMethod(recv.Type(), true, obj.Pkg(), name)
	if _, ok := v.(*types.Var); !ok || len(path) != 1 {
		return "", nil, nil
	}
	return fieldName(recv.Type(), path[0]), recv, f.value(common.Args[1])
}

// heapOfSetter notes a field that a setter sets.
func (f *fn) heapOfSetter(c ssa.CallInstruction) {
	field, recv, val := f.setter(c)
	if field == "" {
		return
	}
	if _, local := recv.(*ssa.Alloc); local {
		return // part of the struct's own term
	}
	at, test := ifNotEmpty(c)
	w := write{at: at, val: f.when(test, val), perhaps: c.Common().StaticCallee().Name() == "CompareAndSwap"}
	f.heap = append(f.heap, heapStore{write: w, field: field, base: f.value(recv), path: f.pathTo(recv)})
}

// Initially is the value with which a package variable of this package starts, if
// no code assigns to it later; nil if that is not known. Unlike the content of a
// variable in terms, it may be the result of a call.
func (a *Analysis) Initially(name string) *term.Term {
	short, own := strings.CutPrefix(name, a.Pkg.Path()+".")
	if !own {
		return nil
	}
	v, ok := a.ssa.Members[short].(*ssa.Global)
	if !ok || len(a.stored[v]) != 1 {
		return nil
	}
	st := a.stored[v][0]
	return a.function(st.Parent()).value(st.Val)
}

// AssignedHow says what the package does with a package variable, as the end of a sentence
// about the variable.
func (a *Analysis) AssignedHow(name string) string {
	short, own := strings.CutPrefix(name, a.Pkg.Path()+".")
	v, ok := a.ssa.Members[short].(*ssa.Global)
	switch n := len(a.stored[v]); {
	case !own || !ok:
		return "belongs to another package"
	case n == 0:
		return "is assigned nowhere in its package"
	case n == 1:
		return "is assigned while the program runs"
	}
	return "is assigned in several places"
}

// fillers lists functions that fill the bytes of their argument with the given number.
var fillers = map[string]int{"crypto/rand.Read": 0, "math/rand.Read": 0, "io.ReadFull": 1}

// filled is what a call writes into bytes that were made for it, nil if none does.
func (f *fn) filled(v ssa.Value) *term.Term {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Slice:
			if t := f.filled(r); t != nil {
				return t
			}
		case *ssa.Call:
			key := callKey(r.Common())
			if i, ok := fillers[key]; ok && i < len(r.Call.Args) && r.Call.Args[i] == v {
				args := f.callArgs(r.Common())
				return term.NewCall(key, f.siteOf(r), OutParam+i, args[:i]...)
			}
		}
	}
	return nil
}
