package driver

import (
	"bytes"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/driver/unit"
)

// modelFile is the name of a user's models. It lies beside go.mod.
const modelFile = "fencelint.yaml"

// findModels returns the user's models of the module that dir belongs to, "" if
// there are none. Models elsewhere below the module's root are refused: go vet
// keeps results, and asks only once, in the directory where it was started, what
// the models are.
func findModels(dir string) (string, error) {
	for {
		root := exists(filepath.Join(dir, "go.mod"))
		if file := filepath.Join(dir, modelFile); exists(file) {
			if !root {
				return "", fmt.Errorf("%s: move it to the directory of go.mod; elsewhere it is not read", file)
			}
			return file, nil
		}
		parent := filepath.Dir(dir)
		if root || parent == dir {
			return "", nil
		}
		dir = parent
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// hasTestForm reports whether the package in dir certainly has tests that are
// compiled together with it. A test file under a build constraint is not certain.
func hasTestForm(dir string, goFiles []string) bool {
	if len(goFiles) == 0 {
		return false
	}
	name := packageClause(goFiles[0])
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		f := filepath.Join(dir, e.Name())
		if strings.HasSuffix(f, "_test.go") && unconstrained(f) && packageClause(f) == name && name != "" {
			return true
		}
	}
	return false
}

// importable reports whether a package may be imported: the form of one with its tests,
// and a main package, is by nobody but external tests in its directory.
func importable(dir string, goFiles []string) bool {
	if !unit.HasTestFile(goFiles) && (len(goFiles) == 0 || packageClause(goFiles[0]) != "main") {
		return true
	}
	entries, err := os.ReadDir(dir)
	return err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			return false
		}
		name := packageClause(filepath.Join(dir, e.Name()))
		return name == "" || strings.HasSuffix(name, "_test")
	})
}

func packageClause(file string) string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

// unconstrained reports whether a file is built under any configuration: it has
// no build line, and its name suits two systems that have nothing in common.
func unconstrained(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil || bytes.Contains(data, []byte("//go:build")) || bytes.Contains(data, []byte("+build")) {
		return false
	}
	dir, name := filepath.Split(file)
	one, two := build.Default, build.Default
	one.GOOS, one.GOARCH = "linux", "amd64"
	two.GOOS, two.GOARCH = "windows", "arm64"
	for _, ctx := range []*build.Context{&one, &two} {
		if ok, err := ctx.MatchFile(dir, name); err != nil || !ok {
			return false
		}
	}
	return true
}

// lineReader reads single lines of files below a directory.
type lineReader struct {
	base  string
	lines map[string][]string
}

func newLineReader(base string) *lineReader {
	return &lineReader{base, map[string][]string{}}
}

// line returns a line, counted from 1, "" if there is none.
func (r *lineReader) line(file string, n int) string {
	lines, ok := r.lines[file]
	if !ok {
		name := filepath.FromSlash(file)
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.base, name)
		}
		data, _ := os.ReadFile(name) // unreadable: no lines
		lines = strings.Split(string(data), "\n")
		r.lines[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// belowSource returns where dir lies below the root of its working copy, with slashes, ""
// at the root or outside of any: code hosts count paths from there.
func belowSource(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if exists(filepath.Join(root, ".git")) {
			rel, err := filepath.Rel(root, dir)
			if err != nil || rel == "." {
				return ""
			}
			return filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return ""
		}
	}
}
