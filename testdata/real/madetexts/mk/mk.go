// Package mk makes texts of its arguments alone.
package mk

import (
	"fmt"
	"strings"
)

// Quote writes a name.
func Quote(col string) string { return `"` + strings.ReplaceAll(col, `"`, `""`) + `"` }

// Lt compares.
func Lt(col string, n int) string { return fmt.Sprintf("%s < $%d", col, n) }

// And joins conditions.
func And(parts ...string) string { return strings.Join(parts, " AND ") }

// Update sets columns.
func Update(table string, cols ...string) string {
	var b strings.Builder
	b.WriteString("UPDATE " + table + " SET ")
	for i, c := range cols {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s = $%d", c, i+1)
	}
	return b.String()
}

// Upper writes in capitals.
func Upper(q string) string { return strings.ToUpper(q) }

// names of tables.
var names = map[string]string{"rows": "made_rows"}

// Table knows the name of a table.
func Table(name string) string { return names[name] }

// Pairs sets columns too.
func Pairs(cols []string) string {
	out := make([]string, 0, len(cols))
	for i, c := range cols {
		out = append(out, fmt.Sprintf("%s = $%d", c, i+1))
	}
	return strings.Join(out, ", ")
}

// Ors adds other ways.
func Ors(cols ...string) string {
	var out []string
	for _, c := range cols {
		out = append(out, " OR "+c+" = 1")
	}
	return strings.Join(out, "")
}

// Ors2 adds them from a list.
func Ors2(cols []string) string {
	out := make([]string, 0, len(cols))
	for _, c := range cols {
		out = append(out, " OR "+c+" = 1")
	}
	return strings.Join(out, "")
}

// Ors3 adds them in their places.
func Ors3(cols ...string) string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = " OR " + c + " = 1"
	}
	return strings.Join(out, "")
}
