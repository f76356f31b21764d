package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// told is the carrier of a channel of errors on which a goroutine sends what became of an
// acquisition: no error comes only when the lock was acquired. That is how code waits for
// a lock no longer than it wants to.
func (r *running) told(root string, ms []mark) *Carrier {
	if !ms[0].channel || !isError(ms[0].typ) {
		return nil
	}
	c := &Carrier{Name: root, Yes: "n", No: "e", told: true}
	for _, m := range ms {
		acqs := r.sentNil(m)
		switch {
		case len(acqs) > 0:
			c.add(acqs)
		case m.val != nil && !neverNil(m.val, m.in.Block()):
			return nil
		}
	}
	if len(c.Acqs) == 0 {
		return nil
	}
	return c
}

// sentNil lists the acquisitions after which a setting is that there was no error.
func (r *running) sentNil(m mark) []*Event {
	var acqs []*Event
	static := m.val != nil && isNilConst(m.val)
	for _, t := range r.held[m.in] {
		vals := t.seen[m.in]
		if static && r.only(m.in) || m.arg < len(vals) && vals[m.arg].k == isNil && !static {
			acqs = append(acqs, t.acq)
		}
	}
	for _, e := range r.funcs[m.in.Parent()] {
		if static {
			acqs = append(acqs, e.acq)
		}
	}
	return acqs
}

// errorMakers give an error whatever they are given.
var errorMakers = set("errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf", "context.Context.Err")

// neverNil reports whether an error is one for sure where a block runs.
func neverNil(v ssa.Value, at *ssa.BasicBlock) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.ChangeInterface:
		return neverNil(v.X, at)
	case *ssa.UnOp:
		if _, global := v.X.(*ssa.Global); global && v.Op == token.MUL {
			return true
		}
	case *ssa.Call:
		if errorMakers[callKey(v.Common())] {
			return true
		}
	}
	refs := v.Referrers()
	return refs != nil && slices.ContainsFunc(*refs, func(in ssa.Instruction) bool {
		b, ok := in.(*ssa.BinOp)
		return ok && (isNilConst(b.X) || isNilConst(b.Y)) && failsBefore(b, at)
	})
}

// failsBefore reports whether a block runs only where a comparison with nil finds an error.
func failsBefore(b *ssa.BinOp, at *ssa.BasicBlock) bool {
	branch := 0
	if b.Op == token.EQL {
		branch = 1
	}
	return slices.ContainsFunc(*b.Referrers(), func(in ssa.Instruction) bool {
		i, ok := in.(*ssa.If)
		if !ok {
			return false
		}
		next := i.Block().Succs[branch]
		return len(next.Preds) == 1 && next.Dominates(at)
	})
}
