package driver

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fencelint/fencelint/internal/catalogue"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

// modelsCommand is what the commands about models share.
type modelsCommand struct {
	flags *flag.FlagSet
	file  string // a user's models, "" for those beside go.mod
	tests bool
	tags  string
	out   reports
}

const modelsAbout = `
Without an argument: the libraries that are known, with the rows about each. With one: the
rows of that library, one a line, and what their words mean. A model file of your own
(fencelint.yaml beside go.mod, or -fencelint.models) is included.

  fencelint models check [packages]   which rows of your file match nothing in this program
  fencelint models add IMPORT/PATH    a draft of a library for your file, from a package's types

`

// models shows what is known of libraries, and helps to write down more.
func (t *Tool) models(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "check":
			return t.modelsCheck(args[1:])
		case "add":
			return t.modelsAdd(args[1:])
		}
	}
	c := newModelsCommand("models")
	c.out.forms = []string{"text", "json"}
	c.flags.Var(&c.out, "o", "`form` of the list: text or json (default text). form=FILE writes to a file beside\n"+
		"what goes to standard output; may be given more than once")
	rest, code := t.parseModels(c, args, "[library or import path]", modelsAbout)
	if code >= 0 {
		return code
	}
	if len(rest) > 1 {
		return t.wrongUse(c, "one library or import path at a time; fencelint models lists them all")
	}
	table, _, err := c.table()
	if err != nil {
		return t.fail(err)
	}
	if len(rest) == 1 {
		return t.showModel(c, table, rest[0])
	}
	list := catalogue.List(table)
	return t.writeModels(c, list, func(w io.Writer) error { return catalogue.WriteList(w, list) })
}

// showModel shows the rows of one library.
func (t *Tool) showModel(c *modelsCommand, table *model.Table, name string) int {
	libs := catalogue.Find(table, name)
	if len(libs) == 0 {
		return t.wrongUse(c, "nothing is known of "+name+nextModel(table, name))
	}
	list := catalogue.Details(table, libs)
	return t.writeModels(c, list, func(w io.Writer) error { return catalogue.WriteDetails(w, list) })
}

// nextModel is what to do about a library of which nothing is known.
func nextModel(table *model.Table, name string) string {
	out := "; fencelint models lists the libraries"
	if near := catalogue.Near(table, name); near != "" {
		out = "; did you mean " + near + "?"
	}
	if strings.Contains(name, "/") {
		out += "\nfencelint models add " + name + " drafts rows for a package that this module imports"
	}
	return out
}

func (t *Tool) writeModels(c *modelsCommand, list any, text func(io.Writer) error) int {
	err := c.out.write(t.Stdout, func(form string, w io.Writer) error {
		if form == "json" {
			return writeJSON(w, list)
		}
		return text(w)
	})
	if err != nil {
		return t.fail(err)
	}
	return ExitClean
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(v)
}

func newModelsCommand(name string) *modelsCommand {
	c := &modelsCommand{flags: flag.NewFlagSet("fencelint "+name, flag.ContinueOnError)}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.file, "fencelint.models", "", "`file` with models of your own libraries (default: fencelint.yaml beside go.mod)")
	return c
}

// loads adds the flags that say how packages are loaded.
func (c *modelsCommand) loads() {
	c.flags.BoolVar(&c.tests, "tests", true, "look at tests too")
	c.flags.StringVar(&c.tags, "tags", "", "build `tags`, separated by commas")
}

func (c *modelsCommand) buildFlags() []string {
	if c.tags == "" {
		return nil
	}
	return []string{"-tags=" + c.tags}
}

// parseModels reads the flags. The exit code is negative if the command is to go on.
func (t *Tool) parseModels(c *modelsCommand, args []string, operands, about string) ([]string, int) {
	switch err := c.flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(t.Stdout, "usage: %s [flags] %s\n%s", c.flags.Name(), operands, about)
		c.flags.SetOutput(t.Stdout)
		c.flags.PrintDefaults()
		return nil, ExitClean
	case err != nil:
		return nil, t.badFlag(c.flags, err)
	}
	if err := c.out.ready(); err != nil {
		return nil, t.wrongUse(c, err.Error())
	}
	return c.flags.Args(), -1
}

func (t *Tool) wrongUse(c *modelsCommand, msg string) int {
	for i, line := range strings.Split(msg, "\n") {
		if i == 0 {
			line = c.flags.Name() + ": " + line
		}
		fmt.Fprintln(t.Stderr, rule.Printable(line))
	}
	return ExitUsage
}

// table returns the models with those of the user, and the user's file, "" for none.
func (c *modelsCommand) table() (*model.Table, string, error) {
	file := c.file
	if file == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, "", err
		}
		if file, err = findModels(dir); err != nil {
			return nil, "", err
		}
		if rel, err := filepath.Rel(dir, file); err == nil && file != "" {
			file = rel
		}
	}
	t, err := model.Builtin().With(file)
	return t, file, err
}
