package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLinksNoNet keeps package net out of the program: with it comes, where cgo is on,
// a dynamic linker at each start, and go vet starts the program for every package of a
// build. That took two fifths of the time of those that are skipped.
func TestLinksNoNet(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	for _, p := range []string{"net", "runtime/cgo"} {
		if slices.Contains(deps, p) {
			t.Errorf("the program links %s", p)
		}
	}
}

// TestEndsBeforeInit: go vet asks about most packages only whether they matter, and those
// that do not end before the engine's tables are made.
func TestEndsBeforeInit(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "fencelint")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	engine := func(path, args string) bool {
		left := filepath.Join(dir, "vet.out")
		cfg := filepath.Join(dir, "vet.cfg")
		text := `{"ImportPath": "` + path + `", "ImportMap": {"errors": "errors"}, "PackageFile": {"errors": "x"}, "VetxOnly": true, "VetxOutput": "` + filepath.ToSlash(left) + `"}`
		if err := os.WriteFile(cfg, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(tool, append(strings.Fields(args), cfg)...)
		c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if _, err := os.Stat(left); err != nil {
			t.Errorf("%s: nothing is left for importers: %v", path, err)
		}
		return strings.Contains(string(out), "fencelint/internal/prove ")
	}
	for _, args := range []string{"", "-json"} {
		if engine("fmt", args) {
			t.Errorf("with %q, the engine is initialised for a package of the standard library", args)
		}
	}
	if !engine("m.example/p", "-json") {
		t.Error("the trace does not tell of the engine where it is initialised")
	}
}
