package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of a file.
type mutant struct {
	file, function, operator string
	line                     int
	source                   []byte
	start, end               int // in source
	text                     string
}

// apply writes the changed file.
func (m *mutant) apply() error {
	return os.WriteFile(m.file, slices.Concat(m.source[:m.start], []byte(m.text), m.source[m.end:]), 0o644)
}

// in shows a mutant with the path of its file below a folder.
func (m *mutant) in(dir string) string {
	rel, err := filepath.Rel(dir, m.file)
	if err != nil {
		rel = m.file
	}
	return fmt.Sprintf("%s:%d: %s, %s: %q became %q", filepath.ToSlash(rel), m.line, m.function, m.operator, m.source[m.start:m.end], m.text)
}

// mutantsBelow lists the mutants of a module by folder. In a folder, those of one operator
// do not stand together, so that a few rounds show something of each.
func mutantsBelow(dir, only string) (map[string][]mutant, error) {
	out := make(map[string][]mutant)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f := folder(dir, path)
		out[f] = append(out[f], mutantsOf(path, source, only)...)
		return nil
	})
	for _, ms := range out {
		slices.SortStableFunc(ms, func(a, b mutant) int { return a.rank() - b.rank() })
	}
	return out, err
}

// rank orders mutants in a way that is the same each time and has nothing to do with where
// they are.
func (m *mutant) rank() int {
	h := 0
	for _, c := range []byte(m.operator + m.text) {
		h = (h*31 + int(c) + m.start) % 9973
	}
	return h
}

// mutantsOf lists the mutants of a file: those of functions that are correct, as far as
// the file says.
func mutantsOf(path string, source []byte, only string) []mutant {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil // a fixture about code that is broken
	}
	var out []mutant
	for _, d := range f.Decls {
		at := func(p token.Pos) int { return set.Position(p).Offset }
		function := ""
		if fd, ok := d.(*ast.FuncDecl); ok {
			function = fd.Name.Name
			if strings.Contains(string(source[at(d.Pos()):at(d.End())]), "// want") || strings.HasPrefix(function, "Bad") {
				continue
			}
		}
		text := func(n ast.Node) string { return string(source[at(n.Pos()):at(n.End())]) }
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			for _, op := range operators {
				if only != "" && !slices.Contains(strings.Split(only, ","), op.name) {
					continue
				}
				for _, c := range op.changes(n, text) {
					start := at(n.Pos()) + c.start
					out = append(out, mutant{path, function, op.name, set.Position(n.Pos()).Line, source, start, start + c.size, c.text})
				}
			}
			return true
		})
	}
	return out
}
