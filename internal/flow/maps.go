package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// mapEntries are the entries of a map, in the order in which they are put there: one under a
// key that is not known may be in place of any before it.
type mapEntries struct {
	names []string
	vals  []*term.Term
	open  bool // there may be more
}

// mapLiteral is a map that the function makes, with what is put into it.
func (f *fn) mapLiteral(m *ssa.MakeMap) *term.Term {
	e := &mapEntries{}
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Map == m && f.mayRun(r) {
				e.put(f.value(r.Key), f.value(r.Value), f.beforeUses(r, m))
			}
		case ssa.CallInstruction:
			e.changedBy(f, r, m)
		}
	}
	site := ""
	if typeName(m.Type()) == "net/http.Header" {
		site = f.siteOf(m) // more is set in it by calls
	}
	t := term.NewStruct("map", site, e.names, e.vals)
	t.Open = t.Kind == term.Struct && e.open
	return withEntries(t, f.putElsewhere(m))
}

// putInRange is one of the values that a loop meets in a map which nobody but this function
// has: one of those that it puts there, whatever the keys are. It is nil for other maps.
func (f *fn) putInRange(n *ssa.Next, index int) *term.Term {
	r, ok := n.Iter.(*ssa.Range)
	if !ok || index != 2 {
		return nil
	}
	m, ok := r.X.(*ssa.MakeMap)
	if !ok {
		return nil
	}
	var vals []*term.Term
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Map != m {
				return nil
			}
			vals = append(vals, f.value(r.Value))
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		case ssa.CallInstruction:
			if _, ok := r.Common().Value.(*ssa.Builtin); !ok {
				return nil
			}
		default:
			return nil
		}
	}
	if len(vals) == 0 || len(vals) > term.MaxAlternatives {
		return nil
	}
	return term.NewAlt(vals...)
}

// put adds an entry; one that is not put there before anything reads the map is there
// perhaps.
func (e *mapEntries) put(key, v *term.Term, sure bool) {
	e.open = e.open || key.Kind != term.Const
	i := slices.Index(e.names, key.Key())
	if i >= 0 && sure && key.Kind == term.Const { // in place of what is there
		e.names, e.vals = slices.Delete(e.names, i, i+1), slices.Delete(e.vals, i, i+1)
	} else if i >= 0 && !sure {
		v = term.NewAlt(e.vals[i], v)
	} else if !sure && key.Kind == term.Const {
		v = term.NewAlt(v, term.NewUnknown(onSomePaths))
	}
	e.names, e.vals = withPart(e.names, e.vals, key.Key(), v)
	if !sure && key.Kind != term.Const {
		e.perhaps(onSomePaths)
	}
}

const onSomePaths = "an entry that is there on some paths only"

func (e *mapEntries) perhaps(what string) {
	e.open, e.names, e.vals = true, append(e.names, Perhaps), append(e.vals, term.NewUnknown(what))
}

// changedBy notes that a builtin or a function of package maps changes the entries.
func (e *mapEntries) changedBy(f *fn, c ssa.CallInstruction, m *ssa.MakeMap) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "clear" {
			e.clear(c.Block() == m.Block())
		}
		return
	}
	if len(common.Args) == 0 || common.Args[0] != m || !rearranges(common.StaticCallee()) {
		return
	}
	if from := f.value(common.Args[len(common.Args)-1]); origin(common.StaticCallee()).Name() == "Copy" && isClosedMap(from) {
		e.copy(from, onEachWay(c, f.f))
		return
	}
	v := term.NewUnknown("an entry of a map that package maps changes")
	if origin(common.StaticCallee()).Name() == "DeleteFunc" {
		v = term.NewConst("zero", "0")
	}
	e.put(term.NewUnknown("a key"), v, true)
}

// isClosedMap reports whether a term is a map of which all entries are known.
func isClosedMap(t *term.Term) bool {
	return t.Kind == term.Struct && t.Str == "map" && !t.Open
}

// copy adds the entries of another map.
func (e *mapEntries) copy(from *term.Term, sure bool) {
	for k, name := range from.Names {
		v := from.Args[k]
		if i := slices.Index(e.names, name); i >= 0 {
			if !sure {
				v = term.NewAlt(e.vals[i], v)
			}
			e.names, e.vals = slices.Delete(e.names, i, i+1), slices.Delete(e.vals, i, i+1)
		}
		e.names, e.vals = append(e.names, name), append(e.vals, v)
	}
	if !sure && len(from.Names) > 0 {
		e.perhaps("an entry that is there on some paths only")
	}
}

// clear takes all entries out, perhaps.
func (e *mapEntries) clear(sure bool) {
	if sure {
		e.names, e.vals = nil, nil
		return
	}
	for i, v := range e.vals {
		e.vals[i] = term.NewAlt(v, term.NewConst("zero", "0"))
	}
}
