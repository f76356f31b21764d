package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// chain: app uses mid and text, mid uses the lock of another module; far has nothing
// to do with any of them. Of the other module, wrap uses the lock, and plain nothing.
const chain = `
-- go.mod --
module toy.example/m
go 1.26
require toy.example/other v0.0.0
replace toy.example/other => ../other
-- ../other/go.mod --
module toy.example/other
go 1.26
-- ../other/lock/lock.go --
package lock
func Acquire() bool { return true }
-- ../other/wrap/wrap.go --
package wrap
import "toy.example/other/lock"
func Wrap() { lock.Acquire() }
-- ../other/plain/plain.go --
package plain
func Plain() {}
-- mid/mid.go --
package mid
import "toy.example/other/lock"
func Work() { lock.Acquire() }
-- text/text.go --
package text
import "toy.example/other/plain"
func Text() { plain.Plain() }
-- app/app.go --
package app
import ("toy.example/m/mid"; "toy.example/m/text"; "toy.example/other/wrap")
func Run() {
	mid.Work()
	text.Text()
	wrap.Wrap()
}
-- far/far.go --
package far
func Nothing() {}
-- user/user.go --
package user
import "toy.example/m/far"
func Nothing() { far.Nothing() }
`

func TestVetFindsAcrossPackages(t *testing.T) {
	m := newModule(t, chain)
	out := m.vet("./...")
	out.want(t, 1, "app/app.go:4:2: calls toy.example/m/mid.Work", "app/app.go:6:2: calls toy.example/other/wrap.Wrap", `mid/mid.go:3:15: unclassified lock\x1b[31m`)
}

func TestVetJSON(t *testing.T) {
	m := newModule(t, chain)
	out := m.vet("-json", "./...")
	out.want(t, 0)
	type diagnostic struct {
		Category, Posn, End, Message string
		Related                      []struct{ Posn, Message string }
	}
	got := map[string]map[string][]diagnostic{}
	dec := json.NewDecoder(strings.NewReader(out.stdout))
	for dec.More() {
		var tree map[string]map[string][]diagnostic
		if err := dec.Decode(&tree); err != nil {
			t.Fatalf("%v in:\n%s", err, out.stdout)
		}
		for id, byRule := range tree {
			got[id] = byRule
		}
	}
	diags := got["toy.example/m/app"]["unfencedwrite"]
	if len(diags) != 2 {
		t.Fatalf("got %v from:\n%s", got, out.stdout)
	}
	d := diags[0]
	if d.Category != "unfencedwrite" || d.Posn != filepath.Join(m.dir, "app", "app.go")+":4:2" || d.End != filepath.Join(m.dir, "app", "app.go")+":4:12" {
		t.Errorf("got %+v", d)
	}
	if len(d.Related) != 1 || d.Related[0].Posn != filepath.Join(m.dir, "mid", "mid.go")+":3:15" {
		t.Errorf("related: got %+v", d.Related)
	}
}

func TestVetSkipsBeforeParsing(t *testing.T) {
	m := newModule(t, chain)
	events := m.observe()
	m.vet("./...")
	want := []string{
		"parse toy.example/m/app", "parse toy.example/m/far", "parse toy.example/m/mid",
		"parse toy.example/m/text", "parse toy.example/m/user", "parse toy.example/other/wrap",
		"run toy.example/m/app", "run toy.example/m/far", "run toy.example/m/mid",
		"run toy.example/m/text", "run toy.example/m/user", "run toy.example/other/wrap",
		"skip toy.example/other/lock", "skip toy.example/other/plain",
	}
	if got := events(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	m.vet("./...")
	if got := events(); !slices.Equal(got, []string{""}) {
		t.Errorf("a second run with nothing changed ran the tool: %v", got)
	}
}

// The go command's cache forgets that findings of a package were not asked for.
func TestVetAfterDependent(t *testing.T) {
	m := newModule(t, chain)
	m.vet("./app")
	m.vet("./mid").want(t, 1, "mid/mid.go:3:15")
	m.vet("./...").want(t, 1, "mid/mid.go:3:15", "app/app.go:4:2")
}

// The same where the package has tests: it is its test form that is asked for.
func TestVetAfterDependentWithTests(t *testing.T) {
	m := newModule(t, chain+`
-- mid/mid_test.go --
package mid
-- mid/x_test.go --
package mid_test
`)
	out := m.vet("./app")
	out.want(t, 1, "app/app.go:4:2")
	if strings.Contains(out.stderr, "unclassified") {
		t.Errorf("finding of a mere dependency that could have been kept back:\n%s", out.stderr)
	}
	m.vet("./mid").want(t, 1, "mid/mid.go:3:15")
}

// A test file that may be left out does not make it certain that there is a test form.
func TestVetAfterDependentWithTaggedTest(t *testing.T) {
	for _, head := range []string{"//go:build never\n\npackage mid\n", "//go:build !never\n\npackage mid\n", "package mid_test\n"} {
		m := newModule(t, chain)
		m.write("mid/mid_test.go", head)
		m.vet("-tags=never", "./app")
		m.vet("-tags=never", "./mid").want(t, 1, "mid/mid.go:3:15")
	}
}

func TestVetReportsOnce(t *testing.T) {
	// a_test and the tests of b go round in a circle, so that packages are compiled
	// a second time against test forms.
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
import "toy.example/m/c"
func helper() { c.C() }
-- a/x_test.go --
package a_test
import "toy.example/m/b"
func helper() { b.B() }
-- b/b.go --
package b
import ("toy.example/m/a"; "toy.example/m/lock")
func B() { a.A() }
func B2() { lock.Acquire() }
-- c/c.go --
package c
import "toy.example/m/lock"
func C() { lock.Acquire() }
-- c/c_test.go --
package c
import "toy.example/m/a"
func helper() { a.A() }
`)
	out := m.vet("./...")
	lines := strings.Split(strings.TrimSpace(out.stderr), "\n")
	lines = slices.DeleteFunc(lines, func(s string) bool { return strings.HasPrefix(s, "#") || strings.Contains(s, ": \t") })
	slices.Sort(lines)
	if unique := slices.Compact(slices.Clone(lines)); len(unique) != len(lines) || len(lines) != 7 {
		t.Errorf("got %d findings, %d of them different, want 7:\n%s", len(lines), len(unique), strings.Join(lines, "\n"))
	}
}

func TestVetRuleFlags(t *testing.T) {
	m := newModule(t, chain)
	if out := m.vet("-lockclass", "./..."); strings.Contains(out.stderr, "calls") || !strings.Contains(out.stderr, "unclassified") {
		t.Errorf("-lockclass: got\n%s", out.stderr)
	}
	if out := m.vet("-lockclass=false", "./..."); !strings.Contains(out.stderr, "calls") || strings.Contains(out.stderr, "unclassified") {
		t.Errorf("-lockclass=false: got\n%s", out.stderr)
	}
}

func TestVetFix(t *testing.T) {
	m := newModule(t, chain)
	m.vet("-fix", "./...").want(t, 0)
	m.vet("-fix", "-diff", "./...").want(t, 0)
	m.vet("./...").want(t, 1, "app/app.go:4:2")
}

func TestVetPanic(t *testing.T) {
	m := newModule(t, chain)
	m.write("bad/bad.go", "package bad\nimport \"toy.example/other/lock\"\nfunc Panic() { lock.Acquire() }\n// "+m.dir)
	for range 2 { // a failure must not be kept as a success
		m.vet("./...").want(t, 1, "internal error in toy.example/m/bad: engine fault", "app/app.go:4:2")
	}
}

func TestVetBadVersion(t *testing.T) {
	m := newModule(t, chain)
	cfg := filepath.Join(m.dir, "x.cfg")
	data, err := json.Marshal(map[string]any{
		"ImportPath": "toy.example/m/mid", "ModulePath": "toy.example/m", "GoVersion": "go9.99", "Dir": m.dir,
		"GoFiles": []string{filepath.Join(m.dir, "mid", "mid.go")}, "VetxOutput": filepath.Join(m.dir, "out"),
		"ImportMap": map[string]string{"toy.example/other/lock": "toy.example/other/lock"}, "PackageFile": map[string]string{"toy.example/other/lock": "x"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg, data, 0o666); err != nil {
		t.Fatal(err)
	}
	m.tool("-json", cfg).want(t, 1, "written for go9.99", "GOTOOLCHAIN=go9.99.0 go install")
}

func TestVersionHash(t *testing.T) {
	m := newModule(t, "-- a/go.mod --\nmodule toy.example/a\n-- a/sub/x --\n-- b/go.mod --\nmodule toy.example/b\n"+
		"-- go.work --\ngo 1.26\n\nuse (\n\t./a // comment\n\t./b\n)\n")
	root := m.dir
	answer := func(sub string, env ...string) string {
		m.dir, m.env = filepath.Join(root, sub), env
		out := m.tool("-V=full")
		out.want(t, 0, " version devel ")
		words := strings.Fields(out.stdout)
		if !strings.HasPrefix(words[len(words)-1], "buildID=") {
			t.Errorf("got %q", out.stdout)
		}
		m.dir = root
		return out.stdout
	}
	none := answer("a")
	m.write("a/fencelint.yaml", "a")
	one := answer("a")
	m.write("a/fencelint.yaml", "b")
	two := answer("a")
	if none == one || one == two {
		t.Error("a change of fencelint.yaml does not change the answer to -V=full")
	}
	if answer("a/sub") != two {
		t.Error("fencelint.yaml is not found upwards")
	}
	before := answer("a", "GOWORK=")
	m.write("b/fencelint.yaml", "c")
	if answer("a", "GOWORK=") == before {
		t.Error("models of another module of the workspace do not count")
	}
	if answer("a") != two {
		t.Error("models of a workspace that is off count")
	}
}

func TestFlagsProtocol(t *testing.T) {
	m := newModule(t, "-- go.mod --\nmodule toy.example/m\n")
	out := m.tool("-flags")
	var flags []struct {
		Name string
		Bool bool
	}
	if err := json.Unmarshal([]byte(out.stdout), &flags); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range flags {
		names[f.Name] = f.Bool
	}
	for name, isBool := range map[string]bool{"json": true, "lockclass": true, "unfencedwrite": true, "fencelint.models": false, "fencelint.strict": true} {
		if got, ok := names[name]; !ok || got != isBool {
			t.Errorf("-%s: known %v, bool %v", name, ok, got)
		}
	}
	for name := range names { // what the go command is told, it may pass on
		if name == "V" || name == "flags" || strings.HasPrefix(name, "test.") {
			continue
		}
		args := []string{"-" + name + "=" + map[bool]string{true: "true", false: "1"}[names[name]], "x.cfg"}
		if _, _, err := parseVetFlags(args, os.Stderr); err != nil {
			t.Errorf("-%s is announced and refused: %v", name, err)
		}
	}
}
