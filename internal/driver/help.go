package driver

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/rule"
)

// help prints an overview, the documentation of a rule or the flags of a command.
func (t *Tool) help(args []string) int {
	if len(args) == 0 {
		t.overview()
		return ExitClean
	}
	if len(args) == 2 && args[0] == "models" && (args[1] == "check" || args[1] == "add") {
		return t.models([]string{args[1], "-h"})
	}
	for _, name := range args {
		if d := docOf(name); d != nil {
			fmt.Fprint(t.Stdout, d.Help())
			continue
		}
		code := t.helpCommand(name)
		if code != ExitClean {
			return code
		}
	}
	return ExitClean
}

// helpCommand shows the flags of a command, or says that there is none of the name.
func (t *Tool) helpCommand(name string) int {
	var known []string
	for _, c := range subcommands()[1:] {
		known = append(known, c.name)
		switch {
		case c.name != name:
		case c.flags:
			return c.run(t, []string{"-h"})
		default:
			fmt.Fprintf(t.Stdout, "usage: %s\n\n%s\n", c.usage(), c.short)
			return ExitClean
		}
	}
	for _, d := range analyzers.Docs {
		known = append(known, d.Name)
	}
	fmt.Fprintf(t.Stderr, "fencelint help: no rule and no command %q%s\n",
		name, rule.Printable(suggest(name, "", known, "fencelint help lists them")))
	return ExitUsage
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
		fmt.Fprintf(w, "  %-46s %s\n", c.usage(), c.short)
	}
	fmt.Fprintf(w, "  %-46s %s\n", "go vet -vettool=$(which fencelint) ./...", "the same through the go command")
	fmt.Fprint(w, "\nPackages are named as for go vet: ./... is everything here and below, and without a name\n"+
		"it is the package of this directory; for explain it is ./... then. fencelint -h and\n"+
		"fencelint help COMMAND show flags.\n")
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

// showFlags prints the flags of a command, those of the rules as one.
func (t *Tool) showFlags(fs *flag.FlagSet, rules selection) {
	for _, c := range subcommands() {
		if strings.TrimSpace("fencelint "+c.name) == fs.Name() {
			fmt.Fprintf(t.Stdout, "usage: %s\n\n%s", c.usage(), c.long)
		}
	}
	few := flag.NewFlagSet("", flag.ContinueOnError)
	few.SetOutput(t.Stdout)
	fs.VisitAll(func(f *flag.Flag) {
		if rules[f.Name] == nil {
			few.Var(f.Value, f.Name, f.Usage)
			few.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	few.PrintDefaults()
	if len(rules) > 0 {
		fmt.Fprint(t.Stdout, "  -RULE, -RULE=false\n    \treport only this rule, or all but this one, such as -lockclass=false;\n"+
			"    \tmay be given more than once; fencelint help lists the rules\n")
	}
	fmt.Fprint(t.Stdout, "\nExit codes: 0 clean, 1 findings, 2 usage, 3 something could not be loaded or analysed.\n")
}

// badFlag says what is wrong with the flags.
func (t *Tool) badFlag(fs *flag.FlagSet, err error) int {
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		var known []string
		fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		slices.Sort(known)
		msg = "no flag -" + name + suggest(name, "-", known, fs.Name()+" -h lists the flags")
	}
	fmt.Fprintf(t.Stderr, "%s: %s\n", fs.Name(), rule.Printable(msg))
	return ExitUsage
}

// badWord says what is wrong with a first argument that is neither a command nor a
// package, "" if it does not look like a command.
func badWord(patterns []string) string {
	if len(patterns) == 0 || !isBareWord(patterns[0]) {
		return ""
	}
	word := patterns[0]
	var known []string
	for _, c := range subcommands()[1:] {
		known = append(known, c.name)
	}
	other := "fencelint help lists the commands, and a package of your own is named like ./" + word
	if docOf(word) != nil {
		other = fmt.Sprintf("it is a rule: fencelint help %s explains it, fencelint -%s ./... reports it alone", word, word)
	}
	return word + " is neither a command nor a package" + suggest(word, "fencelint ", known, other)
}
