package flow

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A program may compare the epoch itself, with a row that it has locked or a key that it
// watches, and write only if that is not newer. Then its own branch is the refusal, and what
// it does there is followed to the caller like the answer of a receiver.

// comparedIn begins the scenario of outcomes that follow where a comparison of numbers before
// a write goes the other way.
const comparedIn = "compared "

// ComparedAt reports whether an outcome is what follows if the comparison at a decision goes
// the other way.
func (o Outcome) ComparedAt(c Cond) bool { return c.At != "" && o.Scenario == comparedIn+c.At }

// Compared reports whether an outcome is not that of a refusal by the receiver, but of one by a
// comparison before it.
func (o Outcome) Compared() bool { return strings.HasPrefix(o.Scenario, comparedIn) }

// decision is a branch by which numbers are compared, and how it goes before a write.
type decision struct {
	branch *ssa.If
	want   bool
	out    []Outcome // what follows if it goes the other way
	walked bool
}

// at notes at which decision numbers are compared.
func (f *fn) at(branch *ssa.If, want bool, cs []Cond) []Cond {
	for i := range cs {
		if cs[i].At != "" || !comparesNumbers(cs[i].Term) {
			continue
		}
		cs[i].At = f.id + "@" + strconv.Itoa(f.ordinal(branch)) + "=" + strconv.FormatBool(want)
		if f.decisions == nil {
			f.decisions = make(map[string]*decision)
		}
		if f.decisions[cs[i].At] == nil {
			f.decisions[cs[i].At] = &decision{branch: branch, want: want}
		}
	}
	return cs
}

// comparesNumbers reports whether a decision is on how two values compare of which neither is
// a constant.
func comparesNumbers(t *term.Term) bool {
	return isComparison(t) && t.Args[0].Kind != term.Const && t.Args[1].Kind != term.Const
}

func isComparison(t *term.Term) bool {
	_, known := operators[t.Str]
	return known && t.Kind == term.Op && len(t.Args) == 2
}

// findCompared adds to the writes of the function what follows where a comparison before them
// goes the other way.
func (f *fn) findCompared(sum *Summary) {
	if len(f.decisions) == 0 {
		return
	}
	for _, e := range sum.Events {
		if e.Kind != Write || e.Detached || e.site.call == nil {
			continue
		}
		for _, c := range e.Conds {
			if d := f.decisions[c.At]; d != nil {
				e.Outcomes = addOutcomes(slices.Clip(e.Outcomes), f.otherwise(d, c.At))
			}
		}
	}
}

// otherwise walks from a decision the other way, to the ends of the function. A way that comes
// to the decision once more is the next item, or a new attempt.
func (f *fn) otherwise(d *decision, at string) []Outcome {
	if d.walked {
		return d.out
	}
	d.walked = true
	t := &teller{f: f, walk: func(x *explorer) { x.walk(d.side(d.want, newState())) }}
	x := &explorer{f: f, instr: t.note}
	add := func(returns string, heard bool, s *state) {
		d.out = addOutcomes(d.out, []Outcome{{
			Scenario: comparedIn + at, Returns: returns, Observed: heard, Unsure: s.flags&unsure != 0, Answered: s.flags&answered != 0,
		}})
	}
	x.ret = func(r *ssa.Return, tuple []abs, s *state) {
		add(tupleCode(t.told(r, tuple, s)), s.flags&observed != 0, s)
	}
	x.stop = func(s *state) { add(ended, true, s) }
	x.until, x.again = d.branch, func(s *state) []*state {
		add(ended, true, s)
		return nil
	}
	s := newState()
	s.flags |= branched | decidedHere
	if v := testedError(d.branch.Cond); v != nil {
		s.set(v, abs{k: nonNil, sig: true})
	}
	x.walk(d.side(!d.want, s))
	for i := range d.out {
		d.out[i].Unsure = d.out[i].Unsure || x.capped
	}
	return d.out
}

// side is where the walk begins if the decision goes one way.
func (d *decision) side(want bool, s *state) point {
	b := d.branch.Block()
	if want {
		return point{block: b.Succs[0], pred: b, s: s}
	}
	return point{block: b.Succs[1], pred: b, s: s}
}

// testedError is the error of which a condition asks whether it is there, nil if it asks for
// something else.
func testedError(cond ssa.Value) ssa.Value {
	b, ok := cond.(*ssa.BinOp)
	switch {
	case !ok:
		return nil
	case isNilConst(b.Y) && isError(b.X.Type()):
		return b.X
	case isNilConst(b.X) && isError(b.Y.Type()):
		return b.Y
	}
	return nil
}
