// Package standalone runs analyzers as `multichecker` does: everything in one
// process, syntax of all packages, every fact kept.
//
// What enters are patterns; what leaves are findings. It uses only what x/tools had
// in the version that gopls pins, since package goplsver is built against that.
package standalone

import (
	"errors"
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/harness/corpus"
)

// Run analyses the packages that the patterns match in dir, with their tests.
func Run(dir string, analyzers []*analysis.Analyzer, patterns ...string) ([]corpus.Finding, error) {
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no packages match %v", patterns)
	}
	var errs []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			errs = append(errs, e)
		}
	})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return nil, err
	}
	var all []corpus.Finding
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: %w", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			all = append(all, corpus.FromDiagnostic(act.Package.Fset, d, dir))
		}
	}
	return corpus.Normal(all), nil
}
