package flow

import "golang.org/x/tools/go/ssa"

// liveness says in which blocks a value may still be used. What is known of dead
// values is dropped, so that paths which differ only in them are walked once.
type liveness struct{ in []map[ssa.Value]bool }

func newLiveness(f *ssa.Function) *liveness {
	l := &liveness{in: make([]map[ssa.Value]bool, len(f.Blocks))}
	for i := range l.in {
		l.in[i] = make(map[ssa.Value]bool)
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			l.uses(in)
		}
	}
	return l
}

func (l *liveness) uses(in ssa.Instruction) {
	if phi, ok := in.(*ssa.Phi); ok {
		for i, e := range phi.Edges {
			l.liveOut(e, phi.Block().Preds[i])
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

// liveIn marks v as used in b.
func (l *liveness) liveIn(v ssa.Value, b *ssa.BasicBlock) {
	def, ok := v.(ssa.Instruction)
	if ok && def.Block() == b {
		return
	}
	if l.in[b.Index][v] {
		return
	}
	l.in[b.Index][v] = true
	if !ok && b.Index == 0 {
		return
	}
	for _, p := range b.Preds {
		l.liveOut(v, p)
	}
}

func (l *liveness) liveOut(v ssa.Value, b *ssa.BasicBlock) {
	if def, ok := v.(ssa.Instruction); ok && def.Block() == b {
		return
	}
	l.liveIn(v, b)
}
