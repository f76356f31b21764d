package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// root is the folder of the repository, seen from this package.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// realDir is the folder of the corpus.
func realDir(t testing.TB) string { return filepath.Join(root(t), "testdata", "real") }

// integration skips tests that build the tool or need the module cache.
func integration(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test builds the tool and compiles the corpus")
	}
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// tool builds fencelint, once for all tests.
func tool(t testing.TB) string {
	t.Helper()
	integration(t)
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "fencelint-harness-"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-o", built.dir, "./cmd/fencelint")
		cmd.Dir = root(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = errors.Join(err, errors.New(string(out)))
		}
	})
	if built.err != nil {
		t.Fatalf("build: %v", built.err)
	}
	return filepath.Join(built.dir, "fencelint")
}

// report logs what an integration test did, and adds it to the file that
// FENCELINT_REPORT names: go test itself shows no logs of tests that pass.
func report(t testing.TB, format string, args ...any) {
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

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// ran is what a process left behind.
type ran struct {
	code           int
	stdout, stderr string
}

// run runs a program in dir; a program that cannot be run, or takes too long, fails
// the test.
func run(t testing.TB, dir string, env []string, name string, args ...string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	err := cmd.Run()
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%s %v: %v %v\n%s", name, args, err, ctx.Err(), stderr.String())
	}
	return ran{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}
