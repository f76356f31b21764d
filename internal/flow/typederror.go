package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// errorOf is the error of a function that returns one of some: those that are records with
// something in them, alone or wrapped, if all others are known to be none.
func errorOf(vals []*term.Term) *term.Term {
	out := []*term.Term{term.NewUnknown("an error")}
	for _, v := range vals {
		for _, a := range v.Alternatives() {
			switch {
			case saysRecord(a):
				out = append(out, a)
			case !saysNoRecord(a):
				return out[0]
			}
		}
	}
	return term.NewAlt(out...)
}

// saysRecord reports whether an error is a record with something in it, or wraps one.
func saysRecord(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		return u.Kind == term.Iface && u.Args[0].Kind == term.Struct && len(u.Args[0].Args) > 0
	})
}

// saysNoRecord reports whether an error is none, or made of a text.
func saysNoRecord(t *term.Term) bool {
	switch t.Kind {
	case term.Const, term.Global:
		return true
	case term.Call:
		return errorMakers[t.Str] && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !saysNoRecord(a) })
	case term.List:
		return !t.Open && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !saysNoRecord(a) })
	case term.Concat, term.Convert:
		return true
	}
	return false
}

// typedError begins the name of an error that is known by its type: what follows is
// "package.Type".
const typedError = "type "

// ownError names an error by its type, if that is a struct which alone says what it is: one
// with methods that errors.Is and errors.As ask may say that it is another one, too.
func ownError(t types.Type) string {
	obj := namedOf(t)
	if obj == nil || obj.Pkg() == nil {
		return ""
	}
	n, _ := obj.Type().(*types.Named)
	if n == nil || n.TypeParams().Len() > 0 {
		return ""
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return ""
	}
	for _, asked := range []string{"Is", "As", "Unwrap"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, obj.Pkg(), asked); m != nil {
			return ""
		}
	}
	return typedError + shortName(n)
}

// shortName is the name of a type behind that of its package, without the path.
func shortName(t types.Type) string {
	name := strings.TrimPrefix(typeName(t), "*")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// isTyped decides errors.As for an error of a known type, nil if it cannot: an
// interface may be met or not.
func isTyped(a abs, target ssa.Value) *abs {
	if m, ok := target.(*ssa.MakeInterface); ok {
		target = m.X
	}
	if ptr, ok := target.Type().(*types.Pointer); ok {
		return hasType(a, ptr.Elem())
	}
	return nil
}

// hasType decides whether an error of a known type has another one, nil if it cannot.
func hasType(a abs, t types.Type) *abs {
	want, ok := strings.CutPrefix(a.name, typedError)
	if !ok || a.k != nonNil || types.IsInterface(t) {
		return nil
	}
	b := boolean(shortName(t) == want)
	b.sig = a.sig
	return &b
}
