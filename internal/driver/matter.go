package driver

import (
	"bytes"
	"os"
	"slices"
	"strings"
)

// origin says to whom a package belongs.
type origin int

const (
	ownModule origin = iota // main module, workspace, or no module at all
	thirdParty
	standard
)

// candidate is a package before anything of it is parsed.
type candidate struct {
	path    string // import path, without test marks
	origin  origin
	imports []string
	files   []string // Go files
}

// scan is what the bytes of a package's Go files say.
type scan struct {
	directive bool // "fencelint:" occurs
	cgo       bool // "C" occurs as a string; such files may need the go command's rewriting
}

// verdict says what a package can be for.
type verdict int

const (
	never  verdict = iota // nothing; it is not even parsed
	helper                // code, texts and effects that a lock's holder may reach
	seed                  // locks, stores or directives: where something begins
)

// judge decides what can matter. A package of the main module always can, if one
// with a lock is near, since statement texts and helpers need no modelled import.
// judge reads files only where imports leave the question open.
func judge(m Models, c candidate) (verdict, error) {
	if c.origin == standard || c.origin == thirdParty && m.Leaf(c.path) {
		return never, nil
	}
	if slices.ContainsFunc(c.imports, m.Stores) || m.Stores(strings.TrimSuffix(c.path, "_test")) {
		return seed, nil // the latter declares a lock or store itself
	}
	s, err := scanFiles(c.files)
	switch {
	case err != nil:
		return never, err
	case s.directive:
		return seed, nil
	case c.origin == thirdParty:
		return never, nil
	}
	return helper, nil
}

func scanFiles(files []string) (scan, error) {
	var s scan
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return s, err
		}
		s.directive = s.directive || bytes.Contains(data, []byte("fencelint:"))
		s.cgo = s.cgo || bytes.Contains(data, []byte(`"C"`))
	}
	return s, nil
}

// looksStandard tells a package of the standard library from its path, for
// drivers that say no module: its first element has no dot.
func looksStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "command-line-arguments"
}
