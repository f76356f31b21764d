// Package dbx rewrites statements of another package.
package dbx

import (
	"regexp"
	"strconv"
	"strings"
)

var dollars = regexp.MustCompile(`\$\d+`)

// ToQuestion puts ? in the place of $n.
func ToQuestion(q string) string { return dollars.ReplaceAllString(q, "?") }

// ToDollar numbers.
func ToDollar(q string) string {
	var b strings.Builder
	n := 0
	for _, r := range q {
		if r == '?' {
			n++
			b.WriteString("$" + strconv.Itoa(n))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
