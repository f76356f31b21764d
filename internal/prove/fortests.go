package prove

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A package is analysed together with its tests. What only they import says nothing about the
// program: a type that stands behind an interface there, or a hold that is open there, is
// judged where the program brings them together.

// onlyForTests reports whether only the tests of this package import another one, be it by
// way of others.
func (j *judge) onlyForTests(pkg string) bool {
	if j.forTests == nil {
		j.forTests = j.importedForTests()
	}
	return j.forTests[pkg] || j.isTestMain()
}

// isTestMain reports whether the package is the program that the go command writes to run the
// tests of another one, which some drivers analyse, too.
func (j *judge) isTestMain() bool {
	return j.u.Pkg.Name() == "main" && strings.HasSuffix(j.u.Pkg.Path(), ".test") && !slices.ContainsFunc(j.u.Files, func(f *ast.File) bool {
		name := filepath.Base(j.u.Fset.File(f.FileStart).Name())
		return strings.HasSuffix(name, ".go") && name != "_testmain.go"
	})
}

func (j *judge) importedForTests() map[string]bool {
	out := make(map[string]bool)
	tests, program := j.importsOf(true), j.importsOf(false)
	if len(tests) == 0 {
		return out
	}
	var used, extra []*types.Package
	for _, p := range j.u.Pkg.Imports() {
		if tests[p.Path()] && !program[p.Path()] {
			extra = append(extra, p)
		} else {
			used = append(used, p)
		}
	}
	if len(extra) == 0 {
		return out
	}
	needed := reached(used)
	for p := range reached(extra) {
		if !needed[p] {
			out[p] = true
		}
	}
	return out
}

// importsOf are the imports of the files of this package that are tests, or that are none.
func (j *judge) importsOf(tests bool) map[string]bool {
	out := make(map[string]bool)
	for _, f := range j.u.Files {
		if j.isTestFile(f) != tests {
			continue
		}
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				out[path] = true
			}
		}
	}
	return out
}

func (j *judge) isTestFile(f *ast.File) bool {
	return strings.HasSuffix(j.u.Fset.File(f.FileStart).Name(), "_test.go")
}

// reached are the packages that some import, be it by way of others, and these themselves.
func reached(from []*types.Package) map[string]bool {
	out := make(map[string]bool)
	work := slices.Clone(from)
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if !out[p.Path()] {
			out[p.Path()] = true
			work = append(work, p.Imports()...)
		}
	}
	return out
}

// typesPackage is the package of a type that is named "*path.T".
func typesPackage(name string) string {
	name = strings.TrimPrefix(name, "*")
	i := strings.LastIndexByte(name, '/') + 1
	if k := strings.IndexByte(name[i:], '.'); k >= 0 {
		return name[:i+k]
	}
	return name
}
