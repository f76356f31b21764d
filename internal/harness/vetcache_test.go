package harness

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/corpus"
	"github.com/fencelint/fencelint/internal/harness/kit"
)

// TestVetKeepsFindings asks go vet for more and more packages. Go 1.26 keeps what a
// package printed under a key that does not say whether it was asked for, and so may
// lose what a package has to say that was first seen as a mere dependency.
func TestVetKeepsFindings(t *testing.T) {
	user := "package user\n\nimport \"fencelint.example/real/sound\"\n\nvar Write = sound.Write\n"
	dir := module(t, map[string]string{
		"user/user.go": user,
		"top/top.go":   strings.NewReplacer("package user", "package top", "real/sound", "real/user", "sound.Write", "user.Write").Replace(user),
	})
	var runs []string
	for _, pattern := range []string{"./top", "./user", "./sound", "./...", "./sound"} {
		r := kit.Run(t, dir, "go", "vet", "-json", "-vettool="+kit.Tool(t), pattern)
		if r.Code != 0 {
			t.Fatalf("%s: exit code %d\n%s", pattern, r.Code, r.Stderr)
		}
		found, err := corpus.FromVet(strings.NewReader(r.Stdout), dir)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, fmt.Sprintf("%s: %d", pattern, len(found)))
	}
	// The first two may say more than they were asked for, never less.
	for _, want := range []string{"./sound: 1", "./...: 1"} {
		if !slices.Contains(runs, want) || slices.Contains(runs, strings.Replace(want, "1", "0", 1)) {
			t.Errorf("findings: %v, want %s", runs, want)
		}
	}
}

// TestExitCodesOfVet: without -json, findings are exit code 1 and text.
func TestExitCodesOfVet(t *testing.T) {
	dir := module(t, nil)
	r := kit.Run(t, dir, "go", "vet", "-vettool="+kit.Tool(t), "./...")
	if r.Code != 1 || !strings.Contains(r.Stderr, "sound.go:19:") {
		t.Errorf("exit code %d\n%s", r.Code, r.Stderr)
	}
	r = kit.Run(t, dir, "go", "vet", "-vettool="+kit.Tool(t), "-unfencedwrite=false", "./...")
	if r.Code != 0 {
		t.Errorf("without the rule: exit code %d\n%s", r.Code, r.Stderr)
	}
}
