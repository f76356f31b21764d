package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// sameAgain reports whether doing a statement again, late or twice, leaves the same rows:
// it stores what is the same each time, or deletes only rows that are in a state which the
// statement itself names. An obsolete owner's comes through all the same.
func sameAgain(m *fence.Mutation, bs []bound) bool {
	switch m.Kind {
	case fence.Delete:
		return namesState(m.Guard, bs)
	case fence.DDL:
		return m.Again
	}
	fixed := *m
	fixed.Set = slices.Clone(m.Set)
	for i, s := range m.Set {
		if in, ok := s.Value.(fence.Input); ok && isFixed(in.Arg, bs) {
			fixed.Set[i].Value = fence.Lit{Text: "fixed"}
		}
	}
	return fence.Prove(&fixed, func(fence.Arg) bool { return false }).Monotone
}

// namesState reports whether a condition compares a column with a value that is written
// in the program, or with the time: a state, and not the key by which rows are chosen.
func namesState(c fence.Cond, bs []bound) bool {
	found := false
	fence.WalkCond(c, func(x fence.Cond) {
		cmp, ok := x.(fence.Cmp)
		if !ok {
			return
		}
		_, left := cmp.L.(fence.Stored)
		_, right := cmp.R.(fence.Stored)
		found = found || left && inProgram(cmp.R, bs) || right && inProgram(cmp.L, bs)
		found = found || left && cmp.Op.Ordered() && isTime(cmp.R, bs) || right && cmp.Op.Ordered() && isTime(cmp.L, bs)
	}, func(fence.Term) {})
	return found
}

// clocks begin the texts by which statements ask for the time.
var clocks = pattern.New(`^(now|current_timestamp|current_date|current_time|localtime|localtimestamp|clock_timestamp|statement_timestamp|transaction_timestamp|unix_timestamp|utc_timestamp|sysdate|systimestamp|getdate|sysutcdatetime)\b|'now'`)

// isTime reports whether a value is the time, or computed from it.
func isTime(t fence.Term, bs []bound) bool {
	found := false
	fence.WalkTerm(t, func(x fence.Term) {
		switch x := x.(type) {
		case fence.Opaque:
			found = found || clocks.MatchString(x.Key)
		case fence.Input:
			found = found || slices.ContainsFunc(bs, func(b bound) bool {
				return b.arg == x.Arg && (b.worth() == clock || fromNow(b.term))
			})
		}
	})
	return found
}

// fromNow reports whether a value is computed from the time at which the program asks.
func fromNow(t *term.Term) bool {
	return t != nil && t.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.Str == "time.Now" })
}

func inProgram(t fence.Term, bs []bound) bool {
	switch t := t.(type) {
	case fence.Lit, fence.Const, fence.Bool:
		return true
	case fence.Input:
		return isFixed(t.Arg, bs)
	}
	return false
}

// isFixed reports whether an argument is a constant of the program.
func isFixed(a fence.Arg, bs []bound) bool {
	return slices.ContainsFunc(bs, func(b bound) bool { return b.arg == a && unboxed(b.term).Kind == term.Const })
}
