package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// onlyAsks reports whether an acquisition only asks whether the lock is free: it lives in a
// transaction that this function begins and never commits, and in which nothing follows.
func (j *judge) onlyAsks(sum *flow.Summary, e *flow.Event) bool {
	if e.Recv == nil || e.Hold.Passes() || j.lockScope(rootOf(e)) != "tx" {
		return false
	}
	begun := false
	for _, o := range sum.Events {
		switch {
		case o.Kind == flow.Commit && o.Recv.Equal(e.Recv), o.Kind != flow.Release && slices.Contains(o.Holds, e):
			return false
		case o.Kind == flow.Begin:
			begun = begun || e.Recv.Str == o.Key
		}
	}
	return begun
}

// tried is the row of an acquisition by the same call on the same lock, nil if there is
// none: the function tries again where it did not get the lock, and is then done.
func (j *judge) tried(sum *flow.Summary, e *flow.Event) *Row {
	if e.Source() != nil || !e.Hold.Escapes || e.Hold.Handle == nil {
		return nil
	}
	for _, o := range sum.Events {
		if o == e {
			break
		}
		again := o.Kind == flow.Acquire && o.Key == e.Key && o.Source() == nil && o.Hold.Escapes && !slices.Contains(e.Holds, o)
		same := func(x, y *term.Term) bool { return x.Equal(y) }
		if again && o.Hold.Handle != nil && o.Hold.Handle.Equal(e.Hold.Handle) && slices.EqualFunc(o.Args, e.Args, same) && j.rows[o] != nil {
			return j.rows[o]
		}
	}
	return nil
}

// worksItself reports whether a lock that is kept by hand was taken by a called function that
// works under it and tells its caller nothing of it: one that takes a row and deals with it, or
// that asks on its way whether its process still leads. The place is the one in that function.
func (j *judge) worksItself(sum *flow.Summary, e *flow.Event) bool {
	src := e.Source()
	if src == nil || len(e.Chain) < 2 || e.Kind == flow.Acquire && !e.Hold.Maybe || !e.ErrorOnly() {
		return false
	}
	name := lastPart(plainName(src.Chain[0].Func))
	if takesByName(name) || acquiring.MatchString(name) || claiming.MatchString(name) || src.Chain[0].Func == e.Chain[0].Func {
		return false
	}
	return slices.ContainsFunc(sum.Events, func(w *flow.Event) bool {
		below := w.Source()
		return below != nil && w.SameCall(e) && (w.Kind == flow.Write || w.Kind == flow.Dyn) && !below.Async &&
			(slices.Contains(below.Holds, src) || slices.Contains(below.Under, src))
	})
}

// claiming names the functions that are there to take something.
var claiming = pattern.New(`(?i)claim|campaign|obtain|grab|reserve|try|become`)

// onlyProlongs reports whether an acquisition is a step on the way of a function that is named
// for keeping a lock which its caller has: it writes in the same way as who takes it.
func (j *judge) onlyProlongs(sum *flow.Summary, e *flow.Event) bool {
	if e.Source() == nil {
		return false
	}
	if keepsByName(lastPart(plainName(sum.ID))) && e.Hold.Passes() {
		return true
	}
	return len(e.Chain) > 1 && e.Chain[1].Func != e.Chain[0].Func && keepsByName(lastPart(plainName(e.Chain[1].Func)))
}

// keepsByName reports whether a function is named for prolonging a lock, and not for taking
// one, too.
func keepsByName(name string) bool {
	return keepingName.MatchString(name) && flow.SpeaksOfLock(name) && !takesToo.MatchString(name)
}

// takesToo finds the word in the name of a function that also takes what nobody has.
var takesToo = pattern.New(`(?i)acquire|obtain|claim|take|grab|create`)
