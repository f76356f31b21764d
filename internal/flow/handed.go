package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// OthersCall reports whether an event is the call of an interface that is not the
// project's own: what implements it is supplied from anywhere.
func (a *Analysis) OthersCall(e *Event) bool { return handlers[e.Dyn.Iface] }

// maxNested bounds how deep a function may lie in what is handed over.
const maxNested = 3

// handedBy lists what can be called of a value: a function, functions in a list or
// in a struct that belongs to the code which is given it, and the methods of the
// interface as which that code takes it.
func (f *fn) handedBy(a *term.Term, as types.Type, std bool, depth int) []target {
	if depth > maxNested {
		return nil
	}
	var out []target
	for _, v := range a.Alternatives() {
		switch v.Kind {
		case term.Closure, term.Bound, term.Func:
			out = append(out, f.called(v)...)
		case term.Iface:
			out = append(out, f.handedBy(v.Args[0], nil, std, depth+1)...)
			out = append(out, f.handedMethods(v, as, std)...)
		case term.List:
			for _, e := range v.Args {
				out = append(out, f.handedBy(e, elemOf(as), std, depth+1)...)
			}
		case term.Struct:
			if f.a.own(v.Str) || v.Str == "map" {
				continue
			}
			for i, e := range v.Args {
				out = append(out, f.handedBy(e, f.a.fieldType(v.Names[i]), std, depth+1)...)
			}
		}
	}
	return out
}

// called lists the targets of a function value whose code, or model, is known.
func (f *fn) called(v *term.Term) []target {
	return slices.DeleteFunc(f.applied(v, nil, nil), func(t target) bool { return t.sum == nil && t.call == nil })
}

// handedMethods are the methods of the project's own type that code can call which
// takes it as an interface. An interface of many methods is a collaborator, of which
// it is not said when it is called, unless it is the standard library's.
func (f *fn) handedMethods(v *term.Term, as types.Type, std bool) []target {
	if as == nil || !f.a.own(strings.TrimPrefix(v.Str, "*")) {
		return nil
	}
	iface, ok := as.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() > 1 && !std {
		return nil
	}
	var out []target
	for i := range iface.NumMethods() {
		if t, ok := f.concrete(v.Str, iface.Method(i).Name(), []*term.Term{v}); ok && t.sum != nil {
			out = append(out, t)
		}
	}
	return out
}

func elemOf(t types.Type) types.Type {
	if t != nil {
		if s, ok := t.Underlying().(*types.Slice); ok {
			return s.Elem()
		}
	}
	return nil
}

// fieldType is the type of the field with a name that terms carry, nil if it is not
// at hand.
func (a *Analysis) fieldType(name string) types.Type {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	t := a.typeOf(name[:i])
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for k := range st.NumFields() {
		if st.Field(k).Name() == name[i+1:] {
			return st.Field(k).Type()
		}
	}
	return nil
}

// param is the type of a parameter of the target, the receiver being the first.
func (t *target) param(i int) types.Type {
	if t.sig == nil {
		return nil
	}
	if t.sig.Recv() != nil {
		i--
	}
	if i < 0 || i >= t.sig.Params().Len() {
		return nil
	}
	return t.sig.Params().At(i).Type()
}

// std reports whether the target belongs to the standard library.
func (t *target) std() bool {
	return !strings.Contains(firstElements(strings.TrimLeft(t.id, "(*"), 1), ".") || !strings.Contains(t.id, "/")
}

// passedOn notes functions that a caller supplies and that are handed on to code
// which is not seen.
func (f *fn) passedOn(c ssa.CallInstruction, t target) []*Event {
	if t.dyn != nil || t.sum != nil || f.f == nil {
		return nil
	}
	var out []*Event
	args := c.Common().Args
	if g := c.Common().StaticCallee(); t.call != nil && g != nil && g.Signature.Recv() != nil {
		args = args[1:] // a client may be of a function type: what its methods do is modelled
	}
	for _, v := range args {
		sig, ok := v.Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		for _, a := range f.value(v).Alternatives() {
			if a.Kind != term.Param && a.Kind != term.Free && a.Kind != term.Field {
				continue
			}
			out = append(out, &Event{
				Kind: Dyn, Recv: a, Args: libraryArgs(nil, sig.Params().Len(), t, f.siteOf(c)), Site: f.siteOf(c),
				Chain: []Step{f.step(c)}, Dyn: &DynCall{Results: resultShape(sig)}, from: f.sourceOf(v, nil), handed: sig,
				Async: startsGoroutine[keyOr(t)], perhaps: !begins(t),
			})
		}
	}
	return out
}

// handedStarts lists the ways in which a function that was handed on can say no: its
// error is taken to be that of the call, or of the group that it was handed to.
func handedStarts(e *Event) []start {
	var out []start
	for i := range e.handed.Results().Len() {
		if !isError(e.handed.Results().At(i).Type()) {
			continue
		}
		res := e.site.call.Common().Signature().Results()
		tuple := make([]abs, max(res.Len(), 1))
		for k := range res.Len() {
			if !isError(res.At(k).Type()) {
				continue
			}
			tuple[k] = abs{k: nonNil, sig: true}
		}
		if res.Len() == 0 {
			tuple[0] = abs{k: nonNil, sig: true}
		}
		out = append(out, start{scenario: scenario(i), tuple: tuple})
	}
	return out
}
