package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/model"
)

// A scheduler that is given a locker runs each of its tasks under a lock. The lock is
// acquired where the scheduler is told so, and the tasks are handed over elsewhere: they
// are a carrier's code, which has the lock whenever it runs.

// scheduledName is the name under which the tasks of a library's schedulers are asked for.
func scheduledName(lib string) string { return "result tasks of " + lib }

// schedulers adds a carrier for each library whose scheduler the package gives a locker.
func (a *Analysis) schedulers() {
	for _, e := range a.lockers() {
		name := scheduledName(e.Lib)
		if a.carriers[name] == nil {
			a.carriers[name] = &Carrier{Name: name, Yes: "t", No: "f", told: true}
		}
		a.carriers[name].add([]*Event{e})
	}
}

// lockers lists the places where a scheduler is told to run its tasks under a lock.
func (a *Analysis) lockers() []*Event {
	var out []*Event
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if e.Kind != Acquire || e.src != nil || e.Belief != nil || !e.Hold.Region || f.inTest() {
				continue
			}
			if l := f.lockEntry(e); l != nil && l.Role == model.RoleRegion && l.Callback.Root == "" {
				out = append(out, e)
			}
		}
	}
	return out
}

// scheduled finds the carrier of a call by which a scheduler is given a task: where the
// same function tells a scheduler of a locker, it is that one.
func (f *fn) scheduled(c *ssa.Call) *Carrier {
	call := f.a.known.called(c.Common()).call
	if call == nil {
		return nil
	}
	for _, l := range call.Locks {
		if l.Role == model.RoleTask {
			return f.nearest(f.a.carriers[scheduledName(l.Lib)])
		}
	}
	return nil
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
	return &near
}
