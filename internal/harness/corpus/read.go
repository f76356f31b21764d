package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

type vetStep struct {
	Posn    string `json:"posn"`
	Message string `json:"message"`
}

type vetDiagnostic struct {
	Category string    `json:"category"`
	Posn     string    `json:"posn"`
	Message  string    `json:"message"`
	Related  []vetStep `json:"related"`
}

// FromVet reads what `go vet -json` prints: objects one after the other, each from
// package ID to analyzer to diagnostics. An analyzer that failed is an error.
func FromVet(r io.Reader, root string) ([]Finding, error) {
	var all []Finding
	for dec := json.NewDecoder(r); ; {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); errors.Is(err, io.EOF) {
			return Normal(all), nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go vet: %w", err)
		}
		for id, byRule := range tree {
			for rule, raw := range byRule {
				found, err := vetRule(raw, rule, root)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", id, rule, err)
				}
				all = append(all, found...)
			}
		}
	}
}

func vetRule(raw json.RawMessage, rule, root string) ([]Finding, error) {
	var list []vetDiagnostic
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("no list of diagnostics: %s", raw)
	}
	var all []Finding
	for _, d := range list {
		if d.Category != rule {
			return nil, fmt.Errorf("category %q", d.Category)
		}
		f := Finding{Rule: rule, Position: parsePosition(d.Posn, root), Message: d.Message}
		for _, s := range d.Related {
			f.Related = append(f.Related, Step{parsePosition(s.Posn, root), s.Message})
		}
		all = append(all, f)
	}
	return all, nil
}

// parsePosition reads file:line:col from its end, since a file may contain a colon.
func parsePosition(s, root string) Position {
	file, col := cutNumber(s)
	file, line := cutNumber(file)
	return Position{Relative(root, file), line, col}
}

func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	n, err := strconv.Atoi(s[i+1:])
	if i < 0 || err != nil {
		return s, 0
	}
	return s[:i], n
}

// FromCommand reads what the command prints with -json: one array.
func FromCommand(r io.Reader, root string) ([]Finding, error) {
	type step struct {
		File      string
		Line, Col int
		Message   string
	}
	var list []struct {
		Rule string
		step
		Related []step
	}
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		return nil, fmt.Errorf("output of the command: %w", err)
	}
	place := func(s step) Position {
		file := s.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(root, filepath.FromSlash(file))
		}
		return Position{Relative(root, file), s.Line, s.Col}
	}
	var all []Finding
	for _, d := range list {
		f := Finding{Rule: d.Rule, Position: place(d.step), Message: d.Message}
		for _, s := range d.Related {
			f.Related = append(f.Related, Step{place(s), s.Message})
		}
		all = append(all, f)
	}
	return Normal(all), nil
}

// FromDiagnostic puts a diagnostic of go/analysis into the common form.
func FromDiagnostic(fset *token.FileSet, d analysis.Diagnostic, root string) Finding {
	place := func(pos token.Pos) Position {
		p := fset.Position(pos)
		return Position{Relative(root, p.Filename), p.Line, p.Column}
	}
	f := Finding{Rule: d.Category, Position: place(d.Pos), Message: d.Message}
	for _, r := range d.Related {
		f.Related = append(f.Related, Step{place(r.Pos), r.Message})
	}
	return f
}
