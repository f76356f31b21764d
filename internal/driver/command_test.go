package driver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/report"
)

func TestCommandFindsAcrossPackages(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("./...")
	out.want(t, 1)
	want := "app/app.go:4:2: calls toy.example/m/mid.Work (unfencedwrite)\n" +
		"\tmid/mid.go:3:15: acquired here\n" +
		"app/app.go:6:2: calls toy.example/other/wrap.Wrap (unfencedwrite)\n" +
		"\ttoy.example/other/wrap/wrap.go:3:15: acquired here\n" +
		"mid/mid.go:3:15: unclassified lock\\x1b[31m (lockclass)\n"
	if out.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", out.stdout, want)
	}
}

func TestCommandSkipsBeforeParsing(t *testing.T) {
	m := newModule(t, chain)
	events := m.observe()
	m.tool("./...")
	want := []string{
		"parse toy.example/m/app", "parse toy.example/m/mid", "parse toy.example/m/text", "parse toy.example/other/wrap",
		"run toy.example/m/app", "run toy.example/m/mid", "run toy.example/m/text", "run toy.example/other/wrap",
	}
	if got := events(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	m.tool("./far", "./user", "./text").want(t, 0)
	if got := events(); !slices.Equal(got, []string{""}) {
		t.Errorf("far from any lock: got %v", got)
	}
}

// Of a dependency that was not asked for only the fact counts.
func TestCommandReportsWhatWasAskedFor(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("./app")
	if out.want(t, 1, "app/app.go:4:2"); strings.Contains(out.stdout, "unclassified") {
		t.Errorf("got\n%s", out.stdout)
	}
}

func TestCommandJSON(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("-json", "./...")
	out.want(t, 1)
	var list []report.Finding
	if err := json.Unmarshal([]byte(out.stdout), &list); err != nil || len(list) != 3 {
		t.Fatalf("%v: got %v", err, list)
	}
	f := list[0]
	if f.File != "app/app.go" || f.Line != 4 || f.Col != 2 || f.EndCol != 12 || f.Rule != "unfencedwrite" || f.Related[0].File != "mid/mid.go" {
		t.Errorf("got %+v", f)
	}
	clean := m.tool("-json", "./far")
	clean.want(t, 0)
	if strings.TrimSpace(clean.stdout) != "[]" {
		t.Errorf("clean: got %q", clean.stdout)
	}
}

func TestRegister(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("register", "-o", "json", "./...")
	out.want(t, 0)
	want := `[{"file":"mid/mid.go","line":3,"library":"toy","class":"","idiom":"","contract":"","signal":"","role":"acquisition",` +
		`"boundaries":[{"file":"mid/mid.go","line":3,"receiver":"table:t","guard":"","verdict":"unproved","reason":"","path":[]}]}]`
	var got, exp any
	if err := json.Unmarshal([]byte(out.stdout), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &exp); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(exp) {
		t.Errorf("got %s", out.stdout)
	}
	m.tool("register", "./...").want(t, 0, "mid/mid.go:3  unclassified, toy, acquisition", "unproved  mid/mid.go:3  table:t")
	m.tool("register", "-o", "xml", "./...").want(t, 2, "want text or json")
}

func TestCommandDir(t *testing.T) {
	m := newModule(t, chain)
	m.dir = filepath.Join(m.dir, "app")
	m.tool("./...").want(t, 1, "app.go:4:2: calls", "\t../mid/mid.go:3:15: acquired here")
}

func TestUsage(t *testing.T) {
	m := newModule(t, chain)
	m.tool("-nonsense", "./...").want(t, 2, "-nonsense")
	m.tool("-lockclass=perhaps", "./...").want(t, 2, "want true or false")
	m.tool("./nowhere").want(t, 2, "nowhere")
	m.tool("./nowhere/...").want(t, 2, "nowhere")
	m.tool("toy.example/m/nowhere").want(t, 2, "nowhere")
	m.tool("toy.example/nowhere/...").want(t, 2, "toy.example/nowhere/...")
	m.tool("./app", "./nowhere").want(t, 2, "nowhere")
	m.tool("help", "nonsense").want(t, 2, `no rule and no command "nonsense"; fencelint help lists them`)
	m.tool("help", "lockclas").want(t, 2, "did you mean lockclass?\n")
	m.tool("help", "register").want(t, 0, "usage: fencelint register", "-tags")
	m.tool("help", "version").want(t, 0, "show the version")
	m.tool("-lockclas", "./...").want(t, 2, "no flag -lockclas; did you mean -lockclass?\n")
	m.tool("regster", "./...").want(t, 2, "regster is neither a command nor a package; did you mean fencelint register?\n")
	m.tool("check", "./...").want(t, 2, "check is neither a command nor a package; fencelint help lists the commands")
	m.tool("lockclass").want(t, 2, "it is a rule: fencelint help lockclass")
	m.tool("far").want(t, 2, "far is neither")
	m.tool("app/").want(t, 2, "did you mean ./app/?")
	m.tool().want(t, 2, "no Go files in", "fencelint ./... looks at all packages below")
	m.tool("-version").want(t, 0, "fencelint test")
	m.tool("help").want(t, 0, "Exit codes", "unfencedwrite")
	m.tool("help", "unfencedwrite").want(t, 0, "The interleaving that breaks")
	m.tool("version").want(t, 0, "fencelint test")
	m.tool("-h").want(t, 0, "-lockclass")
	m.tool("register", "-h").want(t, 0, "form")
}

func TestOutsideModules(t *testing.T) {
	m := newModule(t, "-- a.go --\npackage a\n")
	for _, args := range [][]string{{}, {"./..."}, {"register"}} {
		out := m.tool(args...)
		if out.want(t, 2, "there is no go.mod in this directory or above"); strings.Count(out.stderr, "\n") != 1 {
			t.Errorf("%q: got\n%s", args, out.stderr)
		}
	}
}

// A file for a machine, and text for who looks at the log.
func TestReportsBesideOneAnother(t *testing.T) {
	m := newModule(t, chain)
	m.write(".git/HEAD", "")
	m.dir = filepath.Join(m.dir, "app")
	text := m.tool("./...")
	out := m.tool("-o", "sarif=a.sarif", "-o", "json=a.json", "./...")
	if out.want(t, 1); out.stdout != text.stdout || out.stdout == "" {
		t.Errorf("standard output: got\n%s", out.stdout)
	}
	sarif, err := os.ReadFile(filepath.Join(m.dir, "a.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	// Paths begin where the working copy does, whatever the directory of the command.
	for _, want := range []string{`"uri": "app/app.go"`, `"uri": "mid/mid.go"`} {
		if !strings.Contains(string(sarif), want) {
			t.Errorf("no %s in the report", want)
		}
	}
	list, err := os.ReadFile(filepath.Join(m.dir, "a.json"))
	if err != nil {
		t.Fatal(err)
	}
	if own := m.tool("-o", "json", "./..."); own.stdout != string(list) {
		t.Errorf("got\n%s\nwant\n%s", list, own.stdout)
	}
	rows := m.tool("register", "-o", "json", "-o", "text=locks", "./...")
	if rows.want(t, 0, "["); !json.Valid([]byte(rows.stdout)) {
		t.Errorf("got\n%s", rows.stdout)
	}
	for _, args := range [][]string{
		{"-o", "sarif="}, {"-o", "xml=a"}, {"-o", "text", "-o", "json"}, {"-json", "-o", "sarif"},
		{"-o", "json=a", "-o", "sarif=a"}, {"-o", "json=nowhere/a"}, {"-o", "json=."},
	} {
		m.tool(append(args, "./...")...).want(t, 2, "-o")
	}
}

// The last day of a decision is judged by the command alone: it is not cached.
func TestDecisionsEnd(t *testing.T) {
	m := newModule(t, chain+`
-- old/old.go --
package old
//fencelint:accept unfencedwrite reason="rebuilt at night" until=2026-03-31
func F() {}
`)
	m.write("old/lock.go", "package old\nimport \"toy.example/other/lock\"\nfunc G() { lock.Acquire() }\n")
	m.tool("-today", "2026-03-31", "-fencedirective", "./old").want(t, 0)
	m.tool("-today", "2026-04-01", "-fencedirective", "./old").want(t, 1, "old/old.go:2:1: accept unfencedwrite expired on 2026-03-31")
	m.tool("-today", "2026-04-01", "-fencedirective=false", "./old").want(t, 1, "unclassified")
	m.tool("-today", "tomorrow", "./old").want(t, 2, "2027-06-30")
	if out := m.vet("-fencedirective", "./old"); out.code != 0 {
		t.Errorf("vet has a clock:\n%s", out.stderr)
	}
}

func TestNewerGo(t *testing.T) {
	m := newModule(t, chain)
	m.write("go.mod", "module toy.example/m\ngo 1.99\n")
	m.tool("./...").want(t, 3, "go >= 1.99", "install it, then build fencelint anew")
}

func TestTests(t *testing.T) {
	m := newModule(t, chain+`
-- mid/mid_test.go --
package mid
import "toy.example/m/far"
var Hook = 1
func helper() { far.Nothing(); Work() }
-- mid/x_test.go --
package mid_test
import ("toy.example/m/mid"; "toy.example/m/app")
func helper() { app.Run(); mid.Work(); println(mid.Hook) }
`)
	out := m.tool("./...")
	out.want(t, 1, "mid/x_test.go:3:17: calls toy.example/m/app.Run", "mid/x_test.go:3:28: calls toy.example/m/mid.Work")
	if n := strings.Count(out.stdout, "unclassified"); n != 1 {
		t.Errorf("a finding in a package with tests stands %d times:\n%s", n, out.stdout)
	}
	if out := m.tool("-tests=false", "./..."); strings.Contains(out.stdout, "x_test.go") || out.code != 1 {
		t.Errorf("-tests=false: got\n%s", out.stdout)
	}
}

// Two packages whose tests import each other: their test forms must not wait for
// one another.
func TestTestsInACircle(t *testing.T) {
	m := newModule(t, `
-- go.mod --
module toy.example/m
go 1.26
-- lock/lock.go --
package lock
func Acquire() bool { return true }
-- a/a.go --
package a
import "toy.example/m/lock"
func A() { lock.Acquire() }
-- a/a_test.go --
package a
import "toy.example/m/b"
func helper() { b.B() }
-- b/b.go --
package b
import "toy.example/m/lock"
func B() { lock.Acquire() }
-- b/b_test.go --
package b
import "toy.example/m/a"
func helper() { a.A() }
`)
	m.tool("./...").want(t, 1, "a/a_test.go:3:17: calls toy.example/m/b.B", "b/b_test.go:3:17: calls toy.example/m/a.A")
}

func TestCgo(t *testing.T) {
	m := newModule(t, chain+`
-- c/c.go --
package c
// int one(void) { return 1; }
import "C"
import "toy.example/other/lock"
func F() int { lock.Acquire(); return int(C.one()) }
`)
	if out := m.exec("go", "build", "./c"); out.code != 0 {
		t.Skipf("no C compiler: %s", out.stderr)
	}
	m.tool("./...").want(t, 1, "c/c.go:5:16: unclassified")
	m.vet("./c").want(t, 1, "c/c.go:5:16: unclassified")
}

// The two personalities say the same.
func TestVetAndCommandAgree(t *testing.T) {
	m := newModule(t, wide(6))
	vet, own := findings(m.vet("./...").stderr), findings(m.tool("./...").stdout)
	if len(own) == 0 || !slices.Equal(vet, own) {
		t.Errorf("vet:\n%s\nown:\n%s", strings.Join(vet, "\n"), strings.Join(own, "\n"))
	}
}

// findings are the lines with a position and without indentation or rule, sorted.
func findings(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if i := strings.LastIndex(line, " ("); i > 0 {
			line = line[:i]
		}
		line = strings.TrimPrefix(line, "./")
		if strings.Contains(line, "calls ") || strings.Contains(line, "unclassified") {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func TestDeterminism(t *testing.T) {
	m := newModule(t, wide(12))
	var first string
	for i, procs := range []string{"1", "2", "8", "8", "3"} {
		m.env = []string{"GOMAXPROCS=" + procs}
		out := m.tool("-json", "./...")
		if i == 0 {
			first = out.stdout
		}
		if out.stdout != first || out.code != 1 {
			t.Fatalf("GOMAXPROCS=%s: code %d, other output than the first time:\n%s\n%s", procs, out.code, out.stdout, out.stderr)
		}
	}
}

// wide is a module of n layers, of two packages each, that all use the ones below.
func wide(n int) string {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule toy.example/m\ngo 1.26\n-- lock/lock.go --\npackage lock\nfunc Acquire() bool { return true }\n")
	for i := range n {
		for _, side := range []string{"l", "r"} {
			fmt.Fprintf(&b, "-- %s%d/x.go --\npackage %s%d\nimport \"toy.example/m/lock\"\n", side, i, side, i)
			body := "lock.Acquire()"
			if i > 0 {
				fmt.Fprintf(&b, "import (l \"toy.example/m/l%d\"; r \"toy.example/m/r%d\")\n", i-1, i-1)
				body += "; l.F(); r.F()"
			}
			fmt.Fprintf(&b, "func F() { %s }\n", body)
			fmt.Fprintf(&b, "-- %s%d/x_test.go --\npackage %s%d\nfunc helper() { F() }\n", side, i, side, i)
			fmt.Fprintf(&b, "-- %s%d/y_test.go --\npackage %s%d_test\nimport x \"toy.example/m/%s%d\"\nfunc helper() { x.F() }\n", side, i, side, i, side, i)
		}
	}
	return b.String()
}

// Models are those of the package's own module.
func TestModelsByModule(t *testing.T) {
	m := newModule(t, "-- go.work --\ngo 1.26\nuse (\n./a\n./b\n)\n"+
		"-- a/go.mod --\nmodule toy.example/a\ngo 1.26\n-- a/a.go --\npackage a\n-- a/fencelint.yaml --\n"+
		"-- b/go.mod --\nmodule toy.example/b\ngo 1.26\n-- b/b.go --\npackage b\n")
	t.Chdir(m.dir)
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	var asked []string
	tool := toyTool()
	tool.Models = func(file string) (Models, error) {
		asked = append(asked, file)
		return toyModels{}, nil
	}
	if code := tool.Main([]string{"./a/...", "./b/..."}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	slices.Sort(asked)
	if want := []string{"", filepath.Join(m.dir, "a", "fencelint.yaml")}; !slices.Equal(asked, want) {
		t.Errorf("got %q, want %q", asked, want)
	}
	m.write("b/sub/fencelint.yaml", "")
	m.write("b/sub/b.go", "package sub\n")
	m.env = []string{"GOWORK=", "GOFLAGS="}
	for _, out := range []outputs{m.tool("./b/..."), m.vet("./b/...")} {
		if out.code == 0 || !strings.Contains(out.stderr, "move it to the directory of go.mod") {
			t.Errorf("got code %d\n%s", out.code, out.stderr)
		}
	}
}

func TestSARIFCommand(t *testing.T) {
	m := newModule(t, chain)
	out := m.tool("-o", "sarif", "./...")
	out.want(t, 1, `"uri": "app/app.go"`, `"ruleId": "unfencedwrite"`, `"executionSuccessful": true`)
	if strings.Contains(out.stdout, m.dir) {
		t.Error("the report holds a path of this machine")
	}
	m.tool("-o", "yaml", "./...").want(t, 2, "want text, json or sarif")
}

func TestOwnership(t *testing.T) {
	m := newModule(t, `
-- go.mod --
module toy.example/m
go 1.26
require (
	toy.example/inner v0.0.0
	toy.example/outer v0.0.0
)
replace toy.example/inner => ./inner
replace toy.example/outer => ../outer
-- lock/lock.go --
package lock
func Acquire() bool { return true }
-- a/a.go --
package a
import ("toy.example/inner"; "toy.example/outer/o")
func A() { inner.F(); o.F() }
-- inner/go.mod --
module toy.example/inner
go 1.26
require toy.example/m v0.0.0
-- inner/inner.go --
package inner
import "toy.example/inner/mid"
func F() { mid.F() }
-- inner/mid/mid.go --
package mid
import "toy.example/m/lock"
func F() { lock.Acquire() }
-- ../outer/go.mod --
module toy.example/outer
go 1.26
-- ../outer/o/o.go --
package o
import "toy.example/outer/mid"
func F() { mid.F() }
-- ../outer/mid/mid.go --
package mid
import "toy.example/outer/lock"
func F() { lock.Acquire() }
-- ../outer/lock/lock.go --
package lock
func Acquire() bool { return true }
`)
	// inner is own, so that facts go through packages that import no lock; outer is
	// third party, and its package o is not looked at, though it imports one that is.
	for _, out := range []outputs{m.tool("./a"), m.vet("./a")} {
		out.want(t, 1, "calls toy.example/inner.F")
		if strings.Contains(out.stdout+out.stderr, "outer") {
			t.Errorf("got\n%s%s", out.stdout, out.stderr)
		}
	}
}
