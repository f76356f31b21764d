package unit

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"unicode"
)

// Origin says to whom a package belongs.
type Origin int

// The origins.
const (
	OwnModule Origin = iota // main module, workspace, or no module at all
	ThirdParty
	Standard
)

// Candidate is a package before anything of it is parsed.
type Candidate struct {
	Path    string // import path, without test marks
	Origin  Origin
	Imports []string
	Files   []string // Go files
}

// Scan is what the bytes of a package's Go files say.
type Scan struct {
	Directive bool // "fencelint:" occurs
	Cgo       bool // "C" occurs as a string; such files may need the go command's rewriting
	Locks     bool // a method is called, with a context, that takes a lock by its name
}

// Models answer for the models of libraries, by import path alone.
type Models interface {
	// Stores reports whether path is a modelled lock or store.
	Stores(path string) bool
	// Leaf reports whether a model describes the package at path, so that it is
	// not analysed itself where it is somebody else's.
	Leaf(path string) bool
}

// Verdict says what a package can be for.
type Verdict int

// The verdicts.
const (
	Never  Verdict = iota // nothing; it is not even parsed
	Helper                // code, texts and effects that a lock's holder may reach
	Alone                 // the same, and takes a lock that nothing it imports knows
	Seed                  // locks, stores or directives: where something begins
)

// Judge decides what can matter. A package of the main module always can, if one
// with a lock is near, since statement texts and helpers need no modelled import.
// Judge reads files only where imports leave the question open.
func Judge(m Models, c Candidate) (Verdict, error) {
	if c.Origin == Standard || c.Origin == ThirdParty && m.Leaf(c.Path) {
		return Never, nil
	}
	if slices.ContainsFunc(c.Imports, m.Stores) || m.Stores(strings.TrimSuffix(c.Path, "_test")) {
		return Seed, nil // the latter declares a lock or store itself
	}
	s, err := ScanFiles(c.Files)
	switch {
	case err != nil:
		return Never, err
	case s.Directive:
		return Seed, nil
	case c.Origin == ThirdParty:
		return Never, nil
	case s.Locks && !slices.Contains(c.Imports, "golang.org/x/sync/semaphore"):
		return Alone, nil
	}
	return Helper, nil
}

// ScanFiles reads the files of a package, but parses nothing.
func ScanFiles(files []string) (Scan, error) {
	var s Scan
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return s, err
		}
		s.Directive = s.Directive || bytes.Contains(data, []byte("fencelint:"))
		s.Cgo = s.Cgo || bytes.Contains(data, []byte(`"C"`))
		s.Locks = s.Locks || callsLock(data)
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

// LooksStandard tells a package of the standard library from its path, for
// drivers that say no module: its first element has no dot.
func LooksStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "command-line-arguments"
}
