package prove

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// maxNested bounds the interfaces behind interfaces that a call is followed through.
const maxNested = 3

// throughTypes judges a call through an interface in a hold by the types that this
// package, or one that it imports, makes into that interface, and what those call through
// interfaces in turn. In an imported package this hold was not known yet.
func (j *judge) throughTypes(p *pair, o *flow.Obligation) {
	for _, c := range slices.Concat(j.conversionsOf(o.Call.Dyn), j.importedOf(o.Call.Dyn)) {
		if slices.Contains(o.Done, c.Type) && !c.Pos.IsValid() {
			continue
		}
		o.Done = append(o.Done, c.Type)
		j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
	}
}

// asSupplied judges a call through an interface once more where it is known what the
// called function, which has the hold, is given: only writes that waited for that.
func (j *judge) asSupplied(p *pair) {
	below := &flow.Obligation{Hold: p.acq.Source(), Call: p.w.Source()}
	o := &flow.Obligation{Hold: p.acq, Call: p.w}
	for _, c := range j.typesOf(p.w) {
		waits := make(map[flow.Place]bool)
		j.implemented(below, c, func(q *pair, d decision) {
			if d.verdict == waiting {
				waits[lastPlace(q.w)] = true
			}
		})
		if len(waits) == 0 {
			continue
		}
		j.implemented(o, c, func(q *pair, d decision) {
			if !waits[lastPlace(q.w)] {
				return
			}
			o.Waits = o.Waits || d.verdict == waiting
			j.record(q, d)
			if d.rule != "" && d.verdict != waiting && correct(p.acq) {
				j.reportHere(p, q, d)
			}
		})
	}
	if o.Waits {
		p.w.Open = append(p.w.Open, p.acq)
	}
}

func lastPlace(w *flow.Event) flow.Place { return w.Chain[len(w.Chain)-1].Place }

// handedObject judges a call through an interface in a function that runs what it is
// given under a lock: the class is that of the lock's user, and so is the object.
func (j *judge) handedObject(p *pair) {
	src := p.acq.Source()
	if p.w.Kind != flow.Dyn || p.w.Dyn.Method == "" || !correct(p.acq) || correct(src) || p.w.Recv == nil {
		return
	}
	one := flow.TheOne(p.w.Recv)
	if one == nil || p.w.Source().Recv == nil || flow.TheOne(p.w.Source().Recv) != nil {
		return
	}
	o := &flow.Obligation{Hold: p.acq, Call: p.w}
	c := flow.Conversion{Type: one.Str, Iface: p.w.Dyn.Iface, Value: one.Args[0]}
	j.discharge(o, c, func(q *pair, d decision) { j.reportHere(p, q, d) })
}

// implementers lists the types that the program's imports declare and that have the
// interface's methods. It is not known if the interface cannot be looked at. To find
// them is to look at all types that are loaded, and an interface is asked for often.
func (j *judge) implementers(d *flow.DynCall) (names []string, known bool) {
	iface := j.interfaceOf(d.Iface)
	if iface == nil {
		return nil, false
	}
	names, known = j.implement[d.Iface]
	if !known {
		names = j.typesWith(iface)
		j.implement[d.Iface] = names
	}
	return names, true
}

func (j *judge) typesWith(iface *types.Interface) (names []string) {
	for _, t := range j.concreteTypes() {
		switch {
		case !types.Implements(t.pointer, iface): // it has the methods of the type, too
		case types.Implements(t.pointer.Elem(), iface):
			names = append(names, t.name)
		default:
			names = append(names, "*"+t.name)
		}
	}
	return names
}

// concreteType is a declared type that is no interface.
type concreteType struct {
	name    string
	pointer *types.Pointer
}

// concreteTypes lists those of the packages that the program imports.
func (j *judge) concreteTypes() []concreteType {
	if j.concrete != nil {
		return j.concrete
	}
	for _, p := range j.reachable() {
		for _, name := range p.Scope().Names() {
			tn, ok := p.Scope().Lookup(name).(*types.TypeName)
			if ok && !types.IsInterface(tn.Type()) {
				j.concrete = append(j.concrete, concreteType{p.Path() + "." + name, types.NewPointer(tn.Type())})
			}
		}
	}
	return j.concrete
}

// writerAmong is the first of the types whose method makes a write under the
// obligation that is not proved, "" if none does.
func (j *judge) writerAmong(types []string, o *flow.Obligation) string {
	for _, t := range types {
		for _, w := range j.a.Implement(o.Hold, o.Call, flow.Conversion{Type: t}) {
			if w.Kind != flow.Write {
				continue
			}
			if d := j.decide(&pair{sum: &flow.Summary{ID: o.Call.Chain[0].Func}, acq: o.Hold, w: w}); d.rule != "" && d.verdict != proved {
				return strings.TrimPrefix(t, "*")
			}
		}
	}
	return ""
}

// hasMethodsOf reports whether a declared type, or a pointer to it, has an interface's
// methods and is no interface itself.
func (j *judge) hasMethodsOf(name, iface string) bool {
	t, of := j.declaredType(name), j.interfaceOf(iface)
	return t != nil && of != nil && !types.IsInterface(t) && types.Implements(types.NewPointer(t), of)
}

func (j *judge) interfaceOf(name string) *types.Interface {
	t := j.declaredType(name)
	if t == nil {
		return nil
	}
	iface, _ := t.Underlying().(*types.Interface)
	return iface
}

// declaredType is the type that a package of the program declares under a name; nil if
// none is loaded.
func (j *judge) declaredType(name string) types.Type {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	for _, p := range j.reachable() {
		if p.Path() != name[:i] {
			continue
		}
		if tn, ok := p.Scope().Lookup(name[i+1:]).(*types.TypeName); ok {
			return tn.Type()
		}
	}
	return nil
}

// reachable lists the package and what it imports, as far as types are loaded.
func (j *judge) reachable() []*types.Package {
	if j.loaded != nil {
		return j.loaded
	}
	seen := map[*types.Package]bool{j.u.Pkg: true}
	j.loaded = []*types.Package{j.u.Pkg}
	for i := 0; i < len(j.loaded); i++ {
		for _, imp := range j.loaded[i].Imports() {
			if !seen[imp] {
				seen[imp] = true
				j.loaded = append(j.loaded, imp)
			}
		}
	}
	return j.loaded
}
