package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// looseConversion makes a value of an interface without methods of a type that has
// some. Which interface it is asked for later is not seen there.
type looseConversion struct {
	c Conversion
	t types.Type
}

// unnamed begins the name of an interface that is written where it is used.
const unnamed = "interface "

// Unnamed reports whether the name of an interface is made from its methods.
func Unnamed(iface string) bool { return strings.HasPrefix(iface, unnamed) }

// ifaceName names an interface, one without a name by its methods.
func ifaceName(t types.Type) string {
	iface, ok := types.Unalias(t).(*types.Interface)
	if !ok {
		return typeName(t)
	}
	names := make([]string, iface.NumMethods())
	for i := range names {
		names[i] = iface.Method(i).Name()
	}
	return unnamed + strings.Join(names, ",")
}

// ifaceNames are the names under which the methods of an interface may be called:
// its own, and those of the interfaces that it embeds.
func (a *Analysis) ifaceNames(t types.Type) []string {
	var out []string
	if name := ifaceName(t); a.own(name) || strings.HasPrefix(name, unnamed) {
		out = append(out, name)
	}
	iface := t.Underlying().(*types.Interface)
	for i := range iface.NumMethods() {
		recv := iface.Method(i).Signature().Recv()
		if recv == nil {
			continue
		}
		if name := ifaceName(recv.Type()); !slices.Contains(out, name) && (a.own(name) || strings.HasPrefix(name, unnamed)) {
			out = append(out, name)
		}
	}
	return out
}

// Conversions lists where the package makes values of interfaces that have methods.
func (a *Analysis) Conversions() []Conversion {
	var out []Conversion
	for _, iface := range slices.Sorted(maps.Keys(a.made)) {
		out = append(out, a.made[iface]...)
	}
	return out
}

// ConversionsTo lists where the package makes values of an interface: directly, by
// way of another interface, and if it does neither, out of values of another interface
// that imported packages made, or as values of any type that the code asks for the
// interface.
func (a *Analysis) ConversionsTo(iface string) []Conversion {
	out := a.throughOthers(iface, make(map[string]bool))
	if len(out) == 0 {
		out = a.madeElsewhere(iface, token.NoPos, make(map[string]bool))
	}
	if want := a.asserted[iface]; want != nil && len(out) == 0 {
		for _, l := range a.loose {
			if types.Implements(l.t, want) {
				out = append(out, l.c)
			}
		}
	}
	for i := range out {
		out[i].Iface = iface
	}
	return out
}

func (a *Analysis) throughOthers(iface string, seen map[string]bool) []Conversion {
	if seen[iface] {
		return nil
	}
	seen[iface] = true
	out := slices.Clone(a.made[iface])
	for _, w := range a.widened[iface] {
		out = append(out, a.throughOthers(w.from, seen)...)
	}
	return out
}

// madeElsewhere lists the types that imported packages made into interfaces whose values
// become those of another one here, which is where the program chooses them.
func (a *Analysis) madeElsewhere(iface string, at token.Pos, seen map[string]bool) []Conversion {
	if seen[iface] || a.Imported == nil {
		return nil
	}
	seen[iface] = true
	var out []Conversion
	if at.IsValid() {
		for _, c := range a.Imported.Conversions {
			if c.Iface == iface && !slices.ContainsFunc(out, func(o Conversion) bool { return o.Type == c.Type }) {
				out = append(out, a.converted(c.Type, iface, at, c.Value))
			}
		}
	}
	for _, w := range a.widened[iface] {
		out = append(out, a.madeElsewhere(w.from, w.pos, seen)...)
	}
	return out
}

// conversions collects where concrete types become interfaces.
func (a *Analysis) conversions(roots []*ssa.Function) {
	var visit func(*ssa.Function)
	visit = func(f *ssa.Function) {
		x := a.function(f)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MakeInterface:
					a.conversion(x, in)
				case *ssa.ChangeInterface:
					a.widens(in)
				case *ssa.TypeAssert:
					a.assertion(in.AssertedType)
				case *ssa.Store:
					a.fieldStore(x, in)
				case *ssa.MapUpdate:
					a.entryStore(x, in.Map, in.Value)
				}
				if c, ok := in.(*ssa.Call); ok {
					a.conversionsBy(x, c)
				}
				if c, ok := in.(ssa.CallInstruction); ok {
					a.instantiation(c)
					a.atomicStore(x, c)
					a.syncEntry(x, c)
				}
			}
		}
		for _, lit := range f.AnonFuncs {
			visit(lit)
		}
	}
	for _, f := range roots {
		visit(f)
	}
}

func (a *Analysis) conversion(x *fn, m *ssa.MakeInterface) {
	iface := m.Type().Underlying().(*types.Interface)
	if !hasMethods(m.X.Type()) {
		return
	}
	name := typeName(m.X.Type())
	if iface.NumMethods() == 0 {
		if a.own(strings.TrimPrefix(name, "*")) {
			pos := a.conversionPos(m)
			a.loose = append(a.loose, looseConversion{a.converted(name, "", pos, x.value(m.X)), m.X.Type()})
		}
		return
	}
	names := a.ifaceNames(m.Type())
	if len(names) == 0 {
		return
	}
	pos := a.conversionPos(m)
	a.types[name] = m.X.Type()
	for _, n := range names {
		a.made[n] = append(a.made[n], a.converted(name, n, pos, x.value(m.X)))
	}
}

func (a *Analysis) converted(typ, iface string, pos token.Pos, v *term.Term) Conversion {
	return Conversion{
		Type: typ, Iface: iface, Pos: pos, Place: a.place(pos), Value: v,
		Test: isTestFile(a.Fset.Position(pos).Filename),
	}
}

// widening is a place where values of one interface become those of another.
type widening struct {
	from string
	pos  token.Pos
}

// widens notes such a place, the first for each pair.
func (a *Analysis) widens(c *ssa.ChangeInterface) {
	for _, n := range a.ifaceNames(c.Type()) {
		for _, o := range a.ifaceNames(c.X.Type()) {
			if o != n && !slices.ContainsFunc(a.widened[n], func(w widening) bool { return w.from == o }) {
				a.widened[n] = append(a.widened[n], widening{o, a.widenedAt(c)})
			}
		}
	}
}

// widened is a value of an interface under another one that asks for less of it. A carrier
// of a library that is an interface itself, such as a transaction, stays one of its kind:
// what is called through the other is a method of that.
func (f *fn) widened(c *ssa.ChangeInterface) *term.Term {
	t := f.value(c.X)
	if t.Kind == term.Iface || f.a.Models.Carrier(c.X.Type()) == "" {
		return t
	}
	return term.NewIface(typeName(c.X.Type()), t)
}

// widenedAt is where a reader sees it: where the new value is put or handed to, for the
// conversion itself is not written.
func (a *Analysis) widenedAt(c *ssa.ChangeInterface) token.Pos {
	for _, r := range *c.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok {
			return a.callPos(call)
		}
		if r.Pos().IsValid() {
			return r.Pos()
		}
	}
	return a.posOf(c, c.X)
}

// assertion notes that code asks values for an interface.
func (a *Analysis) assertion(t types.Type) {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return
	}
	for _, n := range a.ifaceNames(t) {
		a.asserted[n] = iface
	}
}

// instantiation takes a type that fills a type parameter for one that becomes the
// parameter's constraint.
func (a *Analysis) instantiation(c ssa.CallInstruction) {
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Origin() == nil {
		return
	}
	params, args := callee.Origin().TypeParams(), callee.TypeArgs()
	for i := range min(params.Len(), len(args)) {
		constraint := params.At(i).Constraint()
		if iface, ok := constraint.Underlying().(*types.Interface); !ok || iface.NumMethods() == 0 || types.IsInterface(args[i]) || !hasMethods(args[i]) {
			continue
		}
		pos, name := a.callPos(c), typeName(args[i])
		a.types[name] = args[i]
		for _, n := range a.ifaceNames(constraint) {
			a.made[n] = append(a.made[n], a.converted(name, n, pos, nil))
		}
	}
}

// conversionsBy notes the types that a constructor of another package gives as an
// interface: here is where the program chooses them.
func (a *Analysis) conversionsBy(x *fn, c *ssa.Call) {
	if c.Call.StaticCallee() == nil {
		return
	}
	sum := x.staticSummary(c.Common())
	if sum == nil || a.byID[sum.ID] != nil {
		return
	}
	results := c.Call.Signature().Results()
	for i, r := range sum.Results {
		if r == nil || !types.IsInterface(results.At(i).Type()) {
			continue
		}
		names := a.ifaceNames(results.At(i).Type())
		for _, v := range r.Alternatives() {
			if v.Kind == term.Iface {
				for _, n := range names {
					made := a.converted(v.Str, n, a.callPos(c), nil)
					made.Made = true
					a.made[n] = append(a.made[n], made)
				}
			}
		}
	}
}
