package driver

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// exports holds packages read from export data, each read once. A package that
// was only mentioned by another one is there too, incomplete, until it is loaded
// itself.
type exports struct {
	fset *token.FileSet
	file func(path string) string // export data of a package, "" if there is none

	mu       sync.Mutex
	packages map[string]*types.Package
}

func newExports(fset *token.FileSet, file func(string) string) *exports {
	return &exports{fset: fset, file: file, packages: map[string]*types.Package{}}
}

// load returns the complete package. Loading completes packages in place, so
// nobody may look at packages of the same set meanwhile.
func (e *exports) load(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.packages[path]; p != nil && p.Complete() {
		return p, nil
	}
	name := e.file(path)
	if name == "" {
		return nil, fmt.Errorf("no export data for %q: it could not be compiled", path)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 the go command of 1.26 hands over the compiler's archives, which Read alone cannot open
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("export data of %q: %w", path, err)
	}
	p, err := gcexportdata.Read(r, e.fset, e.packages, path)
	if err != nil {
		return nil, fmt.Errorf("export data of %q: %w", path, err)
	}
	return p, nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
