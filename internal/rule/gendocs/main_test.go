package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fencelint/fencelint/analyzers"
)

func TestPagesAreFresh(t *testing.T) {
	const dir = "../../../docs/rules"
	want := pages(analyzers.Docs)
	have, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(have) != len(want) {
		t.Errorf("docs/rules holds %d files, want %d: run go generate ./analyzers", len(have), len(want))
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != text {
			t.Errorf("docs/rules/%s is stale: run go generate ./analyzers (%v)", name, err)
		}
	}
}

func TestWriteRemovesOldPages(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "gone.md")
	if err := os.WriteFile(old, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Error("page of a rule that is gone was kept")
	}
}
