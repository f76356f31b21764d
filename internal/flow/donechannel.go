package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that closes a channel in a record when it ends is waited for by whoever receives
// from that: the function that started it, or a method of the record. One that sends on a
// channel may also be waited for by a function that is handed the channel.

// doneChannel is a channel in a field of a record.
type doneChannel struct {
	of    ssa.Value // the record, as the function around has it
	field *types.Var
}

// channelIn is the channel that is read from a field of a record.
func channelIn(ch ssa.Value) (doneChannel, bool) {
	load, ok := ch.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return doneChannel{}, false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return doneChannel{}, false
	}
	return doneChannel{source(fa.X), fieldVar(fa).Origin()}, true
}

// awaitsDone reports whether an instruction waits until a channel is closed that what was
// started at c closes.
func (f *fn) awaitsDone(in ssa.Instruction, c ssa.CallInstruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		ch, ok := channelIn(in.X)
		return ok && closesDone(c, ch)
	case *ssa.Call, *ssa.Defer:
		call := in.(ssa.CallInstruction)
		return receivesWithin(call, func(u *ssa.UnOp) bool {
			if ch, ok := channelIn(u.X); ok {
				ch.of = handed(call, ch.of)
				return closesDone(c, ch)
			}
			p, ok := source(u.X).(*ssa.Parameter)
			if !ok {
				return false
			}
			root := handed(call, p)
			return root != ssa.Value(p) && f.sendsOn(c, root) && (inLoop(u.Block()) || f.closes(c, root) || f.oneStart(root))
		})
	}
	return false
}

// receivesWithin reports whether a called function of the package has a receive that is asked
// for.
func receivesWithin(call ssa.CallInstruction, is func(*ssa.UnOp) bool) bool {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return false
	}
	for _, b := range origin(callee).Blocks {
		for _, in := range b.Instrs {
			if u, ok := in.(*ssa.UnOp); ok && u.Op == token.ARROW && is(u) {
				return true
			}
		}
	}
	return false
}

// oneStart reports whether one goroutine alone sends on a channel.
func (f *fn) oneStart(root ssa.Value) bool {
	starts := 0
	f.everyStart(func(s ssa.CallInstruction) {
		if f.sendsOn(s, root) {
			starts++
			if inLoop(s.Block()) {
				starts++
			}
		}
	})
	return starts == 1
}

// closesDone reports whether what is started at c, or the goroutine that a call there starts,
// closes a channel.
func closesDone(c ssa.CallInstruction, ch doneChannel) bool {
	started := c.Common().StaticCallee()
	if started == nil {
		return false
	}
	started = origin(started)
	if _, ok := c.(*ssa.Go); ok {
		return closesIn(started, func(of ssa.Value) bool { return handed(c, of) == ch.of }, ch.field)
	}
	for _, b := range started.Blocks {
		for _, in := range b.Instrs {
			g, ok := in.(*ssa.Go)
			if !ok || g.Call.StaticCallee() == nil {
				continue
			}
			mine := func(of ssa.Value) bool {
				of = handed(g, of)
				return handed(c, of) == ch.of || c.Value() != nil && c.Value() == ch.of && returns(started, of)
			}
			if closesIn(origin(g.Call.StaticCallee()), mine, ch.field) {
				return true
			}
		}
	}
	return false
}

// closesIn reports whether a function closes a channel in a field of one of some records.
func closesIn(f *ssa.Function, of func(ssa.Value) bool, field *types.Var) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			k, ok := in.(ssa.CallInstruction)
			if !ok || len(k.Common().Args) != 1 {
				continue
			}
			b, ok := k.Common().Value.(*ssa.Builtin)
			if !ok || b.Name() != "close" {
				continue
			}
			if ch, ok := channelIn(k.Common().Args[0]); ok && ch.field == field && of(ch.of) {
				return true
			}
		}
	}
	return false
}

// returns reports whether a function gives back a value at each of its returns, and nothing
// else.
func returns(f *ssa.Function, v ssa.Value) bool {
	some := false
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if len(r.Results) != 1 || source(r.Results[0]) != v {
				return false
			}
			some = true
		}
	}
	return some
}
