package driver

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/rule"
)

// supply is what phase two got from the go command for the packages of the cone:
// export data of their imports, and the files that it rewrote for cgo.
type supply struct {
	fset   *token.FileSet
	common *exports            // for all packages without tests
	apart  map[string]*group   // for external tests and the like, by package under test
	files  map[string][]string // compiled Go files by id, where they are not the files themselves
	errs   map[string][]string // what the compiler said, by path
}

// group is a set of export data for the packages that see one package's test form.
type group struct {
	file func(path string) string

	mu      sync.Mutex
	members []*node // that are still to be checked
	set     *exports
}

// compile is phase two. It needs what the packages of the cone import; the packages
// that were asked for are compiled with them, so that one that is broken is named
// although it cannot matter.
func compile(q query, g *graph, cone []*node) (*supply, error) {
	s := &supply{fset: token.NewFileSet(), apart: map[string]*group{}, files: map[string][]string{}, errs: map[string][]string{}}
	if err := s.loadCgo(q, g, cone); err != nil {
		return nil, err
	}
	if err := s.loadCommon(q, g, cone); err != nil {
		return nil, err
	}
	return s, s.loadApart(q, cone)
}

// cgoImports are what the code that the go command writes for cgo imports.
func cgoImports() []string { return []string{"runtime/cgo", "syscall"} }

// loadCommon gets the export data of all plain packages that the cone imports.
func (s *supply) loadCommon(q query, g *graph, cone []*node) error {
	want := map[string]bool{}
	for _, n := range g.order {
		if n.root && g.plain[n.path] != nil && n.origin == unit.OwnModule {
			want[n.path] = true
		}
	}
	for _, n := range cone {
		for _, imp := range n.imports {
			if imp.forTest == "" && imp.path != "unsafe" {
				want[imp.path] = true
			}
		}
		if s.files[n.id] != nil {
			for _, path := range cgoImports() {
				want[path] = true
			}
		}
	}
	files := map[string]string{}
	if err := s.export(q, false, want, func(p *packages.Package) { files[p.PkgPath] = p.ExportFile }); err != nil {
		return err
	}
	s.common = newExports(s.fset, func(path string) string { return files[path] })
	return nil
}

// loadApart gets the export data for packages that see the test form of another:
// a set for each package under test, since all of its members differ from the
// common ones as soon as they mention it.
func (s *supply) loadApart(q query, cone []*node) error {
	want := map[string]bool{}
	for _, n := range cone {
		if n.apart() {
			want[n.forTest] = true
		}
	}
	if len(want) == 0 {
		return nil
	}
	plain, forTest := map[string]string{}, map[string]map[string]string{}
	for path := range want {
		forTest[path] = map[string]string{}
	}
	err := s.export(q, true, want, func(p *packages.Package) {
		if p.ForTest == "" {
			plain[p.PkgPath] = p.ExportFile
		} else if m := forTest[p.ForTest]; m != nil {
			m[p.PkgPath] = p.ExportFile
		}
	})
	for path := range want {
		s.apart[path] = &group{file: func(p string) string {
			if f, ok := forTest[path][p]; ok {
				return f
			}
			return plain[p]
		}}
	}
	for _, n := range cone {
		if n.apart() {
			g := s.apart[n.forTest]
			g.members = append(g.members, n)
		}
	}
	return err
}

// export asks for export data of packages, with their test forms and the whole
// closure of them if tests is set.
func (s *supply) export(q query, tests bool, want map[string]bool, visit func(*packages.Package)) error {
	if len(want) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedExportFile | packages.NeedForTest
	if tests {
		mode |= packages.NeedImports | packages.NeedDeps
	}
	roots, err := q.load(mode, tests, slices.Sorted(maps.Keys(want)))
	if err != nil {
		return err
	}
	for p := range packages.Postorder(roots) {
		visit(p)
		if p.ExportFile == "" {
			s.errs[p.PkgPath] = compilerErrors(p)
		}
	}
	return nil
}

// compilerErrors are the lines that the compiler wrote about a package.
func compilerErrors(p *packages.Package) []string {
	var lines []string
	for _, e := range p.Errors {
		for line := range strings.Lines(e.Msg) {
			if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "# ") {
				lines = append(lines, rule.Printable(line))
			}
		}
	}
	return lines
}

// loadCgo gets the rewritten files of the packages in the cone that use cgo.
func (s *supply) loadCgo(q query, g *graph, cone []*node) error {
	want := map[string]bool{}
	for _, n := range cone {
		sc, err := unit.ScanFiles(n.files)
		if err != nil {
			return err
		}
		if sc.Cgo {
			want[cmp.Or(n.forTest, n.path)] = true
		}
	}
	if len(want) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedForTest
	roots, err := q.load(mode, q.tests, slices.Sorted(maps.Keys(want)))
	for _, p := range roots {
		if g.nodes[p.ID] != nil && !slices.Equal(p.CompiledGoFiles, p.GoFiles) {
			s.files[p.ID] = p.CompiledGoFiles
		}
	}
	return err
}

// Loading completes packages in place, while others that mention them may be in
// use. So all export data of a set is read before the first package is checked
// against it: the common set before the work begins, the others when they are
// needed, since there are many and each is large.

// preload reads the common set.
func (s *supply) preload(cone []*node) {
	for _, n := range cone {
		if !n.apart() {
			s.load(s.common, n)
		}
	}
}

// exports returns the packages against which n is checked.
func (s *supply) exports(n *node) *exports {
	if !n.apart() {
		return s.common
	}
	g := s.apart[n.forTest]
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.set == nil {
		g.set = newExports(s.fset, g.file)
		for _, m := range g.members {
			s.load(g.set, m)
		}
	}
	return g.set
}

// release forgets a set that no package needs any more.
func (s *supply) release(n *node) {
	if !n.apart() {
		return
	}
	g := s.apart[n.forTest]
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members = slices.DeleteFunc(g.members, func(m *node) bool { return m == n })
	if len(g.members) == 0 {
		g.set = nil
	}
}

// load reads what n imports. Errors come up again where n is checked.
func (s *supply) load(set *exports, n *node) {
	for _, imp := range n.imports {
		_, _ = set.load(imp.path)
	}
	if s.files[n.id] != nil {
		for _, path := range cgoImports() {
			_, _ = set.load(path)
		}
	}
}

// importer resolves the imports of n among packages that are loaded already.
func (s *supply) importer(n *node) types.Importer {
	set := s.exports(n)
	return importerFunc(func(path string) (*types.Package, error) {
		if imp := n.imports[path]; imp != nil {
			path = imp.path
		}
		return set.load(path)
	})
}

func (s *supply) compiledFiles(n *node) []string {
	if f := s.files[n.id]; f != nil {
		return f
	}
	return n.files
}

// strayErrors are what the compiler said about packages that are not analysed and
// so do not speak for themselves.
func (s *supply) strayErrors(cone []*node) []string {
	analysed := map[string]bool{}
	for _, n := range cone {
		analysed[n.path] = true
	}
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(s.errs)) {
		if !analysed[path] {
			lines = append(lines, s.errs[path]...)
		}
	}
	return lines
}
