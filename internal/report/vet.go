package report

import (
	"fmt"
	"io"
)

type vetEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

type vetFix struct {
	Message string    `json:"message"`
	Edits   []vetEdit `json:"edits"`
}

type vetStep struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

type vetDiagnostic struct {
	Category       string    `json:"category,omitempty"`
	Posn           string    `json:"posn"`
	End            string    `json:"end"`
	Message        string    `json:"message"`
	SuggestedFixes []vetFix  `json:"suggested_fixes,omitempty"`
	Related        []vetStep `json:"related,omitempty"`
}

// Vet writes the findings of one package in the form of `go vet -json`: a map
// from package ID to analyzer to diagnostics. The go command reads it.
func Vet(w io.Writer, id string, list []Finding) error {
	tree := map[string]map[string][]vetDiagnostic{}
	for _, f := range list {
		if tree[id] == nil {
			tree[id] = map[string][]vetDiagnostic{}
		}
		tree[id][f.Rule] = append(tree[id][f.Rule], vetForm(f))
	}
	return encode(w, tree)
}

func vetForm(f Finding) vetDiagnostic {
	d := vetDiagnostic{
		Category: f.Rule,
		Posn:     posn(f.Position),
		End:      posn(Position{File: f.File, Line: f.EndLine, Col: f.EndCol}),
		Message:  f.Message,
	}
	for _, x := range f.Fixes {
		v := vetFix{Message: x.Message}
		for _, e := range x.Edits {
			v.Edits = append(v.Edits, vetEdit{e.File, e.Start, e.End, e.New})
		}
		d.SuggestedFixes = append(d.SuggestedFixes, v)
	}
	for _, s := range f.Related {
		d.Related = append(d.Related, vetStep{Posn: posn(s.Position), End: posn(s.Position), Message: s.Message})
	}
	return d
}

// posn is a position as go/token prints it, which is what the go command parses.
func posn(p Position) string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, max(p.Col, 1))
}
