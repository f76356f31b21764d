package prove

import (
	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A document under the name of a lock is there as long as somebody has the lock: who stores it
// has acquired, and to delete it is the release.

// endsClaim reports whether a write deletes the document by whose insert the lock of its hold
// was acquired. Where the document says until when, it must say whose, too.
func (j *judge) endsClaim(p *pair, l *lowered) bool {
	c := j.models.FuncKey(p.acq.Key)
	if l.mutation.Kind != fence.Delete || c == nil || c.Sink == nil || !insertsDocument(c.Sink) || !sameCollection(p.acq, p.w) {
		return false
	}
	forms := j.loweredForms(p.acq, c.Sink)
	for _, made := range forms {
		ends, owned := false, false
		for _, s := range made.mutation.InsertRow {
			same := comparesWith(l, s.Column, storedValue(made, s.Value))
			if s.Column == "_id" && !same {
				return false
			}
			ends = ends || untilName.MatchString(s.Column)
			owned = owned || same && s.Column != "_id"
		}
		if ends && !owned {
			return false
		}
	}
	return len(forms) > 0
}

func sameCollection(a, w *flow.Event) bool {
	return a.Recv != nil && w.Recv != nil && unboxed(a.Recv).Equal(unboxed(w.Recv))
}

// storedValue is the value of a part of a lowered write, nil if it is not seen.
func storedValue(l *lowered, t fence.Term) *term.Term {
	switch t := t.(type) {
	case fence.Input:
		return l.value(t.Arg)
	case fence.Lit:
		return term.NewString(t.Text)
	}
	return nil
}

// comparesWith reports whether the condition of a write asks a column for a value.
func comparesWith(l *lowered, column string, v *term.Term) bool {
	found := false
	fence.WalkCond(l.mutation.Guard, func(x fence.Cond) {
		cmp, ok := x.(fence.Cmp)
		col, isCol := cmp.L.(fence.Stored)
		if ok && isCol && cmp.Op == fence.EQ && col.Column == column {
			w := storedValue(l, cmp.R)
			found = found || v != nil && w != nil && v.Equal(w)
		}
	}, func(fence.Term) {})
	return found
}
