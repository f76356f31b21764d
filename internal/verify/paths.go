package verify

import (
	"go/types"
	"strings"

	"github.com/fencelint/fencelint/model"
)

// scope is what the paths of one entry may begin at.
type scope struct {
	v        *verifier
	sig      *types.Signature // of the matched call
	value    types.Type       // of the matched field
	callback *types.Signature
	session  model.Path
}

func (s *scope) lock(e *model.Lock) {
	s.setCallback(e.Callback)
	for _, p := range append([]model.Path{e.Handle, e.Session, e.TTL, e.Value, e.Release, e.GuardAt, e.GuardKey, e.Token.At, e.Token.HolderAt, e.Token.HolderIs}, e.Keys...) {
		s.path(p)
	}
	for _, w := range e.Match.Where {
		s.path(w.At)
	}
	for _, all := range e.OKAny {
		if e.Match.Kind == "chain" {
			break // they are about what the end of the chain returns
		}
		for _, c := range all {
			s.cond(c)
		}
	}
	for _, sig := range append([]model.Signal{e.Lost}, e.Lost.Alt...) {
		s.signal(sig)
	}
}

// setCallback remembers the signature of the function at p.
func (s *scope) setCallback(p model.Path) {
	if p.IsZero() {
		return
	}
	t := s.path(p)
	if t == nil {
		return
	}
	if sl, ok := t.Underlying().(*types.Slice); ok && p.Rest {
		t = sl.Elem()
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		s.v.faultf("%s is no function but %s", p, t)
		return
	}
	s.callback = sig
}

func (s *scope) text(n int) {
	t := s.arg(n)
	if t == nil {
		return
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return
	}
	if types.IsInterface(t) || isBytes(t) || unknown(t) || s.anyList(n) {
		return // filters and patches
	}
	s.v.faultf("argument %d is no text but %s", n, t)
}

// anyList reports that the n-th argument is the variable rest, of any type: the
// text is its first element.
func (s *scope) anyList(n int) bool {
	if !s.sig.Variadic() || n != s.sig.Params().Len()-1 {
		return false
	}
	return types.IsInterface(s.sig.Params().At(n).Type().(*types.Slice).Elem())
}

func isBytes(t types.Type) bool {
	sl, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(sl.Elem().Underlying(), types.Typ[types.Byte])
}

func (s *scope) arg(n int) types.Type { return s.element(s.sig, "argument", n, false) }

// element returns the type of the n-th parameter or result.
func (s *scope) element(sig *types.Signature, what string, n int, result bool) types.Type {
	if sig == nil {
		s.v.faultf("no call to take %s %d of", what, n)
		return nil
	}
	tuple := sig.Params()
	if result {
		tuple = sig.Results()
	}
	switch {
	case n == model.LastArg:
		n = tuple.Len() - 1
	case n == model.EachArg:
		n = 0
	}
	if n < 0 || n >= tuple.Len() {
		s.v.faultf("%s %d of %s", what, n, sig)
		return nil
	}
	return tuple.At(n).Type()
}

// path follows p and returns the type at its end, nil where that cannot be told.
func (s *scope) path(p model.Path) types.Type {
	if p.IsZero() {
		return nil
	}
	t := s.root(p)
	if p.From != "" {
		t = s.from(p)
	}
	if t == nil {
		return nil
	}
	return s.steps(p, t)
}

func (s *scope) root(p model.Path) types.Type {
	switch p.Root {
	case "recv":
		if s.sig == nil || s.sig.Recv() == nil {
			s.v.faultf("%s: no receiver", p)
			return nil
		}
		return s.sig.Recv().Type()
	case "arg":
		t := s.element(s.sig, "argument", p.Index, false)
		if sl, ok := under[*types.Slice](t); ok && p.Index == model.EachArg {
			return sl.Elem()
		}
		return t
	case "ret":
		return s.element(s.sig, "result", p.Index, true)
	case "elem":
		t := s.element(s.sig, "result", p.Index, true)
		if ch, ok := under[*types.Chan](t); ok {
			return ch.Elem()
		}
		s.v.faultf("%s: no channel but %v", p, t)
	case "value":
		return s.value
	case "callback":
		return s.element(s.callback, "argument of the callback", p.Index, false)
	case "session":
		if s.session.IsZero() {
			s.v.faultf("%s: the entry names no session", p)
			return nil
		}
		return s.path(s.session)
	case "opt":
		if s.v.pkg.Scope().Lookup(p.Name) == nil {
			s.v.faultf("no option %s", p.Name)
		}
	case "read":
		recv, name, _ := strings.Cut(p.Name, ".")
		if fn := s.v.fn(recv, name); fn != nil {
			return s.element(fn.Signature(), "result", p.Index, true)
		}
	}
	return nil
}

func under[T types.Type](t types.Type) (T, bool) {
	if t == nil {
		var zero T
		return zero, false
	}
	u, ok := t.Underlying().(T)
	return u, ok
}

// from returns the type of the constructor's argument.
func (s *scope) from(p model.Path) types.Type {
	fn, ok := s.v.pkg.Scope().Lookup(p.From).(*types.Func)
	if !ok {
		s.v.faultf("%s: no function %s", p, p.From)
		return nil
	}
	return s.element(fn.Signature(), "argument of "+p.From, p.FromArg, false)
}

func (s *scope) steps(p model.Path, t types.Type) types.Type {
	for _, st := range p.Steps {
		switch {
		case st.Type != "":
			return nil // the asserted type is of another package
		case st.Name == "*":
			sl, ok := under[*types.Slice](t)
			if !ok {
				s.v.faultf("%s: [*] on %s", p, t)
				return nil
			}
			t = sl.Elem()
		default:
			if t = s.step(p, t, st); t == nil {
				return nil
			}
		}
	}
	return t
}

func (s *scope) step(p model.Path, t types.Type, st model.Step) types.Type {
	if unknown(t) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, s.v.pkg, st.Name)
	switch obj := obj.(type) {
	case *types.Func:
		if st.Call {
			return s.element(obj.Signature(), "result of "+st.Name, st.Index, true)
		}
	case *types.Var:
		if !st.Call {
			return obj.Type()
		}
	}
	if s.v.old && s.v.newer(st.Name) {
		return nil
	}
	s.v.faultf("%s: no %s of %s", p, st, t)
	return nil
}

// unknown reports that an importer without all packages could not tell the type.
func unknown(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying() == types.Typ[types.Invalid]
}

// cond checks that the literal fits the type of the path.
func (s *scope) cond(c model.Cond) {
	t := s.path(c.Path)
	if t == nil || unknown(t) {
		return
	}
	fits := true
	switch c.Value {
	case "nil":
		fits = types.AssignableTo(types.Typ[types.UntypedNil], t)
	case "true", "false":
		fits = basic(t, types.IsBoolean)
	case "":
		_, fits = under[*types.Chan](t)
	default:
		fits = basic(t, types.IsNumeric|types.IsString)
	}
	if !fits {
		s.v.faultf("%s: the value is a %s", c, t)
	}
}

func basic(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// signal checks that what carries a loss signal is of the right kind.
func (s *scope) signal(sig model.Signal) {
	t := s.path(sig.At)
	if t == nil || unknown(t) {
		return
	}
	ok := true
	switch sig.Kind {
	case "chan_close", "chan_value":
		_, ok = under[*types.Chan](t)
	case "ctx_done":
		ok = t.String() == "context.Context"
	case "callback":
		_, ok = under[*types.Signature](t)
	case "err":
		ok = t.String() == "error"
	}
	if !ok {
		s.v.faultf("lost %s: the value is a %s", sig.Text, t)
	}
}
