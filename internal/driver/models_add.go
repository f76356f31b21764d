package driver

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/catalogue"
	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

const addAbout = `
Drafts rows for your model file from the types of a package that this module can import: functions
that are named and shaped like acquire, release, extend or write. Types tell neither whether a number
is ordered nor what a receiver refuses: each row says under "decide" what you have to answer. Until
then it stands at the most careful value, with which no token proves anything.

  fencelint models add example.com/house/lock > fencelint.yaml

`

// modelsAdd drafts the rows of a package for the user's model file.
func (t *Tool) modelsAdd(args []string) int {
	c := newModelsCommand("models add")
	c.loads()
	rest, code := t.parseModels(c, args, "IMPORT/PATH", addAbout)
	if code >= 0 {
		return code
	}
	if len(rest) != 1 || strings.Contains(rest[0], "...") {
		return t.wrongUse(c, "name one package by its import path, such as example.com/house/lock")
	}
	p, err := c.onePackage(rest[0])
	if err != nil {
		return t.fail(err)
	}
	if p.Module == nil && unit.LooksStandard(p.PkgPath) {
		return t.wrongUse(c, p.PkgPath+" is of the standard library, which has no locks between processes and is known")
	}
	module := ""
	if p.Module != nil && !p.Module.Main {
		module = p.Module.Path
	}
	draft := catalogue.NewDraft(p.Types, module)
	if draft.Locks+draft.Sinks == 0 {
		return t.wrongUse(c, "nothing in "+p.PkgPath+" is named and shaped like a lock or a write; write its rows by hand:\n"+
			"go doc github.com/fencelint/fencelint/model explains the format")
	}
	if _, err := model.Builtin().WithSource("draft", []byte(draft.Text)); err != nil {
		return t.fail(fmt.Errorf("the draft cannot be loaded, which is a fault of fencelint: %w", err))
	}
	info, err := os.Stat(modelFile)
	begun := err == nil && info.Size() > 0 // before the draft is written, perhaps into it
	fmt.Fprint(t.Stdout, draft.Text)
	t.afterDraft(p.PkgPath, draft, begun)
	return ExitClean
}

// afterDraft says what to do with a draft.
func (t *Tool) afterDraft(path string, draft catalogue.Draft, begun bool) {
	fmt.Fprintf(t.Stderr, "fencelint: drafted rows about locks: %d, about writes: %d; answer each \"decide\", then run fencelint models check\n", draft.Locks, draft.Sinks)
	for _, l := range catalogue.Find(model.Builtin(), path) {
		if l.Has(path) {
			fmt.Fprintf(t.Stderr, "fencelint: %s is known already (fencelint models %s); rows of yours stand in place of those\n", rule.Printable(path), l.Name)
		}
	}
	if begun {
		fmt.Fprintf(t.Stderr, "fencelint: there is a %s; put the draft below its \"libraries:\", without the first two lines\n", modelFile)
	}
}

// onePackage loads a package with its types.
func (c *modelsCommand) onePackage(path string) (*packages.Package, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if unit.ModuleRoot(dir) == "" && len(workspace(dir)) == 0 {
		return nil, &usageError{outside}
	}
	q := query{dir: dir, flags: c.buildFlags(), patterns: []string{path}}
	list, err := loadPackages(q, q.patterns)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 || list[0].Types == nil {
		return nil, &usageError{path + ": the go command finds no such package; go list " + path + " says why"}
	}
	return list[0], nil
}
