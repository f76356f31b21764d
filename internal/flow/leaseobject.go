package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// leaseObject tells what a write does to a Lease object of Kubernetes that the
// program keeps itself: it puts its holder into it, or takes it out. Nil for others.
func (f *fn) leaseObject(e *Event, c ssa.CallInstruction) *Grip {
	if !strings.Contains(e.Key, "/typed/coordination/") || !strings.Contains(e.Key, ".LeaseInterface.") || e.src != nil {
		return nil
	}
	g := &Grip{Lib: "k8s-lease", Row: e.Recv, Signs: Named | Owned}
	switch set, cleared := f.holderStored(c); {
	case strings.HasSuffix(e.Key, ".Delete"), cleared && strings.HasSuffix(e.Key, ".Update"):
		g.Kind = Release
	case set:
		g.Kind = Acquire
	default:
		return nil
	}
	return g
}

// holderStored reports whether a holder was stored in a Lease before a call, and
// whether it was taken out.
func (f *fn) holderStored(c ssa.CallInstruction) (set, cleared bool) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !mayPrecede(st, c) {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !strings.HasSuffix(fieldName(fa.X.Type(), fa.Field), ".LeaseSpec.HolderIdentity") {
				continue
			}
			if isNilConst(st.Val) || f.value(st.Val).Kind == term.Const {
				cleared = true
			} else {
				set = true
			}
		}
	}
	return set, cleared && !set
}

// mayPrecede reports whether a way leads from a to b.
func mayPrecede(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return reachable(a.Block())[b.Block()]
	}
	return a.Pos() == token.NoPos || b.Pos() == token.NoPos || a.Pos() < b.Pos()
}
