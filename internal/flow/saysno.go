package flow

import "slices"

// What a function says of a refusal to its caller.

// compose is what a function gives back when the target of one of its unknown
// calls ends in one of the inner outcomes; outer has the function's outcomes for
// each way in which that call can say no.
func compose(inner, outer []Outcome) []Outcome {
	var out []Outcome
	for _, in := range inner {
		tuple := parseTuple(in.Returns)
		if in.Returns == ended {
			out = addOutcomes(out, []Outcome{in})
			continue
		}
		matched := false
		for _, o := range outer {
			i := int(o.Scenario[len(o.Scenario)-1] - '0')
			said := i < len(tuple) && (tellsNo(tuple[i]) || i == len(tuple)-1 && tuple[i].k == nonNil) // any error stops the caller
			if said && o.applies(tuple[i], outer) {
				o.Scenario = in.Scenario
				o.Answered, o.Observed, o.Unsure = o.Answered || in.Answered, o.Observed || in.Observed, o.Unsure || in.Unsure
				out = addOutcomes(out, []Outcome{o})
				matched = true
			}
		}
		if !matched { // nothing of it came up
			in.Returns = ""
			out = addOutcomes(out, []Outcome{in})
		}
	}
	return out
}

func tellsNo(a abs) bool {
	return a.k == nonNil && a.sig || a.sig && (a.k == isBool && a.n == 0 || a.k == isInt && a.n == 0 || a.k == top || a.k == refused)
}

// told marks what a function returns after it branched on a refusal: to its
// caller these values are the refusal.
func told(tuple []abs, s *state) []abs {
	if s.flags&branched == 0 {
		return tuple
	}
	for i := range tuple {
		switch tuple[i].k {
		case nonNil, isBool:
			tuple[i].sig = true
		case record:
			tuple[i] = abs{k: record, name: tupleCode(told(tuple[i].fields(), s)), sig: tuple[i].sig}
			tuple[i].sig = tuple[i].sig || slices.ContainsFunc(tuple[i].fields(), func(a abs) bool { return a.sig && a.k != isNil })
		}
	}
	return tuple
}

// SaysNo reports whether a result tuple tells of a refusal: by an error, by the count, bool
// or object that the receiver answered with, or by the absence of a result.
func SaysNo(tuple string) bool {
	for _, a := range parseTuple(tuple) {
		if a.k == nonNil || a.sig && (a.k != isNil || a.name == absence) {
			return true
		}
	}
	return false
}
