// Mutate breaks correct code in small ways and tells where fencelint did not notice.
//
//	mutate -tool FENCELINT [-rounds N] [-only NAMES] MODULE
//
// It copies a module of fixtures, and in each round changes one place of each of its
// folders, in a function without a mark: a guard is dropped, turned or widened, an epoch
// stored no more or replaced, an answer not looked at. If the findings of the folder are the
// same as before, the mutant has survived, and is printed.
//
// A survivor is no fault by itself: the place may lie outside of all holds, the write may be
// guarded twice, or the finding may stand there already. A person reads the list; each line
// that is a fault is a kind of code that was called right and is wrong.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	tool := flag.String("tool", "fencelint", "the fencelint `command` to run")
	rounds := flag.Int("rounds", 1000, "how many places of each folder to change, at most")
	only := flag.String("only", "", "`names` of the operators to use, with commas (default all)")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: mutate [flags] MODULE")
	}
	if err := run(os.Stdout, flag.Arg(0), *tool, *rounds, *only); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, module, tool string, rounds int, only string) error {
	work, err := os.MkdirTemp("", "fencelint-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(module)); err != nil {
		return err
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return err
	}
	folders, err := mutantsBelow(work, only)
	if err != nil {
		return err
	}
	before, err := vet(work, tool)
	if err != nil {
		return err
	}
	made, survived := 0, 0
	for round := range rounds {
		now := oneOfEach(folders, round)
		if len(now) == 0 {
			break
		}
		left, err := try(work, tool, now, before)
		if err != nil {
			return err
		}
		made += len(now)
		survived += len(left)
		for _, m := range left {
			fmt.Fprintln(w, m.in(work))
		}
	}
	_, err = fmt.Fprintf(w, "%d mutants, %d of them survived\n", made, survived)
	return err
}

// oneOfEach takes one mutant of each folder that has so many.
func oneOfEach(folders map[string][]mutant, round int) []mutant {
	var out []mutant
	for _, ms := range folders {
		if round < len(ms) {
			out = append(out, ms[round])
		}
	}
	slices.SortFunc(out, func(a, b mutant) int { return strings.Compare(a.file, b.file) })
	return out
}

// try makes the mutants, looks what the tool says, and takes them back. It gives those
// in whose folders nothing has changed.
func try(work, tool string, ms []mutant, before map[string]string) ([]mutant, error) {
	for _, m := range ms {
		if err := m.apply(); err != nil {
			return nil, err
		}
	}
	after, err := vet(work, tool)
	var left []mutant
	for _, m := range ms {
		if f := folder(work, m.file); after[f] == before[f] {
			left = append(left, m)
		}
		if e := os.WriteFile(m.file, m.source, 0o644); err == nil {
			err = e
		}
	}
	return left, err
}
