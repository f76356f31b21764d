package flow

import "golang.org/x/tools/go/ssa"

// A function that only acquires owes its callers the answer.

// passesOff reports whether a function that does nothing but acquire gives its callers
// after a refusal, though it has looked at it, what it gives them with the lock: nobody can
// tell the one from the other.
func (f *fn) passesOff(a *Event, tuple []abs) bool {
	if !a.Hold.Escapes || a.src != nil || len(tuple) == 0 || !f.onlyAcquires(a.site.call) {
		return false
	}
	for _, x := range tuple {
		if x.k != isNil && x.k != isBool && x.k != isInt {
			return false // what is given may know, or be asked
		}
	}
	code := tupleCode(tuple)
	return a.Hold.Success == weaker(code, code) && a.Hold.Success == weaker(a.Hold.Success, code)
}

// onlyAcquires reports whether a function calls nothing behind an acquisition but what
// reads its answer, prints or deals with errors, and keeps nothing: it does no work itself.
func (f *fn) onlyAcquires(acq ssa.CallInstruction) bool {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if !isOwn(in.Addr) {
					return false
				}
			case *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Select, *ssa.MakeClosure:
				return false
			case *ssa.Call:
				if acq.Block().Dominates(b) && !answerOrError(in, acq) {
					return false
				}
			}
		}
	}
	return true
}

// isOwn reports whether an address is of a variable of the function, or of a part of one.
func isOwn(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.IndexAddr:
		return isOwn(addr.X)
	case *ssa.FieldAddr:
		return isOwn(addr.X)
	}
	return false
}

// answerOrError reports whether a call is an acquisition, reads its answer, prints, or
// makes or examines an error.
func answerOrError(c *ssa.Call, acq ssa.CallInstruction) bool {
	if ssa.CallInstruction(c) == acq || onlyLooks(c.Common()) || errorMakers[callKey(c.Common())] {
		return true
	}
	args := arguments(c.Common())
	return len(args) > 0 && (isError(args[0].Type()) || ofCall(args[0], acq))
}

// ofCall reports whether a value is what a call gives, or what is read from that.
func ofCall(v ssa.Value, call ssa.CallInstruction) bool {
	switch v := v.(type) {
	case *ssa.Call:
		args := arguments(v.Common())
		return ssa.CallInstruction(v) == call || len(args) > 0 && ofCall(args[0], call)
	case *ssa.Extract:
		return ofCall(v.Tuple, call)
	case *ssa.UnOp:
		return ofCall(v.X, call)
	case *ssa.FieldAddr:
		return ofCall(v.X, call)
	case *ssa.Field:
		return ofCall(v.X, call)
	}
	return false
}
