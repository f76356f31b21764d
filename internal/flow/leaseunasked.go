package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// What a lock tells or keeps to only if it is asked: a loss that an option or a method is
// there for, an expiry that a method sets.

// lossOfOption looks whether the acquisition asks, by an option, to be told; code that asks
// the lock itself from time to time has a signal too.
func (f *fn) lossOfOption(e *Event, l *model.Lock, sig model.Signal) Loss {
	given, known := optionGiven(sig.At.Name, e.Args)
	if e.src != nil || !known || given || f.polled(e, l) || !f.waitsLong(e) {
		return Loss{}
	}
	return Loss{Unasked: true, What: "the function given with " + sig.At.Name}
}

// lossOfField looks whether the acquisition asks, by a field of its options, to be told.
func (f *fn) lossOfField(e *Event, sig model.Signal) Loss {
	if v := e.At(sig.At); e.src != nil || v == nil || !v.Equal(term.Nil) || !f.waitsLong(e) {
		return Loss{}
	}
	return Loss{Unasked: true, What: "the function in " + sig.At.Steps[len(sig.At.Steps)-1].Name}
}

// polled reports whether a method by which the library tells of a loss is called on what
// the acquisition gave.
func (f *fn) polled(e *Event, l *model.Lock) bool {
	return slices.ContainsFunc(l.Lost.Alt, func(s model.Signal) bool {
		return s.Kind == "poll" && s.At.Root == "ret" && len(s.At.Steps) == 1 && !f.unasked(e, s.At)
	})
}

// lossOfMethod looks whether the hold asks what the acquisition gave for its signal.
func (f *fn) lossOfMethod(e *Event, sig model.Signal) Loss {
	if e.src != nil || !f.unasked(e, sig.At) || !f.waitsLong(e) {
		return Loss{}
	}
	return Loss{Unasked: true, What: "the channel of " + sig.At.Steps[0].Name}
}

// unasked reports whether a result of the acquisition stays in this function, and the
// method at the end of the path is not called on it.
func (f *fn) unasked(e *Event, p model.Path) bool {
	call, ok := e.site.call.(*ssa.Call)
	if !ok {
		return false
	}
	v := resultValue(call, p.Index)
	return v == nil || f.calledWithout(v, func(key string) bool { return strings.HasSuffix(key, "."+p.Steps[0].Name) })
}

// calledWithout reports whether a value goes nowhere but into calls that the models know,
// and none of these is wanted.
func (f *fn) calledWithout(v ssa.Value, wanted func(key string) bool) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case ssa.CallInstruction:
			if key := f.a.known.called(r.Common()).key; f.a.known.byKey(key) == nil || wanted(key) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Unexpiring names the call by which a lock is given its time to live, where the lock is
// made in the function that acquires it and nobody makes that call; "" else.
func (a *Analysis) Unexpiring(id string, e *Event) string {
	f := a.byID[id]
	if f == nil || e.src != nil || e.site == nil || e.site.call == nil {
		return ""
	}
	c := e.site.call.Common()
	l := f.lockEntry(e)
	if l == nil || l.Handle.Root != "recv" || !l.TTL.IsZero() || c.IsInvoke() {
		return ""
	}
	made, ok := c.Args[0].(*ssa.Call)
	if !ok {
		return ""
	}
	setter := f.a.expirySetter(made.Type())
	if setter == "" || !f.calledWithout(made, func(key string) bool { return strings.HasSuffix(key, "."+setter) }) {
		return ""
	}
	return setter
}

// expirySetter is the method of a lock's type that gives it a time to live, "" if it has none.
func (a *Analysis) expirySetter(typ types.Type) string {
	ms := types.NewMethodSet(typ)
	for i := range ms.Len() {
		fn, ok := ms.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		call := a.known.byKey(model.Key(fn))
		if call != nil && slices.ContainsFunc(call.Locks, func(l *model.Lock) bool { return l.Role == model.RoleOption && !l.TTL.IsZero() }) {
			return fn.Name()
		}
	}
	return ""
}
