package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A function that is told by a constant which of several things to give gives that one, and
// so does one that is told by the type of what it is given.

// choice is a branch that a comparison of a parameter with a constant decides, or its type.
type choice struct {
	param  int
	equal  *term.Term
	typ    types.Type // that it is asked for, nil if it is compared
	invert bool       // it is left by the first way where they differ
}

// decided reports whether arguments decide a branch, and whether it is left by the first way.
func (c *choice) decided(args []*term.Term, given []types.Type) (first, ok bool) {
	switch {
	case c.param < 0 || c.param >= len(args):
		return false, false
	case c.typ != nil:
		if c.param >= len(given) || given[c.param] == nil {
			return false, false
		}
		return types.Identical(c.typ, given[c.param]) != c.invert, true
	}
	a := args[c.param]
	same := a.Equal(c.equal) || term.IsZero(a) && term.IsZero(c.equal)
	return same != c.invert, a.Kind == term.Const
}

// choices lists the branches of a function that constants may decide.
func (f *fn) choices() map[*ssa.BasicBlock]choice {
	if f.chooses != nil {
		return f.chooses
	}
	f.chooses = make(map[*ssa.BasicBlock]choice)
	for _, b := range f.f.Blocks {
		if in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			if c, ok := f.choiceOf(in.Cond); ok {
				f.chooses[b] = c
			}
		}
	}
	return f.chooses
}

func (f *fn) choiceOf(cond ssa.Value) (choice, bool) {
	switch v := cond.(type) {
	case *ssa.Parameter:
		return choice{param: f.paramIndex(v), equal: term.NewConst("bool", "true")}, true
	case *ssa.Extract:
		is, ok := v.Tuple.(*ssa.TypeAssert)
		if !ok || v.Index != 1 || types.IsInterface(is.AssertedType) || f.f.TypeParams().Len() > 0 {
			return choice{}, false
		}
		p, ok := is.X.(*ssa.Parameter)
		return choice{param: f.paramIndex(p), typ: is.AssertedType}, ok
	case *ssa.UnOp:
		c, ok := f.choiceOf(v.X)
		c.invert = !c.invert
		return c, ok && v.Op == token.NOT
	case *ssa.BinOp:
		x, y := v.X, v.Y
		if _, ok := x.(*ssa.Const); ok {
			x, y = y, x
		}
		p, ok := x.(*ssa.Parameter)
		k, ok2 := y.(*ssa.Const)
		if !ok || !ok2 || v.Op != token.EQL && v.Op != token.NEQ {
			return choice{}, false
		}
		return choice{param: f.paramIndex(p), equal: constTerm(k), invert: v.Op == token.NEQ}, true
	}
	return choice{}, false
}

func (f *fn) paramIndex(v *ssa.Parameter) int {
	for i, p := range f.f.Params {
		if p == v {
			return i
		}
	}
	return -1
}

// edge is a way from one block to another.
type edge struct{ from, to *ssa.BasicBlock }

// ways lists the ways that a function may take when it is given some arguments, of types that
// are known or nil, and reports whether they decide anything.
func (f *fn) ways(args []*term.Term, given []types.Type) (taken map[edge]bool, decided bool) {
	taken = make(map[edge]bool)
	seen := newBlocks(f.f)
	work := []*ssa.BasicBlock{f.f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen.add(b) {
			continue
		}
		next := b.Succs
		if c, ok := f.choices()[b]; ok {
			switch first, ok := c.decided(args, given); {
			case ok && first:
				decided, next = true, next[:1]
			case ok:
				decided, next = true, next[1:]
			}
		}
		for _, s := range next {
			taken[edge{b, s}] = true
			work = append(work, s)
		}
	}
	return taken, decided
}

// chosen is result n of a function of this package that constants choose among several; nil
// if they choose nothing.
func (f *fn) chosen(c *ssa.Call, t target, n int) *term.Term {
	g := f.a.byID[t.id]
	if g == nil || len(g.f.Blocks) < 2 || g.state != finished || g.taken != nil || len(g.choices()) == 0 || isError(g.f.Signature.Results().At(n).Type()) {
		return nil
	}
	taken, decided := g.ways(t.args, boxedTypes(c))
	if !decided {
		return nil
	}
	var out []*term.Term
	g.returns(func(r *ssa.Return, i int, v ssa.Value) {
		if b := r.Block(); i == n && (b.Index == 0 || reachedBy(b, taken)) {
			out = append(out, g.alongWays(v, taken))
		}
	})
	if len(out) == 0 {
		return nil
	}
	return term.NewAlt(out...)
}

// boxedTypes are the types of the arguments of a call that are known where they become values
// of an interface; nil for others.
func boxedTypes(c *ssa.Call) []types.Type {
	if c.Common().StaticCallee() == nil {
		return nil
	}
	out := make([]types.Type, len(c.Common().Args))
	for i, a := range c.Common().Args {
		if m, ok := a.(*ssa.MakeInterface); ok {
			out[i] = m.X.Type()
		}
	}
	return out
}

func reachedBy(b *ssa.BasicBlock, taken map[edge]bool) bool {
	for _, p := range b.Preds {
		if taken[edge{p, b}] {
			return true
		}
	}
	return false
}

// alongWays is a value where only some ways are taken.
func (f *fn) alongWays(v ssa.Value, taken map[edge]bool) *term.Term {
	values := f.values
	f.values, f.taken = make(map[ssa.Value]*term.Term), taken
	defer func() { f.values, f.taken = values, nil }()
	return f.value(v)
}

// onTaken reports whether each way that is taken to a block passes another one.
func (f *fn) onTaken(through, to *ssa.BasicBlock) bool {
	seen := newBlocks(f.f)
	var avoids func(b *ssa.BasicBlock) bool
	avoids = func(b *ssa.BasicBlock) bool {
		if b == through || !seen.add(b) {
			return false
		}
		return b == to || slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return f.taken[edge{b, s}] && avoids(s) })
	}
	return through == to || !avoids(f.f.Blocks[0])
}
