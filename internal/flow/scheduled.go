package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/model"
)

// A scheduler that is given a locker runs each of its tasks under a lock. The lock is
// acquired where the scheduler is told so, and the tasks are handed over elsewhere: they
// are a carrier's code, which has the lock whenever it runs. A locker may also be given
// with one task, and is that one's alone.

const (
	scopeTask   = "task"                 // a lock of one task, which stands beside it
	askedBefore = "checked_once_per_run" // leadership that is only looked at before a task begins
)

// scheduledName is the name under which the tasks of a library's schedulers are asked for.
func scheduledName(lib string) string { return "result tasks of " + lib }

// besideName is that of the locks which are each given with one task.
func besideName(lib string) string { return "result one task of " + lib }

// schedulers adds a carrier for each library whose scheduler the package gives a locker.
// What only was asked before tasks began is no more than a belief, unless there is a lock
// as well.
func (a *Analysis) schedulers() {
	for _, t := range a.lockers() {
		name := scheduledName(t.Lib)
		if t.entry.Scope == scopeTask && len(t.f.besides(t.site)) > 0 {
			name = besideName(t.Lib)
		}
		if a.carriers[name] == nil {
			a.carriers[name] = &Carrier{Name: name, Yes: "t", No: "f"}
		}
		a.carriers[name].add([]*Event{t.Event})
		a.carriers[name].told = a.carriers[name].told || t.locks()
	}
}

// toldLocker is an acquisition by which a scheduler is told to run tasks under a lock.
type toldLocker struct {
	*Event
	f     *fn
	entry *model.Lock
}

// locks reports whether the lock is had while the task runs: an elector is only asked
// before.
func (t toldLocker) locks() bool { return !slices.Contains(t.entry.Traps, askedBefore) }

// lockers lists the places where a scheduler is told so.
func (a *Analysis) lockers() []toldLocker {
	var out []toldLocker
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if l := f.locker(e); l != nil {
				out = append(out, toldLocker{e, f, l})
			}
		}
	}
	return out
}

// locker is the entry of a call that tells a scheduler to run tasks under a lock, nil of
// other events.
func (f *fn) locker(e *Event) *model.Lock {
	if e.Kind != Acquire || e.src != nil || e.Belief != nil || !e.Hold.Region || f.inTest() {
		return nil
	}
	if l := f.lockEntry(e); l != nil && l.Role == model.RoleRegion && l.Callback.Root == "" {
		return l
	}
	return nil
}

// scheduled finds the carrier of a call by which a scheduler is given a task: the lock
// that is given with it, or else that of the schedulers. Where the same function tells a
// scheduler of a locker, it is that one.
func (f *fn) scheduled(c *ssa.Call) *Carrier {
	l := f.taskEntry(c)
	if l == nil {
		return nil
	}
	own := f.lockersBeside(c)
	if len(own) == 0 {
		return f.nearest(f.a.carriers[scheduledName(l.Lib)])
	}
	with := &Carrier{Name: scheduledName(l.Lib), Yes: "t", No: "f", told: true}
	with.add(own)
	return with
}

func (f *fn) taskEntry(c *ssa.Call) *model.Lock {
	return taskOf(f.a.known.called(c.Common()).call)
}

func givesTask(c *model.Call) bool { return taskOf(c) != nil }

func taskOf(c *model.Call) *model.Lock {
	if c == nil {
		return nil
	}
	for _, l := range c.Locks {
		if l.Role == model.RoleTask {
			return l
		}
	}
	return nil
}

// scheduledBelow finds the carrier of a call of another package's function that gives
// tasks to a scheduler: that package may not know of the locker.
func (f *fn) scheduledBelow(c *ssa.Call) *Carrier {
	s := f.bySite[c]
	if s == nil || len(s.tasks()) == 0 {
		return nil
	}
	for _, name := range sortedKeys(f.a.carriers) {
		if strings.HasPrefix(name, scheduledName("")) {
			return f.nearest(f.a.carriers[name])
		}
	}
	return nil
}

// tasks lists the events of a call that other packages' functions give to a scheduler and
// that run under no locker yet.
func (s *site) tasks() []*Event {
	var out []*Event
	for _, e := range s.events {
		if e.Tasked && e.src != nil && e.Kind != Acquire && !slices.ContainsFunc(e.Holds, func(h *Event) bool { return h.Task }) {
			out = append(out, e)
		}
	}
	return out
}

// lockersBeside lists the locks that stand beside a task in the call that is given both.
func (f *fn) lockersBeside(task *ssa.Call) []*Event {
	var out []*Event
	for _, beside := range given(task) {
		s := f.bySite[beside]
		if s == nil {
			continue
		}
		for _, e := range s.events {
			if l := f.locker(e); l != nil && l.Scope == scopeTask {
				out = append(out, e)
			}
		}
	}
	return out
}

// besides lists the tasks that stand beside the lock of a site.
func (f *fn) besides(s *site) []*ssa.Call {
	c, ok := s.call.(*ssa.Call)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(given(c), func(t *ssa.Call) bool { return f.taskEntry(t) == nil })
}

// given lists the calls whose results are arguments of a call that is given the result of
// c, also as elements of its last arguments.
func given(c *ssa.Call) []*ssa.Call {
	var out []*ssa.Call
	for _, to := range receivers(c) {
		for _, a := range to.Common().Args {
			if other, ok := a.(*ssa.Call); ok && other != c {
				out = append(out, other)
			}
			for _, el := range listed(a) {
				if other, ok := el.(*ssa.Call); ok && other != c {
					out = append(out, other)
				}
			}
		}
	}
	return out
}

// receivers lists the calls that are given v, as an argument or as an element of a list
// that is made for them.
func receivers(v ssa.Value) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			out = append(out, r)
		case *ssa.Store:
			if el, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v {
				out = append(out, receiversOfList(el.X)...)
			}
		}
	}
	return out
}

func receiversOfList(array ssa.Value) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, r := range *array.Referrers() {
		if all, ok := r.(*ssa.Slice); ok {
			out = append(out, receivers(all)...)
		}
	}
	return out
}

// listed lists what is stored in the list that v is, if it is made where it is given.
func listed(v ssa.Value) []ssa.Value {
	all, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	var out []ssa.Value
	for _, el := range elementAddrs(all.X) {
		for _, r := range *el.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == el {
				out = append(out, st.Val)
			}
		}
	}
	return out
}

func (f *fn) nearest(c *Carrier) *Carrier {
	if c == nil {
		return nil
	}
	near := *c
	near.Acqs = slices.DeleteFunc(slices.Clone(c.Acqs), func(e *Event) bool { return e.Chain[0].Func != f.id })
	if len(near.Acqs) == 0 {
		return c
	}
	near.told = slices.ContainsFunc(near.Acqs, func(e *Event) bool { return toldLocker{e, f, f.lockEntry(e)}.locks() })
	return &near
}
