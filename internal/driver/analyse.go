package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

// summary is what the packages that were asked for have yielded together.
type summary struct {
	findings []report.Finding
	rows     []report.Row
	loose    []report.Boundary // writes outside all holds, for explain
	faults   []string          // what could not be loaded or analysed
	base     string            // directory that file names are relative to
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
	a, err := t.examine(s, q)
	if err != nil {
		return nil, t.fail(err)
	}
	if t.verbose {
		fmt.Fprintf(t.Stderr, "fencelint: %d packages, %d of them can matter\n", len(a.graph.nodes), len(a.cone))
	}
	return t.sum(a), -1
}

// examine goes through all phases. It says nothing but progress, which is gone from the
// terminal when it returns.
func (t *Tool) examine(s *settings, q query) (*analysis, error) {
	line := t.startProgress()
	defer line.stop()
	g, err := list(q)
	if err != nil {
		return nil, explainList(err)
	}
	if err := matched(g, q); err != nil {
		return nil, err
	}
	a := &analysis{tool: t, graph: g, rules: s.rules, today: s.today, base: q.dir, line: line, faults: newFaults()}
	if err := t.coneOf(a, s); err != nil {
		return nil, err
	}
	line.enter(fmt.Sprintf("compiling what %d packages import", len(a.cone)))
	if a.supply, err = compile(q, g, a.cone); err != nil {
		return nil, err
	}
	a.run(a.cone)
	return a, nil
}

// coneOf chooses the packages that can matter.
func (t *Tool) coneOf(a *analysis, s *settings) error {
	m, err := t.modelsOf(a.graph, s.options.Models)
	if err != nil {
		return err
	}
	a.options = func(n *node) prove.Options {
		o := s.options
		o.Models = m.file(n)
		o.Table, _ = m.tables[o.Models].(*model.Table)
		return o
	}
	a.cone, err = a.graph.cone(func(n *node) Models { return m.tables[m.file(n)] })
	if err != nil {
		a.faults.add(err.Error())
	}
	return nil
}

// userModels are the models of each package: those of its module, or those that
// the command line names. Packages of other modules are judged by the built-in ones.
type userModels struct {
	fixed  string            // named on the command line
	files  map[string]string // by directory
	tables map[string]Models // by file
}

func (m *userModels) file(n *node) string {
	if m.fixed != "" || n.origin != unit.OwnModule {
		return m.fixed
	}
	return m.files[n.dir]
}

func (t *Tool) modelsOf(g *graph, fixed string) (*userModels, error) {
	m := &userModels{fixed: fixed, files: map[string]string{}, tables: map[string]Models{}}
	for _, n := range g.order {
		if n.origin == unit.OwnModule && fixed == "" && n.dir != "" {
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

// usageError is a fault of the command line.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

// matched reports patterns that match nothing: the command line is wrong then.
func matched(g *graph, q query) error {
	switch {
	case len(g.missing) > 0 && outsideModules(q.dir):
		return &usageError{outside}
	case len(g.missing) > 0:
		if msg := badWord(q.patterns); msg != "" {
			return &usageError{msg}
		}
		return &usageError{strings.Join(slices.Compact(g.missing), "\n") + nextPattern(q)}
	case slices.ContainsFunc(g.order, func(n *node) bool { return n.root }):
		return nil
	}
	return &usageError{strings.Join(q.patterns, " ") + ": no such packages; name packages as for go vet, such as ./..."}
}

// nextPattern is what was probably meant by a pattern that matches nothing, "" if nobody
// knows.
func nextPattern(q query) string {
	if len(q.patterns) == 0 {
		return "; fencelint ./... looks at all packages below"
	}
	for _, p := range q.patterns {
		dir := filepath.FromSlash(strings.TrimSuffix(p, "/..."))
		if info, err := os.Stat(filepath.Join(q.dir, dir)); err == nil && info.IsDir() && !strings.HasPrefix(p, ".") && !filepath.IsAbs(dir) {
			return "; did you mean ./" + p + "?"
		}
	}
	return ""
}

const outside = "there is no go.mod in this directory or above; run fencelint within a Go module"

func outsideModules(dir string) bool { return unit.ModuleRoot(dir) == "" && len(workspace(dir)) == 0 }

// showStack prints where a panic happened, for those who asked to hear more.
func (t *Tool) showStack(err error) {
	if p := (*panicError)(nil); t.verbose && errors.As(err, &p) {
		fmt.Fprintf(t.Stderr, "%s\n", p.stack)
	}
}

func (t *Tool) fail(err error) int {
	t.complain(err)
	if u := (*usageError)(nil); errors.As(err, &u) {
		return ExitUsage
	}
	return ExitFailure
}

// explainList turns a failure of the go command into the next step.
func explainList(err error) error {
	_, msg, ok := strings.Cut(err.Error(), ": stderr: ") // in front: how the go command was run
	if !ok {
		msg = err.Error()
	}
	msg = strings.TrimSpace(msg)
	switch {
	case strings.Contains(msg, "go.mod file not found"):
		return &usageError{outside}
	case strings.Contains(msg, "requires go >="):
		return errors.New(msg + "\nthe module is written for a newer Go: install it, then build fencelint anew with it")
	}
	return errors.New(msg)
}

// sum collects the results of the roots and reports the faults of all packages.
func (t *Tool) sum(a *analysis) *summary {
	faults := a.faults
	for _, n := range a.graph.order {
		faults.add(n.errs...)
	}
	faults.add(a.supply.strayErrors(a.cone)...)
	s := &summary{base: a.base}
	for _, n := range a.cone {
		r := a.results[n]
		if r.err != nil {
			faults.add(strings.Split(r.err.Error(), "\n")...)
			t.showStack(r.err)
		}
		if n.root {
			s.findings = append(s.findings, r.findings...)
			s.rows = append(s.rows, r.rows...)
			s.loose = append(s.loose, r.loose...)
		}
	}
	report.Sort(s.findings)
	s.findings = merge(s.findings, a.graph.mains)
	s.rows = report.SortRows(s.rows)
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
