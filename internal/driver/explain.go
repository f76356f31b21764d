package driver

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
)

// explainLong says what the command does.
const explainLong = `Shows, for each lock that is taken at the line and each write that leaves or passes there:
the hold, the way of calls, the statement and its values, the guard with its ordering table,
where the token comes from and where certainty about it ends, what becomes of a refusal, and
the verdict. Packages are ./... if none is named.

`

// explain shows the reasoning about what stands at one line.
func (t *Tool) explain(args []string) int {
	s, rest, code := t.parse("explain", args, func(fs *flag.FlagSet, s *settings) {
		s.rules.register(fs)
		s.options.Trace = true
		s.out.forms = []string{"text", "json"}
		fs.Var(&s.out, "o", "`form` of the answer: text or json (default text)")
	})
	if code >= 0 {
		return code
	}
	at, err := lineOf(rest)
	if err != nil {
		return t.fail(err)
	}
	patterns := rest[1:]
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	sum, code := t.analyse(s, patterns)
	if code >= 0 {
		return code
	}
	e := nearestExplanation(sum, at)
	err = s.out.write(t.Stdout, func(form string, w io.Writer) error {
		if form == "json" {
			return report.ExplanationJSON(w, e)
		}
		return report.ExplanationText(w, e)
	})
	return t.finish(sum, err, false)
}

// lineOf reads FILE:LINE, which must be there.
func lineOf(args []string) (report.Position, error) {
	var at report.Position
	if len(args) == 0 {
		return at, &usageError{"explain takes FILE:LINE, then packages if not ./...; fencelint explain -h shows the flags"}
	}
	word := rule.Printable(args[0])
	file, line, ok := cutLine(args[0])
	if !ok {
		return at, &usageError{word + " is not FILE:LINE, such as store/write.go:41"}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return at, &usageError{word + ": there is no such file"}
	}
	if n := bytes.Count(data, []byte("\n")) + 1; line > n {
		return at, &usageError{fmt.Sprintf("%s: the file has %d lines", word, n)}
	}
	if filepath.IsAbs(file) {
		if base, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(base, file); err == nil {
				file = rel
			}
		}
	}
	return report.Position{File: filepath.ToSlash(filepath.Clean(file)), Line: line}, nil
}

// cutLine splits FILE:LINE or FILE:LINE:COLUMN, as reports write positions.
func cutLine(word string) (file string, line int, ok bool) {
	file, number, ok := cutLast(word)
	if more, first, ok := cutLast(file); ok {
		if n, err := strconv.Atoi(first); err == nil && n > 0 {
			file, number = more, first
		}
	}
	n, err := strconv.Atoi(number)
	return file, n, ok && err == nil && n > 0 && file != ""
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// nearestExplanation explains the line itself or, if nothing is there, the line on
// which a call or directive begins that goes over it.
func nearestExplanation(sum *summary, at report.Position) *report.Explanation {
	e := explanation(sum, at)
	if !e.Empty() {
		return e
	}
	for _, line := range around(filepath.Join(sum.base, filepath.FromSlash(at.File)), at.Line) {
		if other := explanation(sum, report.Position{File: at.File, Line: line}); !other.Empty() {
			return other
		}
	}
	e.Near = nearest(sum, at)
	return e
}

// around lists the lines on which the calls begin that go over a line, the innermost
// first; calls outside the function literal around it are left out. For a line
// with a directive it is the line below.
func around(file string, line int) []int {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	var out []int
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		from, to := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
		if _, isFile := n.(*ast.File); !isFile && (line < from || line > to) {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt:
			if from < line && line < to {
				out = nil
			}
		case *ast.CallExpr:
			out = append([]int{from}, out...)
		}
		return true
	})
	for _, g := range f.Comments {
		for _, c := range g.List {
			if fset.Position(c.Pos()).Line == line && strings.HasPrefix(c.Text, "//fencelint:") {
				out = append(out, fset.Position(g.End()).Line+1)
			}
		}
	}
	return out
}

// explanation gathers what the analysis knows of one line.
func explanation(sum *summary, at report.Position) *report.Explanation {
	e := &report.Explanation{File: at.File, Line: at.Line}
	here := at.String()
	for _, r := range sum.rows {
		lock := report.LockExplained{Row: r, Steps: r.Trace}
		if place(r.File, r.Line) == here || r.Inner == here {
			e.Locks = append(e.Locks, lock)
		}
		for _, b := range r.Boundaries {
			if place(b.File, b.Line) != here && !slices.Contains(b.Via, here) {
				continue
			}
			if r.Role != "wrapper" || !usedElsewhere(sum.rows, r, b) {
				e.Writes = append(e.Writes, report.WriteExplained{Boundary: b, Lock: &lock, Steps: b.Trace})
			}
		}
	}
	if len(e.Writes) == 0 {
		for _, b := range sum.loose {
			if place(b.File, b.Line) == here {
				e.Writes = append(e.Writes, report.WriteExplained{Boundary: b, Steps: b.Trace})
			}
		}
	}
	for _, f := range sum.findings {
		if f.File == at.File && f.Line <= at.Line && at.Line <= max(f.Line, f.EndLine) {
			e.Findings = append(e.Findings, f)
		}
	}
	return e
}

func place(file string, line int) string { return report.Position{File: file, Line: line}.String() }

// usedElsewhere reports whether the row of a use of a wrapper has the boundary too.
func usedElsewhere(rows []report.Row, w report.Row, b report.Boundary) bool {
	return slices.ContainsFunc(rows, func(r report.Row) bool {
		return r.Role != "wrapper" && r.Library == w.Library && r.Inner == place(w.File, w.Line) &&
			slices.ContainsFunc(r.Boundaries, func(o report.Boundary) bool {
				return o.File == b.File && o.Line == b.Line && o.Receiver == b.Receiver && o.Verdict == b.Verdict
			})
	})
}

// maxNear bounds the places that are offered instead.
const maxNear = 5

// nearest lists the closest locks and writes of a file, in the order of their lines.
func nearest(sum *summary, at report.Position) []report.Nearby {
	var all []report.Nearby
	add := func(file string, line int, what string) {
		n := report.Nearby{File: file, Line: line, What: what}
		if file == at.File && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	write := func(b report.Boundary) {
		add(b.File, b.Line, "write: "+b.Receiver)
		for _, v := range b.Via {
			if file, line, ok := cutLine(v); ok {
				add(file, line, "call on the way to a write: "+b.Receiver)
			}
		}
	}
	for _, r := range sum.rows {
		add(r.File, r.Line, "lock: "+r.Library)
		for _, b := range r.Boundaries {
			write(b)
		}
	}
	for _, b := range sum.loose {
		write(b)
	}
	distance := func(n report.Nearby) int { return max(n.Line-at.Line, at.Line-n.Line) }
	slices.SortStableFunc(all, func(a, b report.Nearby) int { return distance(a) - distance(b) })
	all = all[:min(len(all), maxNear)]
	slices.SortStableFunc(all, func(a, b report.Nearby) int { return a.Line - b.Line })
	return all
}
