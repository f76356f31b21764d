package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/rule"
)

// RegisterText writes the rows for a reader at a terminal: one block a lock, what is
// open to obsolete owners first, and a line that counts at the end.
func RegisterText(w io.Writer, rows []Row) error {
	b := bufio.NewWriter(w)
	for _, r := range byRisk(rows) {
		fmt.Fprintf(b, "%s  %s\n", Position{File: r.File, Line: r.Line}, rule.Printable(r.headline()))
		for _, g := range byWays(r.Boundaries, same) {
			g[0].text(b, len(g)-1)
		}
		for _, a := range r.Accepted {
			fmt.Fprintf(b, "\taccepted  %s\n", rule.Printable(a))
		}
		fmt.Fprintln(b)
	}
	if len(rows) > 0 {
		fmt.Fprintln(b, countOf(rows))
	}
	return b.Flush()
}

func (x Boundary) text(b io.Writer, more int) {
	fmt.Fprintf(b, "\t%-9s %s  %s\n", x.Verdict, Position{File: x.File, Line: x.Line}, rule.Printable(x.headline()))
	if x.Reason != "" {
		fmt.Fprintf(b, "\t%9s %s\n", "", rule.Printable(x.Reason))
	}
	for _, s := range x.Schema {
		fmt.Fprintf(b, "\t%9s schema: %s\n", "", rule.Printable(s))
	}
	if len(x.Path) > 0 {
		fmt.Fprintf(b, "\t%9s via %s", "", rule.Printable(strings.Join(x.Path, " > ")))
		switch {
		case more == 1:
			fmt.Fprint(b, ", and in one more way")
		case more > 1:
			fmt.Fprintf(b, ", and in %d more ways", more)
		}
		fmt.Fprintln(b)
	}
}

// byWays brings together what differs in its ways alone, wherever it stands: layers that
// wrap one another reach one write in dozens of ways. The order is that of the first of each.
func byWays[T any](list []T, same func(a, b T) bool) [][]T {
	var out [][]T
	for _, x := range list {
		i := slices.IndexFunc(out, func(g []T) bool { return same(x, g[0]) })
		if i < 0 {
			out = append(out, []T{x})
			continue
		}
		out[i] = append(out[i], x)
	}
	return out
}

// byRisk orders rows by what can go wrong: first by the worst verdict among the
// boundaries, then by class. Rows of one risk stay in the order of their places.
func byRisk(rows []Row) []Row {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.risk(), a.risk()), cmp.Compare(classes[b.Class], classes[a.Class]))
	})
	return out
}

var classes = map[string]int{"correctness": 2, "": 1}

// verdicts orders what is known of a boundary, the worst last.
var verdicts = []string{"proved", "unproved", "refuted"}

// risk is the place of the worst verdict among the boundaries, from 1; 0 without any.
// Under a lock for efficiency nothing is at risk.
func (r Row) risk() int {
	worst := 0
	if r.Class == "efficiency" {
		return worst
	}
	for _, b := range r.Boundaries {
		worst = max(worst, slices.Index(verdicts, b.Verdict)+1)
	}
	return worst
}

// countOf says in one line what the register holds.
func countOf(rows []Row) string {
	var n [4]int
	plain := 0
	for _, r := range rows {
		n[r.risk()]++
		if r.Class == "" && r.Role != "wrapper" {
			plain++
		}
	}
	return fmt.Sprintf("%d places where a lock is taken: %d with a write that is open to an obsolete owner, %d with one of which that is not known, "+
		"%d with proved writes only, %d without writes in sight or for efficiency; %d without a class.", len(rows), n[3], n[2], n[1], n[0], plain)
}

func same(a, b Boundary) bool {
	return a.File == b.File && a.Line == b.Line && a.Receiver == b.Receiver && a.Guard == b.Guard && a.Verdict == b.Verdict && a.Reason == b.Reason
}
