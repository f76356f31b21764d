package analyzers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/rule"
)

func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(All); err != nil {
		t.Fatal(err)
	}
	if len(All) != len(Docs)+1 {
		t.Fatalf("%d analyzers, %d documents", len(All), len(Docs))
	}
	for i, d := range Docs {
		if a := All[i+1]; a.Name != d.Name || !rule.Known(d.Name) {
			t.Errorf("%s: document of %s, known: %v", a.Name, d.Name, rule.Known(d.Name))
		}
	}
}

func TestDocsAreComplete(t *testing.T) {
	for _, d := range Docs {
		for part, text := range map[string]string{
			"Title": d.Title, "Text": d.Text, "Before": d.Before, "After": d.After, "Breaks": d.Breaks,
			"Accept": d.Accept, "Since": d.Since, "Blind": strings.Join(d.Blind, ""),
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: no %s", d.Name, part)
			}
		}
	}
}

// Examples are Go, and the good ones hold no directive that is faulty.
func TestExamplesParse(t *testing.T) {
	for _, d := range Docs {
		for part, code := range map[string]string{"Before": d.Before, "After": d.After} {
			_, err := parser.ParseFile(token.NewFileSet(), d.Name, "package p\nfunc _() error {\n"+code+"\n}\n", 0)
			if err == nil {
				continue
			}
			if _, derr := parser.ParseFile(token.NewFileSet(), d.Name, "package p\n"+code, 0); derr != nil {
				t.Errorf("%s: %s: neither statements (%v) nor declarations (%v)", d.Name, part, err, derr)
			}
		}
	}
}

// What a page tells people to write is right when they write it.
func TestDirectivesInDocs(t *testing.T) {
	checked := 0
	for _, d := range Docs {
		for line := range strings.Lines(d.Text + "\n" + d.After + "\n" + d.Accept) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "//fencelint:") {
				continue
			}
			checked++
			src := place(line)
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, d.Name, src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range classify.Read(fset, []*ast.File{file}, rule.Names()).Problems() {
				t.Errorf("%s: %s: %s", d.Name, line, p.Message)
			}
		}
	}
	if checked == 0 {
		t.Error("no directive found")
	}
}

// place puts a directive where it belongs: class and decision above a statement, the
// others above a function with the parameters that they name.
func place(directive string) string {
	verb, rest, _ := strings.Cut(strings.TrimPrefix(directive, "//fencelint:"), " ")
	if verb == "lock" || verb == "accept" {
		return "package p\nfunc f() {\n" + directive + "\nf()\n}\n"
	}
	var params []string
	for _, arg := range strings.Fields(rest) {
		if key, name, ok := strings.Cut(arg, "="); ok && (key == "fence" || key == "idempotency") {
			params = append(params, name+" string")
		}
	}
	return "package p\n" + directive + "\nfunc f(" + strings.Join(params, ", ") + ") {}\n"
}
