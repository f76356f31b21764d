package driver

import (
	"strings"

	"github.com/fencelint/fencelint/internal/spell"
)

// suggest ends a sentence about a word that is not known: with the known one that is
// nearest, or with what else to do if none is near.
func suggest(word, prefix string, known []string, otherwise string) string {
	if best := spell.Nearest(word, known); best != "" {
		return "; did you mean " + prefix + best + "?"
	}
	return "; " + otherwise
}

// isBareWord reports whether an argument looks like the name of a command: no path, no
// flag, no file.
func isBareWord(arg string) bool {
	return arg != "" && !strings.ContainsAny(arg, "./\\=@") && !strings.HasPrefix(arg, "-")
}
