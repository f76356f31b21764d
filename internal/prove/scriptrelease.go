package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/lua"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A script that does nothing but to delete the key of the lock gives the lock back, however it
// is written. It does so safely where it deletes only what this acquisition put there.

// scriptFrees reports whether a script gives back the lock of a hold, and says so if it may be
// that of another owner.
func (j *judge) scriptFrees(p *pair, l *lowered, keys *term.Term) bool {
	if !deletesOnly(l.mutation, func(i int) bool { return amongArgs(p.acq, listItem(keys, i)) }) {
		return false
	}
	switch {
	case !correct(p.acq):
	case !j.comparesOwner(l):
		j.freesOthers(p.sum, p.w, p.acq)
	case j.repeats(p.acq) != "":
		j.freesNamesake(p.sum, p.w, p.acq)
	}
	return true
}

// deletesOnly reports whether all that a script writes is to delete the keys that own tells,
// by their numbers.
func deletesOnly(m *fence.Mutation, own func(key int) bool) bool {
	return len(m.Problems) == 0 && len(m.Set) > 0 && !slices.ContainsFunc(m.Set, func(s fence.Assign) bool {
		i, ok := place(s.Column, "KEYS")
		return !ok || s.Value != fence.Term(fence.Null{}) || !own(i)
	})
}

// comparesOwner reports whether a script does nothing unless a key holds a value that it is
// given.
func (j *judge) comparesOwner(l *lowered) bool {
	return slices.ContainsFunc(j.boundTo(l), func(b bound) bool {
		v := fence.Prove(l.mutation, func(a fence.Arg) bool { return a == b.arg })
		_, key := place(v.Column, "KEYS")
		return key && v.Compared && v.RejectsStale == fence.Yes && v.Greater == fence.Never && !ordered(&v)
	})
}

// freesByScript reports whether a release is a script that deletes keys and may delete them whoever's
// they are.
func (j *judge) freesByScript(r *flow.Event) bool {
	c := j.models.FuncKey(r.Key)
	if r.Entry != "script" || c == nil || c.Sink == nil || c.Sink.Kind != "script" {
		return false
	}
	for _, run := range j.scriptsRun(r, c.Sink) {
		text, ok := term.StringValue(run.text)
		if !ok {
			return false
		}
		s := lua.Parse(text)
		if s.Mutation == nil || !deletesOnly(s.Mutation, func(int) bool { return true }) || j.comparesOwner(run.lowered(s)) {
			return false
		}
	}
	return true
}

// freesOthers reports a release that deletes a lock without looking whose it is.
func (j *judge) freesOthers(sum *flow.Summary, r, a *flow.Event) {
	j.say("unsaferelease", sum, bottom(r), a,
		"{call} deletes the lock without looking whose it is. If the lease of {func} has expired meanwhile, the key is the next owner's: "+
			"it loses its lock while it works, and a third process acquires it. "+
			"Compare and delete in one step, by a script that deletes the key only while it holds the value that this acquisition wrote.")
}

// freesNamesake reports a release that compares with a value which comes again.
func (j *judge) freesNamesake(sum *flow.Summary, r, a *flow.Event) {
	j.say("unsaferelease", sum, bottom(r), a,
		"{call} compares with a value that is not of this acquisition alone: it is {why}. A later acquisition under the same value is freed as if it were {func}'s own. "+
			"Write a fresh random value with each acquisition, and compare with that.",
		"{why}", j.repeats(a))
}
