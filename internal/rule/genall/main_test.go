package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/fencelint/fencelint/internal/rule"
)

const analyzers = "../../../analyzers"

func TestRegistrationIsFresh(t *testing.T) {
	want, err := registration(analyzers)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(analyzers, "all.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("analyzers/all.go is stale: run go generate ./analyzers")
	}
}

func TestFolders(t *testing.T) {
	names, err := folders(analyzers)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("no rule found")
	}
	for _, n := range names {
		if !rule.Known(n) {
			t.Errorf("folder %s: no such rule in internal/rule", n)
		}
	}
}

func TestRegistrationOfNewFolder(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"b/b.go", "a/a.go", "helper/other.go"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src, err := registration(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bytes.Index(src, []byte("a.Analyzer")), bytes.Index(src, []byte("b.Analyzer"))
	if a < 0 || b < a || bytes.Contains(src, []byte("helper")) {
		t.Errorf("wrong registration:\n%s", src)
	}
}
