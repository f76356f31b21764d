// Package report writes what the analysis found.
//
// What enters are findings and register rows with plain positions; what leaves
// is text or JSON in one of the known forms. It must not know how packages are
// loaded or analysed, and it has no opinion about exit codes.
package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/fencelint/fencelint/internal/rule"
)

// Position is a place in a file. Lines and columns count from 1, columns in
// bytes; 0 means unknown. File has slashes on every system.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

func (p Position) String() string {
	switch {
	case p.Line == 0:
		return rule.Printable(p.File)
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", rule.Printable(p.File), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", rule.Printable(p.File), p.Line, p.Col)
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Step is one place on the way from the lock to the write.
type Step struct {
	Position
	Message string `json:"message"`
}

// Edit replaces the bytes from Start up to End of a file.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Fix is a set of edits that belong together.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// Finding is one diagnostic.
type Finding struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Position
	EndLine int    `json:"endLine"`
	EndCol  int    `json:"endCol"`
	Package string `json:"package"`
	// Key identifies the finding across drivers and moved lines.
	Key     string `json:"key"`
	Related []Step `json:"related,omitempty"`
	Fixes   []Fix  `json:"fixes,omitempty"`
}

// Sort orders findings by position, rule and message.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
}

// Text writes a line for each finding, "file:line:col: message (rule)", and
// below it an indented line for each step.
func Text(w io.Writer, list []Finding) error {
	b := bufio.NewWriter(w)
	for _, f := range list {
		fmt.Fprintf(b, "%s: %s (%s)\n", f.Position, rule.Printable(f.Message), f.Rule)
		for _, s := range f.Related {
			fmt.Fprintf(b, "\t%s: %s\n", s.Position, rule.Printable(s.Message))
		}
	}
	return b.Flush()
}

// JSON writes the findings as one array.
func JSON(w io.Writer, list []Finding) error {
	if list == nil {
		list = []Finding{}
	}
	return encode(w, list)
}

func encode(w io.Writer, v any) error { return Encode(w, v) }

// Encode writes a value as all JSON reports are written.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(v)
}
