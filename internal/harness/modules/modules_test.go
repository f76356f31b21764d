package modules

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// nested lists the folders of all modules below the root module, as paths from it.
func nested(t *testing.T) []string {
	t.Helper()
	root := kit.Root(t)
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if dir := filepath.Dir(path); d.Name() == "go.mod" && dir != root {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return err
			}
			dirs = append(dirs, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// TestModules runs the tests of every module below this one. Fixtures are only compiled.
func TestModules(t *testing.T) {
	kit.Integration(t)
	for _, dir := range nested(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(kit.Root(t), filepath.FromSlash(dir))
			if r := kit.Run(t, folder, "go", "mod", "tidy", "-diff"); r.Code != 0 {
				t.Errorf("go.mod or go.sum is not tidy:\n%s%s", r.Stdout, r.Stderr)
			}
			args := []string{"test", "-v", "-count=1", "./..."}
			if strings.HasPrefix(dir, "testdata/") {
				args = []string{"vet", "./..."}
			}
			r := kit.Run(t, folder, "go", args...)
			kit.Report(t, "go %s\n%s", strings.Join(args, " "), summary(r.Stdout))
			if r.Code != 0 {
				t.Errorf("exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
			}
		})
	}
}

// summary keeps of go test's output what became of each package, and each test that was
// skipped, with the reason that it gave.
func summary(output string) string {
	var b strings.Builder
	reason := ""
	for line := range strings.Lines(output) {
		switch {
		case logged.MatchString(line):
			reason = strings.TrimSpace(line)
		case strings.HasPrefix(strings.TrimSpace(line), "--- SKIP"):
			b.WriteString("\t" + strings.TrimSpace(line) + " " + reason + "\n")
		case strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "FAIL\t"):
			b.WriteString("\t" + line)
		}
	}
	return b.String()
}

var logged = regexp.MustCompile(`^\s+\w+_test\.go:\d+: `)

func TestSummary(t *testing.T) {
	in := "=== RUN   TestA\n    a_test.go:3: no server\n--- SKIP: TestA (0.00s)\n--- PASS: TestB (0.00s)\nPASS\nok  \tp\t0.1s\n"
	want := "\t--- SKIP: TestA (0.00s) a_test.go:3: no server\n\tok  \tp\t0.1s\n"
	if got := summary(in); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
