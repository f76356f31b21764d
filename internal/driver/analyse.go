package driver

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
)

// summary is what the packages that were asked for have yielded together.
type summary struct {
	findings []report.Finding
	rows     []report.Row
	faults   []string // what could not be loaded or analysed
	base     string   // directory that file names are relative to
}

// analyse loads and analyses what the patterns name. The exit code is negative if
// there is a summary to report.
func (t *Tool) analyse(s *settings, patterns []string) (*summary, int) {
	base, err := os.Getwd()
	if err != nil {
		return nil, t.fail(err)
	}
	q := query{dir: base, tests: s.tests, patterns: patterns}
	if s.tags != "" {
		q.flags = append(q.flags, "-tags="+s.tags)
	}
	g, err := list(q)
	if err != nil {
		return nil, t.fail(explainList(err))
	}
	if code := t.matched(g, patterns); code >= 0 {
		return nil, code
	}
	a := &analysis{tool: t, graph: g, rules: s.rules, base: base}
	var cone []*node
	faults := newFaults()
	if cone, err = t.coneOf(a, s, faults); err != nil {
		return nil, t.fail(err)
	}
	if a.supply, err = compile(q, g, cone); err != nil {
		return nil, t.fail(err)
	}
	a.run(cone)
	if t.verbose {
		fmt.Fprintf(t.Stderr, "fencelint: %d packages, %d of them can matter\n", len(g.nodes), len(cone))
	}
	return t.sum(a, cone, faults), -1
}

// coneOf chooses the packages that can matter.
func (t *Tool) coneOf(a *analysis, s *settings, faults *faults) ([]*node, error) {
	m, err := t.modelsOf(a.graph, s.options.Models)
	if err != nil {
		return nil, err
	}
	a.options = func(n *node) prove.Options {
		o := s.options
		o.Models = m.file(n)
		return o
	}
	cone, err := a.graph.cone(func(n *node) Models { return m.tables[m.file(n)] })
	if err != nil {
		faults.add(err.Error())
	}
	return cone, nil
}

// userModels are the models of each package: those of its module, or those that
// the command line names. Packages of other modules are judged by the built-in ones.
type userModels struct {
	fixed  string            // named on the command line
	files  map[string]string // by directory
	tables map[string]Models // by file
}

func (m *userModels) file(n *node) string {
	if m.fixed != "" || n.origin != ownModule {
		return m.fixed
	}
	return m.files[n.dir]
}

func (t *Tool) modelsOf(g *graph, fixed string) (*userModels, error) {
	m := &userModels{fixed: fixed, files: map[string]string{}, tables: map[string]Models{}}
	for _, n := range g.order {
		if n.origin == ownModule && fixed == "" && n.dir != "" {
			if err := m.find(n.dir); err != nil {
				return nil, err
			}
		}
		file := m.file(n)
		if m.tables[file] != nil {
			continue
		}
		table, err := t.Models(file)
		if err != nil {
			return nil, err
		}
		m.tables[file] = table
	}
	return m, nil
}

func (m *userModels) find(dir string) error {
	if _, done := m.files[dir]; done {
		return nil
	}
	file, err := findModels(dir)
	m.files[dir] = file
	return err
}

// matched reports patterns that match nothing: the command line is wrong then.
func (t *Tool) matched(g *graph, patterns []string) int {
	for _, m := range slices.Compact(g.missing) {
		fmt.Fprintf(t.Stderr, "fencelint: %s\n", m)
	}
	if len(g.missing) > 0 {
		return ExitUsage
	}
	if slices.ContainsFunc(g.order, func(n *node) bool { return n.root }) {
		return -1
	}
	fmt.Fprintf(t.Stderr, "fencelint: %s: no such packages; name packages as for go vet, such as ./...\n",
		rule.Printable(strings.Join(patterns, " ")))
	return ExitUsage
}

// showStack prints where a panic happened, for those who asked to hear more.
func (t *Tool) showStack(err error) {
	if p := (*panicError)(nil); t.verbose && errors.As(err, &p) {
		fmt.Fprintf(t.Stderr, "%s\n", p.stack)
	}
}

func (t *Tool) fail(err error) int {
	t.complain(err)
	return ExitFailure
}

// explainList adds the next step to a failure of the go command.
func explainList(err error) error {
	if strings.Contains(err.Error(), "go.mod requires go >=") || strings.Contains(err.Error(), "requires go >=") {
		return fmt.Errorf("%w\nthe module is written for a newer Go: install it, then build fencelint anew with it", err)
	}
	return err
}

// sum collects the results of the roots and reports the faults of all packages.
func (t *Tool) sum(a *analysis, cone []*node, faults *faults) *summary {
	for _, n := range a.graph.order {
		faults.add(n.errs...)
	}
	faults.add(a.supply.strayErrors(cone)...)
	s := &summary{base: a.base}
	for _, n := range cone {
		r := a.results[n]
		if r.err != nil {
			faults.add(strings.Split(r.err.Error(), "\n")...)
			t.showStack(r.err)
		}
		if n.root {
			s.findings = append(s.findings, r.findings...)
			s.rows = append(s.rows, r.rows...)
		}
	}
	report.Sort(s.findings)
	s.findings = merge(s.findings, a.graph.mains)
	report.SortRows(s.rows)
	for _, line := range faults.lines {
		fmt.Fprintln(t.Stderr, rule.Printable(line))
	}
	s.faults = faults.lines
	return s
}

// merge drops findings of a main package that another one has reported under the
// same key: an open obligation is judged by every main package that closes it.
func merge(list []report.Finding, mains map[string]bool) []report.Finding {
	type key struct{ rule, key string }
	first := map[key]string{} // main package that reported it first
	return slices.DeleteFunc(list, func(f report.Finding) bool {
		if f.Key == "" || !mains[f.Package] {
			return false
		}
		k := key{f.Rule, f.Key}
		if p, ok := first[k]; ok {
			return p != f.Package
		}
		first[k] = f.Package
		return false
	})
}

// faults are messages about packages, each told once: a package and its test form
// have the same.
type faults struct {
	seen  map[string]bool
	lines []string
}

func newFaults() *faults { return &faults{seen: map[string]bool{}} }

func (f *faults) add(lines ...string) {
	for _, l := range lines {
		if !f.seen[l] {
			f.seen[l] = true
			f.lines = append(f.lines, l)
		}
	}
}
