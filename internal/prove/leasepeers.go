package prove

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A type that is locked by one of its methods and unlocked by another is often handed
// around as two interfaces, one to lock and one to write: who holds the lock while
// which method runs is decided far away. The register lists what the other methods
// write beside the method that locks; nothing is reported of them there.

// peers records the writes of the methods that share a receiver with a wrapper. A type that
// is generated from a list of statements is no type that is locked.
func (j *judge) peers(sums []*flow.Summary) {
	methods := make(map[string][]*flow.Summary)
	for _, s := range sums {
		if t := receiverOf(s.ID); t != "" && !s.Test {
			methods[t] = append(methods[t], s)
		}
	}
	for _, s := range sums {
		for _, e := range s.Events {
			if row := j.rows[e]; row != nil && e.Kind == flow.Acquire && row.Role == "wrapper" && e.Hold.Escapes && !j.generated(e.Chain[0].Pos) {
				j.peersOf(row, e, s, methods[receiverOf(s.ID)])
			}
		}
	}
}

// lockers are the types of a library that are locked by one of their methods and unlocked by
// another: what the others write is judged where they are called.
func (j *judge) lockers(sums []*flow.Summary) map[string]bool {
	out := make(map[string]bool)
	if j.closes() {
		return out
	}
	for _, s := range sums {
		for _, e := range s.Events {
			if t := receiverOf(s.ID); t != "" && e.Kind == flow.Acquire && e.Source() == nil && e.Hold.Escapes && correct(e) {
				out[t] = out[t] || slices.ContainsFunc(sums, func(m *flow.Summary) bool { return m != s && receiverOf(m.ID) == t && gives(m, e) })
			}
		}
	}
	return out
}

// receiverOf is the type of which a function is a method, with a pointer or without one;
// "" if it is none, or a literal.
func receiverOf(id string) string {
	if !strings.HasPrefix(id, "(") || strings.Contains(id, "$") {
		return ""
	}
	return "(" + strings.TrimPrefix(id[1:strings.LastIndexByte(id, ')')], "*")
}

func (j *judge) peersOf(row *Row, e *flow.Event, s *flow.Summary, methods []*flow.Summary) {
	var others []*flow.Summary
	unlocks := false
	for _, m := range methods {
		switch {
		case m == s:
		case gives(m, e):
			unlocks = true
		case ast.IsExported(lastPart(plainName(m.ID))):
			others = append(others, m)
		}
	}
	if !unlocks {
		return
	}
	for _, m := range others {
		for _, w := range m.Events {
			if w.Kind == flow.Write && !w.Detached && len(w.Holds) == 0 && !j.claims(m, w) && !takesAgain(m, w, e) {
				j.peer(row, &pair{sum: m, acq: e, w: afterwards(s, w)})
			}
		}
	}
}

// takesAgain reports whether a write of a method is how that method takes, or prolongs, a
// lock like the one that another takes.
func takesAgain(m *flow.Summary, w, lock *flow.Event) bool {
	return slices.ContainsFunc(m.Events, func(a *flow.Event) bool {
		return a.Kind == flow.Acquire && a.Hold.Lib == lock.Hold.Lib && a.Site == w.Site && a.Key == w.Key && a.SameCall(w)
	})
}

// afterwards is a write of a method with what the locking method left in the fields of
// their receiver.
func afterwards(s *flow.Summary, w *flow.Event) *flow.Event {
	self := term.NewParam(0)
	left := make(map[string]*term.Term)
	for _, st := range s.Stores {
		if st.To.Kind == term.Field && len(st.To.Args) == 1 && st.To.Args[0].Equal(self) {
			if was := left[st.To.Str]; was != nil && st.Perhaps {
				left[st.To.Str] = term.NewAlt(was, st.Value)
				continue
			}
			left[st.To.Str] = st.Value
		}
	}
	if len(left) == 0 {
		return w
	}
	sub := &term.Subst{Field: func(name string, base *term.Term) *term.Term {
		if v := left[name]; v != nil && base.Equal(self) {
			return v
		}
		return term.NewField(name, base)
	}}
	n := *w
	if n.Recv != nil {
		n.Recv = sub.Apply(n.Recv)
	}
	n.Args = make([]*term.Term, len(w.Args))
	for i, a := range w.Args {
		n.Args[i] = sub.Apply(a)
	}
	return &n
}

// gives reports whether a method gives back or takes what e takes.
func gives(m *flow.Summary, e *flow.Event) bool {
	for _, r := range m.Events {
		if r.Kind == flow.Release && (flow.Releases(r, e) || r.Lib == e.Hold.Lib && r.Entry != "close" && r.Entry != "rollback") {
			return true
		}
	}
	return false
}

func (j *judge) peer(row *Row, p *pair) {
	d := j.decide(p)
	if d.verdict == silent {
		return
	}
	last := p.w.Chain[len(p.w.Chain)-1]
	b := Boundary{
		Place: last.Place, Receiver: d.receiver, Guard: d.guard, Verdict: string(d.verdict),
		Path: []string{funcName(p.sum.ID)}, Via: []Place{p.w.Chain[0].Place},
		Reason: "where its caller holds the lock: " + d.reason, Peer: true,
	}
	if d.verdict == waiting {
		b.Verdict = string(unproved)
	}
	b.Known, b.Unseen = j.knows(p, d)
	b.Trace = j.trace(p, d)
	row.add(b)
}
