package rule

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/fencelint/fencelint/internal/prove"
)

// Layout is what one package knows about where the others are.
type Layout struct {
	Module string // path of the module, "" if unknown
	Pkg    string // import path of the package
	Dir    string // its directory
}

// File returns the file of a place: its full name for a package of the same
// module, else import path and base name, as "example.com/store/write.go".
func (l Layout) File(at prove.Place) string {
	if at.Pkg == "" || bare(at.Pkg) == bare(l.Pkg) {
		return filepath.Join(l.Dir, at.File)
	}
	here, ok1 := l.below(l.Pkg)
	there, ok2 := l.below(at.Pkg)
	root, ok3 := strings.CutSuffix(filepath.ToSlash(l.Dir), here)
	if !ok1 || !ok2 || !ok3 {
		return path.Join(at.Pkg, at.File)
	}
	return filepath.Join(filepath.FromSlash(root), filepath.FromSlash(there), at.File)
}

// below returns the part of an import path after the module's path.
func (l Layout) below(pkg string) (string, bool) {
	if l.Module == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(bare(pkg), l.Module)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// bare removes what marks a test's package: " [p.test]" and "_test".
func bare(pkg string) string {
	pkg, _, _ = strings.Cut(pkg, " ")
	return strings.TrimSuffix(pkg, "_test")
}
