package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A lock that the project wraps in several layers is taken by a call in each. Only one
// of them says which lock is meant: those below it hand on what they were given.

// forwards reports whether the function that acquires by calling code of the project
// has no say in which lock that is: whatever it calls with is its caller's, or part of
// the object on which it was called.
func (f *fn) forwards(a *Event) bool {
	switch {
	case a.site.call == nil: // in a literal that is given back: who calls it is not seen here
		return false
	case !a.Hold.Passes(), a.src == nil && (a.Kind == Acquire || f.f == nil || f.f.Name() != a.Dyn.Method):
		return false // it takes the lock itself; through an interface, one with the same method does not
	case !a.Hold.Escapes && (a.src == nil && a.Entry != regionEntry || a.src != nil && a.src.Hold.Escapes):
		return false // it gives the lock back when it has run what it was given
	}
	if a.site.call == nil {
		return false
	}
	c := a.site.call.Common()
	args := c.Args
	if recv := c.Value; c.IsInvoke() || c.Signature().Recv() != nil && len(args) > 0 {
		if !c.IsInvoke() {
			recv, args = args[0], args[1:]
		}
		if writtenIn(f.value(recv)) {
			return false
		}
	}
	return !slices.ContainsFunc(args, func(v ssa.Value) bool {
		_, isFunc := v.Type().Underlying().(*types.Signature)
		switch {
		case isFunc && isLiteral(v):
			return true // work of its own to be done under the lock, or what takes it
		case isFunc:
			return a.Hold.Given && !f.suppliedByCall(f.value(v))
		}
		return f.says(v)
	})
}

func isLiteral(v ssa.Value) bool {
	if c, ok := v.(*ssa.ChangeType); ok {
		v = c.X
	}
	_, ok := v.(*ssa.MakeClosure)
	return ok
}

// says reports whether an argument may tell one lock from another, and is not the
// caller's.
func (f *fn) says(v ssa.Value) bool {
	if besides[types.TypeString(v.Type(), nil)] {
		return false
	}
	typ := v.Type().Underlying()
	if list, ok := typ.(*types.Slice); ok {
		typ = list.Elem().Underlying()
	}
	switch typ.(type) {
	case *types.Interface, *types.Signature:
		return false // what works with the lock, or how
	}
	return f.value(v).Any(func(u *term.Term) bool {
		switch u.Kind {
		case term.Call:
			return !slices.ContainsFunc(quiet, func(p string) bool { return strings.HasPrefix(u.Str, p) })
		case term.List:
			return slices.ContainsFunc(u.Args, func(x *term.Term) bool { return x.Kind == term.Const })
		}
		return u.Kind == term.Unknown
	}) || writtenIn(f.value(v))
}

// besides are types of arguments that say how or how long a lock is taken.
var besides = set("context.Context", "time.Duration", "time.Time", "bool")

// quiet begin the names of functions that say nothing about which lock is meant.
var quiet = []string{"context.", "time."}

// writtenIn reports whether a text is written in a term; one that is put before a text of
// the caller's leaves the choice to the caller.
func writtenIn(t *term.Term) bool {
	switch {
	case t.Kind == term.Const:
		return t.Typ == "string" && t.Str != ""
	case t.Kind == term.Concat && t.Any(func(u *term.Term) bool { return u.Kind == term.Param && u.N > 0 || u.Kind == term.Free }):
		return false
	case t.Kind == term.Elem:
		return writtenIn(t.Args[0]) // which of several is meant, is the caller's choice
	}
	return slices.ContainsFunc(t.Args, writtenIn)
}
