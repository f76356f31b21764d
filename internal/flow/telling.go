package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A refusal is told by an error, or by what the function gives back otherwise than it
// does after a grant: a result that is the same both times tells nobody anything.

// teller compares the ends of a walk that begins with a refusal with those of the same walk
// after a grant.
type teller struct {
	f    *fn
	walk func(*explorer) // after a grant
	done *grantedEnds
}

// grantedEnds is what a walk after a grant meets.
type grantedEnds struct {
	returns []returned
	stores  map[ssa.Instruction]bool // and what is put into maps
	capped  bool
}

type returned struct {
	at    *ssa.Return
	tuple []abs
}

// granted walks once, when it is asked for.
func (t *teller) granted() *grantedEnds {
	if t.done != nil {
		return t.done
	}
	g := &grantedEnds{stores: make(map[ssa.Instruction]bool)}
	x := &explorer{f: t.f, grant: true}
	x.ret = func(r *ssa.Return, tuple []abs, _ *state) {
		if n := len(tuple); n == 0 || tuple[n-1].k != nonNil || !isError(r.Results[n-1].Type()) {
			g.returns = append(g.returns, returned{r, tuple})
		}
	}
	x.instr = func(in ssa.Instruction, _ *state) {
		switch in.(type) {
		case *ssa.Store, *ssa.MapUpdate:
			g.stores[in] = true
		}
	}
	t.walk(x)
	g.capped = x.capped
	t.done = g
	return g
}

// told marks the results that tell the caller of the refusal: an error that is returned
// after a branch on it, and what a grant never gives.
func (t *teller) told(r *ssa.Return, tuple []abs, s *state) []abs {
	n := len(tuple)
	failed := n > 0 && tuple[n-1].k == nonNil && isError(r.Results[n-1].Type())
	for i := range tuple {
		a := &tuple[i]
		switch {
		case a.k == record && s.flags&branched != 0:
			*a = a.noted(r.Results[i].Type())
		case a.k == record:
		case isError(r.Results[i].Type()):
			a.sig = a.sig || a.k == nonNil && s.flags&branched != 0
		case a.sig || failed && a.k != nonNil:
		case s.flags&branched != 0 && t.differs(i, r.Results[i], *a):
			a.sig = true
			if a.k == isNil {
				a.name = absence
			}
		case a.k == nonNil, a.k == wording:
			*a = abs{}
		}
	}
	return tuple
}

// absence marks a nil by which a function tells of a refusal.
const absence = "none"

// differs reports whether a result is none of those that a grant gives in its place.
func (t *teller) differs(i int, v ssa.Value, a abs) bool {
	g := t.granted()
	return g.capped || !slices.ContainsFunc(g.returns, func(r returned) bool {
		return mayBeSame(v, a, r.at.Results[i], r.tuple[i])
	})
}

// mayBeSame reports whether a result after a refusal, v of which a is known, is not seen to
// be another than w of which b is known.
func mayBeSame(v ssa.Value, a abs, w ssa.Value, b abs) bool {
	x, y := fixed(v, a), fixed(w, b)
	switch {
	case x != "" && y != "":
		return x == y
	case a.k == isBool: // mostly a false where a grant gives what it has worked out
		return false
	case a.k == isNil:
		return b.k != nonNil
	case a.k != nonNil:
		return true
	case b.k == isNil:
		return false
	}
	return v == w || !made(v) || !made(w)
}

// made reports whether a value is a record that is made in this function.
func made(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, ok := v.(*ssa.Alloc)
	return ok
}

// fixed is the text of a constant, "" of another value.
func fixed(v ssa.Value, a abs) string {
	switch a.k {
	case isNil:
		return "nil"
	case isBool, isInt:
		return string(abs{k: a.k}.letter()) + constant.MakeInt64(a.n).ExactString()
	case wording:
		return "s" + a.name
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return c.Value.Kind().String() + c.Value.ExactString()
	}
	return ""
}

// note looks at a store after a refusal: a constant that is put where others ask, and that
// a grant never puts there, tells of it.
func (t *teller) note(in ssa.Instruction, s *state) {
	if s.flags&(branched|observed) != branched {
		return
	}
	switch in := in.(type) {
	case *ssa.Store:
		if c, ok := in.Val.(*ssa.Const); !ok || c.Value == nil || !isAsked(in.Addr) {
			return
		}
	case *ssa.MapUpdate:
		if m, ok := source(in.Map).(*ssa.MakeMap); !ok || !goesOn(m, make(map[ssa.Value]bool)) {
			return
		}
	default:
		return
	}
	if g := t.granted(); !g.capped && !g.stores[in] {
		s.flags |= observed
	}
}

// isAsked reports whether an address is that of a captured variable or of a field of a
// captured record, which the function around the literal looks at, or of a field of a record that
// the function gives back.
func isAsked(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.FreeVar:
		return heardOutside(a)
	case *ssa.FieldAddr:
		return askedAround(a) || givenBack(a.X, make(map[ssa.Value]bool))
	}
	return false
}

// askedAround reports whether the function around a literal looks at the field of a captured
// record, and does more than to print it.
func askedAround(fa *ssa.FieldAddr) bool {
	v := fa.X
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	if _, ok := v.(*ssa.FreeVar); !ok {
		return false
	}
	for _, b := range fa.Parent().Parent().Blocks {
		for _, in := range b.Instrs {
			o, ok := in.(*ssa.FieldAddr)
			if ok && o.Field == fa.Field && types.Identical(o.X.Type(), fa.X.Type()) && goesOn(o, make(map[ssa.Value]bool)) {
				return true
			}
		}
	}
	return false
}

// givenBack reports whether a record, or what it holds, is among the results of its function.
func givenBack(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Return:
			return true
		case *ssa.Phi, *ssa.MakeInterface, *ssa.UnOp:
			return givenBack(r.(ssa.Value), seen)
		case *ssa.Store:
			to, ok := r.Addr.(*ssa.Alloc)
			return ok && r.Val == v && givenBack(to, seen)
		}
		return false
	})
}

// instead is the tuple that a call returns when it grants what it refuses by another.
func instead(refusal []abs, sig *types.Signature) []abs {
	out := make([]abs, len(refusal))
	for i, a := range refusal {
		out[i] = a
		if i < sig.Results().Len() {
			out[i] = a.instead(sig.Results().At(i).Type())
		}
	}
	return out
}

// instead is what stands in place of a value that tells of a refusal.
func (a abs) instead(t types.Type) abs {
	switch {
	case a.k == record:
		return a.each(t, abs.instead)
	case a.k == refused, a.k == declined:
		return abs{k: granted}
	case !a.sig:
		return a
	case isError(t), a.k == failure:
		return abs{k: isNil}
	case a.k == isBool:
		return boolean(a.n == 0)
	case a.k == isInt && a.n == 0:
		return abs{k: positive}
	case a.k == isNil:
		return abs{k: nonNil}
	}
	return abs{}
}

// localField is one place for each field of a record that does not leave its function, nil
// for another address.
func localField(fa *ssa.FieldAddr) ssa.Value {
	al, ok := fa.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var first ssa.Value
	for _, r := range *al.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Addr != al {
				return nil
			}
		case *ssa.FieldAddr:
			if !onlyAccessed(r) {
				return nil
			}
			if first == nil && r.Field == fa.Field {
				first = r
			}
		default:
			return nil
		}
	}
	return first
}

// onlyAccessed reports whether an address is only used to load and to store.
func onlyAccessed(fa *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*fa.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != fa
		}
		return true
	})
}
