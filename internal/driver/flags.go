package driver

import (
	"flag"
	"fmt"
	"strconv"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/prove"
)

// selection is which rules report, chosen as in vet: if a flag -NAME is true,
// only those; else if one is false, all but those.
type selection map[string]*triState

func (s selection) register(fs *flag.FlagSet) {
	for _, a := range analyzers.All {
		s[a.Name] = new(triState)
		fs.Var(s[a.Name], a.Name, fmt.Sprintf("enable %q analysis", a.Name))
	}
}

// enabled reports whether findings of the rule are wanted. A rule without an
// analyzer has no reporter, so that every driver gives the same answer.
func (s selection) enabled(rule string) bool {
	state, known := s[rule]
	if !known {
		return false
	}
	for _, t := range s {
		if *t == setTrue {
			return *state == setTrue
		}
	}
	return *state != setFalse
}

// registerEngine makes the flags of the engine, under the names they have in vet.
func registerEngine(fs *flag.FlagSet, o *prove.Options) {
	engine := prove.Analyzer.Name + "."
	fs.StringVar(&o.Models, engine+"models", "", "`file` with models of your own libraries (default: fencelint.yaml, found upwards from the package)")
	fs.BoolVar(&o.Strict, engine+"strict", false, "also report what holds only under an assumption")
}

// triState is a boolean flag that knows whether it was given.
type triState int

const (
	unset triState = iota
	setTrue
	setFalse
)

func (t *triState) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	*t = setFalse
	if b {
		*t = setTrue
	}
	return nil
}

func (t *triState) String() string   { return strconv.FormatBool(t == nil || *t != setFalse) }
func (t *triState) IsBoolFlag() bool { return true }
