package prove

import (
	"go/token"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// A library, or a package that is analysed without its programs, calls locks through
// interfaces for which no type is found. What has the shape of a lock is listed as
// open: who provides the lock decides.

// acquiring names the methods that take a lock.
var acquiring = pattern.New(`^(Try|Must|Attempt|Do|With|Run|Leader)*(Lock|Acquire|Obtain|Campaign|Elect|Lease|Claim|Attempt)|(Acquire|Obtain|Attempt|Try|With|Grab|Take).*(Lock|Lease|Leader|Mutex|Elect)|(Lock|Lease|Leader).*(Acquire|Obtain|Elect)`)

// releasing names the methods that give one back, and lockName the types that are one.
var (
	releasing = pattern.New(`Unlock|Release|Resign|Relinquish|Abandon|GiveUp|^(End|Renew|Extend|Drop|Return|Finish)\w*(Lease|Lock)`)
	lockName  = pattern.New(`(Lock|Locker|Mutex|Lease|Leaser|Elector|Election)$`)
	lockType  = pattern.New(`\.\w*(Lock|Lease|Mutex|Leadership)\b`)
)

// lockShaped reports whether a call through an interface is that of a lock by name and
// form: the method takes one and can fail, and there is a way to give it back. A context
// with the function that ends it is both: it has ended if there was no lock.
func (j *judge) lockShaped(s *flow.Summary, m *flow.Event) bool {
	if !acquiring.MatchString(m.Dyn.Method) && !j.a.Leases(m.Dyn) {
		return false
	}
	if strings.HasPrefix(m.Dyn.Results, "(context.Context, "+flow.Cancels) || strings.HasPrefix(m.Dyn.Results, "(context.Context, func()") {
		return true
	}
	if !strings.Contains(m.Dyn.Results, "error") && !strings.Contains(m.Dyn.Results, "bool") {
		return false
	}
	iface := m.Dyn.Iface[strings.LastIndexByte(m.Dyn.Iface, '.')+1:]
	if lockName.MatchString(iface) || lockType.MatchString(m.Dyn.Results) || strings.HasPrefix(m.Dyn.Results, "(func()") {
		return true
	}
	return leasesOut(s, m) || j.ending(m, releasing.MatchString)
}

// ending reports whether the interface of a call has a method of a kind.
func (j *judge) ending(m *flow.Event, kind func(name string) bool) bool {
	t := j.interfaceOf(m.Dyn.Iface)
	if t == nil {
		return false
	}
	for i := range t.NumMethods() {
		if kind(t.Method(i).Name()) {
			return true
		}
	}
	return false
}

// leasesOut reports whether something is leased: by a function that speaks of a lease, or
// with a request that says until when.
func leasesOut(s *flow.Summary, m *flow.Event) bool {
	return strings.HasPrefix(m.Dyn.Method, "Lease") && (flow.SpeaksOfLock(lastPart(plainName(s.ID))) || slices.ContainsFunc(m.Args, saysUntil))
}

// saysUntil reports whether a value has a field for the end of a lease.
func saysUntil(t *term.Term) bool {
	return t != nil && t.Any(func(u *term.Term) bool {
		return u.Kind == term.Struct && slices.ContainsFunc(u.Names, func(n string) bool { return saysWhen(lastPart(n)) })
	})
}

// keptApart reports whether a call is surely that of a lease by what its interface is
// called, and the type behind it keeps the lease where it cannot be read: it takes no lock
// that is known, but sends something.
func (j *judge) keptApart(s *flow.Summary, m *flow.Event, cs []flow.Conversion) bool {
	speaks := func(name string) bool {
		return releasing.MatchString(name) && (flow.SpeaksOfLock(name) || flow.SpeaksOfLock(m.Dyn.Method))
	}
	if m.Entry != "" || !j.lockShaped(s, m) || !leasesOut(s, m) && !j.ending(m, speaks) {
		return false
	}
	return slices.ContainsFunc(cs, func(c flow.Conversion) bool { return j.a.Sends(m, c) })
}

// openLocks lists the locks of this package for which no type was found here.
func (j *judge) openLocks(own []*flow.Summary) {
	for _, s := range own {
		if s.Test || inLiteral(s.ID) {
			continue
		}
		for _, m := range s.Events {
			if m.Kind == flow.May && m.Entry == "" && m.Hold.Library && !m.Hold.Claimed && m.Belief == nil && j.isOpen(s, m) && !j.generated(m.Chain[0].Pos) {
				j.openLock(s, m)
			}
		}
	}
}

// isOpen reports whether a call takes a lock of which it is not known what it is.
func (j *judge) isOpen(s *flow.Summary, m *flow.Event) bool {
	if len(m.Hold.Done) > 0 && !j.kept[m] || keptOn(s, m) || j.decorates(s, m) {
		return false
	}
	return len(m.Hold.Done) > 0 || j.lockShaped(s, m)
}

// keptOn reports whether a lease is taken for nothing that is done here, again and again:
// nothing that came with it is used, no work follows, and it is not given back. It is had
// by whoever works, for whom it is kept.
func keptOn(s *flow.Summary, m *flow.Event) bool {
	if !m.Prolongs() {
		return false
	}
	for _, w := range s.Events {
		if flow.GivesBack(w, m) {
			return false
		}
		if slices.Contains(w.Under, m) && (w.Kind == flow.Write || w.Kind == flow.Dyn && w.Dyn.Iface != "" && !leasesAgain(m, w)) {
			return false
		}
	}
	return true
}

func (j *judge) openLock(s *flow.Summary, m *flow.Event) {
	acq := *m
	acq.Kind = flow.Acquire
	hold := *m.Hold
	acq.Hold = &hold
	row := &Row{
		Place: m.Chain[0].Place, Library: "interface:" + shortKey(m.Dyn.Iface), Idiom: "interface", Signal: "unknown", Role: "open", Method: m.Dyn.Method,
	}
	if l := hold.Lock; l != nil {
		row.Class, row.Contract = l.Class, l.Contract
	}
	j.rows[&acq] = row
	j.order = append(j.order, &acq)
	region := regionOf(s, m)
	for _, w := range s.Events {
		if (slices.Contains(w.Under, m) || region != nil && slices.Contains(w.Under, region)) && !(w.Kind == flow.Dyn && j.kept[m] && leasesAgain(m, w)) {
			j.underOpen(&pair{sum: s, acq: &acq, w: w})
		}
	}
}

// regionOf is what stands for the functions that the same call is given: they run while the
// lock is held. It is nil if there are none.
func regionOf(s *flow.Summary, m *flow.Event) *flow.Event {
	for _, r := range s.Events {
		if r.Kind == flow.May && r.Entry != "" && r.Key == m.Key && r.Site == m.Site {
			return r
		}
	}
	return nil
}

// leasesAgain reports whether a call in a hold takes or prolongs a lock of the same kind,
// and writes nothing else.
func leasesAgain(m, w *flow.Event) bool {
	return w.Dyn.Iface == m.Dyn.Iface && (w.Dyn.Method == m.Dyn.Method || acquiring.MatchString(w.Dyn.Method))
}

// notLocks tells the register that the types behind a call take no lock that others
// see, so that it is not open.
func (j *judge) notLocks(m *flow.Event, found bool) {
	if found || m.Entry != "" || len(m.Hold.Done) == 0 || !m.Hold.Library {
		return
	}
	row := &Row{Place: m.Chain[0].Place, Role: "none", Method: m.Dyn.Method, Partial: true}
	j.rows[m] = row
	j.order = append(j.order, m)
}

// closeLocks judges the locks behind interfaces that a directive calls correctness and
// for which nothing chose a type until the program was complete: by the types that
// could be meant; if there are none, that is said once for each method.
func (j *judge) closeLocks(own []*flow.Summary) {
	if !j.closes() {
		return
	}
	seen := make(map[string]bool)
	for _, s := range slices.Concat(own, j.pendingLocks()) {
		for _, m := range s.Events {
			if m.Kind != flow.May || s.Test || !correct(m) || !m.Hold.Library || len(m.Hold.Done) > 0 || seen[m.Key] || m.Hold.Claimed {
				continue
			}
			types, known := j.implementers(m.Dyn)
			var cs []flow.Conversion
			for _, t := range types {
				cs = append(cs, flow.Conversion{Type: t, Iface: m.Dyn.Iface})
			}
			j.granted(s, m, cs)
			if w := firstUnder(s, m); w != nil && known && len(types) == 0 {
				seen[m.Key] = true
				j.lockUnseen(s, m, w)
			}
		}
	}
}

func (j *judge) pendingLocks() []*flow.Summary {
	var out []*flow.Summary
	for _, p := range j.a.Imported.PendingFuncs() {
		if p.AnyLock(func(l flow.PendingLock) bool { return l.Classed }) {
			out = append(out, p.Summary())
		}
	}
	return out
}

func firstUnder(s *flow.Summary, m *flow.Event) *flow.Event {
	for _, w := range s.Events {
		if slices.Contains(w.Under, m) && (w.Kind == flow.Write || w.Dyn != nil && mayWrite(w)) {
			return w
		}
	}
	return nil
}

// lockUnseen reports a lock of which no implementation is seen.
func (j *judge) lockUnseen(s *flow.Summary, m, w *flow.Event) {
	acq := *m
	acq.Kind = flow.Acquire
	q := &pair{sum: s, acq: &acq, w: w}
	d := decision{
		rule: "unprovedwrite", verdict: unproved, receiver: "interface:" + shortKey(m.Dyn.Iface), shown: "what " + shortKey(m.Key) + " protects",
		reason: "the program has no visible implementation of " + shortKey(m.Dyn.Iface) + "; put //fencelint:acquires on its method " + m.Dyn.Method,
	}
	pos := j.clause()
	j.add(Finding{
		Rule: d.rule, Pos: pos, End: pos + token.Pos(len("package")), Message: j.message(pos, q, d),
		Related: append(j.related(q), Related{Place: m.Chain[0].Place, Pos: m.Chain[0].Pos, Message: "the lock is taken here"}),
		Key:     strings.Join([]string{d.rule, plainName(s.ID), m.Key, d.receiver}, "|"),
	})
}
