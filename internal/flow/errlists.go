package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Helpers take as many answers as there are, and look at one after the other: what a call
// puts into the list of such a parameter is followed element by element.

// maxListed bounds the elements of a list that is followed.
const maxListed = 4

// elements are what is known of the elements of a list, nil if none of them tells of what is
// followed.
func (s *state) elements(v ssa.Value) []abs {
	if elems, ok := s.tups.get(v); ok {
		return elems
	}
	var out []abs
	tells := false
	anyOfList(v, func(x ssa.Value) bool {
		a := s.given(x)
		tells = tells || a.sig
		out = append(out, a)
		return false
	})
	if _, list := v.(*ssa.Slice); !list || !tells || len(out) > maxListed {
		return nil
	}
	return out
}

// given is what is known of an argument. Of an error that goes into a parameter for anything it
// is known that it is one.
func (s *state) given(arg ssa.Value) abs {
	a := s.of(arg)
	if to, ok := arg.(*ssa.ChangeInterface); ok && isError(to.X.Type()) && !isError(to.Type()) && a.k == nonNil {
		a.k = failure
	}
	return a
}

// asserted is what is known of a value that is asked for its type, and of the answer.
func (s *state) asserted(in *ssa.TypeAssert) (v, ok abs) {
	a := s.of(in.X)
	_, iface := in.AssertedType.Underlying().(*types.Interface)
	isErr := types.Implements(in.AssertedType, errorType.Underlying().(*types.Interface))
	switch {
	case a.k == isNil:
		return a, boolean(false)
	case a.k == failure && isError(in.AssertedType):
		a.k = nonNil
		return a, boolean(true).signal()
	case a.k == failure && !iface && !isErr, a.k == isBool && a.sig && !isBoolean(in.AssertedType) && !iface:
		return abs{}, boolean(false)
	case a.k == isBool && a.sig && (isBoolean(in.AssertedType) || isErr):
		return a, boolean(isBoolean(in.AssertedType))
	case a.k == failure:
		a.k = nonNil
	}
	if no := isOfType(a, in.AssertedType, in.Parent()); no != nil {
		return abs{k: isNil}, *no
	}
	if is := hasType(a, in.AssertedType); is != nil {
		return a, *is
	}
	return a, abs{sig: a.sig}
}

// hand gives a parameter what is known of an argument.
func (s *state) hand(to *state, p *ssa.Parameter, arg ssa.Value) {
	to.set(p, s.given(arg))
	if isList(p.Type()) {
		if elems := s.elements(arg); elems != nil {
			to.list(p, elems)
		}
	}
}

// list notes the elements of a list. A list with an answer in it tells of it.
func (s *state) list(p ssa.Value, elems []abs) {
	s.tups.put(p, elems)
	s.flags |= lists
	if slices.ContainsFunc(elems, func(a abs) bool { return a.sig }) {
		s.set(p, abs{k: nonNil, sig: true})
	}
}

func isList(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// element is what is known of an element of a list that is followed.
func (s *state) element(at *ssa.IndexAddr) (abs, bool) {
	if !isList(at.X.Type()) {
		return abs{}, false
	}
	elems, ok := s.tups.get(at.X)
	if i := s.of(at.Index); ok && i.k == isInt && 0 <= i.n && i.n < int64(len(elems)) {
		return elems[i.n], true
	}
	sig := s.of(at.X).sig
	return abs{sig: sig}, sig
}

// counts runs an addition: where a loop over a list begins, and, if the list is followed,
// where it goes on. What code counts after a refusal is more than 0 if it began with 0.
func (s *state) counts(in *ssa.BinOp, x, y abs) (abs, bool) {
	if in.Op != token.ADD || y != (abs{k: isInt, n: 1}) {
		return abs{}, false
	}
	if s.flags&branched != 0 && (x.k == top || x.k == above) && neverBelow(in.X, make(map[ssa.Value]bool)) {
		return abs{k: above}, true
	}
	if x.k != isInt {
		return abs{}, false
	}
	if x.n == -1 || s.flags&lists != 0 && 0 <= x.n && x.n < maxListed {
		return abs{k: isInt, n: x.n + 1}, true
	}
	return abs{}, false
}

// neverBelow reports whether a number is only ever counted up from 0.
func neverBelow(v ssa.Value, met map[ssa.Value]bool) bool {
	if met[v] {
		return true
	}
	met[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		a := constAbs(v)
		return a.k == isInt && a.n >= 0
	case *ssa.BinOp:
		return v.Op == token.ADD && neverBelow(v.X, met) && neverBelow(v.Y, met)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !neverBelow(e, met) })
	}
	return false
}

// signalsOfList is signalsOf for a parameter that takes a list of answers: what holds if one
// of them is the answer, alone or beside others that are not.
func (f *fn) signalsOfList(out []ParamSignal, i int, answer abs) []ParamSignal {
	elem := f.f.Params[i].Type().Underlying().(*types.Slice).Elem()
	other := answer.instead(elem)
	var first []string
	for n, elems := range [][]abs{{answer}, {answer, other}, {other, answer}} {
		left := maxTold
		s := newState()
		s.list(f.f.Params[i], elems)
		returns, ok := f.told(s, &left)
		slices.Sort(returns)
		switch {
		case !ok || len(returns) > maxEnds || !slices.ContainsFunc(returns, informs) && len(returns) > 0:
			return out
		case n == 0:
			first = returns
		case !slices.Equal(first, returns):
			return out
		}
	}
	return append(out, ParamSignal{Param: i, When: answer.letter(), Returns: first})
}
