package editor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// nestedVariable is set for a gopls in PATH that this package runs. If that gopls is a
// script which runs fencelint again, it stops there.
const nestedVariable = "FENCELINT_NESTED"

// plain is the gopls that the user has installed.
type plain struct {
	path    string
	version string // "v0.23.0", or what it calls itself
}

// versionIn finds the version in what `gopls version` prints.
func versionIn(out string) (v string, ok bool) {
	for l := range strings.Lines(out) {
		if words := strings.Fields(l); len(words) == 2 && strings.HasPrefix(words[0], goplsPath) {
			v, _, _ = strings.Cut(words[1], "+") // behind it stands what we added
			return v, true
		}
	}
	return "", false
}

// findPlain returns the first gopls in PATH that knows its version, nil if there is none.
func findPlain() *plain {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, "gopls"))
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), askTime)
		cmd := exec.CommandContext(ctx, path, "version")
		cmd.Env = append(os.Environ(), nestedVariable+"=1")
		out, err := cmd.Output()
		cancel()
		if v, ok := versionIn(string(out)); err == nil && ok {
			return &plain{path, v}
		}
	}
	return nil
}
