package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// callResult is result n of a call.
func (f *fn) callResult(c *ssa.Call, n int) *term.Term {
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), c)
	}
	var out []*term.Term
	for _, t := range f.targets(c) {
		out = append(out, f.targetResult(c, t, n))
	}
	if len(out) == 0 {
		return term.NewUnknown("the result of calling nil")
	}
	return term.NewAlt(out...)
}

func (f *fn) targetResult(c *ssa.Call, t target, n int) *term.Term {
	if t.sum != nil {
		if n < len(t.sum.Results) && t.sum.Results[n] != nil {
			given, sub := t.sum.Results[n], f.substFor(c, t)
			if given.Any(isAlt) {
				if one := f.chosen(c, t, n); one != nil {
					given = one
				} else if one := f.givenTo(t.sum, n, sub); one != nil {
					given = one
				}
			}
			r := unlessNothing(c, sub.Apply(given))
			if mayBeMissing(c, n) && !t.sum.Results[len(t.sum.Results)-1].Equal(term.Nil) {
				r = term.NewAlt(r, term.NewConst("zero", "0"))
			}
			return r
		}
		return term.NewUnknown("the result of a function that calls itself")
	}
	if fold := folds[keyOr(t)]; fold != nil && t.dyn != nil {
		if r := fold(t.args, n); r != nil {
			return r
		}
	}
	if name := atomicField(keyOr(t), "Load", "Swap"); name != "" && t.call == nil && len(t.args) > 0 {
		return f.heldIn(name, t.args[0], c)
	}
	if r := f.atomicLoaded(c); r != nil {
		return r
	}
	if readsText[keyOr(t)] {
		if r := f.built(keyOr(t), c); r != nil {
			return r
		}
	}
	if t.dyn != nil {
		return term.NewCall(DynPrefix+t.dyn.Iface+"."+t.dyn.Method, f.siteOf(c), n, t.args...)
	}
	if fold := folds[keyOfID(t.id)]; fold != nil {
		r := fold(t.args, n)
		if keyOfID(t.id) == "strings.Join" {
			r = cmp.Or(f.joinedEach(c, r), r)
		}
		if r != nil {
			return r
		}
	}
	if r := foldNumber(keyOr(t), t.args, n); r != nil {
		return r
	}
	if len(t.args) == 1 {
		if r := f.gotten(c, t.args[0]); r != nil {
			return r
		}
	}
	r := f.asGranted(c, t.call, term.NewCall(keyOr(t), f.resultSite(c, t), n, t.args...))
	if parses[keyOr(t)] && !writesDigits(t.args[0]) && mayBeMissing(c, n) {
		return term.NewAlt(r, term.NewConst("zero", "0"))
	}
	return r
}

// writesDigits reports whether a text is the decimal digits of a number.
func writesDigits(t *term.Term) bool { return t.Kind == term.Convert && t.Str == "digits" }

// parses are the functions that give 0 for a text that is no number: known here, and not
// asked of each call, since what they read often is no text that this program wrote.
var parses = set("strconv.ParseInt", "strconv.ParseUint", "strconv.Atoi")

func isAlt(t *term.Term) bool { return t.Kind == term.Alt }

// mayBeMissing reports whether nobody looks at the error that comes with number n of the
// results: it is 0 then where there is one.
func mayBeMissing(c *ssa.Call, n int) bool {
	res := c.Common().Signature().Results()
	return n < res.Len()-1 && isInteger(res.At(n).Type()) && errorDropped(c)
}

func keyOr(t target) string {
	if t.key != "" {
		return t.key
	}
	return keyOfID(t.id)
}

// resultSite leaves out the site of calls whose result depends on the arguments
// alone: accessors of tokens, and the pure functions of the standard library.
func (f *fn) resultSite(c *ssa.Call, t target) string {
	if ofArguments(t) {
		return ""
	}
	return f.siteOf(c)
}

// ofArguments reports whether the result of a call depends on its arguments alone.
func ofArguments(t target) bool {
	if t.call != nil && slices.ContainsFunc(t.call.Locks, func(l *model.Lock) bool { return l.Role == model.RoleToken || l.Role == model.RoleGuard }) {
		return true
	}
	return pure[keyOr(t)]
}

func (f *fn) builtin(name string, c *ssa.Call) *term.Term {
	args := c.Common().Args
	if name == "append" && len(args) == 2 {
		if isBytes(args[0].Type()) {
			return term.NewConcat(bytesOf(f.value(args[0])), f.value(args[1]))
		}
		return term.NewAppend(f.value(args[0]), f.value(args[1]))
	}
	ts := make([]*term.Term, len(args))
	for i, a := range args {
		ts[i] = f.value(a)
	}
	return term.NewOp(name, ts...)
}

// isBytes reports whether values of a type are texts: what is appended to them goes
// on where they end.
func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

func bytesOf(t *term.Term) *term.Term {
	if t.Equal(term.Nil) || t.Kind == term.List && len(t.Args) == 0 {
		return term.NewString("")
	}
	return t
}

// global is the content of a package variable, if that is data which no visible
// code changes; else the variable itself.
func (a *Analysis) global(g *term.Term) *term.Term {
	if t, ok := a.globals[g.Str]; ok {
		return t
	}
	a.globals[g.Str] = g // while it is computed
	t := a.initialValue(g)
	a.globals[g.Str] = t
	return t
}

func (a *Analysis) initialValue(g *term.Term) *term.Term {
	if t := a.Imported.global(g.Str); t != nil {
		return t
	}
	path := a.Pkg.Path() + "."
	if len(g.Str) <= len(path) || g.Str[:len(path)] != path {
		return g
	}
	v, ok := a.ssa.Members[g.Str[len(path):]].(*ssa.Global)
	if !ok {
		return g
	}
	if a.moved[v] {
		return g
	}
	if t := a.embedded(v); t != nil && len(a.stored[v]) == 0 {
		return t
	}
	if len(a.stored[v]) != 1 || a.stored[v][0].Parent().Name() != "init" {
		return g
	}
	t := a.function(a.stored[v][0].Parent()).value(a.stored[v][0].Val)
	if a.isData(t) && (t.Kind == term.Call || !a.addressTaken(v)) { // what a constructor made has no fields to set
		return t
	}
	return g
}

// addressTaken reports whether the variable may be changed through a pointer: it
// is only if its address goes anywhere but into loads and stores.
func (a *Analysis) addressTaken(v *ssa.Global) bool {
	_, basic := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Basic)
	return !basic && !isReference(v)
}

// moves notes package variables whose content an instruction changes, or gives away to be
// changed: by an atomic function, through its address, or in a part.
func (a *Analysis) moves(in ssa.Instruction) {
	note := func(v ssa.Value) {
		if load, ok := v.(*ssa.UnOp); ok {
			v = load.X
		}
		if g, ok := v.(*ssa.Global); ok {
			a.moved[g] = true
		}
	}
	switch in := in.(type) {
	case *ssa.MapUpdate:
		note(in.Map)
	case *ssa.Store:
		switch at := in.Addr.(type) {
		case *ssa.IndexAddr:
			note(at.X)
		case *ssa.FieldAddr:
			note(at.X)
		}
	case *ssa.MakeInterface:
		if g, ok := in.X.(*ssa.Global); ok && isBasicPointer(g.Type()) {
			a.moved[g] = true
		}
	case ssa.CallInstruction:
		common := in.Common()
		if b, ok := common.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
			note(common.Args[0])
		}
		if len(common.Args) > 0 && rearranges(common.StaticCallee()) {
			note(common.Args[0])
		}
		for _, v := range common.Args {
			if g, ok := v.(*ssa.Global); ok && isBasicPointer(g.Type()) && !strings.HasPrefix(callKey(common), atomicPrefix+"Load") {
				a.moved[g] = true
			}
		}
	}
}

func isBasicPointer(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Basic)
	return ok
}

func isReference(v *ssa.Global) bool {
	switch v.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Map, *types.Slice, *types.Signature, *types.Struct, *types.Array:
		return true
	}
	return false
}

// makesText are the constructors of what changes texts.
var makesText = set("regexp.MustCompile", "regexp.MustCompilePOSIX", "strings.NewReplacer")

// isData reports whether a term is made of constants alone, by literals or by
// constructors that the models know.
func (a *Analysis) isData(t *term.Term) bool {
	return !t.Any(func(u *term.Term) bool {
		switch u.Kind {
		case term.Unknown, term.Param, term.Free:
			return true
		case term.Call:
			return !templateCalls[u.Str] && !makesText[u.Str] && (len(u.Args) == 0 || a.known.byKey(u.Str) == nil)
		}
		return false
	})
}
