package nogo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/fencelint/fencelint/internal/harness/corpus"
)

// listed is a package as `go list -json` describes it.
type listed struct {
	ImportPath string
	Dir        string
	Name       string
	GoFiles    []string
	CgoFiles   []string
	Export     string
	ForTest    string
	Standard   bool
	DepOnly    bool
	ImportMap  map[string]string
	Imports    []string
	Module     *struct {
		Path, GoVersion string
		Main            bool
	}
}

// Export maps the import paths of compiled packages to files of export data.
type Export map[string]string

// Importer reads types from export data; rename maps the paths in a package's
// sources to those of compiled packages, as in `go list`'s ImportMap.
func (e Export) Importer(fset *token.FileSet, rename map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := rename[path]; ok {
			path = to
		}
		file, ok := e[path]
		if !ok {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(file)
	})
}

// Compile lists what the patterns match in dir, with dependencies, compiled.
func Compile(dir string, flags []string, patterns ...string) (Export, []*listed, error) {
	args := append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Name,GoFiles,CgoFiles,Export,ForTest,Standard,DepOnly,ImportMap,Imports,Module"}, flags...)
	cmd := exec.Command("go", append(args, patterns...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	export := Export{}
	var all []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return export, all, nil
		} else if err != nil {
			return nil, nil, err
		}
		export[p.ImportPath] = p.Export
		all = append(all, p)
	}
}

// Run analyses the packages of the main module that the patterns match in dir, and
// those of it that they import. Packages of other modules bring no facts, as they
// do where nogo is limited to the own repository.
func Run(dir string, analyzers []*analysis.Analyzer, patterns ...string) ([]corpus.Finding, error) {
	export, all, err := Compile(dir, []string{"-test"}, patterns...)
	if err != nil {
		return nil, err
	}
	facts := map[string][]byte{}
	var found []corpus.Finding
	for _, p := range all { // dependencies come first
		if p.Standard || p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		fset := token.NewFileSet()
		out, err := p.analyse(fset, export, facts, analyzers)
		if err != nil {
			return nil, err
		}
		facts[p.ImportPath] = out.Fact
		for _, d := range out.Diagnostics {
			found = append(found, inModule(corpus.FromDiagnostic(fset, d, dir), p.Module.Path))
		}
	}
	return corpus.Normal(found), nil
}

// inModule shows related places in other packages by their place below the module's
// folder: a pass without Module can show them by import path only.
func inModule(f corpus.Finding, module string) corpus.Finding {
	for i := range f.Related {
		f.Related[i].File = strings.TrimPrefix(f.Related[i].File, module+"/")
	}
	return f
}

func (p *listed) analyse(fset *token.FileSet, export Export, facts map[string][]byte, analyzers []*analysis.Analyzer) (*Outcome, error) {
	files, err := parse(fset, p.Dir, p.GoFiles)
	if err != nil {
		return nil, err
	}
	direct := map[string][]byte{}
	for _, imp := range p.Imports { // already mapped by go list
		if f := facts[imp]; f != nil {
			direct[bare(imp)] = f
		}
	}
	path := bare(p.ImportPath)
	return Analyse(&Unit{
		Path: path, GoVersion: "go" + p.Module.GoVersion, Fset: fset, Files: files,
		Importer: export.Importer(fset, p.ImportMap), Facts: direct,
	}, analyzers)
}

func parse(fset *token.FileSet, dir string, names []string) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// bare cuts the variant off: "p [p.test]" is p.
func bare(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}
