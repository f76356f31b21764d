package flow

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
)

// strongWords tell that an interface or method is about locks. Possible
// acquisitions travel to all packages above, so that the hint must be a good one.
var strongWords = pattern.New(`(^|[a-z_.])(Try)?(Lock|Mutex|Lease|Leader|Acquire|Elect|Obtain|Campaign|Claim|Semaphore|Leas|Owner|Exclusive|Tenure|Singleton|Fence)|\b([tT]ry)?([lL]ock|[mM]utex|[lL]ease|[lL]eader|[aA]cquire|[eE]lect|[oO]btain|[cC]ampaign|[cC]laim|[eE]xclusive|[sS]ingleton|[oO]wner)`)

// exportMays lists the functions of the package that may acquire a lock through an
// interface, each with the events of those holds alone.
func (a *Analysis) exportMays() []*Summary {
	var out []*Summary
	for _, x := range a.order {
		if s := x.sum; !s.Test && !strings.Contains(s.ID, "$") { // a literal's events are those of the function around it
			if p := a.pendingOf(s); p != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

func (a *Analysis) pendingOf(s *Summary) *Summary {
	var out []*Event
	for _, m := range s.Events {
		if m.Kind == May && a.travelsOn(m) {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil
	}
	mays := len(out)
	for _, w := range s.Events {
		if slices.ContainsFunc(w.Under, func(m *Event) bool { return hasEvent(out[:mays], m) }) {
			out = append(out, w)
		}
	}
	return &Summary{ID: s.ID, Events: out, Params: s.Params}
}

// travelsOn reports whether a possible acquisition is likely enough one.
func (a *Analysis) travelsOn(m *Event) bool {
	return m.Hold.Lock != nil || m.Dyn.locks() || m.Dyn.givesLock() || a.acquirers()[m.Dyn.Method]
}

// locks reports whether the names of a method and its interface are those of a lock.
func (d *DynCall) locks() bool {
	i := strings.LastIndexByte(d.Iface, '.')
	return strongWords.MatchString(d.Method) || strongWords.MatchString(d.Iface[i+1:])
}

// lockGiven tells that a method gives a lock, whatever it is called: by a type of the
// program, not one of the standard library.
var lockGiven = pattern.New(`^\(\*?[\w.-]+\.[\w.-]*/[\w./-]*\.\w*(Lock|Lease|Mutex|Leadership), (bool|error)`)

// givesLock reports whether the first result of a method is a lock, and another one says
// whether it was had.
func (d *DynCall) givesLock() bool { return lockGiven.MatchString(d.Results) }

// exportConversions lists the types with effects that this package makes into
// interfaces, and those of imports that occur in its exported declarations.
func (a *Analysis) exportConversions() []Conversion {
	var out []Conversion
	seen := make(map[[2]string]bool)
	add := func(c Conversion) {
		k := [2]string{c.Iface, c.Type}
		if seen[k] {
			return
		}
		seen[k] = true
		if c.Value != nil && (c.Value.Symbolic() || c.Value.Size() > maxResult) {
			c.Value = nil
		}
		if c.Promoted == nil {
			c.Promoted = a.promotions(c)
		}
		out = append(out, c)
	}
	for _, c := range a.Conversions() {
		if !c.Test && !c.Made && !seen[[2]string{c.Iface, c.Type}] && a.hasEffects(&c) {
			add(c)
		}
	}
	if a.Imported == nil || len(a.Imported.Conversions) == 0 {
		return out
	}
	named := a.namedInAPI()
	for _, c := range a.Imported.Conversions {
		if c.Lock || named[c.Iface] || named[strings.TrimPrefix(c.Type, "*")] {
			add(c)
		}
	}
	return out
}

// typeEffects says whether a method of a type has an effect, and whether one acquires.
type typeEffects struct{ any, lock bool }

// hasEffects reports whether a method of the type acquires, writes or calls what is
// not known, by code or by a model. It notes if one acquires.
func (a *Analysis) hasEffects(c *Conversion) (found bool) {
	t := a.typeOf(c.Type)
	if t == nil || !a.own(c.Iface) && sharedInterface(c.Iface) {
		return false
	}
	if e, ok := a.effects[c.Type]; ok {
		c.Lock = c.Lock || e.lock
		return e.any
	}
	defer func() { a.effects[c.Type] = typeEffects{found, c.Lock} }()
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		m, ok := set.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() {
			continue
		}
		if call := a.known.of(m.Origin()).call; call != nil {
			c.Lock = c.Lock || len(call.Locks) > 0
			found = found || len(call.Locks) > 0 || call.Sink != nil
			continue
		}
		if s := a.byName(m.Origin().FullName()); s != nil {
			c.Lock = c.Lock || slices.ContainsFunc(s.Events, passesLock)
			found = found || slices.ContainsFunc(s.Events, effective)
		}
	}
	return found
}

func passesLock(e *Event) bool {
	return (e.Kind == Acquire || e.Kind == May) && e.Hold.Passes()
}

func effective(e *Event) bool {
	return e.Kind == Acquire || e.Kind == Release || e.Kind == Extend || e.Kind == May || e.Kind == Write || e.Kind == Dyn && e.Dyn.Method != ""
}

// sharedInterface reports whether an interface looks like one of the standard library,
// by its path: what is called through those is no obligation.
func sharedInterface(name string) bool {
	i := strings.IndexByte(name, '/')
	return i < 0 || !strings.Contains(name[:i], ".")
}

// namedInAPI are the named types of other packages that occur in the exported
// declarations of this one.
func (a *Analysis) namedInAPI() map[string]bool {
	seen := make(map[*types.Named]bool)
	for _, name := range a.Pkg.Scope().Names() {
		if obj := a.Pkg.Scope().Lookup(name); obj.Exported() {
			namedIn(obj.Type(), seen, 0)
		}
	}
	out := make(map[string]bool)
	for n := range seen {
		if p := n.Obj().Pkg(); p != nil && p != a.Pkg {
			out[p.Path()+"."+n.Obj().Name()] = true
		}
	}
	return out
}
