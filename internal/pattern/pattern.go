// Package pattern holds regular expressions that are compiled when they are first used.
// Under go vet fencelint is a process for each package, most of which need none of them.
//
// What enters is the text of an expression; what leaves are answers about strings. It
// knows nothing of what the strings mean.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for concurrent use.
type Pattern struct {
	re func() *regexp.Regexp
}

// New returns the pattern of an expression in the syntax of regexp. A faulty one
// panics when it is first used; a test compiles all that are written in this module.
func New(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString reports whether s contains a match.
func (p *Pattern) MatchString(s string) bool { return p.re().MatchString(s) }

// Regexp gives the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp { return p.re() }
