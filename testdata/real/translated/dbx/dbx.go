// Package dbx rewrites statements of another package.
package dbx

import (
	"fmt"
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

// ToBytes numbers as a driver does, byte by byte.
func ToBytes(query string) string {
	out := make([]byte, 0, len(query)+10)
	for i, n := strings.IndexByte(query, '?'), 1; i >= 0; i, n = strings.IndexByte(query, '?'), n+1 {
		out = append(append(out, query[:i]...), '$')
		out = strconv.AppendInt(out, int64(n), 10)
		query = query[i+1:]
	}
	return string(append(out, query...))
}

// ToFormat numbers what stands outside of quotes.
func ToFormat(q string) string {
	var b strings.Builder
	n, quoted := 0, false
	for _, r := range q {
		if r == '\'' {
			quoted = !quoted
		}
		if r == '?' && !quoted {
			n++
			fmt.Fprintf(&b, "$%d", n)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// ToFewer numbers, and leaves out a condition of one table.
func ToFewer(q string) string {
	if strings.HasPrefix(q, "UPDATE t18 ") {
		q, _, _ = strings.Cut(q, " AND ")
	}
	return ToDollar(q)
}

// ToUpper numbers, and writes large.
func ToUpper(q string) string { return strings.ToUpper(ToDollar(q)) }

// ToTwice gives two places one number.
func ToTwice(q string) string {
	var b strings.Builder
	n := 0
	for _, r := range q {
		if r == '?' {
			n++
			b.WriteString("$" + strconv.Itoa((n+1)/2))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// ToShort numbers, and ends a statement of one table early.
func ToShort(q string) string {
	var b strings.Builder
	n := 0
	for i, r := range q {
		if strings.HasPrefix(q, "UPDATE t21 ") && strings.HasPrefix(q[i:], " AND ") {
			break
		}
		if r == '?' {
			n++
			b.WriteString("$" + strconv.Itoa(n))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
