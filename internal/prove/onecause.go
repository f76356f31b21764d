package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// One cause, one finding. A hold that begins and ends below is judged where it begins. If
// something was missing there that only callers know, they judge it again, and each of
// them would find the same fault at its own call: it is said once, at the place nearest
// to the write where the function that holds the lock is at fault.

// reported is the finding, or the accepted one, of a rule at a place, for a lock that is
// acquired at another.
type reported struct {
	rule     string
	lock, at Place
}

// cause is what a finding is about, and where it could have been said before.
type cause struct {
	flow.Reported
	below []Place
	// statement says that the fault is that of the statement alone, whoever sends it.
	statement bool
}

// causeOf gives the cause of a pair's finding. Below are the calls in the functions, further
// down than the one in which the pair is judged, to which the hold belongs.
func causeOf(p *pair, rule string) *cause {
	holds, way := p.acq.Chain, p.w.Chain
	c := &cause{Reported: flow.Reported{Rule: rule, Lock: holds[len(holds)-1], At: way[0]}}
	if holds[0].Place != way[0].Place {
		return c // the hold came up by another call
	}
	for _, s := range way[1:] {
		if slices.ContainsFunc(holds[1:], func(h flow.Step) bool { return textOf(h) == textOf(s) }) {
			c.below = append(c.below, s.Place)
		}
	}
	return c
}

// textOf is the function in whose text a step stands: a literal is part of the one around it.
func textOf(s flow.Step) string {
	name, _, _ := strings.Cut(s.Func, "$")
	return name
}

// reports notes that a cause was reported or accepted.
func (j *judge) reports(s flow.Reported) {
	if j.told == nil {
		j.told = make(map[reported]flow.Reported)
	}
	j.told[reported{s.Rule, s.Lock.Place, s.At.Place}] = s
}

// oncePerCause drops the findings that were made further down, here or in a package that
// this one imports, and those of a call for which a rule that comes first speaks already.
func (j *judge) oncePerCause() {
	for _, s := range j.a.Imported.Reported {
		j.reports(s)
	}
	first := make(map[[2]string]int)
	for _, f := range j.findings {
		if f.cause != nil {
			k := f.cause.call(f)
			first[k] = min(cmp.Or(first[k], rank[f.Rule]), rank[f.Rule])
		}
	}
	var again []flow.Reported
	j.findings = slices.DeleteFunc(j.findings, func(f Finding) bool {
		if f.cause == nil {
			return false
		}
		below := slices.ContainsFunc(f.cause.below, func(at Place) bool {
			_, ok := j.told[reported{f.cause.Rule, f.cause.Lock.Place, at}]
			return ok
		})
		if below {
			again = append(again, f.cause.Reported)
		}
		return below || rank[f.Rule] > first[f.cause.call(f)]
	})
	for _, r := range again { // what is below will do for those further up, too
		delete(j.told, reported{r.Rule, r.Lock.Place, r.At.Place})
	}
}

// call tells findings apart that stand at one call: by the lock, and by what is called in
// the end, of which there may be several.
func (c *cause) call(f Finding) [2]string {
	_, rest, _ := strings.Cut(f.Key, "|")
	return [2]string{fmt.Sprint(c.At.Place, c.Lock.Place), rest}
}

// reportedIn is what importing packages have to know of it: what concerns the calls that
// they meet in the summaries, in holds.
func (j *judge) reportedIn(fact *flow.Fact) []flow.Reported {
	if len(j.told) == 0 {
		return nil
	}
	met := make(map[[2]Place]bool) // the lock, and a call in its hold
	for _, f := range fact.Summaries() {
		for _, e := range f.Events {
			for _, a := range e.Holds {
				for _, s := range e.Chain {
					met[[2]Place{a.Chain[len(a.Chain)-1].Place, s.Place}] = true
				}
			}
		}
	}
	var out []flow.Reported
	for s, r := range j.told {
		if met[[2]Place{s.lock, s.at}] || s.rule == freesAny && s.at.Pkg == j.u.Pkg.Path() {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b flow.Reported) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), comparePlaces(a.Lock.Place, b.Lock.Place), comparePlaces(a.At.Place, b.At.Place))
	})
	return out
}
