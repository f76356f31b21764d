package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// BeforeGrant is the function of the term for an epoch that a function asks a lock for before
// it takes that, and not afterwards: it is that of an earlier hold, or zero.
const BeforeGrant = "before the grant"

// asGranted is the result of a call, marked if it is an epoch that is asked for too early.
func (f *fn) asGranted(c *ssa.Call, call *model.Call, r *term.Term) *term.Term {
	if call == nil || !slices.ContainsFunc(call.Locks, givesEpoch) || !f.beforeGrant(c) {
		return r
	}
	return term.NewCall(BeforeGrant, "", r.N, r)
}

func givesEpoch(l *model.Lock) bool {
	return l.Role == model.RoleToken && l.Token.Class == model.ClassEpoch
}

// beforeGrant reports whether a call on a lock comes before the function acquires it, on each
// way there, and behind no acquisition.
func (f *fn) beforeGrant(c *ssa.Call) bool {
	if len(c.Call.Args) == 0 {
		return false
	}
	lock, first := f.value(c.Call.Args[0]), false
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Call)
			if !ok || !f.acquires(d) || !f.value(d.Call.Args[0]).Equal(lock) {
				continue
			}
			if b != c.Block() && reaches(b, c.Block()) || !f.before(c, d) || inLoop(b) {
				return false
			}
			first = true
		}
	}
	return first && lock.Kind != term.Unknown
}

// acquires reports whether a call is that of a method by which a lock is acquired.
func (f *fn) acquires(c *ssa.Call) bool {
	if c.Call.IsInvoke() || len(c.Call.Args) == 0 || c.Call.Signature().Recv() == nil {
		return false
	}
	call := f.a.known.called(&c.Call).call
	return call != nil && slices.ContainsFunc(call.Locks, func(l *model.Lock) bool { return l.Role == model.RoleAcquire })
}
