package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/report"
)

// How far a position may be from its label, in lines.
const (
	siteReach  = 2
	writeReach = 3
)

// count is how many of the labels were met.
type count struct{ sites, found, writes, reached, right int }

func (c *count) add(d count) {
	c.sites += d.sites
	c.found += d.found
	c.writes += d.writes
	c.reached += d.reached
	c.right += d.right
}

// tally is the score of any number of repositories.
type tally struct {
	idioms map[string]count
	rows   int
	missed []string // labels that were not met
	extra  []string // rows at no label: to be judged by a person
	texts  sent
}

func newTally() *tally { return &tally{idioms: make(map[string]count), texts: newSent()} }

// score compares the labelled sites of one repository with its register.
func (t *tally) score(repo string, sites []site, rows []report.Row) {
	used := make(map[int]bool)
	for _, s := range sites {
		c := count{sites: 1, writes: len(s.writes)}
		var reach []report.Boundary
		for i, r := range rows {
			if r.File == s.file && near(r.From, r.Line, s.line, siteReach) {
				used[i] = true
				c.found = 1
				reach = append(reach, r.Boundaries...)
			}
		}
		if c.found == 0 {
			t.missed = append(t.missed, fmt.Sprintf("%s %s:%d site (%s, %s)", repo, s.file, s.line, s.idiom, s.class))
		}
		for _, w := range s.writes {
			t.follow(&c, repo, s, w, reach)
		}
		sum := t.idioms[s.idiom]
		sum.add(c)
		t.idioms[s.idiom] = sum
	}
	t.rows += len(rows)
	t.texts.add(repo, rows)
	for i, r := range rows {
		if !used[i] {
			t.extra = append(t.extra, fmt.Sprintf("%s %s:%d %s %s %s", repo, r.File, r.Line, r.Library, r.Idiom, r.Role))
		}
	}
}

// follow looks for one labelled write among the boundaries of its site. Where several
// are near enough, one with the right guard is taken.
func (t *tally) follow(c *count, repo string, s site, w write, reach []report.Boundary) {
	at := fmt.Sprintf("%s %s:%d write %s:%d", repo, s.file, s.line, w.file, w.line)
	said := ""
	for _, b := range reach {
		if passes(b, w) && said != w.fence {
			said = collapsed[b.Guard]
			if said == "" {
				said = "unknown"
			}
		}
	}
	switch said {
	case "":
		if c.found == 1 {
			at += " (its site is found)"
		}
		t.missed = append(t.missed, at+" not reached")
		return
	case w.fence:
		c.right++
	default:
		t.missed = append(t.missed, fmt.Sprintf("%s is %s, found %s", at, w.fence, said))
	}
	c.reached++
}

// passes reports whether a boundary is at the label, or reached through the call there:
// a label may stand where the write leaves the code that decides about it.
func passes(b report.Boundary, w write) bool {
	if b.File == w.file && near(b.From, b.Line, w.line, writeReach) {
		return true
	}
	return slices.ContainsFunc(b.Via, func(v string) bool {
		i := strings.LastIndexByte(v, ':')
		line, err := strconv.Atoi(v[i+1:])
		return err == nil && v[:i] == w.file && near(line, line, w.line, writeReach)
	})
}

// near reports whether a label stands where a statement begins or is sent, or between.
func near(from, at, label, reach int) bool {
	if from == 0 {
		from = at
	}
	return from-label <= reach && label-at <= reach
}

// print writes the figures of each idiom, their sum, and with details every label that
// was not met and every row that has no label.
func (t *tally) print(w io.Writer, details bool) {
	fmt.Fprintf(w, "%-18s %14s %16s %16s\n", "idiom", "sites found", "writes reached", "guard right")
	var all count
	for _, name := range slices.Sorted(maps.Keys(t.idioms)) {
		all.add(t.idioms[name])
		t.idioms[name].print(w, name)
	}
	all.print(w, "all")
	fmt.Fprintf(w, "%d rows in the registers, %d of them at no label\n", t.rows, len(t.extra))
	t.texts.print(w)
	if !details {
		return
	}
	for _, m := range t.missed {
		fmt.Fprintln(w, "missed:", m)
	}
	for _, x := range t.extra {
		fmt.Fprintln(w, "no label:", x)
	}
}

func (c count) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%-18s %14s %16s %16s\n", name,
		share(c.found, c.sites), share(c.reached, c.writes), share(c.right, c.reached))
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d %3d %%", part, whole, 100*part/whole)
}
