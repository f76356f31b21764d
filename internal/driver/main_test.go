package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fencelint/fencelint/internal/prove"
)

// The test binary is also the tool under test: with toolEnv set it is fencelint,
// with an engine and models made for the tests.
const (
	toolEnv   = "FENCELINT_DRIVER_TEST"
	eventsEnv = "FENCELINT_DRIVER_EVENTS" // file to which events are appended
)

func TestMain(m *testing.M) {
	if os.Getenv(toolEnv) != "" {
		os.Exit(toyTool().Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func toyTool() *Tool {
	t := &Tool{Engine: toyEngine, Models: func(string) (Models, error) { return toyModels{}, nil }, Version: "test"}
	t.Stdout, t.Stderr = os.Stdout, os.Stderr
	if name := os.Getenv(eventsEnv); name != "" {
		t.Observe = func(e Event) {
			f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err != nil {
				panic(err)
			}
			defer f.Close()
			fmt.Fprintf(f, "%s %s\n", e.Action, e.Package)
		}
	}
	return t
}

// toyModels know one library, whose import path ends in "/lock".
type toyModels struct{}

func (toyModels) Stores(path string) bool { return strings.HasSuffix(path, "/lock") }
func (toyModels) Leaf(path string) bool   { return strings.HasSuffix(path, "/lock") }

// toyEngine reports lockclass at every call of Acquire, and unfencedwrite at every
// call of a function of another package that acquires. Its fact is the list of
// functions that acquire, with their places.
func toyEngine(u *prove.Unit, _ prove.Options) (*prove.Result, error) {
	res := new(prove.Result)
	known := map[string]prove.Place{}
	for _, imp := range u.Pkg.Imports() {
		for line := range strings.Lines(string(u.ImportFact(imp.Path()))) {
			var name string
			at := prove.Place{Pkg: imp.Path()}
			if _, err := fmt.Sscan(line, &name, &at.File, &at.Line, &at.Col); err == nil {
				known[name] = at
			}
		}
	}
	var fact []string
	for _, file := range u.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if fn.Name.Name == "Panic" {
				panic("engine fault in " + u.Pkg.Path())
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				callee := calleeName(u.Info, call)
				pos := u.Fset.Position(call.Pos())
				at := prove.Place{Pkg: u.Pkg.Path(), File: filepath.Base(pos.Filename), Line: pos.Line, Col: pos.Column}
				f := prove.Finding{Pos: call.Pos(), End: call.End(), Key: callee + " in " + fn.Name.Name}
				if origin, ok := known[callee]; ok {
					f.Rule, f.Message = "unfencedwrite", "calls "+callee
					f.Related = []prove.Related{{Place: origin, Message: "acquired here"}}
				} else if strings.HasSuffix(callee, "/lock.Acquire") {
					f.Rule, f.Message = "lockclass", "unclassified lock\x1b[31m"
					res.Rows = append(res.Rows, prove.Row{Place: at, Library: "toy", Role: "acquisition",
						Boundaries: []prove.Boundary{{Place: at, Receiver: "table:t", Verdict: "unproved"}}})
				} else {
					return true
				}
				res.Findings = append(res.Findings, f)
				name := u.Info.Defs[fn.Name].(*types.Func).FullName()
				fact = append(fact, fmt.Sprintf("%s %s %d %d\n", name, at.File, at.Line, at.Col))
				return true
			})
		}
	}
	slices.SortFunc(res.Rows, func(a, b prove.Row) int { return cmp.Compare(a.Place.Line, b.Place.Line) })
	slices.Sort(fact)
	res.Fact = []byte(strings.Join(fact, ""))
	return res, nil
}

func calleeName(info *types.Info, call *ast.CallExpr) string {
	id, ok := call.Fun.(*ast.Ident)
	if sel, isSel := call.Fun.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if !ok {
		return ""
	}
	if fn, ok := info.Uses[id].(*types.Func); ok {
		return fn.FullName()
	}
	return ""
}

// module is a Go module in a temporary directory.
type module struct {
	t   *testing.T
	dir string
	env []string
}

var nonce struct {
	sync.Mutex
	n int
}

// newModule writes the files of a txtar archive, so that other modules may lie beside. The Go files get a comment that
// makes them unlike those of any other run, so that no result of an earlier run is
// in the go command's cache.
func newModule(t *testing.T, archive string) *module {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command")
	}
	nonce.Lock()
	nonce.n++
	mark := fmt.Sprintf("\n// %d %d %s\n", os.Getpid(), nonce.n, t.TempDir())
	nonce.Unlock()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t: t, dir: filepath.Join(dir, "main")}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		data := string(f.Data)
		if strings.HasSuffix(f.Name, ".go") {
			data += mark
		}
		m.write(f.Name, data)
	}
	return m
}

func (m *module) write(name, data string) {
	m.t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

// outputs of a command.
type outputs struct {
	stdout, stderr string
	code           int
}

// exec runs a command in the module. The tool's own environment goes with it.
func (m *module) exec(name string, args ...string) outputs {
	m.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), toolEnv+"=1", "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "PWD="+m.dir)
	cmd.Env = append(cmd.Env, m.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return outputs{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// tool runs the tool as a command; vet runs it through the go command.
func (m *module) tool(args ...string) outputs { m.t.Helper(); return m.exec(self(m.t), args...) }

func (m *module) vet(args ...string) outputs {
	m.t.Helper()
	return m.exec("go", append([]string{"vet", "-vettool=" + self(m.t)}, args...)...)
}

// observe makes the tool write events, and returns a function that reads and
// forgets those written so far, sorted and unique.
func (m *module) observe() func() []string {
	file := filepath.Join(m.t.TempDir(), "events")
	m.env = append(m.env, eventsEnv+"="+file)
	return func() []string {
		data, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			m.t.Fatal(err)
		}
		os.Remove(file)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		slices.Sort(lines)
		return slices.Compact(lines)
	}
}

func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// want fails the test unless the command ended with the code and each text occurs
// in its outputs.
func (o outputs) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	ok := o.code == code
	for _, s := range texts {
		ok = ok && strings.Contains(o.stdout+o.stderr, s)
	}
	if !ok {
		t.Errorf("got code %d, want %d and %q\nstdout:\n%s\nstderr:\n%s", o.code, code, texts, o.stdout, o.stderr)
	}
}
