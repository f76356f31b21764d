package flow

import "golang.org/x/tools/go/ssa"

// liveness says in which blocks a value may still be used. What is known of dead
// values is dropped, so that paths which differ only in them are walked once.
type liveness struct {
	in    map[ssa.Value][]uint64 // the blocks, a bit for each
	words int
}

func newLiveness(f *ssa.Function) *liveness {
	l := &liveness{in: make(map[ssa.Value][]uint64), words: (len(f.Blocks) + 63) / 64}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			l.uses(in)
		}
	}
	return l
}

// at reports whether v may be used in b or behind it.
func (l *liveness) at(v ssa.Value, b *ssa.BasicBlock) bool {
	in := l.in[v]
	return in != nil && in[b.Index/64]>>(b.Index%64)&1 != 0
}

func (l *liveness) uses(in ssa.Instruction) {
	if phi, ok := in.(*ssa.Phi); ok {
		for i, e := range phi.Edges {
			l.liveIn(e, phi.Block().Preds[i])
		}
		return
	}
	var ops [8]*ssa.Value
	for _, op := range in.Operands(ops[:0]) {
		if *op != nil {
			l.liveIn(*op, in.Block())
		}
	}
}

// liveIn marks v as used in b, and in all blocks on the way from its definition.
func (l *liveness) liveIn(v ssa.Value, b *ssa.BasicBlock) {
	var def *ssa.BasicBlock // nil for parameters and the like
	if in, ok := v.(ssa.Instruction); ok {
		def = in.Block()
	}
	if def == b {
		return
	}
	in := l.in[v]
	if in == nil {
		in = make([]uint64, l.words)
		l.in[v] = in
	}
	spreadBack(in, b, def)
}

// spreadBack marks b and the blocks that lead to it, up to one.
func spreadBack(in []uint64, b, upTo *ssa.BasicBlock) {
	word, bit := &in[b.Index/64], uint64(1)<<(b.Index%64)
	if b == upTo || *word&bit != 0 {
		return
	}
	*word |= bit
	for _, p := range b.Preds {
		spreadBack(in, p, upTo)
	}
}
