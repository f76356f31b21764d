// Package skip ends the program, as a vet tool, before the rest of it is initialised.
//
// `go vet` starts the program once for each package of the closure. Most of these are of
// the standard library, or of modules that have nothing to do with locks: nothing is to be
// done for them but to say so, and of the time that this takes more than half went into
// tables, patterns and parsers that nobody would use. The language initialises packages in
// the order of their import paths, each behind those that it imports; this one imports
// little, and so comes first.
//
// What enters are the program's arguments; what leaves is an empty file of facts and exit
// code 0, or nothing. It must not decide anything: it asks what package driver asks, in
// package unit, and leaves every other answer, and every error, to the program itself.
package skip

import (
	"os"
	"strings"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/model/index"
)

func init() {
	if file := asked(os.Args[1:]); file != "" && skipped(file) {
		os.Exit(0)
	}
}

// asked is the configuration that the go command asks about when it has been given no
// flags of the tool, "" if it asks something else. It asks for JSON by itself.
func asked(args []string) string {
	if len(args) > 0 && args[0] == "-json" {
		args = args[1:]
	}
	if len(args) != 1 || !strings.HasSuffix(args[0], ".cfg") {
		return ""
	}
	return args[0]
}

// skipped reports whether the package of a configuration cannot matter, and that this has
// been left for those that import it.
func skipped(file string) bool {
	cfg, err := unit.ReadConfig(file)
	if err != nil || !cfg.VetxOnly || cfg.TypesInFacts() {
		return false
	}
	var left unit.Left
	switch cfg.Origin() {
	case unit.OwnModule:
		return false
	case unit.ThirdParty:
		if left, err = cfg.Left(); err != nil {
			return false
		}
	}
	v, err := unit.Judge(&index.Builtin, cfg.Candidate())
	return err == nil && v == unit.Never && cfg.Leave(unit.Vetx{Variant: left.Variant}) == nil
}
