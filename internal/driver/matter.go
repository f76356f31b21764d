package driver

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"unicode"
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
	locks     bool // a method is called, with a context, that takes a lock by its name
}

// verdict says what a package can be for.
type verdict int

const (
	never  verdict = iota // nothing; it is not even parsed
	helper                // code, texts and effects that a lock's holder may reach
	alone                 // the same, and takes a lock that nothing it imports knows
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
	case s.locks && !slices.Contains(c.imports, "golang.org/x/sync/semaphore"):
		return alone, nil
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
		s.locks = s.locks || callsLock(data)
	}
	return s, nil
}

// callsLock reports whether a method is called, with a context, whose name is that of one
// which takes a lock: the client of a lock service, or the program's own interface. Locks
// within the process are given no context.
func callsLock(data []byte) bool {
	for _, open := range []string{"(ctx", "(context."} {
		for rest := data; ; {
			i := bytes.Index(rest, []byte(open))
			if i < 0 {
				break
			}
			if takesLock(rest[:i]) {
				return true
			}
			rest = rest[i+len(open):]
		}
	}
	return false
}

// takesLock reports whether a text ends in the selection of a method that takes a lock.
func takesLock(text []byte) bool {
	i := bytes.LastIndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if i < 0 || text[i] != '.' {
		return false
	}
	name := text[i+1:]
	return slices.ContainsFunc(lockVerbs, func(verb string) bool {
		return bytes.HasPrefix(name, []byte(verb)) || bytes.HasPrefix(name, []byte("Try"+verb))
	})
}

var lockVerbs = []string{"Lock", "Lease", "Acquire", "Obtain", "Campaign", "Elect"}

// looksStandard tells a package of the standard library from its path, for
// drivers that say no module: its first element has no dot.
func looksStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "command-line-arguments"
}
