package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Cond is a decision in Go that comes before an event on each path: the term had
// the wanted value.
type Cond struct {
	Term *term.Term
	Want bool
	Null bool   // it is left out where the value that was read is NULL
	At   string // the decision, where it compares numbers; what follows if they do not is in the outcomes
}

// maxConds bounds the decisions kept for one event.
const maxConds = 12

// addConds notes for the writes of the function which decisions come before them.
func (f *fn) addConds() {
	for _, s := range f.sites {
		if s.call == nil {
			continue
		}
		var here []Cond
		done := false
		for _, e := range s.events {
			if e.Kind != Write && e.Kind != Dyn && e.Kind != Commit || e.Detached {
				continue
			}
			if !done {
				here, done = f.condsAt(s.call.Block()), true
			}
			e.Conds = joinConds(e.Conds, here)
		}
	}
}

func joinConds(a, b []Cond) []Cond {
	out := append(a[:len(a):len(a)], b...)
	if len(out) > maxConds {
		out = out[:maxConds]
	}
	return out
}

// condsAt lists the decisions that each path to a block has taken.
func (f *fn) condsAt(b *ssa.BasicBlock) []Cond {
	var out []Cond
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		decides := false
		for i, want := range []bool{true, false} {
			s, other := d.Succs[i], d.Succs[1-i]
			if len(s.Preds) == 1 && s.Dominates(b) || len(other.Preds) == 1 && other != b && endsIn(other) {
				out, decides = append(out, f.at(cond, want, f.decided(cond.Cond, want))...), true
			}
		}
		if !decides {
			out = append(out, f.comparedIfThere(cond, b)...)
		}
		if len(out) > maxConds {
			break
		}
	}
	return out
}

// endsIn reports whether a block ends the process, or the goroutine: by its last call.
func endsIn(b *ssa.BasicBlock) bool {
	for _, in := range slices.Backward(b.Instrs) {
		if c, ok := in.(*ssa.Call); ok {
			return exits(callKey(c.Common()))
		}
	}
	return false
}

// decided turns a branch into decisions: a comparison of values, or, where the
// error of a call is tested, what the called function decided before it succeeded.
func (f *fn) decided(v ssa.Value, want bool) []Cond {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return f.decided(v.X, !want)
		}
		return f.telling(f.value(v), want)
	case *ssa.BinOp:
		if isNilConst(v.Y) || isNilConst(v.X) {
			x := v.X
			if isNilConst(x) {
				x = v.Y
			}
			if (v.Op == token.NEQ) == want {
				return nil // it failed
			}
			return append(f.affirmed(x), f.succeeded(x)...)
		}
		return f.telling(f.value(v), want)
	case *ssa.Call, *ssa.Extract:
		return append(f.telling(f.value(v), want), f.saying(v, want)...)
	case *ssa.Phi:
		return f.telling(f.value(v), want)
	}
	return nil
}

// telling keeps a decision on something read from a receiver, a lock or a clock, and one of
// which the caller knows whether it is that: an order of numbers that it hands in.
func (f *fn) telling(t *term.Term, want bool) []Cond {
	t = difference(t)
	if !f.informs(t) && !ordersGiven(t) {
		return nil
	}
	return []Cond{{Term: t, Want: want}}
}

func (f *fn) informs(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call {
			return false
		}
		if u.N >= OutParam {
			return true
		}
		c := f.a.known.byKey(u.Str)
		return c != nil && (c.Sink == nil || readers[c.Sink.Kind] == nil) || u.Str == "time.Now"
	})
}

// ordersGiven reports whether a decision is on the order of two values of which the caller, or
// the function around a literal, hands in one at least.
func ordersGiven(t *term.Term) bool {
	return comparesNumbers(t) && t.Str != "==" && t.Str != "!=" && t.Symbolic()
}

// affirmed keeps that a library, asked whether the lock is held, answered without an error,
// and that a read which passes over locked rows has met one.
func (f *fn) affirmed(err ssa.Value) []Cond {
	t := f.value(err)
	if t.Any(func(u *term.Term) bool { return u.Kind == term.Call && f.asksLock(u.Str) || PassesOver(u) }) {
		return []Cond{{Term: term.NewOp("==", t, term.Nil), Want: true}}
	}
	return nil
}

// PassesOver reports whether a text makes a read leave out the rows that others have locked.
func PassesOver(t *term.Term) bool {
	s, ok := term.StringValue(t)
	return ok && strings.Contains(strings.ToUpper(s), "SKIP LOCKED")
}

// asksLock reports whether a function of a library asks whether a lock is held.
func (f *fn) asksLock(key string) bool {
	c := f.a.known.byKey(key)
	return c != nil && slices.ContainsFunc(c.Locks, func(l *model.Lock) bool { return l.Role == model.RoleCheck })
}

func sharedConds(a, b []Cond) []Cond {
	var out []Cond
	for _, x := range a {
		for _, y := range b {
			if sameCond(x, y) {
				out = append(out, x)
				break
			}
		}
	}
	return out
}

func sameCond(a, b Cond) bool { return a.Want == b.Want && a.Null == b.Null && a.Term.Equal(b.Term) }
