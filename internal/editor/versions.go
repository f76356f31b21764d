package editor

import (
	"fmt"
	"go/version"
	"strings"
)

// line is what the versions of gopls with the same first two numbers have in common.
type line struct {
	prefix string // "v0.23."
	newest string // the newest version known
	goLine string // the least Go that can build it
	tool   string // the package whose Main starts gopls; "" if gopls's own cmd.Main does
}

// lines are the versions that the recipe has been written for, newest first.
var lines = []line{
	{"v0.24.", "v0.24.0", "go1.27.0", ""},
	{"v0.23.", "v0.23.0", "go1.26.0", "golang.org/x/tools/gopls/internal/tool"},
	{"v0.22.", "v0.22.0", "go1.26.0", "golang.org/x/tools/internal/tool"},
	{"v0.21.", "v0.21.1", "go1.25.0", "golang.org/x/tools/internal/tool"},
}

// lineOf returns the line of a version of gopls.
func lineOf(v string) (line, error) {
	for _, l := range lines {
		if patch, ok := strings.CutPrefix(v, l.prefix); ok && isNumber(patch) {
			return l, nil
		}
	}
	last := lines[len(lines)-1]
	return line{}, fmt.Errorf("gopls %s is not one that the rules can be built into; %s to %s are (-gopls chooses)",
		v, last.newest, lines[0].newest)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// newestFor returns the newest known gopls that a Go version ("go1.26.8") can build.
func newestFor(goVersion string) (string, error) {
	for _, l := range lines {
		// A Go built from its repository has no such number and is newer than any.
		if !version.IsValid(goVersion) || version.Compare(goVersion, l.goLine) >= 0 {
			return l.newest, nil
		}
	}
	return "", fmt.Errorf("%s is too old to build any gopls that the rules can be built into", goVersion)
}
