package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// Flags in memory that others see: code notes there whether it has the lock, and asks
// there before it works. What one function puts into such a place and reads again is
// followed on its paths as a variable of its own is.

// memory is a place: a package variable, or a field by the way to it from a parameter, a
// captured variable or a package variable.
type memory struct {
	base ssa.Value
	path string
}

// flagged are the places that a function both sets and reads.
type flagged struct {
	at   map[ssa.Value]ssa.Value // by address: the first address of the place
	name map[ssa.Value]string    // of the field, "" for a package variable; by the first address
}

// memoryAt is the place at an address.
func memoryAt(addr ssa.Value) (m memory, ok bool) {
	switch a := addr.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return memory{base: a}, true
	case *ssa.FieldAddr:
		m, ok = memoryAt(a.X)
		m.path += "." + strconv.Itoa(a.Field)
	case *ssa.UnOp:
		al, local := a.X.(*ssa.Alloc)
		switch {
		case a.Op != token.MUL:
		case local: // a parameter that a literal has captured
			if st := onlyStore(al); st != nil {
				return memoryAt(st.Val)
			}
		default: // a record in a field by its address
			m, ok = memoryAt(a.X)
			m.path += "*"
		}
	}
	return m, ok
}

// findFlags finds the places that the function both sets and reads.
func (f *fn) findFlags() *flagged {
	if f.flags != nil {
		return f.flags
	}
	f.flags = &flagged{at: make(map[ssa.Value]ssa.Value), name: make(map[ssa.Value]string)}
	set, read := make(map[memory]bool), make(map[memory]bool)
	addrs := make(map[ssa.Value]memory)
	note := func(addr ssa.Value, into map[memory]bool) {
		if m, ok := f.flagAt(addr); ok && (m.path != "" || isGlobal(m.base)) {
			into[m], addrs[addr] = true, m
		}
	}
	var order []ssa.Value
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			addr, sets := f.flagAccess(in)
			if addr == nil {
				continue
			}
			order = append(order, addr)
			if sets {
				note(addr, set)
			} else {
				note(addr, read)
			}
		}
	}
	first := make(map[memory]ssa.Value)
	for _, addr := range order {
		m, ok := addrs[addr]
		if !ok || !set[m] || !read[m] {
			continue
		}
		if first[m] == nil {
			first[m] = addr
		}
		f.flags.at[addr] = first[m]
		name := f.flags.name[first[m]]
		if fa, ok := addr.(*ssa.FieldAddr); ok {
			name = f.a.known.field(fa.X.Type(), fa.Field)
		}
		f.flags.name[first[m]] = name
	}
	return f.flags
}

func isGlobal(v ssa.Value) bool {
	_, ok := v.(*ssa.Global)
	return ok
}

// flagAccess is the address of a flag that an instruction sets or reads; nil for others.
func (f *fn) flagAccess(in ssa.Instruction) (addr ssa.Value, sets bool) {
	switch in := in.(type) {
	case *ssa.Store:
		if isFlagType(in.Val.Type()) {
			return in.Addr, true
		}
	case *ssa.UnOp:
		return f.loadedFrom(in), false
	case *ssa.Call:
		if addr := f.loadedFrom(in); addr != nil {
			return addr, false
		}
		if f.atomicAccess(in) == setsNumber {
			return in.Call.Args[0], true
		}
		if f.getter(in) != nil {
			return in, false
		}
		if f.flagSetter(in) != nil {
			return in, true
		}
	}
	return nil, false
}

// loadedFrom is the address from which a flag is loaded, nil for another value.
func (f *fn) loadedFrom(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL && isFlagType(v.Type()) {
			return v.X
		}
	case *ssa.Call:
		if f.atomicAccess(v) == readsNumber {
			return v.Call.Args[0]
		}
	}
	return nil
}

// after is what a function says of how a value compares.
func after(says func(abs) abs, op token.Token, with abs) func(abs) abs {
	return func(a abs) abs {
		if got, ok := compare(op, a, with); ok {
			return says(boolean(got))
		}
		return abs{}
	}
}

// isFlagType reports whether values of a type say yes or no, how often, or name a state.
func isFlagType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0
}

// flag follows what an instruction does to a flag.
func (e *explorer) flag(in ssa.Instruction, s *state) {
	if len(e.f.findFlags().at) == 0 {
		return
	}
	switch in := in.(type) {
	case *ssa.Store:
		if at := e.f.findFlags().at[in.Addr]; at != nil {
			s.putFlag(at, s.of(in.Val))
		}
	case *ssa.UnOp:
		if at := e.f.findFlags().at[in.X]; at != nil && s.of(in) == (abs{}) {
			if a, ok := s.cells.get(at); ok {
				s.set(in, a)
			}
		}
	}
}

func (s *state) putFlag(at ssa.Value, a abs) {
	if a.k != isBool && a.k != isInt && a.k != wording {
		s.cells.drop(at)
		return
	}
	s.cells.put(at, a)
}

// atomic runs a call that stores or loads an atomic; false for other calls.
func (e *explorer) atomic(c *ssa.Call, s *state) bool {
	kind := e.f.atomicAccess(c)
	if kind == notAtomic {
		return false
	}
	at := e.f.findFlags().at[c.Call.Args[0]]
	if own := ownAtomic(c.Call.Args[0]); at == nil && own != nil {
		at = own
	}
	switch {
	case kind == setsNumber && len(c.Call.Args) > 1:
		a := s.of(c.Call.Args[1])
		if own, ok := cell(c.Call.Args[0]).(*ssa.Alloc); !ok || goesOn(own, make(map[ssa.Value]bool)) {
			s.seen(a)
		}
		if at != nil {
			s.putFlag(at, a)
		}
		return true
	case kind == readsNumber && at != nil:
		if a, ok := s.cells.get(at); ok {
			s.set(c, a)
			return true
		}
	case at != nil:
		s.cells.drop(at)
	}
	return false
}

// ownAtomic is a variable that holds an atomic which only its function uses, nil for others.
func ownAtomic(v ssa.Value) ssa.Value {
	al, ok := v.(*ssa.Alloc)
	if !ok || slices.ContainsFunc(*al.Referrers(), func(r ssa.Instruction) bool {
		_, call := r.(*ssa.Call)
		_, debug := r.(*ssa.DebugRef)
		return !call && !debug
	}) {
		return nil
	}
	return al
}

// gets runs a call that tells what a flag says; false for other calls, and where that is
// not known.
func (e *explorer) gets(c *ssa.Call, s *state) bool {
	at := e.f.findFlags().at[c]
	if at == nil {
		return false
	}
	g := e.f.getter(c)
	a, ok := s.cells.get(at)
	if g == nil || !ok {
		return false
	}
	if a = g.says(a); a == (abs{}) {
		return false
	}
	s.set(c, a)
	return true
}

// flagsBefore is what the flags hold where an instruction runs, as far as constants were
// put there on each way, and nothing else may have set them before it.
func (f *fn) flagsBefore(at ssa.Instruction) *state {
	s := newState()
	if f.knowsStates() {
		s.flags |= texts
	}
	if len(f.findFlags().at) == 0 {
		return s
	}
	unsure := make(map[ssa.Value]bool)
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if in == at || f.before(at, in) {
				continue
			}
			if c, ok := in.(*ssa.Call); ok && f.atomicAccess(c) == notAtomic {
				f.setsFlags(c, s)
			}
			addr, sets := f.flagAccess(in)
			place := f.findFlags().at[addr]
			switch {
			case !sets || place == nil:
			case f.before(in, at):
				s.putFlag(place, s.of(boxedIn(f.flagValue(in))))
			default:
				unsure[place] = true
			}
		}
	}
	s.cells.keep(func(place ssa.Value) bool { return !unsure[place] })
	return s
}

// knowsStates reports whether the function gives names of states, or asks for them.
func (f *fn) knowsStates() bool { return f.givesText() || f.namesStates() }

// namesStates reports whether the function, or what tells it of a flag, compares a text with
// a constant one: the name of a state.
func (f *fn) namesStates() bool {
	if f.states == 0 {
		f.states = -1
		for _, b := range f.f.Blocks {
			if slices.ContainsFunc(b.Instrs, f.comparesText) {
				f.states = 1
				break
			}
		}
	}
	return f.states > 0
}

func (f *fn) comparesText(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		_, x := in.X.(*ssa.Const)
		_, y := in.Y.(*ssa.Const)
		return (x || y) && isString(in.X.Type())
	case *ssa.Call:
		g := f.getter(in)
		return g != nil && g.ofText
	}
	return false
}

// flagValue is what an instruction puts into a flag.
func (f *fn) flagValue(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return in.Val
	case *ssa.Call:
		if st := f.flagSetter(in); st != nil {
			return st.given(in)
		}
		return in.Call.Args[len(in.Call.Args)-1]
	}
	return nil
}

// setsFlags forgets the flags that a call may set: those of which the called function says
// that it stores something there, and all where that is not known, or is up to a function
// that the call is given.
func (f *fn) setsFlags(c *ssa.Call, s *state) {
	if len(f.findFlags().at) == 0 || len(s.cells) == 0 && f.flags.at[c] == nil {
		return
	}
	if _, builtin := c.Call.Value.(*ssa.Builtin); builtin {
		return
	}
	var sum *Summary
	unknown := runsOther(&c.Call)
	if !unknown {
		sum = f.staticSummary(c.Common())
	}
	s.cells.keep(func(at ssa.Value) bool {
		name, isFlag := f.flags.name[at]
		switch {
		case !isFlag:
			return true
		case unknown:
			return false
		case sum == nil:
			return true
		}
		return !slices.ContainsFunc(sum.Stores, func(st Store) bool { return st.To.Str == name || IsAtomic(st.To.Str) })
	})
	if at := f.flags.at[c]; at != nil {
		if st := f.flagSetter(c); st != nil {
			s.putFlag(at, s.of(st.given(c)))
		}
	}
}

// runsOther reports whether a call runs code that is not that of the function which it
// names: its target is not known, or it is given a function.
func runsOther(c *ssa.CallCommon) bool {
	if _, literal := c.Value.(*ssa.MakeClosure); literal || c.StaticCallee() == nil {
		return true
	}
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool {
		_, ok := a.Type().Underlying().(*types.Signature)
		return ok
	})
}
