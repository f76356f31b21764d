package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/prove"
)

// analysis runs the engine over the cone.
type analysis struct {
	tool    *Tool
	graph   *graph
	supply  *supply
	options func(*node) prove.Options
	rules   selection
	today   time.Time // zero if nobody asks for decisions that ended
	base    string    // directory to which file names in reports are relative
	line    *progress
	cone    []*node // what is analysed, in the order of imports
	faults  *faults

	results map[*node]*result
	wanted  map[*node]bool // those whose facts others of the cone want
}

// result is what became of one node.
type result struct {
	done chan struct{} // closed when the rest is set
	outcome
	err error
}

// errImports marks a package that was not analysed because of another's fault.
var errImports = errors.New("not analysed")

// calmHeap is the memory above which garbage is collected sooner than when the heap has
// doubled, unless GOGC or GOMEMLIMIT say otherwise. Two large packages at the same time
// took half as much again, and no less time, without it.
const calmHeap = 1 << 30

func collectSooner() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(calmHeap)
	}
}

// run analyses the nodes, which are in the order of imports, and returns when all
// are done. Each worker takes the next node and waits for those whose facts it
// wants; they have been taken before, so that somebody is at work on them.
func (a *analysis) run(cone []*node) {
	a.results = make(map[*node]*result, len(cone))
	a.wanted = make(map[*node]bool, len(cone))
	queue := make(chan *node, len(cone))
	for _, n := range cone {
		a.results[n] = &result{done: make(chan struct{})}
		for _, d := range a.graph.deps(n) {
			a.wanted[d] = true
		}
		queue <- n
	}
	close(queue)
	a.line.enter("reading what they export")
	a.supply.preload(cone)
	a.line.count(len(cone))
	collectSooner()
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cone)) {
		workers.Go(func() {
			for n := range queue {
				r := a.results[n]
				r.outcome, r.err = a.analyse(n)
				close(r.done)
			}
		})
	}
	workers.Wait()
}

func (a *analysis) analyse(n *node) (outcome, error) {
	facts := a.factsFor(n)
	a.line.begin(n.path)
	defer a.line.end()
	defer a.supply.release(n)
	if err := a.importFaults(n); err != nil {
		return outcome{}, err
	}
	c := a.check(n, facts)
	if !a.wanted[n] {
		c.options.Facts = prove.FactUnused
	}
	out, err := c.run()
	a.forget(c)
	if plain := a.graph.plain[n.path]; isSourceError(err) && n.inPackageTest() && plain != nil {
		out = a.withoutTests(plain)
	}
	return out, err
}

// withoutTests analyses the ordinary form of a package whose tests are faulty: what they
// say stays a fault, but the package itself may be sound. Its own faults were told with
// those of the tests.
func (a *analysis) withoutTests(plain *node) outcome {
	if a.importFaults(plain) != nil {
		return outcome{}
	}
	c := a.check(plain, a.factsFor(plain))
	out, err := c.run()
	a.forget(c)
	if err != nil {
		return outcome{}
	}
	return out
}

// factsFor waits for the nodes whose facts n wants and collects them by path.
func (a *analysis) factsFor(n *node) map[string][]byte {
	facts := map[string][]byte{}
	for _, d := range a.graph.deps(n) {
		r := a.results[d]
		if r == nil {
			continue
		}
		<-r.done
		if len(r.fact) > 0 {
			facts[d.path] = r.fact
		}
	}
	return facts
}

// importFaults reports an import whose source is faulty: the fault is told once,
// where it is.
func (a *analysis) importFaults(n *node) error {
	for _, d := range a.graph.deps(n) {
		if r := a.results[d]; r != nil && (isSourceError(r.err) || errors.Is(r.err, errImports)) {
			return fmt.Errorf("%s: %w, since it imports %s", n.path, errImports, d.path)
		}
	}
	return nil
}

func (a *analysis) check(n *node, facts map[string][]byte) *check {
	options := a.options(n)
	options.Facts = prove.FactPassed
	return &check{
		tool: a.tool, path: n.path, files: a.supply.compiledFiles(n), module: n.module, goVersion: n.goVersion,
		fset: a.supply.fset, importer: a.supply.importer(n),
		facts:   func(path string) []byte { return facts[path] },
		options: options, rules: a.rules, today: a.today,
		show: a.show, locate: a.locate,
	}
}

// forget drops the package's files from the shared file set.
func (a *analysis) forget(c *check) {
	for _, f := range c.parsed {
		a.supply.fset.RemoveFile(a.supply.fset.File(f.FileStart))
	}
}

// show makes a file name relative to the base directory if it is below it, and
// gives it slashes.
func (a *analysis) show(file string) string {
	if rel, err := filepath.Rel(a.base, file); err == nil && filepath.IsAbs(file) {
		if a.own(file) || filepath.IsLocal(rel) {
			file = rel
		}
	}
	return filepath.ToSlash(file)
}

// own reports whether a file lies in the directory of a package of the main module.
func (a *analysis) own(file string) bool { return a.graph.ownDirs[filepath.Dir(file)] }

// locate returns the file of a place: its full name for a package of the main
// module, else import path and base name.
func (a *analysis) locate(at prove.Place) string {
	if n := a.graph.find(at.Pkg); n != nil && n.origin == unit.OwnModule {
		return filepath.Join(n.dir, at.File)
	}
	return at.Pkg + "/" + at.File
}
