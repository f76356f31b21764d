package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { leaseChecks = append(leaseChecks, lockStolen) }

// lockStolen reports calls that take a lock from its owner, or take over a grant.
func lockStolen(j *judge, sum *flow.Summary) {
	for _, e := range sum.Events {
		if len(e.Chain) != 1 || e.Belief != nil || e.Kind != flow.Steal && e.Kind != flow.Acquire {
			continue
		}
		l := j.entry(e)
		if l == nil || l.Role != model.RoleSteal && l.Role != model.RoleAdopt || !j.stealsCorrect(sum, e) {
			continue
		}
		message := "{call} does not wait for its turn: it takes the lock from whoever holds it, also from an owner who is at work. " +
			"That owner is not asked and may not notice; it writes on beside {func}. Wait for the lease to expire or be released, and let {func} acquire it like everybody else."
		if l.Role == model.RoleAdopt {
			message = "{call} takes over a grant that was given to another owner, without a new one: both present the same number or identity, and no receiver can tell them apart. " +
				"When the first owner wakes up, its writes are accepted like those of {func}. Acquire the lock anew."
		}
		j.say("lockstolen", sum, e.Chain[0], e, message)
	}
}

// stealsCorrect reports whether the lock that is taken is correctness-critical: by
// its own directive, or as the other acquisitions of the same lock are.
func (j *judge) stealsCorrect(sum *flow.Summary, e *flow.Event) bool {
	if e.Hold != nil {
		return correct(e)
	}
	if l := j.set.Stmt(e.Chain[0].Pos); l != nil {
		return string(l.Class) == "correctness"
	}
	for _, s := range append([]*flow.Summary{sum}, j.a.Functions()...) {
		for _, a := range s.Events {
			if a.Kind == flow.Acquire && a.Hold.Lock != nil && j.sameLockObject(e, a, s == sum) {
				return correct(a)
			}
		}
	}
	if l := j.set.Func(e.Chain[0].Pos); l != nil {
		return string(l.Class) == "correctness"
	}
	l := j.set.Package()
	return l != nil && string(l.Class) == "correctness"
}

// sameLockObject reports whether a call is about the lock of an acquisition: the
// same object, field or variable, or one made with the same constant name.
func (j *judge) sameLockObject(e, a *flow.Event, here bool) bool {
	if e.Recv == nil || e.Lib != a.Lib {
		return false
	}
	r, h := unboxed(e.Recv), unboxed(a.Hold.Handle)
	switch {
	case r.Kind == term.Unknown:
		return false
	case here && r.Equal(h):
		return true
	case r.Kind == term.Field && h.Kind == term.Field, r.Kind == term.Global && h.Kind == term.Global:
		return r.Str == h.Str
	case r.Kind == term.Call && h.Kind == term.Call:
		k := j.constantKey(r)
		return k != "" && k == j.constantKey(h)
	}
	return false
}
