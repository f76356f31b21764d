package model

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/model/index"
)

var update = flag.Bool("update", false, "write index_gen.go")

// modelFiles returns the names of the model files, without suffix, sorted.
func modelFiles(t testing.TB) []string {
	names, err := fs.Glob(data, "data/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("model files: %v, %v", names, err)
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(path.Base(n), ".yaml")
	}
	return names
}

// buildIndex reads all model files without the index.
func buildIndex(t testing.TB) *index.Index {
	x := &index.Index{Files: modelFiles(t)}
	owner := make(map[string]string)
	imported, imports := map[string]string{}, map[string]bool{}
	for i, name := range x.Files {
		src, err := data.ReadFile("data/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		doc, d := parseDocument("model/data/"+name+".yaml", src)
		newContent(d, doc)
		if err := d.err(); err != nil {
			t.Fatal(err)
		}
		if p := addTo(x, uint8(i), doc); p != nil {
			t.Errorf("%s: import paths of another file: %s", name, p)
		}
		for _, l := range doc.libs {
			for _, e := range l.Locks {
				if owner[e.ID] != "" {
					t.Errorf("%s: id %s is taken in %s", e.Pos, e.ID, owner[e.ID])
				}
				owner[e.ID] = name
			}
		}
		for _, imp := range doc.imports {
			imported[imp], imports[name] = name, true
		}
	}
	for imp, by := range imported {
		if imports[imp] {
			t.Errorf("%s imports %s, which imports others itself", by, imp)
		}
	}
	return x
}

// indexSource is the index as Go text. Everything is laid out at compile time: a
// process that needs nothing of it does nothing for it.
func indexSource(x *index.Index) []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, "// Code generated from model/data by go generate. DO NOT EDIT.\n\npackage index\n\n// Builtin is the index of the models that come with the program.\nvar Builtin = Index{\n")
	list := func(name string, n int, line func(i int) string) {
		fmt.Fprintf(&b, "\t%s\n", name)
		for i := range n {
			fmt.Fprintf(&b, "\t\t%s,\n", line(i))
		}
		fmt.Fprint(&b, "\t},\n")
	}
	weights := [...]string{"Unmodelled", "Silent", "Quiet", "Files", "Effect", "Store", "Locking"}
	entry := func(e index.Entry) string { return fmt.Sprintf("{%q, %d, %s}", e.Path, e.File, weights[e.Weight]) }
	list("Files: []string{", len(x.Files), func(i int) string { return fmt.Sprintf("%q", x.Files[i]) })
	list("Paths: []Entry{", len(x.Paths), func(i int) string { return entry(x.Paths[i]) })
	list("Patterns: []Entry{", len(x.Patterns), func(i int) string { return entry(x.Patterns[i]) })
	list("Modules: []string{", len(x.Modules), func(i int) string { return fmt.Sprintf("%q", x.Modules[i]) })
	list("Kinds: []Kind{", len(x.Kinds), func(i int) string {
		k := x.Kinds[i]
		return fmt.Sprintf("{%q, []uint8{%s}}", k.Kind, strings.Trim(strings.ReplaceAll(fmt.Sprint(k.Files), " ", ", "), "[]"))
	})
	fmt.Fprint(&b, "}\n")
	out, err := format.Source(b.Bytes())
	if err != nil {
		return b.Bytes()
	}
	return out
}

func TestIndexFresh(t *testing.T) {
	x := buildIndex(t)
	want := indexSource(x)
	if *update {
		if err := os.WriteFile(filepath.Join("index", "index_gen.go"), want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(filepath.Join("index", "index_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Error("index_gen.go is stale; run go generate ./model")
	}
}

// Every file parses, with its imports, and every kind and path leads somewhere.
func TestBuiltinLoads(t *testing.T) {
	table := Builtin()
	if n := len(table.Libraries()); n == 0 {
		t.Fatal("no libraries")
	}
	for _, e := range table.index.Paths {
		if table.content(e.Path) == nil {
			t.Errorf("%s: no content", e.Path)
		}
	}
	for _, k := range table.index.Kinds {
		if len(table.Kind(k.Kind)) == 0 {
			t.Errorf("no entries of kind %s", k.Kind)
		}
	}
}
