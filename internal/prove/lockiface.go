package prove

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
)

// maxDecorators bounds how many types that pass a lock through are looked into.
const maxDecorators = 3

// lockConversions judges the holds of locks that are acquired through an interface,
// where the type whose method acquires is converted to it: in this package, or in
// one that it imports if the call is here or the program ends here.
func (j *judge) lockConversions(own []*flow.Summary) {
	for _, s := range own {
		for _, m := range s.Events {
			if m.Kind == flow.May && !s.Test && !inLiteral(s.ID) {
				j.granted(s, m, j.conversionsOf(m.Dyn))
				j.granted(s, m, j.possibleLocks(m.Dyn, m.Hold.Done))
			}
		}
	}
	types := make(map[string][]string)
	for _, p := range j.a.Imported.PendingFuncs() {
		if !p.AnyLock(func(l flow.PendingLock) bool { return j.isChosen(l, types) }) {
			continue
		}
		s := p.Summary()
		for _, m := range s.Events {
			if m.Kind == flow.May {
				j.granted(s, m, j.conversionsOf(m.Dyn))
				j.granted(s, m, j.possibleLocks(m.Dyn, m.Hold.Done))
			}
		}
	}
}

// isChosen reports whether there is a type for an interface, by which a lock may be
// acquired, for which that was not judged before; types are those that were found.
func (j *judge) isChosen(l flow.PendingLock, types map[string][]string) bool {
	d := &flow.DynCall{Iface: l.Iface, Asked: l.Asked}
	key := d.Iface + " " + d.Asked
	names, known := types[key]
	if !known {
		for _, c := range j.conversionsOf(d) {
			names = append(names, c.Type)
		}
		types[key] = names
	}
	if slices.ContainsFunc(names, func(t string) bool { return !slices.Contains(l.Done, t) }) {
		return true
	}
	return len(j.possibleLocks(d, l.Done)) > 0
}

// possibleLocks is possible for an interface by which locks are taken. A type that takes
// none, found before, stands for no lock at all, and excludes no other; such a type is not
// among those whose methods do something.
func (j *judge) possibleLocks(d *flow.DynCall, done []string) []flow.Conversion {
	own := j.conversionsOf(d)
	takes := func(t string) bool {
		is := func(c flow.Conversion) bool { return c.Type == t && c.Lock }
		return slices.ContainsFunc(j.a.Imported.Conversions, is) || slices.ContainsFunc(own, func(c flow.Conversion) bool { return c.Type == t })
	}
	if slices.ContainsFunc(done, takes) {
		return nil
	}
	return slices.DeleteFunc(j.possibleOf(d, nil), func(c flow.Conversion) bool { return slices.Contains(done, c.Type) })
}

// granted judges a possible acquisition for each type that may be meant and was not
// judged before.
func (j *judge) granted(s *flow.Summary, m *flow.Event, cs []flow.Conversion) {
	found, before := false, len(m.Hold.Done)
	one := flow.TheOne(m.Recv)
	for _, c := range cs {
		if slices.Contains(m.Hold.Done, c.Type) || one != nil && one.Str != c.Type {
			continue
		}
		if !j.a.Knows(m, c) {
			continue // it embeds an interface, and has the method from there
		}
		m.Hold.Done = append(m.Hold.Done, c.Type)
		for _, acq := range j.grants(m, c, 0) {
			found = true
			j.byType[acq] = one == nil
			j.interfaceHold(s, m, acq, c)
		}
	}
	switch {
	case len(m.Hold.Done) == before:
	case !found && j.keptApart(s, m, cs):
		j.kept[m] = true
	default:
		j.notLocks(m, found)
	}
	slices.Sort(m.Hold.Done)
	m.Hold.Done = slices.Compact(m.Hold.Done)
}

// grants are the acquisitions of a type's method, also those that it makes through
// a further interface.
func (j *judge) grants(m *flow.Event, c flow.Conversion, depth int) []*flow.Event {
	var out []*flow.Event
	for _, e := range j.a.Grants(m, c) {
		if e.Kind == flow.Acquire {
			out = append(out, e)
			continue
		}
		if depth == maxDecorators {
			continue
		}
		for _, inner := range j.typesOf(e) {
			if inner.Type != c.Type {
				out = append(out, j.grants(e, inner, depth+1)...)
			}
		}
	}
	return out
}

// interfaceHold notes the acquisition in the register, at the call, and judges what
// runs in its hold.
func (j *judge) interfaceHold(s *flow.Summary, m, acq *flow.Event, c flow.Conversion) {
	if j.ownUse(acq) {
		return
	}
	if acq.Hold.Maybe && (m.Hold.Lock == nil || m.Hold.Package) && j.classWithin(acq) == nil && !j.lockThrough(s, m, acq) {
		return // a mark or a cached value behind an interface
	}
	if acq.Hold.Lock == nil {
		acq.Hold.Lock = j.classWithin(acq)
	}
	if m.Hold.Lock != nil {
		acq.Hold.Lock = m.Hold.Lock
	}
	acq.Hold.Claimed = m.Hold.Claimed
	if m.Belief != nil && acq.Belief == nil {
		acq.Belief = m.Belief
	}
	if acq.Belief == nil && !keepsByName(m.Dyn.Method) && !(rootOf(acq).Hold.Maybe && j.worksItself(s, m)) {
		j.interfaceRow(s, m, acq, c)
	}
	for _, w := range j.a.Inside(s, m, c) {
		j.underInterface(s, m, c, acq, w)
	}
}

// interfaceRow notes the acquisition in the register, and asks for its class.
func (j *judge) interfaceRow(s *flow.Summary, m, acq *flow.Event, c flow.Conversion) {
	row := &Row{Place: m.Chain[0].Place, Library: acq.Hold.Lib, Idiom: "interface", Signal: "unknown", Role: "acquisition", Forwards: m.Hold.Forwarded}
	if n := len(acq.Chain); n > 1 {
		row.Inner, row.Through = acq.Chain[n-1].Place, between(acq)
	}
	if len(j.uses[m]) > 0 || m.Hold.Escapes && ast.IsExported(lastPart(plainName(s.ID))) {
		row.Role = "wrapper"
	}
	row.Layer = row.Forwards && takesByName(lastPart(plainName(s.ID)))
	if j.o.Trace {
		row.Trace = j.traceInterface(s, m, acq)
	}
	if l := acq.Hold.Lock; l != nil {
		row.Class, row.Contract = l.Class, l.Contract
	}
	if same := j.rowLike(row); same != nil {
		row = same // by another way through the same interfaces
	} else {
		j.order = append(j.order, acq)
	}
	j.rows[acq] = row
	if row.Class == "" && asksClass(acq) && !askedBelow(acq) && !j.decorates(s, m) {
		pos := j.standsAt(c, &pair{sum: s, acq: acq})
		j.askClassOf(s, acq, pos, shortKey(m.Key)+" of "+shortKey(strings.TrimPrefix(c.Type, "*")))
	}
}

// decorates reports whether a function is a type's method by which the lock of another
// type with the same interface is passed on: who uses the interface says what the lock
// is for.
func (j *judge) decorates(s *flow.Summary, m *flow.Event) bool {
	if !m.Hold.Passes() || lastPart(s.ID) != m.Dyn.Method {
		return false
	}
	recv := strings.Trim(strings.TrimSuffix(s.ID, "."+m.Dyn.Method), "()")
	return j.hasMethodsOf(strings.TrimPrefix(recv, "*"), m.Dyn.Iface)
}

// rowLike is a row of an acquisition through an interface that says the same.
func (j *judge) rowLike(r *Row) *Row {
	for _, e := range j.order {
		o := j.rows[e]
		if o.Place == r.Place && o.Inner == r.Inner && o.Library == r.Library && o.Idiom == r.Idiom && o.Role == r.Role && o.Class == r.Class && o.Contract == r.Contract {
			return o
		}
	}
	return nil
}

// sameObject is the type of the object on which a call is made if the lock was taken through
// the same one; nil if it may be another object.
func sameObject(m, w *flow.Event, c flow.Conversion) *flow.Conversion {
	if m.Recv == nil || w.Recv == nil || vague(m.Recv) || !m.Recv.Equal(w.Recv) {
		return nil
	}
	c.Iface = w.Dyn.Iface
	return &c
}

func (j *judge) underInterface(s *flow.Summary, m *flow.Event, c flow.Conversion, acq, w *flow.Event) {
	p := &pair{sum: s, acq: acq, w: w}
	w.Holds = append(w.Holds, acq)
	if w.Kind == flow.Dyn {
		if w.Dyn.Iface == "" || endsSomething(w) {
			return
		}
		o := &flow.Obligation{
			ID: strings.Join([]string{plainName(s.ID), acq.Key, w.Key, w.Site}, "|"), Hold: acq, Call: w,
		}
		if here := sameObject(m, w, c); here != nil {
			j.discharge(o, *here, func(q *pair, d decision) { j.reportAt(j.standsAt(c, q), q, d) })
			return
		}
		if one := flow.TheOne(w.Recv); one != nil { // a method of the lease itself, most of the time
			here := flow.Conversion{Type: one.Str, Iface: w.Dyn.Iface, Pos: c.Pos, Place: c.Place, Value: one.Args[0]}
			j.discharge(o, here, func(q *pair, d decision) { j.reportAt(j.standsAt(c, q), q, d) })
			return
		}
		j.duties = append(j.duties, o)
		j.late = append(j.late, o)
		if len(j.conversionsTo(w.Dyn.Iface)) == 0 && mayWrite(w) {
			j.record(p, j.unimplemented(p))
			o.Harmless = j.harmless(o)
		}
		return
	}
	if w.Kind != flow.Write || j.mints(p) || j.claims(s, w) {
		return
	}
	d := j.decide(p)
	if d.verdict == silent {
		return
	}
	j.record(p, d)
	if p.class().Class != "correctness" || saidOfClaim(acq, d) {
		return
	}
	if d.verdict == waiting {
		j.asCalled(c, acq, w.Source(), 0)
	} else if d.rule != "" {
		j.reportAt(j.standsAt(c, p), p, d)
	}
}

// saidOfClaim reports whether a verdict is the same whatever provides a lock that a directive
// makes one as it stands: nothing refuses, or the text is not seen. It is reported where that
// lock is taken.
func saidOfClaim(acq *flow.Event, d decision) bool {
	open := d.verdict == refuted && (d.guard == "none" || d.guard == "idempotent")
	hidden := d.rule == "unprovedwrite" && (d.hidden != "" || strings.HasPrefix(d.receiver, "external:"))
	return acq.Hold.Claimed && (open || hidden)
}

// maxCallers bounds how far up a write is followed that waits for what callers supply.
const maxCallers = 4

// asCalled judges a write in the hold of a lock behind an interface with what the
// callers of its function supply, as far as they are in this package.
func (j *judge) asCalled(c flow.Conversion, acq, w *flow.Event, depth int) {
	for _, s := range j.a.Functions() {
		if s.Test || inLiteral(s.ID) || depth == maxCallers {
			continue
		}
		for _, up := range s.Events {
			if up.Kind != flow.Write || !up.CopyOf(w) {
				continue
			}
			p := &pair{sum: s, acq: acq, w: up}
			switch d := j.decide(p); {
			case d.verdict == waiting:
				j.asCalled(c, acq, up, depth+1)
			case d.rule != "":
				j.reportAt(j.standsAt(c, p), p, d)
			}
		}
	}
}

// standsAt is where the finding about a hold through an interface stands: at the
// conversion; if that is in another package, at the call; else at the package clause.
func (j *judge) standsAt(c flow.Conversion, p *pair) token.Pos {
	if c.Pos.IsValid() {
		return c.Pos
	}
	if pos := p.acq.Chain[0].Pos; pos.IsValid() {
		return pos
	}
	return j.clause()
}

// ending names the methods that give a lock back.
var ending = pattern.New(`(?i)unlock|(?-i:Release|^release)|resign|close`)

// bareEnding is such a method that names nothing else.
var bareEnding = pattern.New(`(?i)^(unlock|release|resign|close)$`)

// endsWith reports whether a method gives a lock back rather than writes.
func endsWith(method string) bool { return ending.MatchString(method) }

// endsSomething reports whether a call ends the life of an object, such as a lock or a
// connection: Close is that, CloseOrder and Close of an order are not.
func endsSomething(w *flow.Event) bool {
	return endsWith(w.Dyn.Method) && (flow.SpeaksOfLock(w.Dyn.Method) || flow.SpeaksOfLock(lastPart(w.Dyn.Iface)) || len(w.Args) < 2 && bareEnding.MatchString(w.Dyn.Method))
}
