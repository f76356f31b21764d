package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A compare-and-set admits an obsolete owner that reads again, unless what it reads stops it:
// an epoch that every writer keeps in the object. The program compares it with its own, and
// the store refuses the write if the object is no longer the one that was compared.

// casFence judges a compare-and-set by a comparison of the epoch with what was read together
// with the version; false if there is none, or if it is not seen that the epoch is stored.
func (j *judge) casFence(p *pair, d decision) (decision, bool) {
	for _, c := range p.w.Conds {
		var compared *term.Term
		op := j.passesBy(p, c, func(t *term.Term) bool {
			compared = t
			return j.readWithVersion(p.w, t)
		})
		switch {
		case op == "<" || op == "<=":
			d.verdict, d.rule, d.guard, d.column = refuted, "staleadmitted", "fence", "the stored epoch"
			d.reason, d.compared = "an owner whose epoch is below the one that was read goes on", &c
			return d, true
		case stopsBelow[op] && !j.maybeUnread(compared) && j.sendsEpoch(p, j.placeRead(compared)):
			d.verdict, d.guard, d.guarded = proved, "fence", true
			d.reason = "the epoch is compared with the one in the object, and the write happens only if that is still the object which was read"
			return j.refusedHere(p, c, d), true
		}
	}
	return decision{}, false
}

// readWithVersion reports whether a value comes from the same read of a store as something,
// the version, that a write is given.
func (j *judge) readWithVersion(w *flow.Event, t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call || u.Site == "" {
			return false
		}
		return j.readsStore(u) && sends(w, func(v *term.Term) bool { return v.Kind == term.Call && v.Site == u.Site && v.Str == u.Str })
	})
}

// readsStore reports whether a call reads from a store of the models.
func (j *judge) readsStore(call *term.Term) bool {
	m := j.models.FuncKey(call.Str)
	return m != nil && m.Sink != nil && m.Sink.Boundary == "read"
}

// maybeUnread reports whether a number is nothing that was read where a call on its way has
// failed, since nobody looks at the error of that.
func (j *judge) maybeUnread(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool { return u.Kind == term.Call && j.a.DropsError(u.Site) })
}

// placeRead is the name of the field, or the key of the map, from which a number was read; ""
// if it is the whole of what was read.
func (j *judge) placeRead(t *term.Term) string {
	for {
		if t.Kind == term.Call && j.readsStore(t) {
			return ""
		}
		switch t.Kind {
		case term.Alt:
			i := slices.IndexFunc(t.Args, func(a *term.Term) bool { return a.Kind != term.Const })
			if i < 0 {
				return ""
			}
			t = t.Args[i]
		case term.Field:
			return lastPart(t.Str)
		case term.Elem:
			name, _ := term.StringValue(t.Args[1])
			return name
		case term.Call, term.Convert, term.Iface:
			if len(t.Args) == 0 {
				return ""
			}
			t = t.Args[0]
		default:
			return ""
		}
	}
}

// sendsEpoch reports whether the epoch of this lock is a part of what a write sends, and is
// not kept under another name than the one that was compared.
func (j *judge) sendsEpoch(p *pair, name string) bool {
	own := func(u *term.Term) bool {
		if u.Kind == term.Struct || u.Kind == term.List {
			return false
		}
		b := j.presented(p, u)
		return j.ownEpoch(p, &b)
	}
	return sends(p.w, func(u *term.Term) bool {
		switch {
		case u.Kind == term.Struct:
			return slices.ContainsFunc(u.Names, func(n string) bool {
				return strings.EqualFold(lastPart(n), name) && own(unboxed(fieldNamed(u, lastPart(n))))
			})
		case u.Kind == term.List && len(u.Args) == 2:
			key, ok := term.StringValue(unboxed(u.Args[0]))
			return ok && strings.EqualFold(key, name) && own(unboxed(u.Args[1]))
		}
		return name == "" && own(u)
	})
}

// sends reports whether a part of what a write is made on, or is given, is what is looked for.
func sends(w *flow.Event, is func(*term.Term) bool) bool {
	return w.Recv != nil && w.Recv.Any(is) || slices.ContainsFunc(w.Args, func(a *term.Term) bool { return a != nil && a.Any(is) })
}
