package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Given is what a function returns where questions have some answers that a caller gives.
type Given struct {
	When    []Cond
	Results []*term.Term
}

// givenCases finds what the function returns in each case.
func (f *fn) givenCases(sum *Summary) []Given {
	if len(f.f.Blocks) < 2 || f.cyclic || f.partial || !f.givesOneOf(sum) {
		return nil
	}
	asked := f.questionsIn()
	if len(asked) == 0 {
		return nil
	}
	var out []Given
	f.eachAnswer(asked, nil, func(a answering) {
		f.inCaseOf(a, func() { out = append(out, Given{a.when, f.translation(f.results())}) })
	})
	same := func(g Given) bool { return slices.EqualFunc(g.Results, out[0].Results, (*term.Term).Equal) }
	if !slices.ContainsFunc(out, func(g Given) bool { return !same(g) }) {
		return nil
	}
	return out
}

// givesOneOf reports whether a function returns one of several values that a statement may be
// made of.
func (f *fn) givesOneOf(sum *Summary) bool {
	res := f.f.Signature.Results()
	for i, t := range sum.Results {
		if i < res.Len() && f.a.makesStatements(res.At(i).Type()) && t.Any(isAlt) {
			return true
		}
	}
	return false
}

// makesStatements reports whether a value of a type may be a part of a statement: a text, a
// number, a list, or a record of a library, such as a request.
func (a *Analysis) makesStatements(t types.Type) bool {
	t = deref(t)
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if _, record := n.Underlying().(*types.Struct); record {
			return n.Obj().Pkg() != a.Pkg
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsBoolean == 0
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// inCaseOf finds values where some ways are taken.
func (f *fn) inCaseOf(a answering, find func()) {
	values, targeted, heap, byRecord, heaped, expanded := f.values, f.targeted, f.heap, f.byRecord, f.heaped, f.expanded
	defer func() {
		f.values, f.targeted, f.heap, f.byRecord, f.heaped, f.expanded, f.taken = values, targeted, heap, byRecord, heaped, expanded, nil
	}()
	f.values, f.targeted, f.taken = make(map[ssa.Value]*term.Term), make(map[ssa.CallInstruction][]target), a.taken
	f.heap, f.byRecord, f.heaped, f.expanded = nil, nil, untouched, 0
	find()
}

// givenTo is result n of a function for a caller that answers its questions; nil if it does
// not.
func (f *fn) givenTo(sum *Summary, n int, sub *term.Subst) *term.Term {
	var out []*term.Term
	for _, g := range sum.Given {
		if _, _, possible := f.a.left(g.When, sub); possible && n < len(g.Results) {
			out = append(out, g.Results[n])
		}
	}
	if len(out) == 0 || len(out) == len(sum.Given) {
		return nil
	}
	return term.NewAlt(out...)
}
