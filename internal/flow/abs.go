package flow

import (
	"go/constant"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// abs is what is known of a value on one path: enough to decide the branches
// that follow an acquisition or a refusal.
type abs struct {
	k    absKind
	n    int64
	sig  bool   // derived from the refusal that is followed
	name string // package variable that an error is, "" if unknown
}

type absKind uint8

const (
	top      absKind = iota // anything
	isNil                   // nil
	nonNil                  // not nil
	isInt                   // the integer n
	isBool                  // false if n is 0
	positive                // the number of rows that a statement changed: one, as far as is known
	refused                 // a result object (sql.Result, *sql.Row) that says no when asked
	granted                 // a result object that says yes when asked
	declined                // a row that is there and holds a false
	wording                 // the text in name
	above                   // an integer greater than 0
	record                  // a record; name has the codes of its fields
	failure                 // an error that is there, in a variable for anything
)

func boolean(b bool) abs {
	if b {
		return abs{k: isBool, n: 1}
	}
	return abs{k: isBool}
}

func (a abs) signal() abs { a.sig = true; return a }

// codes are the letters of a result tuple: one letter a result, then '*' if the
// value comes from the refusal, then the name of an error in angle brackets.
var codes = [failure + 1]byte{failure: 'x', record: 'c', top: '?', isNil: 'n', nonNil: 'e', refused: 'R', granted: 'G', declined: 'D', positive: '+', wording: 's', above: 'p'}

func (a abs) letter() byte {
	switch c := codes[a.k]; {
	case c != 0:
		return c
	case a.k == isBool && a.n == 0:
		return 'f'
	case a.k == isBool:
		return 't'
	case a.n == 0:
		return '0'
	}
	return '1'
}

func (a abs) appendCode(b []byte) []byte {
	b = append(b, a.letter())
	if a.sig {
		b = append(b, '*')
	}
	if name := a.named(); name != "" {
		b = append(append(append(b, '<'), name...), '>')
	}
	return b
}

// maxState bounds the numbers that are told apart as states.
const maxState = 15

// named is what stands in angle brackets: the name, or a small number that may be a state.
func (a abs) named() string {
	if a.k == isInt && a.n != 0 && -maxState <= a.n && a.n <= maxState {
		return strconv.FormatInt(a.n, 10)
	}
	return a.name
}

// setNamed reads what named wrote.
func (a *abs) setNamed(letter byte, name string) {
	if n, err := strconv.ParseInt(name, 10, 64); letter == '1' && err == nil {
		a.k, a.n = isInt, n
		return
	}
	a.name = name
}

var letters = map[byte]abs{
	'?': {}, 'n': {k: isNil}, 'e': {k: nonNil}, 'R': {k: refused}, 'G': {k: granted}, 'D': {k: declined},
	'f': {k: isBool}, 't': {k: isBool, n: 1}, '0': {k: isInt}, '1': {k: top}, '+': {k: positive}, 's': {k: wording}, 'p': {k: above}, 'c': {k: record}, 'x': {k: failure},
}

// tupleCode writes a result tuple.
func tupleCode(t []abs) string { return string(appendTuple(t, nil)) }

func appendTuple(t []abs, b []byte) []byte {
	for _, a := range t {
		b = a.appendCode(b)
	}
	return b
}

// parseTuple reads what tupleCode wrote.
func parseTuple(s string) []abs {
	var out []abs
	var letter byte
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*':
			if len(out) > 0 {
				out[len(out)-1].sig = true
			}
		case '<':
			end := i + closing(s[i:])
			if len(out) > 0 && end < len(s) {
				out[len(out)-1].setNamed(letter, s[i+1:end])
			}
			i = end
		default:
			letter = s[i]
			out = append(out, letters[letter])
		}
	}
	return out
}

// closing is where the bracket is closed with which a text begins.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

func constAbs(c *ssa.Const) abs {
	if c.Value == nil {
		if isNillable(c) {
			return abs{k: isNil}
		}
		return abs{}
	}
	switch c.Value.Kind() {
	case constant.Bool:
		return boolean(constant.BoolVal(c.Value))
	case constant.Int:
		if n, ok := constant.Int64Val(c.Value); ok {
			return abs{k: isInt, n: n}
		}
	}
	return abs{}
}

// compare decides a comparison; the second result says whether it could.
func compare(op token.Token, x, y abs) (bool, bool) {
	if isNilness(x) && isNilness(y) && (x.k == isNil || y.k == isNil) {
		eq := x.k == isNil && y.k == isNil
		switch op {
		case token.EQL:
			return eq, true
		case token.NEQ:
			return !eq, true
		}
		return false, false
	}
	if x.k == isBool && y.k == isNil { // in a variable for anything
		return op == token.NEQ, op == token.EQL || op == token.NEQ
	}
	if x.k == nonNil && y.k == nonNil && x.name != "" && y.name != "" {
		return sameSentinel(x.name, y.name) == (op == token.EQL), op == token.EQL || op == token.NEQ
	}
	if x.k == wording && y.k == wording {
		return (x.name == y.name) == (op == token.EQL), op == token.EQL || op == token.NEQ
	}
	if x.k == isBool && y.k == isBool {
		return (x.n == y.n) == (op == token.EQL), op == token.EQL || op == token.NEQ
	}
	return compareInts(op, x, y)
}

func isNilness(a abs) bool {
	return a.k == isNil || a.k == nonNil || a.k == failure || a.k == refused || a.k == granted || a.k == declined
}

func compareInts(op token.Token, x, y abs) (bool, bool) {
	if x.k == isInt && y.k == isInt {
		f, ok := intOps[op]
		return ok && f(x.n, y.n), ok
	}
	if x.k == isInt && (y.k == positive || y.k == above) {
		return compareInts(mirrored[op], y, x)
	}
	if x.k != positive && x.k != above || y.k != isInt {
		return false, false
	}
	switch { // x > 0 is all that is known
	case y.n <= 0:
		f, ok := intOps[op]
		return ok && f(1, y.n), ok
	case op == token.LSS && y.n == 1:
		return false, true
	case op == token.GEQ && y.n == 1:
		return true, true
	case x.k == above:
	case op == token.EQL && y.n == 1: // one row is what a granted statement changes
		return true, true
	case op == token.NEQ && y.n == 1:
		return false, true
	}
	return false, false
}

var intOps = map[token.Token]func(a, b int64) bool{
	token.EQL: func(a, b int64) bool { return a == b },
	token.NEQ: func(a, b int64) bool { return a != b },
	token.LSS: func(a, b int64) bool { return a < b },
	token.LEQ: func(a, b int64) bool { return a <= b },
	token.GTR: func(a, b int64) bool { return a > b },
	token.GEQ: func(a, b int64) bool { return a >= b },
}

var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// narrowed is what is known of x after "x op y" came out as want.
func narrowed(op token.Token, y abs, want bool) (abs, bool) {
	if y.k == isNil {
		if (op == token.EQL) == want {
			return abs{k: isNil}, true
		}
		return abs{k: nonNil}, true
	}
	if y.k == isInt && y.n == 0 {
		if (op == token.EQL && want) || (op == token.NEQ && !want) {
			return abs{k: isInt}, true
		}
		if op == token.GTR && want || op == token.EQL && !want || op == token.NEQ && want {
			return abs{k: above}, true
		}
	}
	return abs{}, false
}
