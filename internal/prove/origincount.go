package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// What arithmetic makes of a token.

// opOrigin: a number plus a constant is as good as the number.
func opOrigin(j *judge, t *term.Term, d int) []origin {
	if f := opOrigins[t.Str]; f != nil && len(t.Args) > 0 {
		if out := f(j, t, d); out != nil {
			return out
		}
	}
	return one(origin{class: unknownFrom, reason: "it is computed by " + t.String(), text: t.String()})
}

// opOrigins tell by the operator what a computed number is worth; nil is for unknown.
var opOrigins map[string]func(*judge, *term.Term, int) []origin

func init() { // the functions refer to the table
	opOrigins = map[string]func(*judge, *term.Term, int) []origin{
		"+": sumOrigin, "-": sumOrigin, "*": scaledOrigin, "<<": scaledOrigin, "max": greatestOrigin,
		"|": joinedOrigin, "part": partOrigin,
		"len": func(_ *judge, t *term.Term, _ int) []origin { return one(origin{class: local, text: t.String()}) },
	}
}

func sumOrigin(j *judge, t *term.Term, d int) []origin {
	if len(t.Args) != 2 {
		return nil
	}
	if x := roomy(t); t.Str == "+" && x != nil {
		return j.origin(x, d+1)
	}
	for i, a := range t.Args {
		if a.Kind == term.Const && (i == 1 || t.Str == "+") { // a constant minus a number turns the order round
			if j.countsUp(t.Args[1-i]) || countsRounds(t.Args[1-i]) {
				return one(origin{class: local, text: t.String()})
			}
			return readAndRaised(t, j.origin(t.Args[1-i], d+1))
		}
	}
	return j.noToken(t.Args, d)
}

// joinedOrigin: a number that is moved up keeps its order whatever fills the room below it,
// and one that is no token is none with that.
func joinedOrigin(j *judge, t *term.Term, d int) []origin {
	if x := roomy(t); x != nil {
		return j.origin(x, d+1)
	}
	if x := unconverted(t.Args[0]); x.Kind == term.Op && x.Str == "<<" {
		return j.noToken(t.Args[:1], d)
	}
	return nil
}

// roomy is the number that is moved up by the first operand, if the second one has room below
// it; nil if not.
func roomy(t *term.Term) *term.Term {
	if len(t.Args) != 2 {
		return nil
	}
	x, y := unconverted(t.Args[0]), unconverted(t.Args[1])
	if x.Kind != term.Op || len(x.Args) != 2 {
		return nil
	}
	n, ok := term.IntValue(x.Args[1])
	room := roomBelow(x.Str, n)
	if !ok || room == 0 {
		return nil
	}
	if n, ok := term.IntValue(y); ok && 0 <= n && n < room || y.Kind == term.Op && len(y.Args) == 2 && belowBy(y, room) {
		return x
	}
	return nil
}

// maxRoom bounds the bits below a number: what is left above them has to last for all epochs.
const maxRoom = 24

// roomBelow is what fits below a number that an operator moves up by n, and 0 if the number
// may run over.
func roomBelow(op string, n int64) int64 {
	switch {
	case op == "<<" && 0 < n && n <= maxRoom:
		return 1 << n
	case op == "*" && 0 < n && n <= 1<<maxRoom:
		return n
	}
	return 0
}

// belowBy reports whether an operator keeps a number below another one, and above zero.
func belowBy(t *term.Term, room int64) bool {
	n, ok := term.IntValue(t.Args[1])
	return ok && t.Str == "&" && 0 <= n && n < room
}

func unconverted(t *term.Term) *term.Term {
	for t.Kind == term.Convert && !narrowing[t.Str] {
		t = t.Args[0]
	}
	return t
}

// partOrigin: what is cut off the name that a coordinator gave out is its number.
func partOrigin(j *judge, t *term.Term, d int) []origin {
	if t.Args[0].Kind != term.Call {
		return nil
	}
	return j.origin(t.Args[0], d+1)
}

// noToken are the origins of operands of which one is known to be no token: what is
// computed with it is none either. It is nil if there is no such operand. One that is
// made anew each time goes before one that comes again: so does what is made of both.
func (j *judge) noToken(args []*term.Term, d int) []origin {
	var found []origin
	for _, a := range args {
		b := bound{origins: j.origin(a, d+1)}
		if c := b.worth(); tokenRules[c] == "" || c == zero {
			continue
		}
		if fresh := j.freshApartFromClock(&b); fresh != nil {
			return fresh
		}
		if found == nil {
			found = b.origins
		}
	}
	return found
}

// freshApartFromClock are the origins of a value that is made anew each time, at random or,
// where that fails, from the time; nil for other values.
func (j *judge) freshApartFromClock(b *bound) []origin {
	drawn := slices.DeleteFunc(slices.Clone(b.origins), func(o origin) bool { return o.class == clock })
	if len(drawn) > 0 && j.fresh(&bound{origins: drawn}) {
		return drawn
	}
	return nil
}

// scaledOrigin: a number times a positive constant has the order of the number.
func scaledOrigin(j *judge, t *term.Term, d int) []origin {
	if len(t.Args) != 2 {
		return nil
	}
	for i, a := range t.Args {
		if n, ok := term.IntValue(a); ok && roomBelow(t.Str, n) > 0 && (i == 1 || t.Str == "*") {
			return j.origin(t.Args[1-i], d+1)
		}
	}
	return j.noToken(t.Args, d)
}

// greatestOrigin: the greatest of a number and constants is the number or a constant
// that each owner has alike.
func greatestOrigin(j *judge, t *term.Term, d int) []origin {
	var out []origin
	for _, a := range t.Args {
		if a.Kind != term.Const {
			out = append(out, j.origin(a, d+1)...)
		}
	}
	return out
}

// concatOrigin: digits between other characters, which whoever parses them takes away.
func concatOrigin(j *judge, t *term.Term, d int) []origin {
	var only *term.Term
	for _, a := range t.Args {
		if s, ok := term.StringValue(a); ok && !strings.ContainsAny(s, "0123456789") {
			continue
		}
		if only != nil {
			if out := j.noToken(t.Args, d); out != nil {
				return out
			}
			return one(origin{class: unknownFrom, reason: "it is put together as " + t.String(), text: t.String()})
		}
		only = a
	}
	if only == nil {
		return one(origin{class: constant, text: t.String()})
	}
	return j.origin(only, d+1)
}

// readAndRaised: a number that was read from a receiver and raised here is drawn
// in two steps, and anybody can draw it.
func readAndRaised(t *term.Term, from []origin) []origin {
	for i := range from {
		if from[i].class == stored {
			from[i] = origin{class: unbound, text: t.String()}
		}
	}
	return from
}

// countsRounds reports whether a number comes from nothing but constants and itself: it
// counts the rounds of a loop.
func countsRounds(t *term.Term) bool {
	round := func(a *term.Term) bool { return a.Kind == term.Unknown && a.Str == term.FromItself }
	known := func(a *term.Term) bool { return a.Kind == term.Const || round(a) }
	return t.Kind == term.Alt && slices.ContainsFunc(t.Args, round) && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !known(a) })
}

// countsUp reports whether the program itself raises a field by constants.
func (j *judge) countsUp(t *term.Term) bool { return t.Kind == term.Field && j.a.Counted(t.Str) }
