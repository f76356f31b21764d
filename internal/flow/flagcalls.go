package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Functions that tell what a flag in memory says, and functions that set one.

// flagAt is the place at an address, or the one that a called function reads or sets.
func (f *fn) flagAt(v ssa.Value) (memory, bool) {
	c, ok := v.(*ssa.Call)
	if !ok {
		return memoryAt(v)
	}
	var m memory
	if g := f.getter(c); g != nil {
		m = g.from
	} else if st := f.flagSetter(c); st != nil {
		m = st.to
	} else {
		return memory{}, false // an address that a call gives
	}
	p, ok := m.base.(*ssa.Parameter)
	if !ok {
		return m, true
	}
	at, ok := memoryAt(c.Call.Args[slices.Index(p.Parent().Params, p)])
	at.path += m.path
	return at, ok
}

// getter is a function that tells what a flag says, and does nothing else.
type getter struct {
	from   memory
	says   func(abs) abs // what it returns for what the flag holds
	ofText bool
}

// getter is what a called function of the package gets, nil for another one.
func (f *fn) getter(c *ssa.Call) *getter {
	callee := c.Call.StaticCallee()
	if callee == nil || callee.Pkg != f.f.Pkg || len(callee.Params) > 1 || len(callee.Blocks) == 0 {
		return nil
	}
	r, ok := callee.Blocks[0].Instrs[len(callee.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	if slices.ContainsFunc(callee.Blocks[0].Instrs, f.doesMore) {
		return nil
	}
	g := &getter{says: func(a abs) abs { return a }}
	v, same := asReturned(r, r.Results[0])
	if !same {
		return nil
	}
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v = not.X
		g.says = func(a abs) abs { return boolean(a.n == 0) }
	}
	if op, ok := v.(*ssa.BinOp); ok {
		with, isConst := op.Y.(*ssa.Const)
		if !isConst {
			return nil
		}
		v, g.says = op.X, after(g.says, op.Op, wordingOf(with))
	}
	addr := f.loadedFrom(v)
	if addr == nil {
		return nil
	}
	if g.from, ok = memoryAt(addr); !ok {
		return nil
	}
	g.ofText = isString(v.Type())
	return g
}

// flagSetter is a function that sets a flag, and does nothing else.
type flagSetter struct {
	to  memory
	val ssa.Value // a parameter or a constant
}

// flagSetter is what a called function of the package sets, nil for another one.
func (f *fn) flagSetter(c *ssa.Call) *flagSetter {
	callee := c.Call.StaticCallee()
	if callee == nil || callee.Pkg != f.f.Pkg || len(callee.Params) > 2 || len(callee.Blocks) == 0 || callee.Signature.Results().Len() > 0 {
		return nil
	}
	if _, ok := callee.Blocks[0].Instrs[len(callee.Blocks[0].Instrs)-1].(*ssa.Return); !ok {
		return nil
	}
	var st *flagSetter
	for _, in := range callee.Blocks[0].Instrs {
		addr, val := f.flagSetIn(in)
		switch {
		case addr == nil && f.doesMore(in), addr != nil && st != nil:
			return nil
		case addr == nil:
			continue
		}
		to, ok := memoryAt(addr)
		_, param := val.(*ssa.Parameter)
		_, fixed := val.(*ssa.Const)
		if !ok || !param && !fixed {
			return nil
		}
		st = &flagSetter{to, val}
	}
	return st
}

// flagSetIn is the address at which an instruction sets a flag, and what it puts there.
func (f *fn) flagSetIn(in ssa.Instruction) (addr, val ssa.Value) {
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); !local && isFlagType(in.Val.Type()) {
			return in.Addr, in.Val
		}
	case *ssa.Call:
		if f.atomicAccess(in) == setsNumber {
			return in.Call.Args[0], in.Call.Args[len(in.Call.Args)-1]
		}
	}
	return nil, nil
}

// given is what a call of the setter puts into the flag.
func (st *flagSetter) given(c *ssa.Call) ssa.Value {
	if p, ok := st.val.(*ssa.Parameter); ok {
		return c.Call.Args[slices.Index(p.Parent().Params, p)]
	}
	return st.val
}

// doesMore reports whether an instruction does more than to read, under a mutex or not.
func (f *fn) doesMore(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		_, local := in.Addr.(*ssa.Alloc)
		return !local
	case *ssa.Call:
		return f.atomicAccess(in) != readsNumber && !mutexes[callKey(in.Common())]
	case *ssa.Defer:
		return !mutexes[callKey(in.Common())]
	case *ssa.Go, *ssa.Send, *ssa.MapUpdate:
		return true
	}
	return false
}

// mutexes are the calls that keep other goroutines out of what is read.
var mutexes = set("sync.Mutex.Lock", "sync.Mutex.Unlock", "sync.RWMutex.Lock", "sync.RWMutex.Unlock", "sync.RWMutex.RLock", "sync.RWMutex.RUnlock")

// stated marks a result that is the name of a state by which the function tells that there is
// no lock: a text, or a number of a type of its own, that it does not give back with the lock.
func (f *fn) stated(a *Event, tuple []abs, s *state) []abs {
	if s.flags&branched == 0 || !a.Hold.Escapes {
		return tuple
	}
	granted := parseTuple(a.Hold.Success)
	for i := range min(len(tuple), len(granted)) {
		no, yes := &tuple[i], granted[i]
		if (no.k == wording || no.k == isInt) && yes.k == no.k && (yes.n != no.n || yes.name != no.name) && namesState(f.f.Signature.Results().At(i).Type()) {
			no.sig = true
		}
	}
	return tuple
}

// namesState reports whether values of a type are texts, or numbers of a type of its own.
func namesState(t types.Type) bool {
	_, own := types.Unalias(t).(*types.Named)
	return isString(t) || own && isInteger(t)
}
