package rule

import (
	"go/token"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/fencelint/fencelint/internal/prove"
)

// New makes the analyzer of a rule: it reports the engine's findings of that
// name and has no logic of its own. Its Doc is short, since a vet tool makes it anew
// in each of a thousand processes; the page at its URL tells the rest.
func New(d *Doc) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     d.Name,
		Doc:      d.Summary() + "\n\n" + d.Description(),
		URL:      d.URL(),
		Requires: []*analysis.Analyzer{prove.Analyzer},
		Run:      func(pass *analysis.Pass) (any, error) { return nil, report(pass, d) },
	}
}

func report(pass *analysis.Pass, d *Doc) error {
	res := pass.ResultOf[prove.Analyzer].(*prove.Result)
	places := placesOf(pass)
	for _, f := range res.Findings {
		if f.Rule == d.Name {
			diag := Diagnostic(f, places)
			diag.URL = d.URL()
			pass.Report(diag)
		}
	}
	return nil
}

// Diagnostic turns a finding into a diagnostic whose category is the rule's name.
func Diagnostic(f prove.Finding, places *Places) analysis.Diagnostic {
	diag := analysis.Diagnostic{
		Pos: f.Pos, End: f.End,
		Category:       f.Rule,
		Message:        Printable(f.Message),
		SuggestedFixes: f.Fixes,
	}
	for _, r := range f.Related {
		pos := r.Pos
		if !pos.IsValid() {
			pos = places.Pos(r.Place)
		}
		if !pos.IsValid() {
			continue // gopls does not survive a position that is none
		}
		diag.Related = append(diag.Related, analysis.RelatedInformation{Pos: pos, Message: Printable(r.Message)})
	}
	return diag
}

// Places gives positions in other packages a token.Pos in this package's file
// set, so that drivers which know only positions can show them.
type Places struct {
	Fset *token.FileSet
	// File is the name under which a place's file is shown.
	File func(prove.Place) string
}

// placesOf takes the names of files from the layout of a module: packages of
// one module lie below one directory, in folders that are named as their paths.
func placesOf(pass *analysis.Pass) *Places {
	dir, module := "", ""
	if len(pass.Files) > 0 {
		dir = filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name())
	}
	if pass.Module != nil {
		module = pass.Module.Path
	}
	l := Layout{Module: module, Pkg: pass.Pkg.Path(), Dir: dir}
	return &Places{Fset: pass.Fset, File: l.File}
}

// maxLine bounds the size of the files that Pos makes; a place beyond it has
// no position. Real lines and columns are far below.
const maxLine = 1 << 20

// Pos returns a position that prints as the place, or NoPos if the place has no
// line or a senseless one.
func (p *Places) Pos(at prove.Place) token.Pos {
	line, col := at.Line, max(at.Col, 1)
	if line < 1 || line > maxLine || col > maxLine {
		return token.NoPos
	}
	// A file of one-byte lines; the last is as long as the column needs.
	starts := make([]int, line)
	for i := range starts {
		starts[i] = i
	}
	f := p.Fset.AddFile(p.File(at), -1, line+col)
	f.SetLines(starts)
	return f.Pos(line - 1 + col - 1)
}
