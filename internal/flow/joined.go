package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A list to which a loop over another list adds one element a round, or whose elements it
// sets, is often joined to a text: then that is one text for each element.

// joinedEach is the text that a call joins of such a list; nil for other lists. While it is not
// known over what the loop runs, it is otherwise.
func (f *fn) joinedEach(c *ssa.Call, otherwise *term.Term) *term.Term {
	args := c.Call.Args
	if len(args) != 2 {
		return nil
	}
	loop, elem := f.addsEach(args[0])
	if elem == nil {
		loop, elem = f.setsEach(args[0])
	}
	if elem == nil || comesAfter(c, loop.at) {
		return nil
	}
	t := f.eachText(loop, f.inRound(loop, func() *term.Term { return f.value(elem) }), f.value(args[1]))
	if t == nil || t.Kind != term.Call || t.Str != EachText || otherwise == nil {
		return t
	}
	return term.NewCall(EachText, "", 0, append(slices.Clip(t.Args), otherwise)...)
}

// addsEach is a loop that adds one element to an empty list in each round, and that element.
func (f *fn) addsEach(v ssa.Value) (*listLoop, ssa.Value) {
	phi, ok := v.(*ssa.Phi)
	if !ok || len(phi.Edges) != 2 {
		return nil, nil
	}
	for i, e := range phi.Edges {
		body := phi.Block().Preds[i]
		loop := loopOver(body)
		more, ok := e.(*ssa.Call)
		if !ok || loop == nil || loop.head != phi.Block() || loop.between != nil || more.Block() != loop.body || callKey(more.Common()) != "" {
			continue
		}
		b, ok := more.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || more.Call.Args[0] != phi || !f.beginsEmpty(phi.Edges[1-i]) || usedBy(phi, loop.body) != 1 {
			return nil, nil
		}
		elem, n := ssa.Value(nil), 0
		anyOfList(more.Call.Args[1], func(x ssa.Value) bool {
			elem, n = x, n+1
			return false
		})
		if _, listed := more.Call.Args[1].(*ssa.Slice); listed && n == 1 {
			return loop, elem
		}
	}
	return nil, nil
}

func (f *fn) beginsEmpty(v ssa.Value) bool {
	if isNilConst(v) {
		return true
	}
	if m, ok := v.(*ssa.MakeSlice); ok {
		return isZeroConst(m.Len)
	}
	t := f.value(v)
	return t.Kind == term.List && !t.Open && len(t.Args) == 0
}

// usedBy counts the instructions of a block that use a value.
func usedBy(v ssa.Value, b *ssa.BasicBlock) int {
	n := 0
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug && r.Block() == b {
			n++
		}
	}
	return n
}

// setsEach is a loop that sets the elements of a list which is made as long as the one over
// which it runs, and what it sets them to.
func (f *fn) setsEach(v ssa.Value) (*listLoop, ssa.Value) {
	made, ok := v.(*ssa.MakeSlice)
	if !ok {
		return nil, nil
	}
	st := onlyElement(made)
	if st == nil {
		return nil, nil
	}
	loop := loopOver(st.Block())
	if loop == nil || loop.between != nil || !isRangeIndex(st.Addr.(*ssa.IndexAddr).Index, loop.head) {
		return nil, nil
	}
	n, ok := made.Len.(*ssa.Call)
	if b, isLen := lenOf(n, ok); !isLen || b != loop.at.X && !f.value(b).Equal(f.value(loop.at.X)) {
		return nil, nil
	}
	return loop, st.Val
}

func lenOf(c *ssa.Call, ok bool) (of ssa.Value, is bool) {
	if !ok {
		return nil, false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil, false
	}
	return c.Call.Args[0], true
}

// onlyElement is the one place where an element of a list is set, nil if there are others or
// none.
func onlyElement(made *ssa.MakeSlice) *ssa.Store {
	var found *ssa.Store
	for _, r := range *made.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *ia.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == ia {
				if found != nil {
					return nil
				}
				found = st
			}
		}
	}
	return found
}

// elementsSet reports whether elements of a list are set that is made with some.
func elementsSet(made *ssa.MakeSlice) bool {
	return !isZeroConst(made.Len) && slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		ia, ok := r.(*ssa.IndexAddr)
		return ok && slices.ContainsFunc(*ia.Referrers(), func(u ssa.Instruction) bool {
			st, ok := u.(*ssa.Store)
			return ok && st.Addr == ia
		})
	})
}
