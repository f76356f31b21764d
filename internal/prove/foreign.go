package prove

import (
	"cmp"
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/pattern"
)

// tokenRules says which rule reports a fence fed from a class that is none.
var tokenRules = map[class]string{
	clock: "clocktoken", volatile: "volatiletoken", unbound: "unboundcounter", opaque: "opaquetoken",
	local: "localcounter", untrusted: "untrustedtoken", zero: "zerotoken",
}

// otherToken judges an ordered comparison with a value that is not this lock's
// epoch. What a caller supplies is the caller's obligation.
func (j *judge) otherToken(m *fence.Mutation, bs []bound) (decision, bool) {
	found, d := false, decision{}
	for i := range bs {
		b := &bs[i]
		v := j.proveWith(m, b.arg)
		if !v.Compared || !ordered(&v) || !v.StoredToken && !fenceWords.MatchString(v.Column) {
			continue // a condition on data
		}
		if f := j.foreignToken(b, &v); f.verdict != silent { // else a condition on data: it guards nothing
			found = true
			d = worse(d, f)
		}
	}
	return d, found
}

// fenceWords are in the names of columns that are meant as fences. They only tell
// which comparison with an unknown value is asked about.
var fenceWords = pattern.New(`(?i)fence|fencing|epoch|token|term|lease|lock|owner|claim|generation|revision|version|range|seq|turn|attempt|ballot`)

func ordered(v *fence.Verdict) bool {
	return slices.ContainsFunc(v.Ops, fence.Op.Ordered)
}

func (j *judge) foreignToken(b *bound, v *fence.Verdict) decision {
	c := b.worth()
	if c == handedIn && originWith(b, zero).class == zero {
		c = zero // on one path, whatever the caller supplies
	}
	if c == zero {
		for _, o := range b.origins { // the rule that comes first
			if rule := tokenRules[o.class]; rule != "" && rank[rule] < rank[tokenRules[c]] {
				c = o.class
			}
		}
	}
	d := decision{guard: "none", column: v.Column}
	o := originWith(b, c)
	switch rule := tokenRules[c]; {
	case rule != "":
		d.verdict, d.rule = refuted, rule
		d.reason = v.Column + " is compared with " + o.text + ", " + cmp.Or(o.worth, worths[c])
	case c == stored && v.StoredToken && fenceWords.MatchString(v.Column):
		d.verdict, d.rule = refuted, tokenRules[unbound]
		d.reason = v.Column + " is compared with a number that was read from the database apart from the grant: a stale owner reads a fresh one"
	case c == handedIn:
		d.verdict, d.guard, d.reason = waiting, "unknown", "the caller supplies what is compared with "+v.Column
	case c == unknownFrom || c == epoch || c == epochReread:
		d.verdict, d.rule, d.guard = unproved, "unprovedwrite", "unknown"
		d.reason = "it is not known where the value compared with " + v.Column + " comes from: " + o.reason
		if c == epoch || c == epochReread {
			d.reason = "the value compared with " + v.Column + " may be the number of another lock"
		}
	default:
		return decision{} // a condition on data
	}
	return d
}

func originWith(b *bound, c class) origin {
	for _, o := range b.origins {
		if o.class == c {
			return o
		}
	}
	return origin{}
}

// worths says of a class, in words, why it is no fence.
var worths = map[class]string{
	clock:     "which is a clock reading: clocks of two owners need not agree",
	volatile:  "which may move within one tenure or fall for a later owner",
	unbound:   "which anybody can draw at any time: a stale owner gets a fresh one",
	opaque:    "which has no order",
	local:     "which is counted in this process alone",
	untrusted: "which comes in from outside: whoever sends a large one is the newest owner",
	zero:      "which is never set",
}

// ofTwoLocks judges a statement that compares and stores the number of another lock, as a
// transfer does that holds both ends: another statement of its transaction may compare the
// number of this one, and then refuses both.
func (j *judge) ofTwoLocks(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	if !slices.ContainsFunc(bs, func(b bound) bool { c := b.worth(); return c == epoch || c == epochReread }) {
		return decision{}, false
	}
	if d, ok := j.protectedUnit(p); ok && d.verdict == proved {
		return d, true
	}
	d, ok := j.lastGuard(p, m)
	return d, ok && d.verdict == proved
}
