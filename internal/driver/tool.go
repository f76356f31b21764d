package driver

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

// Exit codes of every command.
const (
	ExitClean    = 0
	ExitFindings = 1
	ExitUsage    = 2
	ExitFailure  = 3
)

// Engine analyses one package.
type Engine func(*prove.Unit, prove.Options) (*prove.Result, error)

// Models tells which import paths mean something.
type Models = unit.Models

// Event is what Tool.Observe hears: an action on a package.
type Event struct {
	Action  string // "skip", "parse", "check", "run"
	Package string
}

// Tool is fencelint as a program.
type Tool struct {
	Engine Engine
	// Models loads the built-in models and a user's file ("" for none).
	Models func(file string) (Models, error)
	// Version is what `fencelint version` prints.
	Version string
	// Observe, if not nil, hears what is done with each package. It may be called
	// from several goroutines.
	Observe func(Event)

	Stdout, Stderr io.Writer

	verbose bool
}

// New returns the tool with the real engine and models, writing to the process's
// outputs.
func New(version string) *Tool {
	return &Tool{Engine: prove.Run, Models: loadModels, Version: version, Stdout: os.Stdout, Stderr: os.Stderr}
}

func loadModels(file string) (Models, error) {
	if file == "" {
		return model.Builtin(), nil
	}
	return model.Builtin().With(file)
}

// Main runs the tool with the given arguments (without the program's name) and
// returns the exit code.
func (t *Tool) Main(args []string) int {
	switch {
	case slices.Contains(args, "-V=full"), slices.Contains(args, "--V=full"):
		return t.printVersionHash()
	case slices.Contains(args, "-flags"), slices.Contains(args, "--flags"):
		return t.delegate()
	case len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg"):
		return t.vet(args)
	}
	return t.command(args)
}

func (t *Tool) observe(action, pkg string) {
	if t.Observe != nil {
		t.Observe(Event{action, pkg})
	}
}

// complain prints an error, which may quote analysed source. Messages about source
// begin with their place, others with the program's name.
func (t *Tool) complain(err error) {
	prefix := "fencelint: "
	if isSourceError(err) {
		prefix = ""
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(t.Stderr, "%s%s\n", prefix, rule.Printable(strings.TrimSuffix(line, "\n")))
		prefix = ""
	}
}
