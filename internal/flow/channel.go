package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A channel that is made here and stays in sight holds what is sent on it: what is
// received is one of that.

// channelType names the term of a channel, sentField its content.
const (
	channelType = "chan"
	sentField   = "sent"
)

// maxSenders bounds how deep a channel is followed into functions that send on it.
const maxSenders = 4

// channel is a channel with what is sent on it; open if code that is not seen can send.
func (f *fn) channel(m *ssa.MakeChan) *term.Term {
	s := &senders{}
	s.uses(f, m, func(t *term.Term) *term.Term { return t }, 0)
	t := term.NewStruct(channelType, f.siteOf(m), []string{sentField}, []*term.Term{term.NewAlt(s.sent...)})
	if t.Kind == term.Struct {
		t.Open = s.escapes || len(s.sent) == 0
	}
	return t
}

// foldReceive is what is received from a channel that is in sight.
func foldReceive(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 {
		return nil
	}
	ch := args[0]
	if ch.Kind == term.Alt {
		return eachForm(ch, func(c *term.Term) *term.Term { return foldReceive([]*term.Term{c}, 0) })
	}
	if ch.Kind != term.Struct || ch.Str != channelType || ch.Open {
		return nil
	}
	return ch.Args[0]
}

// received is what an operation receives from a channel.
func (f *fn) received(at ssa.Instruction, n int, ch ssa.Value) *term.Term {
	c := f.value(ch)
	if t := foldReceive([]*term.Term{c}, n); t != nil {
		return t
	}
	return term.NewCall("<-", f.siteOf(at), n, c)
}

// senders collects what is sent on a channel, in terms of the function that made it.
type senders struct {
	sent    []*term.Term
	escapes bool
}

// uses looks at each use of a value of x that is the channel; in turns terms of x into
// those of the function that made it.
func (s *senders) uses(x *fn, v ssa.Value, in func(*term.Term) *term.Term, depth int) {
	if ch, ok := v.Type().Underlying().(*types.Chan); ok && ch.Dir() == types.RecvOnly {
		return // whoever has it can only receive
	}
	if depth > maxSenders || v.Referrers() == nil {
		s.escapes = true
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Send:
			s.send(x, r.Chan == v, r.X == v, r.X, in)
		case *ssa.Select:
			for _, st := range r.States {
				if st.Dir == types.SendOnly {
					s.send(x, st.Chan == v, st.Send == v, st.Send, in)
				}
			}
		case *ssa.ChangeType:
			s.uses(x, r, in, depth)
		case *ssa.Store:
			s.kept(x, r, v, in, depth)
		case ssa.CallInstruction:
			s.call(x, r, v, in, depth)
		case *ssa.UnOp, *ssa.Range, *ssa.DebugRef, *ssa.BinOp:
		default:
			s.escapes = true
		}
	}
}

func (s *senders) send(x *fn, onIt, itself bool, val ssa.Value, in func(*term.Term) *term.Term) {
	if itself {
		s.escapes = true
	} else if onIt {
		s.sent = append(s.sent, in(x.value(val)))
	}
}

// kept follows a channel that is stored in a variable, also into the literals that
// capture that.
func (s *senders) kept(x *fn, st *ssa.Store, v ssa.Value, in func(*term.Term) *term.Term, depth int) {
	at, ok := st.Addr.(*ssa.Alloc)
	if !ok {
		s.escapes = true
		return
	}
	for _, r := range *at.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val != v {
				s.escapes = true // a variable for several channels
			}
		case *ssa.UnOp:
			s.uses(x, r, in, depth+1)
		case *ssa.MakeClosure:
			s.captured(x, r, at, in, depth+1)
		case *ssa.DebugRef:
		default:
			s.escapes = true
		}
	}
}

func (s *senders) captured(x *fn, m *ssa.MakeClosure, at ssa.Value, in func(*term.Term) *term.Term, depth int) {
	lit, ok := m.Fn.(*ssa.Function)
	if !ok || lit.Synthetic != "" {
		s.escapes = true
		return
	}
	inner := x.a.function(lit)
	inside := func(t *term.Term) *term.Term {
		sub := &term.Subst{Params: []*term.Term{}, Free: x.bindings(m), Call: refold}
		return in(sub.Apply(t))
	}
	for i, b := range m.Bindings {
		if b != at {
			continue
		}
		for _, r := range *lit.FreeVars[i].Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp:
				s.uses(inner, r, inside, depth)
			case *ssa.MakeClosure:
				s.captured(inner, r, lit.FreeVars[i], inside, depth+1)
			case *ssa.DebugRef:
			default:
				s.escapes = true
			}
		}
	}
}

// call follows a channel into a function of the package that is given it.
func (s *senders) call(x *fn, c ssa.CallInstruction, v ssa.Value, in func(*term.Term) *term.Term, depth int) {
	if _, ok := c.Common().Value.(*ssa.Builtin); ok {
		return // close, len, cap
	}
	callee := c.Common().StaticCallee()
	if callee == nil || origin(callee).Blocks == nil {
		s.escapes = true
		return
	}
	callee = origin(callee)
	inner := x.a.function(callee)
	for i, a := range c.Common().Args {
		if a == v && i < len(callee.Params) {
			s.uses(inner, callee.Params[i], func(t *term.Term) *term.Term {
				return in(x.substArgs(c, x.callArgs(c.Common()), nil).Apply(t))
			}, depth+1)
		}
	}
}
