package harness

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/model"
)

// TestLibraries runs a fixture for each library of locks, made with the library itself.
func TestLibraries(t *testing.T) { marked(t, "libraries") }

// TestUnserved runs the same for libraries that the module proxy does not serve, made with
// their declarations.
func TestUnserved(t *testing.T) { marked(t, "unserved/fixtures") }

// unserved are the libraries of locks of which no module can be had; their fixtures use declarations.
var unserved = map[string]string{
	"curator":          "neither curator-go/curator nor flier/curator.go is served",
	"dcron":            "gochore/dcron is not served",
	"dynamolock-v5":    "cirello.io/dynamolock/v5 is not served",
	"gcslock":          "neither marcacohen/gcslock nor mco-gh/gcslock is served",
	"gocron-gorm-lock": "go-co-op/gocron-gorm-lock is not served",
	"gomemcached-lock": "alessandro-c/gomemcached-lock is not served",
	"moira":            "moira-alert/moira is not served",
}

// TestEveryLibraryHasAFixture: a library in which a hold may begin has a folder of its name
// that imports it, or that the list above sends to the declarations.
func TestEveryLibraryHasAFixture(t *testing.T) {
	testdata := filepath.Join(kit.Root(t), "testdata")
	names := make(map[string]bool)
	for _, lib := range model.Builtin().Libraries() {
		if !slices.ContainsFunc(lib.Locks, beginsHold) {
			continue
		}
		names[lib.Name] = true
		dir := filepath.Join(testdata, "libraries", lib.Name)
		if reason := unserved[lib.Name]; reason != "" {
			kit.Report(t, "%s: only its declarations are used: %s", lib.Name, reason)
			dir = filepath.Join(testdata, "unserved", "fixtures", lib.Name)
		}
		if used := importsIn(t, dir); len(lib.Paths) > 0 && !slices.ContainsFunc(used, func(path string) bool { return usesLibrary(path, lib) }) {
			t.Errorf("%s: no file in %s imports one of %v", lib.Name, dir, lib.Paths)
		}
	}
	for name := range unserved {
		if !names[name] {
			t.Errorf("there is no library %s", name)
		}
	}
}

// unread are the libraries whose entries are of kinds that are not read yet: what they
// describe is a lock where a directive says so, or not at all.
var unread = map[string]string{
	"dynamodb":    "the conditions of a request are read only under a directive",
	"dynamodb-v1": "the conditions of a request are read only under a directive",
	"gcs":         "a chain that ends in a writer is a lock only under a directive",
	"goqu":        "row locks of builders are not read",
	"gorm":        "row locks of builders are not read",
	"gorm-v1":     "row locks of builders are not read",
	"xorm":        "row locks of builders are not read",
}

// TestEveryLibraryIsInTheRegister: the fixture of a library has an acquisition that its
// model tells, not only one that a directive declares.
func TestEveryLibraryIsInTheRegister(t *testing.T) {
	seen := make(map[string]bool)
	for _, module := range []string{"libraries", "unserved/fixtures"} {
		r := kit.Run(t, filepath.Join(kit.Root(t), "testdata", module), kit.Tool(t), "register", "-o", "json", "./...")
		var rows []struct{ File, Library string }
		if err := json.Unmarshal([]byte(r.Stdout), &rows); err != nil {
			t.Fatalf("%v\n%s", err, r.Stderr)
		}
		for _, row := range rows {
			if dir, _, _ := strings.Cut(row.File, "/"); dir == row.Library {
				seen[row.Library] = true
			}
		}
	}
	for _, lib := range model.Builtin().Libraries() {
		switch reason := unread[lib.Name]; {
		case !slices.ContainsFunc(lib.Locks, beginsHold):
		case seen[lib.Name] && reason != "":
			t.Errorf("%s is read now: take it off the list", lib.Name)
		case !seen[lib.Name] && reason == "":
			t.Errorf("%s: no acquisition of its own in the register of its fixture", lib.Name)
		case reason != "":
			kit.Report(t, "%s: %s", lib.Name, reason)
		}
	}
}

func beginsHold(l *model.Lock) bool {
	return l.Role == model.RoleAcquire || l.Role == model.RoleRegion || l.Role == model.RoleTxLock
}

// usesLibrary reports whether an import is the library, or one to which a package that
// nobody else may import belongs.
func usesLibrary(path string, lib *model.Library) bool {
	return slices.ContainsFunc(lib.Paths, func(p string) bool {
		above, _, _ := strings.Cut(p, "/internal/")
		return path == p || path == above
	})
}

// importsIn lists the imports of the Go files in a folder.
func importsIn(t *testing.T, dir string) []string {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Errorf("no fixture: %v", err)
		return nil
	}
	var out []string
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, n.Name()), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, path)
		}
	}
	return out
}
