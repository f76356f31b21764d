// Package nogo runs analyzers on one package at a time, with a pass that is filled as
// rules_go's nogo fills it: the least that any driver offers.
//
// Types of imports come from export data, facts are gob encoded and only those of
// direct imports are there, the standard library brings none. Module, ReadFile,
// OtherFiles, IgnoredFiles and TypeErrors are absent, and facts about objects are
// refused. What enters is a parsed package; what leaves are its findings and its fact.
package nogo

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// Unit is a package to analyse.
type Unit struct {
	Path      string
	GoVersion string // as "go1.26", "" for the newest
	Fset      *token.FileSet
	Files     []*ast.File
	Importer  types.Importer
	// Facts has the encoded facts of direct imports.
	Facts map[string][]byte
}

// Outcome is what analysing a package yields.
type Outcome struct {
	Pkg         *types.Package
	Diagnostics []analysis.Diagnostic
	// Fact is the encoded package fact, nil if there is none.
	Fact []byte
}

// Analyse type-checks the unit and runs the analyzers and all that they require.
func Analyse(u *Unit, analyzers []*analysis.Analyzer) (*Outcome, error) {
	pkg, info, err := check(u)
	if err != nil {
		return nil, err
	}
	r := &runner{unit: u, pkg: pkg, info: info, results: map[*analysis.Analyzer]any{}, facts: map[reflect.Type]analysis.Fact{}}
	for _, a := range analyzers {
		if err := r.run(a); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", u.Path, a.Name, err)
		}
	}
	out := &Outcome{Pkg: pkg, Diagnostics: r.diagnostics}
	for _, f := range r.facts {
		if out.Fact != nil {
			return nil, fmt.Errorf("%s: more than one fact", u.Path)
		}
		if out.Fact, err = encode(f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func check(u *Unit) (*types.Package, *types.Info, error) {
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
	cfg := types.Config{Importer: u.Importer, GoVersion: u.GoVersion, Sizes: types.SizesFor("gc", "amd64")}
	pkg, err := cfg.Check(u.Path, u.Fset, u.Files, info)
	return pkg, info, err
}

type runner struct {
	unit        *Unit
	pkg         *types.Package
	info        *types.Info
	results     map[*analysis.Analyzer]any
	facts       map[reflect.Type]analysis.Fact
	diagnostics []analysis.Diagnostic
}

func (r *runner) run(a *analysis.Analyzer) error {
	if _, done := r.results[a]; done {
		return nil
	}
	inputs := map[*analysis.Analyzer]any{}
	for _, req := range a.Requires {
		if err := r.run(req); err != nil {
			return err
		}
		inputs[req] = r.results[req]
	}
	res, err := a.Run(r.pass(a, inputs))
	if err != nil {
		return err
	}
	if got := reflect.TypeOf(res); got != a.ResultType {
		return fmt.Errorf("result of type %v, not %v", got, a.ResultType)
	}
	r.results[a] = res
	return nil
}

func (r *runner) pass(a *analysis.Analyzer, inputs map[*analysis.Analyzer]any) *analysis.Pass {
	return &analysis.Pass{
		Analyzer: a, Fset: r.unit.Fset, Files: r.unit.Files, Pkg: r.pkg, TypesInfo: r.info,
		TypesSizes: types.SizesFor("gc", "amd64"), ResultOf: inputs,
		Report:            func(d analysis.Diagnostic) { r.diagnostics = append(r.diagnostics, d) },
		ImportPackageFact: r.importFact,
		ExportPackageFact: func(f analysis.Fact) { r.facts[reflect.TypeOf(f)] = f },
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact:  func(o types.Object, _ analysis.Fact) { panic("fact about an object: " + o.String()) },
		AllPackageFacts:   func() []analysis.PackageFact { panic("AllPackageFacts differs between drivers") },
		AllObjectFacts:    func() []analysis.ObjectFact { panic("AllObjectFacts differs between drivers") },
	}
}

// importFact decodes the fact of a direct import, as a fresh value each time.
func (r *runner) importFact(pkg *types.Package, into analysis.Fact) bool {
	data := r.unit.Facts[pkg.Path()]
	if data == nil {
		return false
	}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(into); err != nil {
		panic(fmt.Sprintf("fact of %s: %v", pkg.Path(), err))
	}
	return true
}

func encode(f analysis.Fact) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(f)
	return b.Bytes(), err
}
