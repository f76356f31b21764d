//go:build unix

package harness

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/harness/nogo"
)

// maxFact is the budget for the facts of a package, in bytes (99th percentile).
const maxFact = 64 << 10

// maxChainTime ends a test that would not come to an end, in CPU time.
const maxChainTime = 20 * time.Second

// chain is a generated program: package k calls package k-1, in several ways at once.
// At the bottom is a store with a fenced and an unfenced write, a lock around a
// function and one around an interface; at the top are holds that reach the writes
// through all that lies between.
type chain struct {
	fset    *token.FileSet
	paths   []string
	files   map[string][]*ast.File
	imports map[string][]string
}

const chainHead = `package p%[1]d

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
%[2]s)
`

const chainBottom = `
// Sink is an interface that nothing in the chain implements.
type Sink interface{ Put(ctx context.Context, id, fence int64) error }

type Store struct{ DB *sql.DB }

func (s *Store) Save(ctx context.Context, id, fence int64) error {
	res, err := s.DB.ExecContext(ctx, "UPDATE rows SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2", id, fence)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

func (s *Store) Drop(ctx context.Context, id int64) error {
	_, err := s.DB.ExecContext(ctx, "DELETE FROM rows_plain WHERE id = $1", id)
	return err
}

func Under(ctx context.Context, s *concurrency.Session, fn func(ctx context.Context, fence int64) error) error {
	mu := concurrency.NewMutex(s, "/chain/under")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, mu.Header().Revision)
}

func Into(ctx context.Context, s *concurrency.Session, sink Sink, id int64) error {
	mu := concurrency.NewMutex(s, "/chain/into")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return sink.Put(ctx, id, mu.Header().Revision)
}
`

const chainLink = `
type Sink = p%[2]d.Sink

type Store struct{ below *p%[2]d.Store }

func Under(ctx context.Context, s *concurrency.Session, fn func(ctx context.Context, fence int64) error) error {
	return p%[2]d.Under(ctx, s, func(ctx context.Context, fence int64) error { return fn(ctx, fence) })
}

func Into(ctx context.Context, s *concurrency.Session, sink Sink, id int64) error {
	return p%[2]d.Into(ctx, s, sink, id+1)
}

func Hold%[1]d(ctx context.Context, s *concurrency.Session, st *Store, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/chain/hold%[1]d")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := st.Save(ctx, id, mu.Header().Revision); err != nil {
		return err
	}
	return st.Drop(ctx, id)
}

func Held%[1]d(ctx context.Context, s *concurrency.Session, st *Store, id int64) error {
	return Under(ctx, s, func(ctx context.Context, fence int64) error { return st.Save(ctx, id, fence) })
}
`

// straight has one way down from each function, branching has two, so that there are
// 2^k ways through k packages, each with arguments of its own.
const (
	straight = `
func (s *Store) Save(ctx context.Context, id, fence int64) error { return s.below.Save(ctx, id+1, fence) }

func (s *Store) Drop(ctx context.Context, id int64) error { return s.below.Drop(ctx, id) }
`
	branching = `
func (s *Store) Save(ctx context.Context, id, fence int64) error {
	if id%2 == 0 {
		return s.below.Save(ctx, id/2, fence)
	}
	return s.below.Save(ctx, id*3+1, fence)
}

func (s *Store) Drop(ctx context.Context, id int64) error {
	if err := s.below.Drop(ctx, id+1); err != nil {
		return err
	}
	return s.below.Drop(ctx, id)
}
`
)

func chainPath(k int) string { return fmt.Sprintf("fencelint.example/chain/p%d", k) }

func makeChain(t testing.TB, n int, ways string) *chain {
	t.Helper()
	c := &chain{fset: token.NewFileSet(), files: map[string][]*ast.File{}, imports: map[string][]string{}}
	for k := range n {
		below, body := "", chainBottom
		if k > 0 {
			below = fmt.Sprintf("\n\t%q\n", chainPath(k-1))
			body = fmt.Sprintf(chainLink, k, k-1) + ways
			c.imports[chainPath(k)] = []string{chainPath(k - 1)}
		}
		name := fmt.Sprintf("/chain/p%d/p.go", k)
		f, err := parser.ParseFile(c.fset, name, fmt.Sprintf(chainHead, k, below)+body, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		c.paths = append(c.paths, chainPath(k))
		c.files[chainPath(k)] = []*ast.File{f}
	}
	return c
}

// analysed is what a chain yields, package by package.
type analysed struct {
	facts    map[string][]byte
	findings map[string][]string
	cpu      time.Duration
}

// mustAnalyse is analyse for the test's own goroutine.
func (c *chain) mustAnalyse(t testing.TB, export nogo.Export) analysed {
	t.Helper()
	out, err := c.analyse(export)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// analyse runs the analyzers over the chain, the bottom first.
func (c *chain) analyse(export nogo.Export) (analysed, error) {
	out := analysed{facts: map[string][]byte{}, findings: map[string][]string{}}
	checked := map[string]*types.Package{}
	libraries := export.Importer(c.fset, nil)
	start := cpuTime()
	for _, path := range c.paths {
		facts := map[string][]byte{}
		for _, imp := range c.imports[path] {
			facts[imp] = out.facts[imp]
		}
		res, err := nogo.Analyse(&nogo.Unit{
			Path: path, Fset: c.fset, Files: c.files[path], Facts: facts,
			Importer: importerFunc(func(path string) (*types.Package, error) {
				if p := checked[path]; p != nil {
					return p, nil
				}
				return libraries.Import(path)
			}),
		}, analyzers.All)
		if err != nil {
			return out, err
		}
		checked[path], out.facts[path] = res.Pkg, res.Fact
		if out.cpu = cpuTime() - start; out.cpu > maxChainTime {
			return out, fmt.Errorf("%s: %v for the packages up to here, of %d", path, out.cpu, len(c.paths))
		}
		for _, d := range res.Diagnostics {
			out.findings[path] = append(out.findings[path], fmt.Sprintf("%s %s", c.fset.Position(d.Pos), d.Category))
		}
	}
	return out, nil
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// cpuTime is what the process has used so far: on a busy machine it says more than a
// clock on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var libraries = sync.OnceValues(func() (nogo.Export, error) {
	export, _, err := nogo.Compile("../../testdata/real", nil, "context", "database/sql", "go.etcd.io/etcd/client/v3/concurrency")
	return export, err
})

func chainExport(t testing.TB) nogo.Export {
	t.Helper()
	kit.Integration(t)
	export, err := libraries()
	if err != nil {
		t.Fatal(err)
	}
	return export
}

// TestChainFindings holds the chain itself to be a test: at each height the hold finds
// the write that nobody compares, and nothing else.
func TestChainFindings(t *testing.T) {
	export := chainExport(t)
	t.Run("straight", func(t *testing.T) { chainFindings(t, makeChain(t, 40, straight), export, "unfencedwrite") })
	// With too many ways to follow it may say that it cannot tell. It must not be silent.
	t.Run("branching", func(t *testing.T) {
		chainFindings(t, makeChain(t, 20, branching), export, "unfencedwrite", "unprovedwrite")
	})
}

func chainFindings(t *testing.T, c *chain, export nogo.Export, want ...string) {
	t.Helper()
	out := c.mustAnalyse(t, export)
	for k, path := range c.paths {
		var got []string
		for _, f := range out.findings[path] {
			got = append(got, f[strings.LastIndexByte(f, ' ')+1:])
		}
		if k == 0 && len(got) == 0 || len(got) == 1 && slices.Contains(want, got[0]) {
			continue
		}
		t.Errorf("%s: %v, want one of %v", path, out.findings[path], want)
	}
}

// TestFactsStaySmall limits facts along 300 packages.
func TestFactsStaySmall(t *testing.T) {
	export := chainExport(t)
	t.Run("straight", func(t *testing.T) { factsStaySmall(t, makeChain(t, 300, straight), export) })
	t.Run("branching", func(t *testing.T) { factsStaySmall(t, makeChain(t, 300, branching), export) })
}

func factsStaySmall(t *testing.T, c *chain, export nogo.Export) {
	t.Helper()
	out := c.mustAnalyse(t, export)
	var sizes []int
	for _, path := range c.paths {
		sizes = append(sizes, len(out.facts[path]))
	}
	first, last := sizes[1], sizes[len(sizes)-1]
	slices.Sort(sizes)
	p99 := sizes[len(sizes)*99/100]
	kit.Report(t, "facts of %d packages: second %d bytes, last %d, median %d, p99 %d, largest %d; %v",
		len(sizes), first, last, sizes[len(sizes)/2], p99, sizes[len(sizes)-1], out.cpu)
	if p99 > maxFact {
		t.Errorf("p99 is %d bytes, budget %d", p99, maxFact)
	}
	if sizes[len(sizes)-1] == 0 {
		t.Error("no package of the chain has a fact")
	}
}

// TestChainIsLinear compares the time for 300 packages with that for 150.
func TestChainIsLinear(t *testing.T) {
	export := chainExport(t)
	half, whole := makeChain(t, 150, straight), makeChain(t, 300, straight)
	half.mustAnalyse(t, export) // warm up
	ratio := 0.0
	for range 3 { // the best of three: other work on the machine only ever adds
		a, b := half.mustAnalyse(t, export).cpu, whole.mustAnalyse(t, export).cpu
		r := float64(b) / float64(a)
		kit.Report(t, "150 packages %v, 300 packages %v, ratio %.2f", a, b, r)
		if ratio == 0 || r < ratio {
			ratio = r
		}
	}
	if ratio > 2.3 {
		t.Errorf("twice the packages take %.2f times as long", ratio)
	}
}

// TestFactsAreDeterministic repeats the analysis with one and two processors.
func TestFactsAreDeterministic(t *testing.T) {
	export := chainExport(t)
	var first analysed
	for i, procs := range []int{1, 2, 1, 2} {
		before := runtime.GOMAXPROCS(procs)
		out := makeChain(t, 12, branching).mustAnalyse(t, export)
		runtime.GOMAXPROCS(before)
		if i == 0 {
			first = out
			continue
		}
		for path, fact := range first.facts {
			if !bytes.Equal(fact, out.facts[path]) {
				t.Errorf("GOMAXPROCS=%d: fact of %s has other bytes", procs, path)
			}
			if !slices.Equal(first.findings[path], out.findings[path]) {
				t.Errorf("GOMAXPROCS=%d: findings of %s differ", procs, path)
			}
		}
	}
}

// TestFactsDoNotKnowTheOrder analyses a second chain in between, so that no package of
// the first one is analysed in the same state of the process.
func TestFactsDoNotKnowTheOrder(t *testing.T) {
	export := chainExport(t)
	alone := makeChain(t, 12, branching).mustAnalyse(t, export)
	var wg sync.WaitGroup
	outs, errs := make([]analysed, 3), make([]error, 3)
	for i := range outs {
		c := makeChain(t, 12, branching)
		wg.Go(func() { outs[i], errs[i] = c.analyse(export) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, out := range outs {
		for path, fact := range alone.facts {
			if !bytes.Equal(fact, out.facts[path]) {
				t.Errorf("fact of %s has other bytes", path)
			}
		}
	}
}
