package driver

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
)

// subcommand is a word that may follow the program's name.
type subcommand struct {
	name, args, short string
	run               func(*Tool, []string) int
}

// subcommands returns all of them; the first is the one without a name.
func subcommands() []subcommand {
	return []subcommand{
		{"", "[flags] [packages]", "report findings", (*Tool).lint},
		{"register", "[flags] [packages]", "list every lock with its writes and what protects them", (*Tool).register},
		{"gopls", "[flags] [gopls args]", "run gopls, the language server, with the rules inside", (*Tool).gopls},
		{"help", "[rule]", "show this text, or what a rule reports", (*Tool).help},
		{"version", "", "show the version", (*Tool).printVersion},
	}
}

// command runs the tool as a command of its own.
func (t *Tool) command(args []string) int {
	all := subcommands()
	if len(args) > 0 {
		for _, c := range all[1:] {
			if args[0] == c.name {
				return c.run(t, args[1:])
			}
		}
	}
	return all[0].run(t, args)
}

// settings are the flags of the commands that analyse packages.
type settings struct {
	rules   selection
	options prove.Options
	tests   bool
	tags    string
	format  string
}

// parse reads the flags that all analysing commands share, and those that more
// adds. The exit code is negative if the command is to go on.
func (t *Tool) parse(name string, args []string, more func(*flag.FlagSet, *settings)) (*settings, []string, int) {
	s := &settings{rules: selection{}}
	fs := flag.NewFlagSet(strings.TrimSpace("fencelint "+name), flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	registerEngine(fs, &s.options)
	fs.BoolVar(&s.tests, "tests", true, "analyse tests too")
	fs.StringVar(&s.tags, "tags", "", "build `tags`, separated by commas")
	fs.BoolVar(&t.verbose, "v", false, "say what is done")
	more(fs, s)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(t.Stdout)
		fmt.Fprintf(t.Stdout, "usage: %s [flags] [packages]\n\n", fs.Name())
		fs.PrintDefaults()
		return nil, nil, ExitClean
	case err != nil:
		fmt.Fprintf(t.Stderr, "%s: %s; %s -h lists the flags\n", fs.Name(), rule.Printable(err.Error()), fs.Name())
		return nil, nil, ExitUsage
	}
	return s, fs.Args(), -1
}

// lint reports findings.
func (t *Tool) lint(args []string) int {
	s, patterns, code := t.parse("", args, func(fs *flag.FlagSet, s *settings) {
		s.rules.register(fs)
		fs.StringVar(&s.format, "o", "text", "`form` of the report: text, json or sarif")
		fs.BoolFunc("json", "short for -o json", func(string) error { s.format = "json"; return nil })
	})
	if code >= 0 {
		return code
	}
	write, ok := map[string]func(io.Writer, *summary) error{
		"text":  func(w io.Writer, sum *summary) error { return report.Text(w, sum.findings) },
		"json":  func(w io.Writer, sum *summary) error { return report.JSON(w, sum.findings) },
		"sarif": t.sarif,
	}[s.format]
	if !ok {
		return t.badFormat("fencelint", s.format, "text, json or sarif")
	}
	sum, code := t.analyse(s, patterns)
	if code >= 0 {
		return code
	}
	return t.finish(sum, write(t.Stdout, sum), len(sum.findings) > 0)
}

func (t *Tool) badFormat(command, format, want string) int {
	fmt.Fprintf(t.Stderr, "%s: -o %s: want %s\n", command, rule.Printable(format), want)
	return ExitUsage
}

func (t *Tool) sarif(w io.Writer, sum *summary) error {
	return report.SARIF(w, report.Run{
		Version: t.Version, Rules: analyzers.Docs, Findings: sum.findings, Faults: sum.faults,
		Line: newLineReader(sum.base).line,
	})
}

// register lists the locks.
func (t *Tool) register(args []string) int {
	s, patterns, code := t.parse("register", args, func(fs *flag.FlagSet, s *settings) {
		fs.StringVar(&s.format, "o", "text", "`form` of the list: text or json")
	})
	if code >= 0 {
		return code
	}
	write, ok := map[string]func(io.Writer, []report.Row) error{
		"text": report.RegisterText,
		"json": report.RegisterJSON,
	}[s.format]
	if !ok {
		return t.badFormat("fencelint register", s.format, "text or json")
	}
	sum, code := t.analyse(s, patterns)
	if code >= 0 {
		return code
	}
	return t.finish(sum, write(t.Stdout, sum.rows), false)
}

// finish turns what happened into an exit code.
func (t *Tool) finish(sum *summary, err error, findings bool) int {
	switch {
	case err != nil:
		return t.fail(err)
	case len(sum.faults) > 0:
		return ExitFailure
	case findings:
		return ExitFindings
	}
	return ExitClean
}

// help prints an overview, or the documentation of a rule.
func (t *Tool) help(args []string) int {
	if len(args) == 0 {
		t.overview()
		return ExitClean
	}
	for _, name := range args {
		d := docOf(name)
		if d == nil {
			fmt.Fprintf(t.Stderr, "fencelint help: no rule %q; fencelint help lists them\n", name)
			return ExitUsage
		}
		fmt.Fprint(t.Stdout, d.Help())
	}
	return ExitClean
}

func docOf(name string) *rule.Doc {
	for _, d := range analyzers.Docs {
		if d.Name == name {
			return d
		}
	}
	return nil
}

func (t *Tool) overview() {
	w := t.Stdout
	fmt.Fprint(w, "fencelint answers, for every distributed lock in Go code: when its holder is paused\n"+
		"past the lease and comes back, who stops its write?\n\nUsage:\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(w, "  %-40s %s\n", strings.Join(strings.Fields("fencelint "+c.name+" "+c.args), " "), c.short)
	}
	fmt.Fprintf(w, "  %-40s %s\n", "go vet -vettool=$(which fencelint) ./...", "the same through the go command")
	fmt.Fprint(w, "\nFlags are shown by fencelint -h and by fencelint register -h.\n")
	for _, g := range rule.Groups() {
		head := false
		for _, d := range analyzers.Docs {
			if d.Group() != g {
				continue
			}
			if !head {
				fmt.Fprintf(w, "\nRules about %s:\n\n", g)
				head = true
			}
			fmt.Fprintf(w, "  %-20s %s\n", d.Name, d.Title)
		}
	}
	fmt.Fprint(w, "\nExit codes: 0 clean, 1 findings, 2 usage or a pattern that matches no package,\n"+
		"3 a package could not be loaded or analysed (the others are reported).\n")
}

func (t *Tool) printVersion([]string) int {
	fmt.Fprintf(t.Stdout, "fencelint %s\n", t.Version)
	return ExitClean
}
