package catalogue

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/verify"
	"github.com/fencelint/fencelint/model"
)

// Unmatched is a row of a user's file that means nothing in a program.
type Unmatched struct {
	Pos model.Pos
	Row string
	Msg string
}

func (u Unmatched) String() string { return fmt.Sprintf("%s: %s: %s", u.Pos, u.Row, u.Msg) }

// Checked is what a comparison of a user's file with a program found.
type Checked struct {
	Unmatched []Unmatched // by position
	Rows      int         // compared
	Text      int         // rows about statements and commands, which no type can tell of
}

// Own returns the libraries of a user's file.
func Own(t *model.Table, file string) []*model.Library {
	return slices.DeleteFunc(t.Libraries(), func(l *model.Library) bool { return l.Pos.File != file })
}

// Matching returns those of the import paths that one of the libraries speaks about.
func Matching(libs []*model.Library, paths []string) []string {
	var out []string
	for _, p := range paths {
		if slices.ContainsFunc(libs, func(l *model.Library) bool { return l.Has(p) }) {
			out = append(out, p)
		}
	}
	return out
}

// Check compares libraries with the packages of a program, as many as Matching has
// named. A row matches if it fits one of them.
func Check(libs []*model.Library, program map[string]*types.Package) Checked {
	var out Checked
	for _, l := range libs {
		out.library(l, program)
	}
	slices.SortStableFunc(out.Unmatched, func(a, b Unmatched) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return out
}

func (c *Checked) library(l *model.Library, program map[string]*types.Package) {
	rows := len(l.Locks) + len(l.Sinks)
	for _, e := range l.Locks {
		if e.Match.Kind == "sql" {
			rows--
			c.Text++
		}
	}
	c.Rows += rows
	var paths []string
	for p := range program {
		if l.Has(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	if len(paths) == 0 {
		if rows > 0 {
			c.Unmatched = append(c.Unmatched, Unmatched{l.Pos, l.Name, fmt.Sprintf("this program has no package %s; none of its rows matches", strings.Join(l.Paths, " or "))})
		}
		return
	}
	c.rows(l, paths, program)
}

// rows compares a library with each of the packages that it speaks about.
func (c *Checked) rows(l *model.Library, paths []string, program map[string]*types.Package) {
	type key struct {
		pos model.Pos
		row string
	}
	failed := map[key]int{} // in how many packages
	first := map[key]*verify.Fault{}
	var order []key
	for _, p := range paths {
		one := *l
		one.Paths = []string{p}
		faults, _ := verify.Library(&one, func(string) (*types.Package, error) { return program[p], nil })
		seen := map[key]bool{}
		for _, err := range faults {
			f, ok := err.(*verify.Fault)
			if !ok {
				continue
			}
			k := key{f.Pos, f.Row}
			if first[k] == nil {
				first[k] = f
				order = append(order, k)
			}
			if !seen[k] {
				seen[k] = true
				failed[k]++
			}
		}
	}
	for _, k := range order {
		if f := first[k]; failed[k] == len(paths) {
			c.Unmatched = append(c.Unmatched, Unmatched{f.Pos, f.Row, f.Msg + " (" + f.Package + ")"})
		}
	}
}
