package harness

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// nested lists the folders of all modules below the root module, as paths from it.
func nested(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if dir := filepath.Dir(path); d.Name() == "go.mod" && dir != root(t) {
			rel, err := filepath.Rel(root(t), dir)
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

// TestNestedModules runs the tests of every module below this one, so that
// `go test ./...` in the root stays the one command. Fixtures are only compiled.
func TestNestedModules(t *testing.T) {
	integration(t)
	for _, dir := range nested(t) {
		t.Run(dir, func(t *testing.T) {
			folder := filepath.Join(root(t), filepath.FromSlash(dir))
			if r := run(t, folder, nil, "go", "mod", "tidy", "-diff"); r.code != 0 {
				t.Errorf("go.mod or go.sum is not tidy:\n%s%s", r.stdout, r.stderr)
			}
			args := []string{"test", "-count=1", "./..."}
			if strings.HasPrefix(dir, "testdata/") {
				args = []string{"vet", "./..."}
			}
			r := run(t, folder, nil, "go", args...)
			report(t, "go %s\n%s%s", strings.Join(args, " "), r.stdout, r.stderr)
			if r.code != 0 {
				t.Errorf("exit code %d", r.code)
			}
		})
	}
}
