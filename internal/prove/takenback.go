package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
)

// takesBack reports whether a statement sets the fence that an earlier statement
// of its transaction compared and stored.
func (j *judge) takesBack(p *pair, m *fence.Mutation) bool {
	sent := j.sender(p)
	for _, w := range sent.After {
		if !sameUnit(w, sent) || !slices.Contains(j.tables(w), m.Resource) {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		if d.verdict != proved || d.column == "" {
			continue
		}
		if slices.ContainsFunc(m.Set, func(s fence.Assign) bool { return s.Column == d.column && !j.mayAdvance(p, s.Value) }) {
			return true
		}
	}
	return false
}

// mayAdvance reports whether a value stored in a fence is an epoch of this lock, or
// computed in a way that can keep one.
func (j *judge) mayAdvance(p *pair, v fence.Term) bool {
	switch v := v.(type) {
	case fence.Input:
		_, args := j.statement(p.w)
		t := j.argument(v.Arg, args)
		b := bound{arg: v.Arg, term: t, origins: j.origins(t)}
		return j.ownEpoch(p, &b) || b.worth() == handedIn
	case fence.Const, fence.Null:
		return false
	}
	return true
}

// apart reports whether two terms are different members of one thing: two entries
// of a map, two fields of a struct.
func apart(x, y *term.Term) bool {
	if x.Kind != y.Kind || len(x.Args) == 0 || len(y.Args) == 0 || !x.Args[0].Equal(y.Args[0]) {
		return false
	}
	switch x.Kind {
	case term.Field:
		return x.Str != y.Str
	case term.Elem:
		return len(x.Args) == 2 && len(y.Args) == 2 && x.Args[1].Kind == term.Const && y.Args[1].Kind == term.Const && !x.Args[1].Equal(y.Args[1])
	}
	return false
}
