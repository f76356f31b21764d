package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
)

// Work that a store hands out under a lease, through an interface: the lease is part of
// the record, and who has it is written where it cannot be read.

// takesWork names the methods by which a worker is given something to work at.
var takesWork = pattern.New(`^(Try)?(Dequeue|Check[oO]ut|Reserve|Claim|Take|Pick|Pull|Pop|Next)`)

// endsLease names the methods by which it gives that back, or keeps it for longer.
var endsLease = pattern.New(`^(End|Renew|Extend|Drop|Return|Finish|Release|Keep)\w*(Lease|Lock)`)

// Leases reports whether a method of an interface hands out work under a lease, as another
// method, by which a lease is ended or prolonged, tells.
func (a *Analysis) Leases(d *DynCall) bool {
	if !takesWork.MatchString(d.Method) {
		return false
	}
	t := a.typeOf(d.Iface)
	if t == nil {
		return false
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for i := range iface.NumMethods() {
		if endsLease.MatchString(iface.Method(i).Name()) {
			return true
		}
	}
	return false
}

// Prolongs reports whether nothing is taken from what a call gave but whether it worked,
// and the same call comes again some time after it has: who leases work looks at it and
// leaves, who leases it again does neither.
func (e *Event) Prolongs() bool {
	for e.src != nil && e.src.site != nil { // out of the literal in which the call stands
		e = e.src
	}
	if e.site == nil {
		return false
	}
	c, ok := e.site.call.(*ssa.Call)
	if !ok || c.Call.Signature().Results().Len() < 2 {
		return false
	}
	again := inPausingLoop(c.Block())
	for _, in := range *c.Referrers() {
		x, ok := in.(*ssa.Extract)
		switch {
		case !ok:
		case isError(x.Type()):
			again = again && comesAgain(x, c.Block())
		case !isBoolean(x.Type()) && len(*x.Referrers()) > 0:
			return false
		}
	}
	return again
}

// inPausingLoop reports whether a block is in a loop that waits in each round.
func inPausingLoop(b *ssa.BasicBlock) bool {
	around := reachable(b)
	if !around[b] {
		return false
	}
	for x := range around {
		if reachable(x)[b] && slices.ContainsFunc(x.Instrs, pauses) {
			return true
		}
	}
	return false
}

// comesAgain reports whether a block is reached again where an error is found to be nil.
func comesAgain(err ssa.Value, b *ssa.BasicBlock) bool {
	for _, in := range *err.Referrers() {
		cmp, ok := in.(*ssa.BinOp)
		if !ok || cmp.Op != token.NEQ && cmp.Op != token.EQL {
			continue
		}
		for _, in := range *cmp.Referrers() {
			if i, ok := in.(*ssa.If); ok {
				next := i.Block().Succs[0]
				if cmp.Op == token.NEQ {
					next = i.Block().Succs[1]
				}
				return next == b || reachable(next)[b]
			}
		}
	}
	return true
}

// Sends reports whether the method of a concrete type that a call through an interface runs
// does something outside of the process, or calls what may.
func (a *Analysis) Sends(m *Event, c Conversion) bool {
	_, t, _, ok := a.implementation(m, c)
	return ok && t.sum != nil && slices.ContainsFunc(t.sum.Events, func(e *Event) bool {
		return e.Kind == Write || e.Kind == Dyn && e.Dyn.Iface != "" && !e.Async && strings.Contains(e.Dyn.Results, "error")
	})
}
