// Package kit is what tests of the whole have in common: where the repository is, the
// tool built from it, how to run programs, and where to say what was done.
package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Root is the folder of the repository: the nearest one above with the module's go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/fencelint/fencelint\n") {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no repository above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

// Corpus is the folder of the corpus.
func Corpus(t testing.TB) string { return filepath.Join(Root(t), "testdata", "real") }

// Integration skips tests that build the tool or need the module cache.
func Integration(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test builds programs or needs the module cache")
	}
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// Tool builds fencelint, once for all tests of a package, and returns its path.
func Tool(t testing.TB) string {
	t.Helper()
	Integration(t)
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "fencelint-harness-"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-o", built.dir, "./cmd/fencelint")
		cmd.Dir = Root(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = errors.Join(err, errors.New(string(out)))
		}
	})
	if built.err != nil {
		t.Fatalf("build: %v", built.err)
	}
	return filepath.Join(built.dir, "fencelint")
}

// Main runs the tests of a package and removes what Tool built.
func Main(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// Ran is what a process left behind.
type Ran struct {
	Code           int
	Stdout, Stderr string
}

// Run runs a program in dir. One that cannot be run, or takes too long, fails the test.
func Run(t testing.TB, dir, name string, args ...string) Ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	err := cmd.Run()
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%s %v: %v %v\n%s", name, args, err, ctx.Err(), stderr.String())
	}
	return Ran{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// Report logs what an integration test did, and adds it to the file that
// FENCELINT_REPORT names: go test itself shows no logs of tests that pass.
func Report(t testing.TB, format string, args ...any) {
	t.Helper()
	t.Logf(format, args...)
	name := os.Getenv("FENCELINT_REPORT")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	_, err = fmt.Fprintf(f, "%s: %s\n", t.Name(), fmt.Sprintf(format, args...))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Error(err)
	}
}
