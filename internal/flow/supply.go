package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A function that is kept in a variable, a field, a map, a list or a channel is
// called elsewhere than it is put in. Here the two are brought together, by the name
// of what keeps it.

// Supply is a place where a function value is put into what keeps it.
type Supply struct {
	Value *term.Term
	Pos   token.Pos
	Test  bool
}

// put is an instruction that keeps a function value for later.
type put struct {
	at   ssa.Instruction
	val  ssa.Value // the function value
	into ssa.Value // the map, the channel, the address of the variable, field or element
}

// keptIn is where the function value of a call was kept.
type keptIn struct {
	keys  []string
	open  bool     // code that is not seen can put functions there
	known []string // functions that the term of the value names
}

// keeps notes an instruction that keeps a function value.
func (a *Analysis) keeps(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); !local {
			a.keep(in, in.Val, in.Addr)
		}
	case *ssa.MapUpdate:
		a.keep(in, in.Value, in.Map)
	case *ssa.Send:
		a.keep(in, in.X, in.Chan)
	case ssa.CallInstruction:
		if c := in.Common(); keepers[a.known.called(c).key] && !c.IsInvoke() {
			for _, arg := range c.Args[1:] {
				a.keep(in, arg, c.Args[0])
			}
		}
	}
}

func (a *Analysis) keep(in ssa.Instruction, v, into ssa.Value) {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if _, ok := v.Type().Underlying().(*types.Signature); ok {
		a.puts = append(a.puts, put{in, v, into})
	}
}

// keepers are the calls that put their arguments into their receiver, givers those
// that take them out again.
var (
	keepers = set("sync.Map.Store", "sync.Map.LoadOrStore", "sync.Map.Swap", "sync/atomic.Value.Store", "sync/atomic.Value.Swap",
		"sync.Pool.Put", "container/list.List.PushBack", "container/list.List.PushFront")
	givers = set("sync.Map.Load", "sync.Map.LoadOrStore", "sync.Map.LoadAndDelete", "sync/atomic.Value.Load", "sync.Pool.Get",
		"container/list.List.Front", "container/list.List.Back")
)

// sourceOf finds what keeps the function value of a call; nil if nothing does, or
// nothing is seen to be put there beside what the value's term names.
func (f *fn) sourceOf(v ssa.Value, out []target) *keptIn {
	if len(f.a.puts) == 0 {
		return nil
	}
	t := &trail{a: f.a}
	t.keepers(v)
	if len(t.keys) == 0 {
		return nil
	}
	s := &keptIn{keys: t.keys, open: t.open}
	for _, u := range out {
		if u.dyn == nil {
			s.known = append(s.known, u.id)
		}
	}
	return s
}

// kept adds to the targets of a call through a function value those that are put
// elsewhere into what keeps it.
func (f *fn) kept(out []target, v ssa.Value, args []*term.Term, sig *types.Signature) []target {
	s := f.sourceOf(v, out)
	if s == nil {
		return out
	}
	found := false
	for i := range out {
		if out[i].dyn != nil {
			out[i].from, found = s, true
		}
	}
	if found {
		return out
	}
	recv := term.NewUnknown("what " + s.keys[0] + " holds")
	return append(out, target{
		id: "func value", args: append([]*term.Term{recv}, args...), sig: sig, from: s,
		dyn: &DynCall{Results: resultShape(sig)},
	})
}

// Supplies lists the function values that code of the package puts where a call took
// its own from, without those that its term names already. open says that code
// which is not seen can put others there.
func (a *Analysis) Supplies(call *Event) (list []Supply, open bool) {
	s := call.from
	if s == nil && call.Recv != nil && call.Recv.Kind == term.Field {
		s = &keptIn{keys: []string{call.Recv.Str}, open: true}
	}
	if s == nil {
		return nil, true
	}
	a.fillSupplies()
	for _, k := range s.keys {
		for _, v := range a.supplied[k] {
			if !slices.Contains(s.known, v.Value.Str) {
				list = append(list, v)
			}
		}
	}
	return list, s.open
}

// fillSupplies finds for each function value that is put somewhere where that is.
func (a *Analysis) fillSupplies() {
	if a.supplied != nil {
		return
	}
	a.supplied = make(map[string][]Supply)
	for _, p := range a.puts {
		where := &trail{a: a}
		where.keepers(p.into)
		if len(where.keys) == 0 {
			continue
		}
		what := &trail{a: a}
		what.values(p.val, p.at)
		for _, leaf := range what.leaves {
			pos, in := a.putAt(leaf), leaf.at.Parent()
			for _, v := range a.suppliedAs(a.function(in).value(leaf.val), in, maxSuppliers) {
				s := Supply{Value: v, Pos: pos, Test: isTestFile(a.Fset.Position(pos).Filename)}
				for _, k := range where.keys {
					a.supplied[k] = append(a.supplied[k], s)
				}
			}
		}
	}
}

// maxSuppliers bounds the callers through which what a function value captured is
// followed.
const maxSuppliers = 2

// suppliedAs lists what a function value that is made in a function can be, by the
// arguments of that function's callers.
func (a *Analysis) suppliedAs(v *term.Term, in *ssa.Function, depth int) []*term.Term {
	callers := a.callersOf(origin(in))
	if !v.Symbolic() || depth == 0 || len(callers) == 0 || len(callers) > term.MaxAlternatives {
		return []*term.Term{(&term.Subst{Params: []*term.Term{}, Free: []*term.Term{}}).Apply(v)}
	}
	var out []*term.Term
	for _, c := range callers {
		args := a.function(c.Parent()).callArgs(c.Common())
		u := (&term.Subst{Params: args, Global: a.global, Call: refold}).Apply(v)
		out = append(out, a.suppliedAs(u, c.Parent(), depth-1)...)
	}
	return out
}

// putAt is where a function value is put in: at the literal or method value, and
// for a function that is named, where that is done.
func (a *Analysis) putAt(l put) token.Pos {
	if fn, ok := l.val.(*ssa.Function); (!ok || fn.Parent() != nil) && l.val.Pos().IsValid() {
		return l.val.Pos()
	}
	if c, ok := l.at.(ssa.CallInstruction); ok {
		return a.callPos(c)
	}
	if l.at.Pos().IsValid() {
		return l.at.Pos()
	}
	return l.val.Pos()
}
