package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// withNumbers lists the forms of a text by the numbers of its places: one that depends on
// the way to the statement is the same wherever it stands in the text.
func withNumbers(t *term.Term) []*term.Term {
	n := repeatedNumber(t)
	if n == nil {
		return []*term.Term{t}
	}
	var out []*term.Term
	for _, a := range n.Args {
		out = append(out, withNumbers(term.Replace(t, n, a))...)
		if len(out) > maxTexts {
			break
		}
	}
	return out
}

// repeatedNumber finds a number of several that stands in a text more than once; nil if
// there is none.
func repeatedNumber(t *term.Term) *term.Term {
	var seen []*term.Term
	var found *term.Term
	t.Any(func(u *term.Term) bool {
		if u.Kind != term.Alt || !allDigits(u) {
			return false
		}
		for _, s := range seen {
			if s.Equal(u) {
				found = u
				return true
			}
		}
		seen = append(seen, u)
		return false
	})
	return found
}

func allDigits(t *term.Term) bool {
	for _, a := range t.Args {
		s, ok := term.StringValue(a)
		if !ok || s == "" || strings.Trim(s, "0123456789") != "" {
			return false
		}
	}
	return true
}
