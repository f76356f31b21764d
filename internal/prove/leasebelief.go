package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// believed turns an unguarded write into checknotfence where all that stands
// before it is the library's own opinion about the lock.
func (j *judge) believed(p *pair, d decision) decision {
	if d.rule != "unfencedwrite" && d.rule != "checkthenact" {
		return d
	}
	if at := p.acq.Belief; at != nil && !p.acq.Told {
		d.rule, d.reason = "checknotfence", "all that stands before it is a look at what this process keeps of the lock that it acquired at "+at.Place.String()+", and nothing keeps that true until the write arrives"
		return d
	}
	for _, c := range p.w.Conds {
		if name := j.asksLibrary(c.Term); name != "" {
			d.rule, d.reason = "checknotfence", "all that stands before it is "+name+", which tells what this process believed a moment ago"
			return d
		}
	}
	if d.rule == "unfencedwrite" && (d.guard == "none" || d.guard == "idempotent") && j.asksCoordinator(p) {
		d.rule, d.reason = "checkthenact", "the coordinator is asked for the lock before, and time passes between its answer and the write"
	}
	return d
}

// asksCoordinator reports whether a decision before the write rests on what the
// coordinator said of this lock in the hold: on its key, or on a transaction that only
// asks.
func (j *judge) asksCoordinator(p *pair) bool {
	handle := unboxed(p.acq.Hold.Handle)
	return slices.ContainsFunc(p.w.Conds, func(c flow.Cond) bool {
		return c.Term.Any(func(u *term.Term) bool {
			return u.Kind == term.Call && len(u.Args) > 0 && (j.readsLock(handle, u) || j.probes(handle, u)) && j.inHold(p, u)
		})
	})
}

// readsLock reports whether a call reads the key of a lock.
func (j *judge) readsLock(handle, call *term.Term) bool {
	m := j.models.FuncKey(call.Str)
	if m == nil || m.Sink == nil || m.Sink.Boundary != "read" || m.Sink.Key.Root != "arg" || m.Sink.Key.Index+1 >= len(call.Args) {
		return false
	}
	key := call.Args[m.Sink.Key.Index+1] // the receiver is the first argument of a term
	return !vague(key) && (handle.Any(key.Equal) || key.Any(handle.Equal))
}

// probes reports whether a call is a transaction with a condition on a lock that changes
// nothing.
func (j *judge) probes(handle, call *term.Term) bool {
	if lastPart(call.Str) != "Commit" || j.models.FuncKey(call.Str) == nil {
		return false
	}
	cmps, _ := comparisons(call.Args[0])
	acts := call.Args[0].Any(func(u *term.Term) bool {
		return u.Kind == term.Call && (lastPart(u.Str) == "Then" || lastPart(u.Str) == "Else")
	})
	return !acts && slices.ContainsFunc(cmps, func(c *term.Term) bool { return c.Any(handle.Equal) })
}

// asksLibrary names the call in a term that asks a library whether the lock is
// held, "" if there is none.
func (j *judge) asksLibrary(t *term.Term) string {
	name := ""
	t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call {
			return false
		}
		c := j.models.FuncKey(u.Str)
		if c == nil {
			return false
		}
		for _, l := range c.Locks {
			if l.Role == model.RoleCheck {
				name = lastPart(u.Str)
			}
		}
		return name != ""
	})
	return name
}

func init() {
	messages["checknotfence"] = template{
		"{write} relies on a local opinion about the lock: {reason}.",
		paused + "acts on the answer that it got before the pause.",
		"Ask by all means, to save work, but let the write carry {token} or the owner's own value, and let the receiver compare it.",
	}
}
