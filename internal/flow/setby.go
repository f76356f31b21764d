package flow

import "golang.org/x/tools/go/ssa"

// Variables that a call may set: by their address, or by a function literal that has
// captured them.

// setBy forgets what is known of the variables that a call may set. What tells of a refusal
// stays: it is followed by other ways.
func (s *state) setBy(c *ssa.CallCommon) {
	if len(s.cells) == 0 {
		return
	}
	s.cells.keep(func(v ssa.Value) bool {
		al, ok := rootOf(v).(*ssa.Alloc)
		if !ok {
			return true
		}
		a, _ := s.cells.get(v)
		return a.sig || !a.plain() || !mayBeSet(al, c)
	})
}

// rootOf is the variable that an address is part of.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		fa, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr
		}
		addr = fa.X
	}
}

// plain reports whether a is a value as such, and no object of a library.
func (a abs) plain() bool {
	return a.k == isBool || a.k == isInt || a.k == wording || a.k == isNil
}

// mayBeSet reports whether a call may store something in a variable.
func mayBeSet(al *ssa.Alloc, c *ssa.CallCommon) bool {
	if _, builtin := c.Value.(*ssa.Builtin); builtin {
		return false
	}
	if c.StaticCallee() == nil && !c.IsInvoke() { // one of the literals, perhaps
		for _, r := range *al.Referrers() {
			if m, ok := r.(*ssa.MakeClosure); ok && capturedSet(m, al) {
				return true
			}
		}
	}
	if m, ok := c.Value.(*ssa.MakeClosure); ok && capturedSet(m, al) {
		return true
	}
	return anyArgument(c, func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Alloc, *ssa.FieldAddr:
			return rootOf(v) == al
		case *ssa.MakeInterface:
			return rootOf(v.X) == al
		case *ssa.MakeClosure:
			return capturedSet(v, al)
		}
		return false
	})
}

// capturedSet reports whether a literal may store something in a variable that it has
// captured.
func capturedSet(m *ssa.MakeClosure, v ssa.Value) bool {
	lit, ok := m.Fn.(*ssa.Function)
	if !ok {
		return false
	}
	for i, b := range m.Bindings {
		if b == v && i < len(lit.FreeVars) && addressSets(lit.FreeVars[i]) {
			return true
		}
	}
	return false
}

// addressSets reports whether something is stored at an address, or whoever gets it may.
func addressSets(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				return true
			}
		case *ssa.MakeClosure:
			if capturedSet(r, addr) {
				return true
			}
		case *ssa.FieldAddr:
			if addressSets(r) {
				return true
			}
		case ssa.CallInstruction, *ssa.MakeInterface:
			return true
		}
	}
	return false
}
