package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// endedNow is a write as it is read where it sets the time until which a row is leased to
// one that is not to come: that frees the row, as NULL does.
func endedNow(l *lowered) *lowered {
	over := func(s fence.Assign) bool {
		return untilName.MatchString(s.Column) && saysWhen(s.Column) && l.isOver(s.Value)
	}
	if !slices.ContainsFunc(l.mutation.Set, over) {
		return l
	}
	m, n := *l.mutation, *l
	m.Set = slices.Clone(m.Set)
	for i, s := range m.Set {
		if over(s) {
			m.Set[i].Value = fence.Null{}
		}
	}
	n.mutation = &m
	return &n
}

// isOver reports whether a value is the present time or one before it.
func (l *lowered) isOver(v fence.Term) bool {
	switch v := v.(type) {
	case fence.Opaque:
		clock := clocks.Regexp().FindString(v.Key)
		return clock != "" && strings.Trim(strings.TrimPrefix(v.Key, clock), "() ") == ""
	case fence.Lit:
		return longAgo.MatchString(v.Text)
	case fence.Apply:
		return v.Fn == fence.Sub && len(v.Args) == 2 && l.isOver(v.Args[0]) || isCast(v.Fn) && l.isOver(v.Args[0])
	case fence.Input:
		t := l.value(v.Arg)
		return t != nil && !slices.ContainsFunc(t.Alternatives(), func(a *term.Term) bool { return !timeOver(a) })
	}
	return false
}

func isCast(f fence.Fn) bool {
	return f == fence.CastInt || f == fence.CastText || f == fence.CastFloat || f == fence.CastNarrow
}

// justOver reports whether a condition asks whether the time of a lease is over, and not for
// how long it has been.
func (l *lowered) justOver() bool {
	found := false
	fence.WalkConds(l.mutation.Guard, func(x fence.Cond) {
		cmp, ok := x.(fence.Cmp)
		if !ok {
			return
		}
		col, isCol := cmp.L.(fence.Stored)
		other, op := cmp.R, cmp.Op
		if !isCol {
			col, isCol = cmp.R.(fence.Stored)
			other, op = cmp.L, flipped[op]
		}
		earlier, isApply := other.(fence.Apply)
		found = found || isCol && untilName.MatchString(col.Column) && (op == fence.LT || op == fence.LE) && l.isOver(other) && !(isApply && earlier.Fn == fence.Sub)
	})
	return found
}

// longAgo finds the texts of times that are over.
var longAgo = pattern.New(`^(epoch|-infinity|now|(000[01]|1900|1970)-.*)$`)

// timeOver reports whether a value of the program is the zero time, the time at which the
// program asks, or either in another form.
func timeOver(t *term.Term) bool {
	t = unboxed(t)
	switch {
	case t.Kind == term.Convert:
		return timeOver(t.Args[0])
	case t.Kind == term.Struct && t.Str == "time.Time" && len(t.Args) == 0:
		return true
	case t.Kind == term.Const:
		return term.IsZero(t)
	case t.Kind != term.Call:
		return false
	case t.Str == "time.Now":
		return true
	case t.Str == "time.Unix" || t.Str == "time.UnixMilli":
		return !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !term.IsZero(a) })
	}
	rest, ok := strings.CutPrefix(t.Str, "time.Time.")
	return ok && sameInstant[rest] && len(t.Args) > 0 && timeOver(t.Args[0])
}

// sameInstant are the methods of a time that give it in another form.
var sameInstant = map[string]bool{"UTC": true, "Local": true, "In": true, "Unix": true, "UnixMilli": true, "UnixMicro": true, "UnixNano": true, "Format": true, "Round": true, "Truncate": true}
