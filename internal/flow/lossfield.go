package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A lock that is kept in a field, and the session that it was made of.

// sessionsInField are the sessions of the locks that the package puts into a field, nil if
// one of them may be made elsewhere, so that others can ask for its end.
func (f *fn) sessionsInField(handle *term.Term) []*term.Term {
	var out []*term.Term
	for _, lock := range f.a.madeHere(handle) {
		if lock.Kind != term.Call || len(lock.Args) == 0 {
			return nil
		}
		for _, s := range f.a.madeHere(lock.Args[0]) {
			if s.Kind != term.Call || !strings.HasSuffix(s.Str, ".NewSession") {
				return nil
			}
			out = append(out, s)
		}
	}
	return out
}

// madeHere is what a value can be, with what the package puts into a field in its place
// where no other package can.
func (a *Analysis) madeHere(t *term.Term) []*term.Term {
	var out []*term.Term
	for _, h := range t.Alternatives() {
		h = unbox(h)
		if vals := a.FieldValues(h.Str); h.Kind == term.Field && len(vals) > 0 && !token.IsExported(h.Str[lastDot(h.Str):]) {
			for _, v := range vals {
				out = append(out, unbox(v))
			}
			continue
		}
		out = append(out, h)
	}
	return out
}

// anyoneAsks reports whether a function of the package asks one of some sessions for its
// end, or lets others have one.
func (a *Analysis) anyoneAsks(sessions []*term.Term) bool {
	for _, f := range a.order {
		for _, s := range f.sites {
			for _, ev := range s.events {
				if ev.Kind == Signal && ev.Recv != nil && a.mayBeOne(unbox(ev.Recv), sessions) {
					return true
				}
			}
		}
		if f.givesSession() {
			return true
		}
	}
	return false
}

// mayBeOne reports whether a session may be one of some others, by where they are made.
func (a *Analysis) mayBeOne(s *term.Term, others []*term.Term) bool {
	for _, m := range a.madeHere(s) {
		if m.Kind != term.Call || m.Site == "" {
			return true
		}
		for _, o := range others {
			if m.Site == o.Site {
				return true
			}
		}
	}
	return false
}

// givesSession reports whether the function hands a session to code that is not seen: as a
// result, an argument, or a field with an exported name.
func (f *fn) givesSession() bool {
	res := f.f.Signature.Results()
	for i := range res.Len() {
		if f.f.Object() != nil && f.f.Object().Exported() && isSession(res.At(i).Type()) {
			return true
		}
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				fa, ok := in.Addr.(*ssa.FieldAddr)
				if ok && isSession(in.Val.Type()) && token.IsExported(fieldVar(fa).Name()) {
					return true
				}
			case *ssa.MakeInterface:
				if isSession(in.X.Type()) {
					return true
				}
			case ssa.CallInstruction:
				for _, a := range in.Common().Args {
					if isSession(a.Type()) && !f.a.knows(in) {
						return true
					}
				}
			}
		}
	}
	return false
}

func fieldVar(fa *ssa.FieldAddr) *types.Var {
	return deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field)
}
