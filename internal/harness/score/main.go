// Score compares fencelint's register of a real repository with a table in which a
// person has labelled its lock acquisitions, the writes that they protect, and what guards each.
//
//	score -table FILE -tool FENCELINT [-save DIR] [-v] OWNER/NAME CLONE[:MODULE] [packages]
//	score -table FILE -registers DIR [-v]
//
// The first form runs the tool in a clone, or in a module inside it, and with -save keeps
// the register; the second reads kept registers and prints the figures over all of them.
// A site is found within two lines, a write within three; a guard that the register calls
// unknown counts as wrong.
//
// The table has the columns repo, file, line, idiom, class and writes, separated by tabs;
// writes are `file:line:kind:fence` joined by semicolons. Third-party code is never kept
// here: bring a clone at the commit that the table names.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/report"
)

func main() {
	table := flag.String("table", "", "`file` with the labelled sites")
	tool := flag.String("tool", "fencelint", "the fencelint `command` to run")
	save := flag.String("save", "", "`folder` in which to keep the register")
	registers := flag.String("registers", "", "`folder` with kept registers to sum up")
	details := flag.Bool("v", false, "name every label that was not met, and every row without one")
	flag.Parse()
	if err := run(*table, *tool, *save, *registers, *details, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func run(table, tool, save, registers string, details bool, args []string) error {
	sites, err := readTable(table)
	if err != nil {
		return err
	}
	t := newTally()
	if registers != "" {
		if err := kept(t, sites, registers); err != nil {
			return err
		}
		t.print(os.Stdout, details)
		return nil
	}
	if len(args) < 2 {
		return errors.New("a repository of the table and its clone are needed")
	}
	if sites[args[0]] == nil {
		return fmt.Errorf("%s is not in the table", args[0])
	}
	dir, module, _ := strings.Cut(args[1], ":")
	rows, err := register(tool, dir, module, args[2:])
	if err != nil {
		return err
	}
	if save != "" {
		if err := keep(save, args[0], module, rows); err != nil {
			return err
		}
	}
	t.score(args[0], within(sites[args[0]], module), rows)
	t.print(os.Stdout, details)
	return nil
}

// register runs the tool. What could not be loaded is shown; the rest counts.
func register(tool, dir, module string, patterns []string) ([]report.Row, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	cmd := exec.Command(tool, append([]string{"register", "-o", "json"}, patterns...)...)
	cmd.Dir = filepath.Join(dir, module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var rows []report.Row
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, fmt.Errorf("the register cannot be read (%v): %w", exit, err)
	}
	for i := range rows {
		rows[i].File = path.Join(module, rows[i].File)
		for k, b := range rows[i].Boundaries {
			rows[i].Boundaries[k].File = path.Join(module, b.File)
			for n, v := range b.Via {
				b.Via[n] = path.Join(module, v)
			}
		}
	}
	return rows, nil
}

// within are the sites of one module of a repository that has several.
func within(sites []site, module string) []site {
	if module == "" {
		return sites
	}
	return slices.DeleteFunc(slices.Clone(sites), func(s site) bool { return !strings.HasPrefix(s.file, module+"/") })
}

// saved is a register as it is kept between runs.
type saved struct {
	Repo, Module string
	Rows         []report.Row
}

func keep(dir, repo, module string, rows []report.Row) error {
	data, err := json.Marshal(saved{repo, module, rows})
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(path.Join(repo, module), "/", "+") + ".json"
	return os.WriteFile(filepath.Join(dir, name), data, 0o666)
}

// kept scores every kept register, once for all modules of a repository.
func kept(t *tally, sites map[string][]site, dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	rows := make(map[string][]report.Row)
	labels := make(map[string][]site)
	var order []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var s saved
		if err := json.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if rows[s.Repo] == nil && labels[s.Repo] == nil {
			order = append(order, s.Repo)
		}
		rows[s.Repo] = append(rows[s.Repo], s.Rows...)
		for _, l := range within(sites[s.Repo], s.Module) {
			if !slices.ContainsFunc(labels[s.Repo], func(m site) bool { return m.file == l.file && m.line == l.line }) {
				labels[s.Repo] = append(labels[s.Repo], l)
			}
		}
	}
	for _, repo := range order {
		t.score(repo, labels[repo], rows[repo])
	}
	return nil
}
