package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// The identity of an owner of etcd is the session, not the mutex: a second mutex made of
// the same session and prefix finds the key of the first one, and both are owners (run
// against a server: the second Lock returns nil, and both transactions of IsOwner happen).

// oneIdentity is the trap of the models by which two locks of a session are one owner.
const oneIdentity = "same_session_two_mutexes"

// sharesIdentity finds an acquisition of the same function that makes the program own a
// lock twice under one identity, so that asking for the owner tells the two not apart.
func (j *judge) sharesIdentity(p *pair) *flow.Event {
	l := j.entry(p.acq)
	if l == nil || !slices.Contains(l.Traps, oneIdentity) {
		return nil
	}
	for _, e := range p.sum.Events {
		if e.Kind == flow.Acquire && e != p.acq && e.Hold != nil && together(e, p.acq) && sameIdentity(e.Hold.Handle, p.acq.Hold.Handle) {
			return e
		}
	}
	return nil
}

// together reports whether two acquisitions can be held at the same time: one is made in
// the hold of the other, or they are made in different goroutines.
func together(a, b *flow.Event) bool {
	return slices.Contains(a.Holds, b) || slices.Contains(b.Holds, a) ||
		a.Async && b.Async && a.Chain[0].Place != b.Chain[0].Place
}

// sameIdentity reports whether two locks were made apart, of one session and for one key.
func sameIdentity(a, b *term.Term) bool {
	if a == nil || b == nil {
		return false
	}
	a, b = unboxed(a), unboxed(b)
	return a.Kind == term.Call && b.Kind == term.Call && a.Str == b.Str && a.Site != b.Site && len(a.Args) == 2 && len(b.Args) == 2 &&
		!vague(a.Args[0]) && a.Args[0].Equal(b.Args[0]) && !vague(a.Args[1]) && a.Args[1].Equal(b.Args[1])
}

// twoOwners is what a guard by the owner of etcd comes to where a second acquisition has
// the same identity, or may have it out of sight.
func (j *judge) twoOwners(p *pair, d decision) decision {
	if e := j.sharesIdentity(p); e != nil {
		d.verdict, d.rule = refuted, "identityreused"
		d.reason = "a second mutex of the same session and prefix (" + e.Chain[0].Place.String() + ") is granted at once, and both are the owner (one session for each mutex tells them apart)"
		return d
	}
	if d.verdict != proved || ownSession(p.acq.Hold.Handle) {
		return d
	}
	d.reason += ", provided that no other mutex of its session has the same prefix at the same time"
	if j.o.Strict {
		d.verdict, d.rule, d.reason = unproved, "unprovedwrite", "the session comes from elsewhere, and two of its mutexes with one prefix are both the owner"
	}
	return d
}

// ownSession reports whether a lock was made of a session that was opened for it.
func ownSession(handle *term.Term) bool {
	if handle == nil {
		return false
	}
	handle = unboxed(handle)
	return handle.Kind == term.Call && len(handle.Args) > 0 && unboxed(handle.Args[0]).Kind == term.Call
}
