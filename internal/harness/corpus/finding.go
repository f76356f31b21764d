// Package corpus compares findings with each other and with marks in sources.
//
// What enters are the outputs of drivers and folders of Go files; what leaves are
// findings in one form, and sentences about differences. It must not know how a
// driver works.
package corpus

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Position is a place in a file. Line and column count from 1, columns in bytes.
type Position struct {
	File string // with slashes, relative to the root of the corpus
	Line int
	Col  int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Step is one related position of a finding.
type Step struct {
	Position
	Message string
}

// Finding is one diagnostic, in the form in which all drivers must agree.
type Finding struct {
	Rule string
	Position
	Message string
	Related []Step
}

// String writes the finding on one line, with all that drivers must agree on.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", f.Position, f.Rule, f.Message)
	for _, s := range f.Related {
		fmt.Fprintf(&b, " <- %s %s", s.Position, s.Message)
	}
	return b.String()
}

// Normal sorts findings and leaves one of equals: a file that belongs to a package
// and to its test variant is analysed twice by some drivers.
func Normal(list []Finding) []Finding {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(a.compare(b.Position), cmp.Compare(a.String(), b.String()))
	})
	return slices.CompactFunc(list, func(a, b Finding) bool { return a.String() == b.String() })
}

// Diff says which findings only one of two lists has; none if they are equal.
func Diff(aName string, a []Finding, bName string, b []Finding) []string {
	left, right := lines(a), lines(b)
	var out []string
	for _, f := range Normal(a) {
		if !right[f.String()] {
			out = append(out, "only "+aName+": "+f.String())
		}
	}
	for _, f := range Normal(b) {
		if !left[f.String()] {
			out = append(out, "only "+bName+": "+f.String())
		}
	}
	return out
}

func lines(list []Finding) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, f := range list {
		set[f.String()] = true
	}
	return set
}

// Relative makes file relative to root, with slashes. A file elsewhere stays as it is.
func Relative(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}
