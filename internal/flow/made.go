package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// passOnMade adds what the methods of an interface do for the types of other packages that
// become one here: who calls the interface need not import the type's package.
func (a *Analysis) passOnMade(cs []Conversion, want map[string]bool) {
	if a.Imported == nil || len(a.Imported.funcs) == 0 {
		return
	}
	var byType map[string][]string
	for _, c := range cs {
		t := a.typeOf(c.Type)
		if t == nil && byType == nil {
			byType = a.Imported.methods()
		}
		methods := a.methodNames(c.Iface)
		own := byType[strings.TrimPrefix(c.Type, "*")]
		for _, p := range c.Promoted {
			own = append(own[:len(own):len(own)], p.ID)
		}
		for _, id := range idsOf(t, own, methods) {
			if a.Imported.knowsFunc(id) {
				want[id] = true
			}
		}
	}
}

// promotions are the methods of an interface that a type has of what it embeds.
func (a *Analysis) promotions(c Conversion) []Promoted {
	t := a.typeOf(c.Type)
	if t == nil {
		return nil
	}
	var out []Promoted
	for _, m := range methodsOf(t, a.methodNames(c.Iface)) {
		if len(m.path) >= 2 && !types.IsInterface(m.Signature().Recv().Type()) {
			out = append(out, Promoted{m.Name(), m.Origin().FullName(), fieldsOn(t, m.path)})
		}
	}
	return out
}

// method is one of those that values of a type have, with the fields on the way to what
// has it.
type method struct {
	*types.Func
	path []int
}

// methodsOf lists the exported methods of a type with the given names, of all names for
// nil, sorted by name. To look for a few by their names is much cheaper than to make the
// set of all.
func methodsOf(t types.Type, names []string) []method {
	var out []method
	if names == nil {
		set := types.NewMethodSet(t)
		for i := range set.Len() {
			if m, ok := set.At(i).Obj().(*types.Func); ok && m.Exported() {
				out = append(out, method{m, set.At(i).Index()})
			}
		}
		return out
	}
	for _, name := range names {
		obj, path, _ := types.LookupFieldOrMethod(t, false, nil, name)
		if m, ok := obj.(*types.Func); ok && m.Exported() {
			out = append(out, method{m, path})
		}
	}
	return out
}

// fieldsOn names the embedded fields on the way to a promoted method.
func fieldsOn(t types.Type, path []int) []string {
	var out []string
	for _, i := range path[:len(path)-1] {
		st, ok := structUnder(t)
		if !ok {
			break
		}
		out = append(out, fieldName(t, i))
		t = st.Field(i).Type()
	}
	return out
}

// structUnder is the struct that a type is, or points to.
func structUnder(t types.Type) (*types.Struct, bool) {
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	st, ok := u.(*types.Struct)
	return st, ok
}

// promotedTo is the method that a type, or a pointer to it, has of what it embeds; nil if
// none is known.
func (im *Imported) promotedTo(key string) *Promoted {
	if im == nil {
		return nil
	}
	return im.promoted[key]
}

// methodNames are the methods of an interface, sorted; nil if it cannot be looked at.
func (a *Analysis) methodNames(iface string) []string {
	t := a.typeOf(iface)
	if t == nil {
		return nil
	}
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	out := make([]string, 0, i.NumMethods())
	for m := range i.Methods() {
		out = append(out, m.Name())
	}
	slices.Sort(out)
	return out
}

// idsOf are the functions behind the given methods of a type, of all methods for nil; of a
// type that cannot be looked at they are among its own.
func idsOf(t types.Type, own []string, names []string) []string {
	if t == nil {
		return slices.DeleteFunc(slices.Clone(own), func(id string) bool {
			return names != nil && !slices.Contains(names, id[strings.LastIndexByte(id, '.')+1:])
		})
	}
	var out []string
	for _, m := range methodsOf(t, names) {
		out = append(out, m.Origin().FullName())
	}
	return out
}

// methods lists the methods of each type of which something is known.
func (im *Imported) methods() map[string][]string {
	out := make(map[string][]string)
	for id := range im.funcs {
		if strings.HasPrefix(id, "(") {
			key := keyOfID(id)
			if i := strings.LastIndexByte(key, '.'); i >= 0 {
				out[key[:i]] = append(out[key[:i]], id)
			}
		}
	}
	return out
}

// askedOf notes, in calls of a method whose target is not known, that their receiver is a
// value of one interface which was asked for another one.
func askedOf(v ssa.Value, ts []target) []target {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	as, ok := v.(*ssa.TypeAssert)
	if !ok || !types.IsInterface(as.X.Type()) {
		return ts
	}
	from := ifaceName(as.X.Type())
	if as.X.Type().Underlying().(*types.Interface).NumMethods() == 0 || Unnamed(from) {
		return ts
	}
	for i := range ts {
		if d := ts[i].dyn; d != nil && d.Iface != from {
			asked := *d
			asked.Asked = from
			ts[i].dyn = &asked
		}
	}
	return ts
}
