package prove

import (
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
	return d
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
