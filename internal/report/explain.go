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
	out.Locks = append([]LockExplained{}, e.Locks...)
	out.Findings = append([]Finding{}, e.Findings...)
	out.Writes = make([]WriteExplained, len(e.Writes))
	for i, x := range e.Writes {
		x.Path = append([]string{}, x.Path...)
		if x.Lock != nil {
			l := *x.Lock
			l.Boundaries = []Boundary{}
			x.Lock = &l
		}
		out.Writes[i] = x
	}
	return Encode(w, &out)
}

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
	for _, x := range e.Writes {
		next()
		x.text(b)
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
	for bs := l.Boundaries; len(bs) > 0; {
		n := alike(bs)
		x := bs[0]
		fmt.Fprintf(b, "\t%-9s  %s  %s: %s\n", "reaches", Position{File: x.File, Line: x.Line}, rule.Printable(x.headline()), outcomeOf(&x))
		bs = bs[n:]
	}
}

func outcomeOf(x *Boundary) string {
	return x.Verdict + rule.Printable(strings.TrimSuffix(", "+x.Reason, ", "))
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
