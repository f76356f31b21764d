package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/rule"
)

// query is what to load.
type query struct {
	dir      string // working directory, "" for that of the process
	flags    []string
	tests    bool
	patterns []string
}

func (q query) load(mode packages.LoadMode, tests bool, patterns []string) ([]*packages.Package, error) {
	return interruptible(func(ctx context.Context) ([]*packages.Package, error) {
		return packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: q.dir, BuildFlags: q.flags, Tests: tests}, patterns...)
	})
}

// node is one package of the closure, in one of its forms: itself, compiled with
// its tests ("p [p.test]"), its external tests ("p_test [p.test]"), or compiled
// against the test form of another ("q [p.test]").
type node struct {
	id, path  string
	dir       string
	files     []string
	goVersion string
	module    string // path of its module if that is the user's own
	origin    unit.Origin
	forTest   string           // package under test, for the last three forms
	imports   map[string]*node // by path as written in the source

	root    bool // findings are asked for
	verdict unit.Verdict
	errs    []string // faults that the go command found
}

// inPackageTest reports whether n is a package compiled with its own tests.
func (n *node) inPackageTest() bool { return n.forTest != "" && n.forTest == n.path }

// apart reports whether n has to be checked against packages that were compiled
// for one test, not against the common ones.
func (n *node) apart() bool { return n.forTest != "" && n.forTest != n.path }

// graph is the closure of what was asked for.
type graph struct {
	nodes   map[string]*node // by id
	order   []*node          // sorted by id
	plain   map[string]*node // the form without tests, by path
	mains   map[string]bool  // paths of main packages
	ownDirs map[string]bool  // directories of the main module's packages
	missing []string         // patterns that match nothing, as the go command says it
}

// find returns a node of the package with the path.
func (g *graph) find(path string) *node {
	path = unit.Bare(path)
	if n := g.plain[path]; n != nil {
		return n
	}
	for _, n := range g.order {
		if n.path == path {
			return n
		}
	}
	return nil
}

// list is phase one: it asks the go command for the packages, without compiling
// anything.
func list(q query) (*graph, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedModule | packages.NeedForTest
	roots, err := q.load(mode, q.tests, q.patterns)
	if err != nil {
		return nil, err
	}
	g := &graph{nodes: map[string]*node{}, plain: map[string]*node{}, mains: map[string]bool{}, ownDirs: map[string]bool{}}
	mains := mainModules(roots)
	for p := range packages.Postorder(roots) {
		g.add(p, mains)
	}
	g.order = slices.SortedFunc(maps.Values(g.nodes), func(a, b *node) int { return cmp.Compare(a.id, b.id) })
	for _, n := range g.order {
		if n.forTest == "" {
			g.plain[n.path] = n
		}
		if n.origin == unit.OwnModule && n.dir != "" {
			g.ownDirs[n.dir] = true
		}
	}
	g.markRoots(roots)
	return g, nil
}

// add makes the node of p, whose imports have theirs already.
func (g *graph) add(p *packages.Package, mains []string) {
	n := &node{
		id: p.ID, path: p.PkgPath, files: p.GoFiles, forTest: p.ForTest,
		origin: originOf(p, mains), imports: make(map[string]*node, len(p.Imports)),
	}
	if len(p.GoFiles) > 0 {
		n.dir = filepath.Dir(p.GoFiles[0])
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		n.goVersion = "go" + p.Module.GoVersion
	}
	if p.Module != nil && n.origin == unit.OwnModule {
		n.module = p.Module.Path
	}
	for path, imp := range p.Imports {
		if m := g.nodes[imp.ID]; m != nil {
			n.imports[path] = m
		}
	}
	for _, e := range p.Errors {
		n.errs = append(n.errs, describeListError(e))
	}
	g.nodes[p.ID] = n
	if p.Name == "main" {
		g.mains[p.PkgPath] = true
	}
}

// markRoots chooses the forms in which packages are reported: with their tests if
// there are any. The main package that the go command makes to run the tests is
// none of ours.
func (g *graph) markRoots(roots []*packages.Package) {
	withTests := map[string]bool{}
	for _, p := range roots {
		if n := g.nodes[p.ID]; n.inPackageTest() {
			withTests[n.path] = true
		}
	}
	for _, p := range roots {
		n := g.nodes[p.ID]
		switch {
		case len(n.files) == 0 && len(n.errs) > 0:
			g.missing = append(g.missing, n.errs...)
		case p.Name == "main" && g.nodes[strings.TrimSuffix(p.ID, ".test")] != nil && strings.HasSuffix(p.ID, ".test"):
		case n.forTest == "" && withTests[n.path]:
		default:
			n.root = true
		}
	}
}

// describeListError has no absolute prefix and no control characters.
func describeListError(e packages.Error) string {
	msg := rule.Printable(strings.TrimSpace(e.Msg))
	if e.Pos == "" || e.Pos == "-" {
		return msg
	}
	return rule.Printable(e.Pos) + ": " + msg
}

// mainModules returns the directories of the main modules.
func mainModules(roots []*packages.Package) []string {
	dirs := map[string]bool{}
	for p := range packages.Postorder(roots) {
		if p.Module != nil && p.Module.Main && p.Module.Dir != "" {
			dirs[p.Module.Dir] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

func originOf(p *packages.Package, mains []string) unit.Origin {
	m := p.Module
	switch {
	case m == nil && unit.LooksStandard(p.PkgPath):
		return unit.Standard
	case m == nil || m.Main:
		return unit.OwnModule
	case m.Replace != nil && m.Replace.Version == "" && below(mains, m.Dir):
		return unit.OwnModule
	}
	return unit.ThirdParty
}

func below(dirs []string, dir string) bool {
	for _, d := range dirs {
		if rel, err := filepath.Rel(d, dir); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// facts returns the node whose fact stands for the imported package. A package
// that was only compiled against some test form says the same as itself; and of a
// package with tests, others see the form without them.
func (g *graph) facts(from, imported *node) *node {
	if imported.inPackageTest() && from.forTest == imported.forTest && from.path == imported.path+"_test" {
		return imported
	}
	if p := g.plain[imported.path]; p != nil {
		return p
	}
	return imported
}

// deps are the nodes whose facts n wants, sorted by id.
func (g *graph) deps(n *node) []*node {
	seen := map[*node]bool{}
	for _, imp := range n.imports {
		seen[g.facts(n, imp)] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b *node) int { return cmp.Compare(a.id, b.id) })
}

// cone returns the nodes that have to be looked at, each after those whose facts
// it wants. Where there is no seed there is nothing to find; a seed matters to all
// that import it, and what they import in turn may be called while a lock is held. What
// takes a lock of its own matters alone.
func (g *graph) cone(models func(*node) Models) ([]*node, error) {
	var errs []error
	c := &coneWalk{graph: g, above: map[*node]bool{}, seen: map[*node]bool{}}
	for _, n := range g.order {
		v, err := unit.Judge(models(n), n.candidate())
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", n.path, err))
		}
		n.verdict = v
	}
	for _, n := range g.order {
		if n.root && (n.verdict == unit.Alone || c.reachesSeed(n)) {
			c.collect(n)
		}
	}
	return c.nodes, errors.Join(errs...)
}

type coneWalk struct {
	graph *graph
	above map[*node]bool // is or imports a seed
	seen  map[*node]bool
	nodes []*node
}

// reachesSeed reports whether n is a seed or imports one at any distance.
func (c *coneWalk) reachesSeed(n *node) bool {
	if r, done := c.above[n]; done {
		return r
	}
	reaches := n.verdict == unit.Seed
	c.above[n] = reaches
	for _, d := range c.graph.deps(n) {
		reaches = c.reachesSeed(d) || reaches
	}
	c.above[n] = reaches
	return reaches
}

// collect takes n and all that it imports, as far as it can matter.
func (c *coneWalk) collect(n *node) {
	if c.seen[n] || n.origin == unit.Standard {
		return
	}
	c.seen[n] = true
	for _, d := range c.graph.deps(n) {
		c.collect(d)
	}
	if n.verdict != unit.Never {
		c.nodes = append(c.nodes, n)
	}
}

func (n *node) candidate() unit.Candidate {
	c := unit.Candidate{Path: n.path, Origin: n.origin, Files: n.files}
	for _, imp := range n.imports {
		c.Imports = append(c.Imports, imp.path)
	}
	return c
}
