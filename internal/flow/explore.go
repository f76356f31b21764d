package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// explorer walks the paths of one function that a state leaves possible.
type explorer struct {
	f *fn
	// visit is called for each call met on the way; false ends the path there.
	visit func(c ssa.CallInstruction, s *state) bool
	// ret is called at each return that is reached.
	ret func(r *ssa.Return, tuple []abs, s *state)
	// instr is called for each other instruction.
	instr func(in ssa.Instruction, s *state)
	// leaves is called where deferred calls run.
	leaves func(at *ssa.RunDefers, s *state)
	// until is an instruction at which a walk ends, but for the states that again gives.
	until ssa.Instruction
	again func(*state) []*state
	// fine says that no error is met: what is done about one is left out.
	fine bool
	// grant says that the walk is that of a grant, for comparison.
	grant bool
	// stop is called where the program or goroutine ends.
	stop func(s *state)

	// left, if set, is how many blocks may still be entered, in what is called too.
	left *int

	seen  map[string]bool
	key   []byte // of the last state looked for there
	steps int
	depth int
	// done ends the whole walk: what was asked is known.
	done bool
	// capped says that the walk was ended by its limit: nothing may be concluded
	// from what was not met.
	capped bool
}

// maxSteps bounds the blocks that one walk enters.
const maxSteps = 3000

type point struct {
	block *ssa.BasicBlock
	index int
	pred  *ssa.BasicBlock
	s     *state
}

// after walks on from the instruction that follows in.
func (e *explorer) after(in ssa.Instruction, s *state) {
	b := in.Block()
	i := slices.Index(b.Instrs, in)
	e.walk(point{block: b, index: i + 1, s: s})
}

func (e *explorer) fromEntry(s *state) {
	if len(e.f.f.Blocks) > 0 {
		e.walk(point{block: e.f.f.Blocks[0], s: s})
	}
}

func (e *explorer) walk(p point) {
	if e.seen == nil {
		e.seen = make(map[string]bool)
	}
	if e.f.live == nil {
		e.f.live, e.f.numbers = newLiveness(e.f.f), make(numbering)
	}
	work := []point{p}
	for len(work) > 0 && !e.done {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if e.steps++; e.steps > maxSteps || e.left != nil && *e.left <= 0 {
			e.capped = true
			return
		}
		if e.left != nil {
			*e.left--
		}
		work = append(work, e.block(p)...)
	}
}

// block runs one block from p on and gives the points that may follow.
func (e *explorer) block(p point) []point {
	s := p.s
	if p.index == 0 {
		s.enter(p.block, p.pred, e.f.live)
		e.key = s.key(e.key[:0], p.block, e.f.numbers)
		if e.seen[string(e.key)] {
			return nil
		}
		e.seen[string(e.key)] = true
	}
	for i := p.index; i < len(p.block.Instrs); i++ {
		if e.until != nil && p.block.Instrs[i] == e.until {
			return spread(p.block, i+1, e.again(s))
		}
		switch in := p.block.Instrs[i].(type) {
		case *ssa.If:
			return e.branch(p.block, in, s)
		case *ssa.Jump:
			return []point{{block: p.block.Succs[0], pred: p.block, s: s}}
		case *ssa.Return:
			if e.ret != nil {
				e.ret(in, s.tuple(in), s)
			}
			return nil
		case *ssa.Panic:
			if b := e.recovers(s); b != nil {
				return []point{{block: b, s: s}}
			}
			e.end(s)
			return nil
		case *ssa.RunDefers:
			if e.leaves != nil {
				e.leaves(in, s)
			}
			if ends := e.deferredEnds(in, s); len(ends) > 1 || ends[0] != s {
				return spread(p.block, i+1, ends)
			}
		case ssa.CallInstruction:
			if e.visit != nil && !e.visit(in, s) {
				return nil
			}
			call, ok := in.(*ssa.Call)
			if !ok {
				s.goesAway(in.Common())
				continue
			}
			forks, alive := e.call(call, s)
			if !alive {
				if b := e.recovers(s); b != nil && !exits(callKey(call.Common())) {
					return []point{{block: b, s: s}} // what is called panics
				}
				e.end(s)
				return nil
			}
			if len(forks) > 1 {
				return spread(p.block, i+1, forks)
			}
		default:
			if !e.keepsQuiet(in, s) {
				s.exec(in)
			}
			e.flag(in, s)
			if e.instr != nil {
				e.instr(in, s)
			}
		}
	}
	return nil
}

// spread goes on in a block with several states.
func spread(b *ssa.BasicBlock, index int, states []*state) []point {
	out := make([]point, len(states))
	for i, s := range states {
		out[i] = point{block: b, index: index, s: s}
	}
	return out
}

func (e *explorer) end(s *state) {
	if e.stop != nil {
		e.stop(s)
	}
}

// branch follows the side that the state decides, or both, each with what the
// decision teaches.
func (e *explorer) branch(b *ssa.BasicBlock, in *ssa.If, s *state) []point {
	cond := s.of(in.Cond)
	if cond.sig {
		s.flags |= branched
		if e.depth == 0 {
			s.flags |= decidedHere
		}
	}
	if cond.k == isBool {
		succ := b.Succs[1]
		if cond.n != 0 {
			succ = b.Succs[0]
		}
		return []point{{block: succ, pred: b, s: s}}
	}
	if succ := e.withoutError(b, in); succ != nil {
		return []point{{block: succ, pred: b, s: s}}
	}
	if succ := e.f.onlyWay(b); succ != nil {
		return []point{{block: succ, pred: b, s: s}}
	}
	if cond.sig {
		s.flags |= unsure
	}
	no := s.clone()
	s.learn(in.Cond, true)
	no.learn(in.Cond, false)
	if kept := keptError(in.Cond); kept == token.NEQ {
		s.failedBefore()
	} else if kept == token.EQL {
		no.failedBefore()
	}
	return []point{{block: b.Succs[1], pred: b, s: no}, {block: b.Succs[0], pred: b, s: s}}
}

// keptError is how a condition compares a captured error with nil, ILLEGAL if it does
// something else: code keeps the first of several errors so.
func keptError(cond ssa.Value) token.Token {
	c, ok := cond.(*ssa.BinOp)
	if !ok || !isNilConst(c.Y) || !isError(c.X.Type()) {
		return token.ILLEGAL
	}
	if u, ok := c.X.(*ssa.UnOp); ok && u.Op == token.MUL {
		if _, ok := u.X.(*ssa.FreeVar); ok {
			return c.Op
		}
	}
	return token.ILLEGAL
}

// failedBefore: an error was kept before this one, and stands for both.
func (s *state) failedBefore() {
	if s.flags&branched != 0 {
		s.flags |= observed
	}
}

// withoutError is the branch taken when the error that a condition asks for is nil.
func (e *explorer) withoutError(b *ssa.BasicBlock, in *ssa.If) *ssa.BasicBlock {
	c, ok := in.Cond.(*ssa.BinOp)
	if !e.fine || !ok || !isError(c.X.Type()) || !isNilConst(c.X) && !isNilConst(c.Y) {
		return nil
	}
	if c.Op == token.NEQ {
		return b.Succs[1]
	}
	return b.Succs[0]
}

// learn notes what follows from a condition.
func (s *state) learn(cond ssa.Value, want bool) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			s.learn(c.X, !want)
		}
	case *ssa.BinOp:
		x, y := c.X, c.Y
		op := c.Op
		if _, ok := x.(*ssa.Const); ok {
			x, y, op = y, x, mirrored[op]
		}
		if got, ok := narrowed(op, s.of(y), want); ok {
			old := s.of(x)
			if old.k == top {
				got.sig = old.sig
				s.set(x, got)
				s.setCell(x, got)
			}
		}
	default:
		if old := s.of(cond); old.k == top {
			b := boolean(want)
			b.sig = old.sig
			s.set(cond, b)
		}
	}
}
