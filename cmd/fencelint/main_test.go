package main

import (
	"os/exec"
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
