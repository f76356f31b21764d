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
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/model"
	"github.com/fencelint/fencelint/model/internal/verify"
)

// older are the modules of former import paths. They no longer build with
// present dependencies, so only their own declarations are read.
var older = []struct{ prefix, module, version string }{
	{"go.etcd.io/etcd/v3/clientv3", "", "never"}, // never released; the declarations of the next
	{"go.etcd.io/etcd/etcdserver", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"go.etcd.io/etcd/clientv3", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"go.etcd.io/etcd/mvcc", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"github.com/coreos/etcd", "github.com/coreos/etcd", "v3.3.27+incompatible"},
	{"github.com/go-redsync/redsync/v3", "github.com/go-redsync/redsync/v3", "v3.1.0"},
	{"github.com/go-redsync/redsync/v4", "", "current"},
	{"github.com/go-redsync/redsync", "github.com/go-redsync/redsync", "v1.4.2"},
	{"gopkg.in/redsync.v1", "", "never"}, // not served any more,
	{"github.com/hjr265/redsync.go/redsync", "", "never"},
	{"github.com/samuel/go-zookeeper/zk", "github.com/samuel/go-zookeeper", "v0.0.0-20201211165307-7117e9ea2414"},
	{"github.com/jackc/pgx/v4", "github.com/jackc/pgx/v4", "v4.18.3"},
	{"github.com/jackc/pgconn", "github.com/jackc/pgconn", "v1.14.3"},
	{"github.com/go-redis/redis/v9", "", "never"}, // pre-releases only,
	{"github.com/go-redis/redis/v8", "github.com/go-redis/redis/v8", "v8.11.5"},
	{"github.com/stripe/stripe-go", "", "never"}, // the paths with a version are patterns
}

// loader imports packages: current ones from export data, older ones from source.
type loader struct {
	t       *testing.T
	current map[string]*types.Package
	dirs    map[string]string // module@version -> directory
}

// TestRows fails where a model speaks of something that a library does not have.
func TestRows(t *testing.T) {
	l := &loader{t: t, current: make(map[string]*types.Package), dirs: make(map[string]string)}
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
	var paths []string
	for _, lib := range libs {
		for _, p := range lib.Paths {
			if module, version := formerly(p); module == "" && version != "never" && !strings.Contains(p, "*") && !strings.HasSuffix(p, "...") {
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

// formerly returns the module of a former import path; version "never" says that
// none was released under it.
func formerly(path string) (module, version string) {
	for _, o := range older {
		if path == o.prefix || strings.HasPrefix(path, o.prefix+"/") {
			return o.module, o.version
		}
	}
	return "", ""
}

func (l *loader) get(path string) (*types.Package, error) {
	if module, version := formerly(path); module != "" {
		return l.source(path, module, version)
	}
	return l.current[path], nil
}

// source reads the declarations of one package; types of others stay unknown.
func (l *loader) source(path, module, version string) (*types.Package, error) {
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
	if dir == "" {
		return nil, nil
	}
	dir = filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(path, module), "/")))
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
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
	conf := types.Config{Error: func(error) {}, FakeImportC: true, Importer: none{}}
	pkg, _ := conf.Check(path, fset, files, nil)
	return pkg, nil
}

// none imports nothing but empty packages.
type none struct{}

func (none) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}
