package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What is sent to a database as text can end the transaction in which it is sent,
// or undo part of it: what was compared and locked before counts for nothing after
// it. Which text does is known where statements are read; here it is noted what
// comes before and after those that may.

// earlier notes, for the statements that may end a transaction and for the other
// events, which may come before which.
func (f *fn) earlier(sum *Summary) {
	for _, x := range sum.Events {
		if x.site.call == nil || !f.mayEnd(x) {
			continue
		}
		for _, e := range sum.Events {
			if e.site.call == nil || e.site == x.site || e.Kind != Write && e.Kind != Acquire && e.Kind != Commit {
				continue
			}
			if mayFollow(e, x) {
				x.Earlier = addEvent(x.Earlier, e)
			}
			if mayFollow(x, e) {
				e.Earlier = addEvent(e.Earlier, x)
			}
		}
	}
}

// mayFollow reports whether v, which stands at another call, can run after e.
func mayFollow(e, v *Event) bool {
	switch {
	case e.Async || v.Async, e.site.call == nil || v.site.call == nil:
		return true // nobody is seen to call a literal, or it runs beside
	case e.Deferred || v.Deferred:
		return v.Deferred
	}
	return e.site.call == nil || v.site.call == nil || comesAfter(e.site.call, v.site.call)
}

// MayFollow reports whether v can run after e, as far as is known.
func MayFollow(e, v *Event) bool {
	if e.site == nil || v.site == nil {
		return true
	}
	if e.site == v.site {
		return e.src == nil || v.src == nil || MayFollow(e.src, v.src)
	}
	if a, b := e.site.call, v.site.call; a != nil && b != nil && a.Parent() != b.Parent() {
		return true
	}
	return mayFollow(e, v)
}

// mayEnd reports whether an event may end a transaction before its time: by a
// statement that is sent as text, or by the end of a transaction within it.
func (f *fn) mayEnd(e *Event) bool {
	if e.EndsSession() {
		return true
	}
	if e.Kind == Release {
		return e.Entry == "rollback"
	}
	if e.Kind != Write || e.Decl != nil {
		return false
	}
	c := f.a.known.byKey(e.Key)
	if c == nil || c.Sink == nil || c.Sink.Carrier == "pool" && !poolsToo[c.Sink.Lib] {
		return false
	}
	if c.Sink.Kind == "batch_flush" && strings.HasPrefix(c.Sink.Lib, "pgx") {
		return true // what was queued in it is looked at where statements are read
	}
	if c.Sink.Dialect != "sql" {
		return false
	}
	if i := c.Sink.Stmt; i >= 0 && i < len(e.Args) {
		return !keepsUnit(e.Args[i])
	}
	r := e.Recv
	return r == nil || r.Kind != term.Call || !slices.ContainsFunc(r.Args, keepsUnit)
}

// EndsSession reports whether an event ends the transaction of a session that can be
// used after it: statements run on their own then.
func (e *Event) EndsSession() bool {
	return (e.Kind == Commit || e.Kind == Release) && strings.Contains(e.Key, "/xorm.Session.")
}

// Precedes reports whether e stands on every way to x.
func (e *Event) Precedes(x *Event) bool {
	if e.site == nil || x.site == nil || e.site.call == nil || x.site.call == nil {
		return false
	}
	if e.site == x.site {
		return e.src != nil && x.src != nil && e.src.Precedes(x.src)
	}
	a, b := e.site.call, x.site.call
	return a.Parent() == b.Parent() && dominates(a, b) && e.certain()
}

// Between reports whether s stands on every way from g to x, and g does not come again.
func Between(g, s, x *Event) bool {
	if g.site == nil || s.site == nil || x.site == nil {
		return false
	}
	if g.site == s.site && s.site == x.site {
		return g.src != nil && s.src != nil && x.src != nil && Between(g.src, s.src, x.src)
	}
	a, b, c := g.site.call, s.site.call, x.site.call
	if a == nil || b == nil || c == nil || a == b || b == c || a.Parent() != b.Parent() || b.Parent() != c.Parent() {
		return false
	}
	return dominates(a, b) && dominates(b, c) && !comesAfter(c, a) && s.certain()
}

func dominates(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return slices.Index(a.Block().Instrs, a) < slices.Index(a.Block().Instrs, b)
	}
	return a.Block().Dominates(b.Block())
}

// keepsUnit reports whether a text is a single statement that reads or writes rows.
func keepsUnit(t *term.Term) bool {
	for _, a := range t.Alternatives() {
		parts := []*term.Term{a}
		if a.Kind == term.Concat {
			parts = a.Args
		}
		for i, p := range parts {
			s, ok := term.StringValue(p)
			s = strings.TrimSpace(s)
			if i == 0 && (!ok || !rowWords[firstWord(s)]) || strings.Contains(strings.TrimSuffix(s, ";"), ";") {
				return false
			}
		}
	}
	return true
}

var rowWords = set("select", "insert", "update", "delete", "with", "merge", "replace", "values", "savepoint", "release")

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return strings.TrimLeft(strings.ToLower(words[0]), "(")
	}
	return ""
}

func addEvent(to []*Event, e *Event) []*Event {
	if hasEvent(to, e) {
		return to
	}
	return append(to, e)
}

// standIn lets events take the place of those that callers do not get to see, as to
// what may come before: same has the one for each.
func standIn(es []*Event, same map[*Event]*Event) {
	if len(same) == 0 {
		return
	}
	for _, e := range es {
		for _, x := range e.Earlier {
			if n := same[x]; n != nil {
				e.Earlier = addEvent(e.Earlier, n)
			}
		}
	}
	for _, e := range es {
		if n := same[e]; n != nil {
			for _, x := range e.Earlier {
				n.Earlier = addEvent(n.Earlier, x)
			}
		}
	}
}
