package driver

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
)

// subcommand is a word that may follow the program's name.
type subcommand struct {
	name, args, short string
	long              string // what -h says more, with a blank line at the end
	flags             bool   // has flags, which -h shows
	run               func(*Tool, []string) int
}

func (c subcommand) usage() string {
	return strings.Join(strings.Fields("fencelint "+c.name+" "+c.args), " ")
}

// subcommands returns all of them; the first is the one without a name.
func subcommands() []subcommand {
	return []subcommand{
		{name: "", args: "[flags] [packages]", short: "report findings", flags: true, run: (*Tool).lint},
		{name: "register", args: "[flags] [packages]", short: "list every lock with its writes and what protects them", flags: true, run: (*Tool).register},
		{name: "explain", args: "[flags] FILE:LINE [packages]", short: "show the reasoning about a lock or a write", long: explainLong, flags: true, run: (*Tool).explain},
		{name: "prove", args: "[flags] 'STATEMENT'", short: "show how one statement is judged", flags: true, run: (*Tool).prove},
		{name: "models", args: "[flags] [library]", short: "list the libraries that are known, or the rows of one; check and add: your own", flags: true, run: (*Tool).models},
		{name: "gopls", args: "[flags] [gopls args]", short: "run gopls, the language server, with the rules inside", flags: true, run: (*Tool).gopls},
		{name: "help", args: "[rule or command]", short: "show this text, what a rule reports, or the flags of a command", run: (*Tool).help},
		{name: "version", args: "", short: "show the version", run: (*Tool).printVersion},
	}
}

// command runs the tool as a command of its own.
func (t *Tool) command(args []string) int {
	all := subcommands()
	if len(args) == 1 && (args[0] == "-version" || args[0] == "--version") {
		return t.printVersion(nil)
	}
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
	out     reports
	today   time.Time // decisions that ended before are reported
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
		t.showFlags(fs, s.rules)
		return nil, nil, ExitClean
	case err != nil:
		return nil, nil, t.badFlag(fs, err)
	}
	if err := s.out.ready(); err != nil {
		fmt.Fprintf(t.Stderr, "%s: %s\n", fs.Name(), rule.Printable(err.Error()))
		return nil, nil, ExitUsage
	}
	return s, fs.Args(), -1
}

// lint reports findings.
func (t *Tool) lint(args []string) int {
	s, patterns, code := t.parse("", args, func(fs *flag.FlagSet, s *settings) {
		s.rules.register(fs)
		s.out.forms = []string{"text", "json", "sarif"}
		fs.Var(&s.out, "o", "`form` of the report: text, json or sarif (default text). form=FILE writes to a file\n"+
			"beside what goes to standard output; may be given more than once")
		fs.BoolFunc("json", "short for -o json", func(string) error { return s.out.Set("json") })
		s.today = time.Now()
		fs.Func("today", "judge the until= of decisions on this `day`, written 2027-06-30 (default today)", func(v string) (err error) {
			if s.today, err = time.Parse(time.DateOnly, v); err != nil {
				return errors.New("want a day written 2027-06-30")
			}
			return nil
		})
	})
	if code >= 0 {
		return code
	}
	sum, code := t.analyse(s, patterns)
	if code >= 0 {
		return code
	}
	err := s.out.write(t.Stdout, func(form string, w io.Writer) error {
		switch form {
		case "json":
			return report.JSON(w, sum.findings)
		case "sarif":
			return t.sarif(w, sum)
		}
		return report.Text(w, sum.findings)
	})
	return t.finish(sum, err, len(sum.findings) > 0)
}

func (t *Tool) sarif(w io.Writer, sum *summary) error {
	return report.SARIF(w, report.Run{
		Version: t.Version, Rules: analyzers.Docs, Findings: sum.findings, Faults: sum.faults,
		Below: belowSource(sum.base), Line: newLineReader(sum.base).line,
	})
}

// register lists the locks.
func (t *Tool) register(args []string) int {
	s, patterns, code := t.parse("register", args, func(fs *flag.FlagSet, s *settings) {
		s.out.forms = []string{"text", "json"}
		fs.Var(&s.out, "o", "`form` of the list: text or json (default text). form=FILE writes to a file beside\n"+
			"what goes to standard output; may be given more than once")
	})
	if code >= 0 {
		return code
	}
	sum, code := t.analyse(s, patterns)
	if code >= 0 {
		return code
	}
	addSchemas(sum.rows)
	err := s.out.write(t.Stdout, func(form string, w io.Writer) error {
		if form == "json" {
			return report.RegisterJSON(w, sum.rows)
		}
		return report.RegisterText(w, sum.rows)
	})
	return t.finish(sum, err, false)
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

func (t *Tool) printVersion([]string) int {
	fmt.Fprintf(t.Stdout, "fencelint %s\n", t.Version)
	return ExitClean
}
