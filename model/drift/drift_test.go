package drift

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/verify"
	"github.com/fencelint/fencelint/model"
)

// loader imports packages: those of this module's go.mod from export data, the
// others from the text of their declarations.
type loader struct {
	t       *testing.T
	current map[string]*types.Package
	read    map[string]*types.Package // from source
	dirs    map[string]string         // module@version -> directory
}

// TestRows fails where a model speaks of something that a library does not have.
func TestRows(t *testing.T) {
	l := &loader{t: t, current: make(map[string]*types.Package), read: make(map[string]*types.Package), dirs: make(map[string]string)}
	libs := model.Builtin().Libraries()
	l.load(libs)
	total := 0
	for _, lib := range libs {
		faults, rows := verify.Library(lib, l.get)
		for _, f := range faults {
			t.Error(f)
		}
		total += rows
	}
	t.Logf("%d rows compared", total)
}

// load reads all current packages in one go.
func (l *loader) load(libs []*model.Library) {
	paths := slices.Clone(usedByDeclarations)
	for _, lib := range libs {
		for _, p := range lib.Paths {
			if module, version := sourceOf(p); module == "" && version != never && !strings.Contains(p, "*") && !strings.HasSuffix(p, "...") {
				paths = append(paths, p)
			}
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, paths...)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			l.t.Errorf("%s: %v", p.PkgPath, e)
		}
		l.current[p.PkgPath] = p.Types
	}
}

func (l *loader) get(path string) (*types.Package, error) {
	if module, version := sourceOf(path); module != "" {
		return l.source(path, module, version)
	}
	return l.current[path], nil
}

// source reads the declarations of one package; types of other modules stay
// unknown.
func (l *loader) source(path, module, version string) (*types.Package, error) {
	if pkg := l.read[path]; pkg != nil {
		return pkg, nil
	}
	dir := l.dir(module, version)
	if dir == "" {
		return nil, nil
	}
	dir = filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(path, module), "/")))
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l.read[path] = none(path) // against cycles
	fset := token.NewFileSet()
	var files []*ast.File
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, n.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Error: func(error) {}, FakeImportC: true, IgnoreFuncBodies: true, Importer: siblings{l, module, version}}
	pkg, _ := conf.Check(path, fset, files, nil)
	l.read[path] = pkg
	return pkg, nil
}

// dir returns where a module lies, "" if it cannot be had.
func (l *loader) dir(module, version string) string {
	dir, ok := l.dirs[module+"@"+version]
	if !ok {
		out, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
		var info struct{ Dir string }
		if err == nil {
			err = json.Unmarshal(out, &info)
		}
		if err != nil {
			l.t.Logf("left out: %s@%s cannot be downloaded: %v", module, version, err)
		}
		dir = info.Dir
		l.dirs[module+"@"+version] = dir
	}
	return dir
}

// siblings imports packages of the same module and those of the standard
// library that declarations speak of; all others are empty.
type siblings struct {
	l               *loader
	module, version string
}

func (s siblings) Import(path string) (*types.Package, error) {
	if pkg := s.l.current[path]; pkg != nil && slices.Contains(usedByDeclarations, path) {
		return pkg, nil
	}
	if path == s.module || strings.HasPrefix(path, s.module+"/") {
		if pkg, err := s.l.source(path, s.module, s.version); pkg != nil && err == nil {
			return pkg, nil
		}
	}
	return none(path), nil
}

func none(path string) *types.Package {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p
}
