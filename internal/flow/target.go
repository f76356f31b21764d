package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// target is one function that a call may run.
type target struct {
	id   string      // full name
	key  string      // key of the models
	sum  *Summary    // nil if its code is not seen
	call *model.Call // nil if no model speaks of it
	args []*term.Term
	free []*term.Term
	own  bool     // a literal written in the text of the calling function
	dyn  *DynCall // the target is not known: what is known of the call
	from *keptIn  // of a function value: what keeps it
	sig  *types.Signature
	// unless, if set, is what a context is asked for: this is the target only where it does
	// not carry that.
	unless *term.Term
	typed  *typeChoice // of a method: the type for which it is the target, if that is one of several
}

// silent reports whether a call causes nothing, whatever its arguments are: those need no
// look then, and most calls are of that kind.
func (f *fn) silent(c ssa.CallInstruction) bool {
	callee := c.Common().StaticCallee()
	if callee == nil {
		return false
	}
	if _, literal := c.Common().Value.(*ssa.MakeClosure); literal {
		return false
	}
	t := f.static(callee, nil)
	switch {
	case t.call != nil || f.a.decl(t.key, "writes") != nil:
		return false
	case t.sum != nil:
		return len(t.sum.essential()) == 0
	}
	return !slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return !f.a.isPlain(v.Type()) })
}

// isPlain reports whether no function can be reached through values of a type.
func (a *Analysis) isPlain(t types.Type) bool {
	if _, basic := t.Underlying().(*types.Basic); basic {
		return true
	}
	plain, ok := a.plain[t]
	if !ok {
		a.plain[t] = true // as far as it is a part of itself
		plain = a.hasPlainParts(t)
		a.plain[t] = plain
	}
	return plain
}

func (a *Analysis) hasPlainParts(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return a.isPlain(t.Elem())
	case *types.Slice:
		return a.isPlain(t.Elem())
	case *types.Array:
		return a.isPlain(t.Elem())
	case *types.Map:
		return a.isPlain(t.Key()) && a.isPlain(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			if !a.isPlain(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// targets lists what a call may run.
func (f *fn) targets(c ssa.CallInstruction) []target {
	if ts, ok := f.targeted[c]; ok && f.heaped != underWay {
		return ts
	}
	common := c.Common()
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return nil
	}
	if common.IsInvoke() {
		if neverHolds(common.Value) {
			return nil
		}
		return f.invoked(common)
	}
	args := f.callArgs(common)
	if callee := common.StaticCallee(); callee != nil {
		if m, ok := common.Value.(*ssa.MakeClosure); ok {
			return f.applied(f.value(m), args, common.Signature())
		}
		t := f.static(callee, args)
		if t.call == nil && t.sum == nil && isFuncMethod(callee) {
			return f.applied(args[0], args[1:], common.Signature())
		}
		return []target{t}
	}
	fv := f.value(common.Value)
	if t, ok := f.ofFuncType(common.Value.Type(), fv, args); ok {
		return []target{t}
	}
	return f.kept(f.applied(fv, args, common.Signature()), common.Value, args, common.Signature())
}

// ofFuncType is what a function value does of whose type a model speaks: a client that
// has a field for each of its calls, each of a type of its own.
func (f *fn) ofFuncType(typ types.Type, fv *term.Term, args []*term.Term) (target, bool) {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return target{}, false
	}
	switch fv.Kind {
	case term.Func, term.Closure, term.Bound, term.Alt:
		return target{}, false // it is known what runs
	}
	sig, _ := named.Underlying().(*types.Signature)
	key := named.Obj().Pkg().Path() + "." + named.Obj().Name()
	call := f.a.Models.FuncKey(key)
	return target{id: key, key: key, call: call, args: args, sig: sig}, call != nil
}

func (f *fn) static(callee *ssa.Function, args []*term.Term) target {
	t := target{id: f.a.known.id(callee), args: args, sig: callee.Signature}
	if obj, ok := callee.Object().(*types.Func); ok {
		known := f.a.known.of(obj)
		t.key, t.call = known.key, known.call
		if t.call == nil && f.generated(&t, obj) {
			return t
		}
	}
	if t.call == nil {
		t.sum = f.a.byName(t.id)
		t.own = callee.Parent() != nil
	}
	return t
}

// isFuncMethod reports whether a method belongs to a type of functions with the same
// parameters, like http.HandlerFunc: it calls the function.
func isFuncMethod(callee *ssa.Function) bool {
	recv := callee.Signature.Recv()
	if recv == nil {
		return false
	}
	fn, ok := recv.Type().Underlying().(*types.Signature)
	return ok && types.Identical(fn.Params(), callee.Signature.Params())
}

// invoked resolves a call through an interface by the concrete types that the
// receiver's term names.
func (f *fn) invoked(common *ssa.CallCommon) []target {
	recv := f.value(common.Value)
	args := f.callArgs(common)
	return askedOf(common.Value, f.methods(common.Method, recv, args))
}

func (f *fn) methods(m *types.Func, recv *term.Term, args []*term.Term) []target {
	if call := f.a.known.of(m).call; call != nil {
		if alts := recv.Alternatives(); len(alts) != 1 || alts[0].Kind != term.Iface {
			return []target{{id: m.FullName(), key: model.Key(m), call: call, args: args, sig: m.Signature()}}
		}
	}
	var out []target
	alts := recv.Alternatives()
	for _, r := range alts {
		if r.Kind == term.Const {
			continue // a nil interface cannot be called
		}
		rest := append([]*term.Term{r}, args[1:]...)
		if r.Kind == term.Iface {
			if t, ok := f.concrete(r.Str, m.Name(), rest); ok {
				t.sig = m.Signature()
				if len(alts) > 1 {
					t.typed = chosenType(recv, r.Str)
				}
				out = append(out, t)
				continue
			}
		}
		if ts := f.inClosedField(m, rest); ts != nil {
			out = append(out, ts...)
			continue
		}
		out = append(out, f.unresolved(m, rest))
	}
	return out
}

// inClosedField resolves a call on a field whose types are all known; nil if they are
// not.
func (f *fn) inClosedField(m *types.Func, args []*term.Term) []target {
	if args[0].Kind != term.Field {
		return nil
	}
	var out []target
	types := f.a.closed[args[0].Str]
	for _, typ := range types {
		t, ok := f.concrete(typ, m.Name(), args)
		if !ok {
			return nil
		}
		if len(types) > 1 {
			t.typed = chosenType(args[0], typ)
		}
		t.sig = m.Signature()
		out = append(out, t)
	}
	return out
}

func (f *fn) unresolved(m *types.Func, args []*term.Term) target {
	t := target{id: m.FullName(), key: model.Key(m), args: args, sig: m.Signature()}
	if call := f.a.known.of(m).call; call != nil {
		t.call = call
		return t
	}
	if call, key := f.byShape(m); key != "" {
		t.call, t.key = call, key
		return t
	}
	if scansRow(m) || getsClient(m) {
		return t
	}
	t.dyn = &DynCall{Method: m.Name(), Results: resultShape(m.Signature())}
	if recv := m.Signature().Recv(); recv != nil {
		t.dyn.Iface = ifaceName(recv.Type())
	}
	return t
}

// scansRow reports whether a method has the shape of Scan of a row, which fills what it is
// given and does nothing else.
func scansRow(m *types.Func) bool {
	ps, res := m.Signature().Params(), m.Signature().Results()
	if m.Name() != "Scan" || !m.Signature().Variadic() || ps.Len() != 1 || res.Len() != 1 || !isError(res.At(0).Type()) {
		return false
	}
	elem, ok := ps.At(0).Type().(*types.Slice).Elem().Underlying().(*types.Interface)
	return ok && elem.Empty()
}

// concrete finds the method of a named type: by its type if that is at hand, so
// that promoted methods are found too, else by name.
func (f *fn) concrete(typ, method string, args []*term.Term) (target, bool) {
	unless := term.Unless(args[0])
	t, ok := f.concreteOf(typ, method, append([]*term.Term{unbox(args[0])}, args[1:]...))
	t.unless = unless
	return t, ok
}

func (f *fn) concreteOf(typ, method string, args []*term.Term) (target, bool) {
	if t := f.a.typeOf(typ); t != nil {
		obj, path, _ := types.LookupFieldOrMethod(t, true, f.a.Pkg, method)
		if fn, ok := obj.(*types.Func); ok {
			args[0] = promoted(t, path, args[0])
			return f.named(fn, args), true
		}
	}
	bare := strings.TrimPrefix(typ, "*")
	if call := f.a.known.byKey(bare + "." + method); call != nil {
		return target{id: bare + "." + method, key: bare + "." + method, call: call, args: args}, true
	}
	if p := f.a.Imported.promotedTo(bare + "." + method); p != nil {
		for _, field := range p.Path {
			args[0] = term.NewField(field, args[0])
		}
		return target{id: p.ID, key: keyOfID(p.ID), sum: f.a.byName(p.ID), args: args}, true
	}
	for _, id := range []string{"(*" + bare + ")." + method, "(" + bare + ")." + method} {
		if sum := f.a.byName(id); sum != nil {
			return target{id: id, key: bare + "." + method, sum: sum, args: args}, true
		}
	}
	return target{}, false
}

func (f *fn) named(obj *types.Func, args []*term.Term) target {
	obj = obj.Origin()
	t := target{id: obj.FullName(), key: model.Key(obj), args: args, sig: obj.Signature()}
	if t.call = f.a.known.of(obj).call; t.call == nil {
		t.sum = f.a.byName(t.id)
	}
	if t.call == nil && t.sum == nil && types.IsInterface(obj.Signature().Recv().Type()) {
		return f.unresolved(obj, args) // promoted from an embedded interface
	}
	return t
}

func unbox(t *term.Term) *term.Term {
	if t.Kind == term.Iface {
		return t.Args[0]
	}
	return t
}

// promoted selects the embedded fields on the way to a promoted method.
func promoted(t types.Type, path []int, recv *term.Term) *term.Term {
	for _, i := range path[:max(0, len(path)-1)] {
		recv = term.NewField(fieldName(t, i), recv)
		st, ok := structUnder(t)
		if !ok {
			break
		}
		t = st.Field(i).Type()
	}
	return recv
}

// applied resolves the call of a function value.
func (f *fn) applied(fv *term.Term, args []*term.Term, sig *types.Signature) []target {
	var out []target
	for _, v := range fv.Alternatives() {
		switch v.Kind {
		case term.Const:
			continue // nil
		case term.Call:
			if v.N == 1 && strings.HasPrefix(v.Str, "context.With") {
				continue // cancels
			}
			out = append(out, f.notKnown(v, args, sig))
		case term.Func, term.Closure:
			t := target{id: v.Str, sum: f.a.byName(v.Str), args: args, free: v.Args, sig: sig}
			if t.free == nil {
				t.free = []*term.Term{}
			}
			t.own = strings.Contains(v.Str, "$") && f.writtenHere(v.Str)
			if t.sum == nil {
				t.call = f.a.known.byKey(keyOfID(v.Str))
				t.key = keyOfID(v.Str)
			}
			out = append(out, t)
		case term.Bound:
			out = append(out, f.bound(v, args, sig))
		default:
			out = append(out, f.notKnown(v, args, sig))
		}
	}
	return out
}

// notKnown is a function value of which nobody here knows what it runs.
func (f *fn) notKnown(v *term.Term, args []*term.Term, sig *types.Signature) target {
	return target{id: "func value", args: append([]*term.Term{v}, args...), sig: sig, dyn: &DynCall{Results: resultShape(sig)}}
}

func (f *fn) bound(v *term.Term, args []*term.Term, sig *types.Signature) target {
	all := append([]*term.Term{unbox(v.Args[0])}, args...)
	key := keyOfID(v.Str)
	t := target{id: v.Str, key: key, args: all, sig: sig}
	if t.call = f.a.known.byKey(key); t.call != nil {
		return t
	}
	if t.sum = f.a.byName(v.Str); t.sum != nil {
		return t
	}
	i := strings.LastIndexByte(key, '.')
	if v.Args[0].Kind == term.Iface {
		if c, ok := f.concrete(v.Args[0].Str, key[i+1:], all); ok {
			c.sig = sig
			return c
		}
	}
	t.dyn = &DynCall{Iface: key[:max(i, 0)], Method: key[i+1:], Results: resultShape(sig)}
	return t
}

// writtenHere reports whether the literal with this id stands in f's own text.
func (f *fn) writtenHere(id string) bool {
	x := f.a.byID[id]
	return x != nil && f.f != nil && outermost(x.f) == outermost(f.f)
}

// keyOfID turns a full name "(*path.T).M" into a model's key "path.T.M".
func keyOfID(id string) string {
	if !strings.HasPrefix(id, "(") {
		return id
	}
	end := strings.LastIndexByte(id, ')')
	return strings.TrimPrefix(id[1:end], "*") + id[end+1:]
}

// typeOf finds a type by the name that terms carry.
func (a *Analysis) typeOf(name string) types.Type {
	if t, ok := a.types[name]; ok {
		return t
	}
	bare, star := strings.CutPrefix(name, "*")
	i := strings.LastIndexByte(bare, '.')
	if i < 0 {
		return nil
	}
	var found types.Type
	if pkg := a.packageOf(bare[:i]); pkg != nil {
		if tn, ok := pkg.Scope().Lookup(bare[i+1:]).(*types.TypeName); ok {
			found = tn.Type()
			if star {
				found = types.NewPointer(found)
			}
		}
	}
	a.types[name] = found
	return found
}

func (a *Analysis) packageOf(path string) *types.Package {
	if path == a.Pkg.Path() {
		return a.Pkg
	}
	for _, p := range a.Pkg.Imports() {
		if p.Path() == path {
			return p
		}
	}
	return nil
}

// staticSummary is the summary of the one function that the call names.
func (f *fn) staticSummary(c *ssa.CallCommon) *Summary {
	if callee := c.StaticCallee(); callee != nil {
		if obj, ok := callee.Object().(*types.Func); ok && f.a.known.of(obj).call != nil {
			return nil
		}
		return f.a.byName(f.a.known.id(callee))
	}
	return nil
}

// callee is the name under which terms and models know the called function.
func (f *fn) callee(c *ssa.CallCommon) (string, []*term.Term) {
	args := f.callArgs(c)
	if c.IsInvoke() {
		return model.Key(c.Method), args
	}
	if s := c.StaticCallee(); s != nil {
		return keyOfID(f.a.known.id(s)), args
	}
	return "func value", args
}

// firstOf is the name of the called function, with the first of its arguments: the receiver
// tells where what it gives came from.
func (f *fn) firstOf(c *ssa.CallCommon) (string, []*term.Term) {
	key := "func value"
	if s := c.StaticCallee(); s != nil {
		key = keyOfID(f.a.known.id(s))
	}
	switch {
	case c.IsInvoke():
		return model.Key(c.Method), []*term.Term{f.value(c.Value)}
	case len(c.Args) > 0:
		return key, []*term.Term{f.value(c.Args[0])}
	}
	return key, nil
}

// resultShape writes the result types of a signature, for matching at main.
func resultShape(sig *types.Signature) string {
	if sig == nil {
		return ""
	}
	return types.TypeString(sig.Results(), func(p *types.Package) string { return p.Path() })
}
