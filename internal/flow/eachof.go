package flow

import (
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Text that a loop over a list adds once for each element is known once the list is: a
// function is often given the parts of a text as a list.

// EachText is the function in whose term such a text stands: of the list, of what is added
// for one element, and of what is put between two.
const EachText = "each"

// theElement stands for the element in what is added, theIndex for its number.
var (
	theElement = term.Shared(term.NewCall("the element", "", 0))
	theIndex   = term.Shared(term.NewCall("its number", "", 0))
)

// maxEach bounds the elements of a list for which a text is written out.
const maxEach = 32

func init() { folds[EachText] = foldEach }

// foldEach is the text that is added for all elements of a list.
func foldEach(args []*term.Term, _ int) *term.Term {
	if len(args) < 3 {
		return nil
	}
	list := args[0]
	switch {
	case list.Kind == term.Alt:
		return eachForm(list, func(l *term.Term) *term.Term { return foldEach([]*term.Term{l, args[1], args[2]}, 0) })
	case term.IsZero(list):
		return term.NewString("")
	case list.Kind != term.List || list.Open || len(list.Args) > maxEach:
		return nil
	}
	again := &term.Subst{Call: refold} // computes calls whose arguments are known now
	var parts []*term.Term
	for i, e := range list.Args {
		if i > 0 {
			parts = append(parts, args[2])
		}
		one := term.Replace(term.Replace(args[1], theElement, e), theIndex, term.NewConst("int", strconv.Itoa(i)))
		parts = append(parts, again.Apply(one))
	}
	return term.NewConcat(parts...)
}

// inRound finds a value as it is in one round of a loop.
func (f *fn) inRound(l *listLoop, find func() *term.Term) *term.Term {
	values, targeted := f.values, f.targeted
	defer func() { f.values, f.targeted = values, targeted }()
	f.targeted = make(map[ssa.CallInstruction][]target)
	f.values = map[ssa.Value]*term.Term{l.at: theElement, l.at.Index: theIndex} // what is found by it is true of one round alone
	for _, r := range *l.at.Referrers() {
		if u, ok := r.(*ssa.UnOp); ok {
			f.values[u] = theElement
		}
	}
	return find()
}

// eachText is what is added in all rounds of a loop over a list; nil if a round adds something
// of the one before.
func (f *fn) eachText(l *listLoop, added, between *term.Term) *term.Term {
	args := []*term.Term{f.value(l.at.X), added, between}
	if added.Any(fromItself) || between.Any(fromItself) || f.likeAll(l.at.X, args[0]) {
		return nil
	}
	if t := foldEach(args, 0); t != nil {
		return t
	}
	return term.NewCall(EachText, "", 0, args...)
}

// likeAll reports whether a list is a part of another one and known as that one.
func (f *fn) likeAll(v ssa.Value, t *term.Term) bool {
	part, ok := v.(*ssa.Slice)
	return ok && (part.Low != nil || part.High != nil) && t.Equal(f.value(part.X))
}

// grownOver is a text to which a loop over a list adds, where nothing reads it in the loop; nil
// for others.
func (f *fn) grownOver(v *ssa.Phi, base *term.Term) *term.Term {
	if len(v.Edges) != 2 {
		return nil
	}
	for i, e := range v.Edges {
		sum, ok := e.(*ssa.BinOp)
		body := v.Block().Preds[i]
		loop := loopOver(body)
		if !ok || sum.Block() != body || loop == nil || loop.head != v.Block() || loop.between != nil || readIn(body, v, sum) {
			continue
		}
		before := term.NewUnknown("what was there before a round of a loop")
		t := f.inRound(loop, func() *term.Term {
			f.values[v] = before
			return f.value(e)
		})
		if t.Kind != term.Concat || t.Args[0] != before {
			return nil
		}
		added := term.NewConcat(t.Args[1:]...)
		if added.Any(func(u *term.Term) bool { return u == before || u.Equal(before) }) {
			return nil
		}
		if all := f.eachText(loop, added, term.NewString("")); all != nil {
			return term.NewConcat(base, all)
		}
	}
	return nil
}

// readIn reports whether the body of a loop uses a text for more than to add to it.
func readIn(body *ssa.BasicBlock, v *ssa.Phi, sum *ssa.BinOp) bool {
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug && r.Block() == body && !addsTo(r, sum) {
			return true
		}
	}
	return false
}

// addsTo reports whether an instruction is a sum, or the first part of one.
func addsTo(in ssa.Instruction, sum *ssa.BinOp) bool {
	for b := sum; ; {
		if in == ssa.Instruction(b) {
			return true
		}
		x, ok := b.X.(*ssa.BinOp)
		if !ok {
			return false
		}
		b = x
	}
}

// listLoop is a loop that runs over a list from end to end, and that is in no other loop.
type listLoop struct {
	head, body *ssa.BasicBlock
	begin      *ssa.BasicBlock // of the body; another one if it asks whether it is the first round
	between    *ssa.BasicBlock // what runs in each round but the first, nil if there is none
	at         *ssa.IndexAddr  // where it takes the element
}

// loopOver is the loop to whose body a block belongs; nil for other blocks.
func loopOver(b *ssa.BasicBlock) *listLoop {
	for _, body := range append([]*ssa.BasicBlock{b}, b.Succs...) {
		if l := loopWith(body); l != nil && l.has(b) {
			return l
		}
	}
	return nil
}

// loopWith is the loop whose rounds end in a block.
func loopWith(body *ssa.BasicBlock) *listLoop {
	if len(body.Succs) != 1 {
		return nil
	}
	l := &listLoop{body: body, begin: body, head: body.Succs[0]}
	if len(l.head.Preds) != 2 || l.head == body || !l.head.Dominates(body) {
		return nil
	}
	for _, p := range l.head.Preds {
		if p != body && inLoop(p) {
			return nil
		}
	}
	switch {
	case len(body.Preds) == 1 && body.Preds[0] == l.head:
	case len(body.Preds) != 2 || !l.asksForFirst():
		return nil
	}
	if l.at = takesElement(l.begin, l.head); l.at == nil {
		l.at = takesElement(body, l.head)
	}
	if l.at == nil {
		return nil
	}
	return l
}

// asksForFirst notes the parts of a body that puts something between two elements.
func (l *listLoop) asksForFirst() bool {
	between, begin := l.body.Preds[0], l.body.Preds[1]
	if len(between.Succs) != 1 {
		between, begin = begin, between
	}
	if len(between.Succs) != 1 || len(between.Preds) != 1 || between.Preds[0] != begin || len(begin.Succs) != 2 ||
		len(begin.Preds) != 1 || begin.Preds[0] != l.head {
		return false
	}
	cond, ok := begin.Instrs[len(begin.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	more, ok := cond.Cond.(*ssa.BinOp)
	if !ok || begin.Succs[0] != between || more.Op != token.GTR && more.Op != token.NEQ || !isZeroConst(more.Y) || !isRangeIndex(more.X, l.head) {
		return false
	}
	l.begin, l.between = begin, between
	return true
}

// takesElement is where a block takes the element of the list over which a loop runs.
func takesElement(b, head *ssa.BasicBlock) *ssa.IndexAddr {
	for _, in := range b.Instrs {
		if ia, ok := in.(*ssa.IndexAddr); ok && isRangeIndex(ia.Index, head) {
			return ia
		}
	}
	return nil
}

// isRangeIndex reports whether a value counts the rounds of a loop over a list.
func isRangeIndex(v ssa.Value, head *ssa.BasicBlock) bool {
	next, ok := v.(*ssa.BinOp)
	if !ok || next.Op != token.ADD || next.Block() != head {
		return false
	}
	from, ok := next.X.(*ssa.Phi)
	return ok && from.Comment == "rangeindex" && from.Block() == head
}

// has reports whether a block is one of the body.
func (l *listLoop) has(b *ssa.BasicBlock) bool { return b == l.body || b == l.begin || b == l.between }
