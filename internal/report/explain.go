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

// Reason is one step of the reasoning about a lock or a write.
type Reason struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Depth int    `json:"depth,omitempty"`
}

// Explanation is what is known of one line.
type Explanation struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Locks are taken at the line, Writes leave the process there or pass through a
	// call there. A write is given once for each lock in whose hold it stands.
	Locks    []LockExplained  `json:"locks"`
	Writes   []WriteExplained `json:"writes"`
	Findings []Finding        `json:"findings"`
	// Near are the closest known places of the file, where nothing is at the line.
	Near []Nearby `json:"near,omitempty"`
}

// LockExplained is one lock.
type LockExplained struct {
	Row
	Steps []Reason `json:"steps"`
}

// WriteExplained is one write, Lock the lock in whose hold it stands, nil if no hold
// in sight reaches it.
type WriteExplained struct {
	Boundary
	Lock  *LockExplained `json:"lock"`
	Steps []Reason       `json:"steps"`
}

// Nearby is a place that can be asked for.
type Nearby struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"what"`
}

// ExplanationJSON writes an explanation for programs. Lists are never null, and the
// locks of the writes do not list their boundaries once more.
func ExplanationJSON(w io.Writer, e *Explanation) error {
	out := *e
	out.Findings = full(e.Findings)
	out.Locks = full(e.Locks)
	for i, l := range out.Locks {
		out.Locks[i].Steps, out.Locks[i].Boundaries = full(l.Steps), full(l.Boundaries)
		for k, b := range out.Locks[i].Boundaries {
			out.Locks[i].Boundaries[k].Path = full(b.Path)
		}
	}
	out.Writes = full(e.Writes)
	for i, x := range out.Writes {
		out.Writes[i].Path, out.Writes[i].Steps = full(x.Path), full(x.Steps)
		if x.Lock != nil {
			l := *x.Lock
			l.Boundaries, l.Steps = []Boundary{}, full(l.Steps)
			out.Writes[i].Lock = &l
		}
	}
	return Encode(w, &out)
}

// full copies a list; it is not nil.
func full[T any](list []T) []T { return append([]T{}, list...) }

// ExplanationText writes an explanation for people.
func ExplanationText(w io.Writer, e *Explanation) error {
	b := bufio.NewWriter(w)
	blocks := 0
	next := func() {
		if blocks++; blocks > 1 {
			fmt.Fprintln(b)
		}
	}
	for _, l := range e.Locks {
		next()
		l.text(b)
	}
	for _, ways := range byWays(e.Writes, WriteExplained.another) {
		next()
		textOf(b, ways)
	}
	for _, f := range e.Findings {
		next()
		fmt.Fprintf(b, "reported at %s (%s)\n\t%s\n", f.Position, f.Rule, rule.Printable(f.Message))
	}
	if e.Empty() {
		next()
		e.nothing(b)
	}
	return b.Flush()
}

// Empty reports whether neither a lock nor a write is at the line.
func (e *Explanation) Empty() bool { return len(e.Locks)+len(e.Writes) == 0 }

func (e *Explanation) nothing(b io.Writer) {
	at := Position{File: e.File, Line: e.Line}
	if len(e.Near) == 0 {
		fmt.Fprintf(b, "%s: no lock is taken here, and no write leaves; nor elsewhere in this file\n", at)
		return
	}
	fmt.Fprintf(b, "%s: no lock is taken here, and no write leaves; the nearest in this file:\n", at)
	for _, n := range e.Near {
		fmt.Fprintf(b, "\t%s  %s\n", Position{File: n.File, Line: n.Line}, rule.Printable(n.What))
	}
}

func (l *LockExplained) text(b io.Writer) {
	fmt.Fprintf(b, "%s  lock: %s\n", Position{File: l.File, Line: l.Line}, rule.Printable(l.headline()))
	steps(b, l.Steps)
	for _, a := range l.Accepted {
		fmt.Fprintf(b, "\t%-9s  %s\n", "accepted", rule.Printable(a))
	}
	label := "reaches"
	for _, g := range byWays(l.Boundaries, same) {
		x := g[0]
		fmt.Fprintf(b, "\t%-9s  %s  %s: %s\n", label, Position{File: x.File, Line: x.Line}, rule.Printable(x.headline()), outcomeOf(&x))
		label = ""
	}
}

func outcomeOf(x *Boundary) string {
	return x.Verdict + rule.Printable(strings.TrimSuffix(", "+x.Reason, ", "))
}

// another reports whether x is o, reached in another way from the same lock.
func (x WriteExplained) another(o WriteExplained) bool {
	return same(x.Boundary, o.Boundary) && (x.Lock == nil) == (o.Lock == nil) && (x.Lock == nil || sameLock(x.Lock.Row, o.Lock.Row))
}

// textOf shows one write: the shortest way to it in full, of the others the calls.
func textOf(b io.Writer, ways []WriteExplained) {
	slices.SortStableFunc(ways, func(x, y WriteExplained) int { return len(x.Path) - len(y.Path) })
	ways[0].text(b)
	for _, x := range ways[1:] {
		var calls []string
		for i, f := range x.Path {
			if i < len(x.Via) {
				f += " (" + x.Via[i] + ")"
			}
			calls = append(calls, f)
		}
		fmt.Fprintf(b, "\t%-9s  %s\n", "also via", rule.Printable(strings.Join(calls, " > ")))
	}
}

func (x *WriteExplained) text(b io.Writer) {
	fmt.Fprintf(b, "%s  write: %s\n", Position{File: x.File, Line: x.Line}, rule.Printable(x.headline()))
	if x.Lock != nil {
		fmt.Fprintf(b, "\t%-9s  %s  %s\n", "lock", Position{File: x.Lock.File, Line: x.Lock.Line}, rule.Printable(x.Lock.headline()))
		steps(b, x.Lock.Steps)
	}
	last := slices.IndexFunc(x.Steps, func(r Reason) bool { return r.Kind == "rule" || r.Kind == "accepted" })
	if last < 0 {
		last = len(x.Steps)
	}
	steps(b, x.Steps[:last])
	fmt.Fprintf(b, "\t%-9s  %s\n", cmp.Or(x.Verdict, "no hold"), rule.Printable(x.Reason))
	steps(b, x.Steps[last:])
}

// steps writes the steps of the reasoning, each kind named once.
func steps(b io.Writer, list []Reason) {
	before := ""
	for _, r := range list {
		kind := r.Kind
		if kind == before || r.Depth > 0 {
			kind = ""
		} else {
			before = kind
		}
		at := ""
		if r.Line > 0 {
			at = "  (" + Position{File: r.File, Line: r.Line}.String() + ")"
		}
		fmt.Fprintf(b, "\t%-9s  %s%s%s\n", kind, strings.Repeat("  ", r.Depth), rule.Printable(r.Text), at)
	}
}
