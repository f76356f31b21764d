package flow

import (
	"go/types"
	"slices"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Some libraries hold a lock for the whole of a program and run methods of its types under
// it. There are many such methods, and most need no lock: like a row lock, this is an
// acquisition only where a directive says so.

// implementedRegion puts all that a method does into the hold under which a library runs
// it, if a directive on the method classifies it.
func (f *fn) implementedRegion() {
	fn, ok := f.f.Object().(*types.Func)
	if !ok || fn.Signature().Recv() == nil || f.a.Classes == nil || f.a.Classes.Func(f.f.Pos()) == nil {
		return
	}
	l := f.a.runsUnderLock(fn)
	if l == nil {
		return
	}
	pos := f.f.Pos()
	a := &Event{
		Kind: Acquire, Key: model.Key(fn), Entry: l.ID, Lib: l.Lib, Site: f.id,
		Chain: []Step{{Pos: pos, Place: f.a.place(pos), Func: f.id}},
		Hold:  &Hold{Handle: term.NewUnknown("a lock that the library keeps to itself"), Lib: l.Lib, Library: true, Region: true},
	}
	for _, s := range f.sites {
		for _, e := range s.events {
			if e.Kind != Release && e.Kind != Commit {
				e.Holds = append(e.Holds, a)
			}
		}
	}
	a.site = &site{events: []*Event{a}}
	f.sites = append(f.sites, a.site)
}

// runsUnderLock is the entry about an interface that a method belongs to.
func (a *Analysis) runsUnderLock(fn *types.Func) *model.Lock {
	recv := fn.Signature().Recv().Type()
	for _, l := range a.Models.Kind("implements") {
		if l.Role != model.RoleRegion || l.Match.Name != fn.Name() {
			continue
		}
		for _, p := range a.Pkg.Imports() {
			if obj := p.Scope().Lookup(l.Match.Recv); obj != nil && slices.Contains(l.Match.Pkgs, p.Path()) && hasMethodOf(recv, obj.Type(), fn) {
				return l
			}
		}
	}
	return nil
}

// hasMethodOf reports whether a type implements an interface; of one with type parameters,
// whether the method has as many parameters and results.
func hasMethodOf(recv, iface types.Type, fn *types.Func) bool {
	i, ok := iface.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	if named, ok := iface.(*types.Named); !ok || named.TypeParams().Len() == 0 {
		return types.Implements(recv, i)
	}
	for m := range i.Methods() {
		if m.Name() == fn.Name() {
			return m.Signature().Params().Len() == fn.Signature().Params().Len() && m.Signature().Results().Len() == fn.Signature().Results().Len()
		}
	}
	return false
}
