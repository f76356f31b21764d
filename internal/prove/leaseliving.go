package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
)

func init() { leaseChecks = append(leaseChecks, takesLiving) }

// takesLiving reports a claim that takes a row only while its lease is not over: the comparison
// of the times is turned round.
func takesLiving(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if a.Source() != nil && !a.Hold.Library {
			continue
		}
		if column := j.livingColumn(a); column != "" {
			j.say("lockstolen", sum, a.Chain[0], a,
				"{call} takes the lock from an owner who is at work: it asks for a row whose {column} is still to come, which is a lease that is not over. "+
					"Two owners then work at once, though nobody was paused; a lease that is over is never taken. Turn the comparison round (`{column} < now()`).",
				"{column}", column)
		}
	}
}

// livingColumn is the column until which a row is leased that a claim asks to be still to come,
// without asking who has the row; "" if there is none.
func (j *judge) livingColumn(a *flow.Event) string {
	c := j.models.FuncKey(a.Key)
	if c == nil || c.Sink == nil || a.Entry != flow.ByHand && a.Entry != flow.Claim {
		return ""
	}
	for _, l := range j.loweredForms(a, c.Sink) {
		for _, all := range waysIn(l.mutation.Guard) {
			if column := j.livingIn(l, all); column != "" {
				return column
			}
		}
	}
	return ""
}

// livingIn is that column in one of the ways to meet a condition: beside it only the row is
// named.
func (j *judge) livingIn(l *lowered, all []fence.Cond) string {
	found := ""
	for _, x := range all {
		cmp, ok := x.(fence.Cmp)
		col, isCol := cmp.L.(fence.Stored)
		other, op := cmp.R, cmp.Op
		if !isCol {
			col, isCol = cmp.R.(fence.Stored)
			other, op = cmp.L, flipped[cmp.Op]
		}
		switch name := col.Column; {
		case !ok || !isCol:
			return ""
		case op.Ordered():
			if op != fence.GT && op != fence.GE || !untilName.MatchString(name) || !moves(l.mutation, name) || !j.isTime(l, other) {
				return ""
			}
			found = name
		case op != fence.EQ || saysWho(name) || progressName.MatchString(name) || isLit(other):
			return ""
		}
	}
	return found
}

func isLit(t fence.Term) bool {
	_, ok := t.(fence.Lit)
	return ok
}

// moves reports whether a statement gives a column of the row that is there a new value.
func moves(m *fence.Mutation, column string) bool {
	return slices.ContainsFunc(m.Set, func(s fence.Assign) bool { return s.Column == column && s.Value != fence.Term(fence.Null{}) })
}

// isTime reports whether a value is the time of the store or of this process.
func (j *judge) isTime(l *lowered, t fence.Term) bool {
	switch t := t.(type) {
	case fence.Input:
		return fromClock(l.value(t.Arg))
	case fence.Opaque:
		return len(t.Of) == 0
	}
	return false
}

// maxWaysIn bounds the ways to meet a condition that are looked at.
const maxWaysIn = 16

// waysIn are the ways to meet a condition, each by conditions that all hold; none if there are
// too many.
func waysIn(c fence.Cond) [][]fence.Cond {
	switch c := c.(type) {
	case nil:
		return nil
	case fence.Or:
		var out [][]fence.Cond
		for _, x := range c.Of {
			out = append(out, waysIn(x)...)
		}
		return out
	case fence.And:
		out := [][]fence.Cond{nil}
		for _, x := range c.Of {
			var next [][]fence.Cond
			for _, head := range out {
				for _, tail := range waysIn(x) {
					next = append(next, slices.Concat(head, tail))
				}
			}
			if out = next; len(out) > maxWaysIn {
				return nil
			}
		}
		return out
	}
	return [][]fence.Cond{{c}}
}
