package flow

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// effect reports whether e hands something to another system.
func (e *Event) effect() bool { return e.Kind == Write && e.Effect(EffectKey) != nil }

// timeOut is the error by which a caller does not learn what became of his effect.
const timeOut = "context.DeadlineExceeded"

// lostReply is what the call of an effect returns when no answer came. Followed
// like a refusal, it tells what the code makes of an unknown outcome.
func lostReply(sig *types.Signature) []start {
	n := sig.Results().Len()
	if n == 0 || !isError(sig.Results().At(n-1).Type()) {
		return nil
	}
	t := make([]abs, n)
	t[n-1] = abs{k: nonNil, sig: true, name: timeOut}
	return []start{{tuple: t}}
}

// Refused is the scenario of an effect's outcomes in which its receiver answers that a
// condition of the request does not hold.
const Refused = "refused"

// refusedRequest is what a request with a condition returns when that does not hold: a
// response, whose status says so, or an error of a client that looks at the status.
func refusedRequest(e *Event) []start {
	sig := e.site.call.Common().Signature()
	n := sig.Results().Len()
	if !e.Conditional() || n == 0 || !isError(sig.Results().At(n-1).Type()) {
		return nil
	}
	t := make([]abs, n)
	t[0], t[n-1] = abs{k: refused, sig: true}, abs{k: isNil}
	if n == 1 {
		t[0] = abs{k: nonNil, sig: true}
	}
	return []start{{scenario: Refused, tuple: t}}
}

// AfterFailure reports whether v runs after the effect e when no answer came to
// e, whatever else the code asks about the error.
func AfterFailure(e, v *Event) bool {
	for _, o := range e.Outcomes {
		if o.Scenario != Refused && slices.Contains(o.Reaches, v) {
			return true
		}
	}
	return e != v && e.src != nil && v.src != nil && e.SameCall(v) && AfterFailure(e.src, v.src)
}

// Follows reports whether v can run after e in one run of the function that has
// both.
func Follows(e, v *Event) bool {
	if slices.Contains(v.After, e) {
		return true
	}
	if e.site == nil || v.site == nil || e.site.call == nil || v.site.call == nil {
		return false
	}
	if e.site == v.site {
		return e.src != nil && v.src != nil && Follows(e.src, v.src)
	}
	if e.Deferred || v.Deferred {
		return v.Deferred && !e.Deferred
	}
	return comesAfter(e.site.call, v.site.call)
}

// comesAfter reports whether b can run after a.
func comesAfter(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() && slices.Index(a.Block().Instrs, a) < slices.Index(b.Block().Instrs, b) {
		return true
	}
	return flowsTo(a.Block(), b.Block())
}

// flowsTo reports whether there is a way out of one block that comes to another one, or
// to the same again.
func flowsTo(from, to *ssa.BasicBlock) bool {
	if from.Parent() != to.Parent() {
		return false
	}
	if from != to && from.Dominates(to) {
		return true
	}
	seen := newBlocks(from.Parent())
	var room [64]*ssa.BasicBlock
	work := append(room[:0], from.Succs...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == to {
			return true
		}
		if seen.add(x) {
			work = append(work, x.Succs...)
		}
	}
	return false
}

// blocks is a set of blocks of one function.
type blocks struct {
	few  [4]uint64
	more []uint64 // of a large function
}

func newBlocks(f *ssa.Function) blocks {
	var s blocks
	if n := len(f.Blocks)/64 + 1; n > len(s.few) {
		s.more = make([]uint64, n)
	}
	return s
}

func (s *blocks) word(b *ssa.BasicBlock) *uint64 {
	if s.more != nil {
		return &s.more[b.Index/64]
	}
	return &s.few[b.Index/64]
}

func (s *blocks) has(b *ssa.BasicBlock) bool { return *s.word(b)>>(b.Index%64)&1 != 0 }

// add reports whether the block was not there before.
func (s *blocks) add(b *ssa.BasicBlock) bool {
	w, bit := s.word(b), uint64(1)<<(b.Index%64)
	isNew := *w&bit == 0
	*w |= bit
	return isNew
}

// mayBeTimeOut reports whether errors.As finds a time-out in a target: one of the
// types of the network, not the error type of a client, which carries an answer.
func mayBeTimeOut(target ssa.Value) bool {
	m, ok := target.(*ssa.MakeInterface)
	if !ok {
		return true
	}
	p, ok := m.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	name := strings.TrimPrefix(typeName(p.Elem()), "*")
	return strings.HasPrefix(name, "net.") || strings.HasPrefix(name, "net/url.") || types.IsInterface(p.Elem())
}

// wordingOf is a constant text that can be a state's name; other constants are
// what they always are.
func wordingOf(c *ssa.Const) abs {
	if c.Value == nil || c.Value.Kind() != constant.String {
		return constAbs(c)
	}
	s := constant.StringVal(c.Value)
	if len(s) > 32 || strings.ContainsAny(s, "<>*") {
		return abs{}
	}
	return abs{k: wording, name: s}
}

// wordings are the texts among the arguments of a call, on one path.
func wordings(c ssa.CallInstruction, s *state) []string {
	var out []string
	for _, v := range arguments(c.Common()) {
		if a := s.of(v); a.k == wording && a.name != "" {
			out = append(out, a.name)
		}
	}
	return out
}

// hear notes what the writes of a site are told after e failed.
func (e *Event) hear(s *site, said []string) {
	if e.told == nil {
		e.told = make(map[*Event][]string)
	}
	for _, v := range s.events {
		if v.Kind == Write {
			e.told[v] = append(e.told[v], said...)
		}
	}
}

// Told lists the constant texts that the write v was given by this function on
// the ways on which no answer came to the effect e.
func Told(e, v *Event) []string {
	if said, ok := e.told[v]; ok {
		return said
	}
	if e.src != nil && v.src != nil && e.SameCall(v) {
		return Told(e.src, v.src)
	}
	return nil
}

// takesLock reports whether what a site runs takes a lock.
func takesLock(s *site) bool {
	return slices.ContainsFunc(s.events, func(e *Event) bool { return e.Kind == Acquire })
}
