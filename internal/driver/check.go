package driver

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/internal/rule/names"
)

// check is one package on its way from source to findings.
type check struct {
	tool      *Tool
	path      string   // import path, as its types know it
	files     []string // Go files to compile
	module    string   // path of its module if that is the user's own, "" if not or unknown
	goVersion string   // language version of its module, such as go1.26; "" for the newest
	fset      *token.FileSet
	importer  types.Importer
	facts     func(path string) []byte // encoded fact of an imported package, nil if none
	options   prove.Options
	rules     selection
	today     time.Time // decisions that ended before are reported; zero: nobody asks

	show   func(file string) string    // name of a file in reports
	locate func(at prove.Place) string // file of a place in another package

	parsed []*ast.File
}

// outcome is what is left of a package after the analysis.
type outcome struct {
	findings []report.Finding
	rows     []report.Row
	loose    []report.Boundary // writes outside all holds, where the reasoning is asked for
	fact     []byte
}

// run parses, type-checks and analyses the package. A panic on the way becomes an
// error that names the package. Errors that stand in the source are *sourceError.
func (c *check) run() (out outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{c.path, p, debug.Stack()}
		}
	}()
	if err := c.knowsVersion(); err != nil {
		return outcome{}, err
	}
	if err := c.parse(); err != nil {
		return outcome{}, err
	}
	unit, err := c.types()
	if err != nil {
		return outcome{}, err
	}
	c.tool.observe("run", c.path)
	res, err := c.tool.Engine(unit, c.options)
	if err != nil {
		return outcome{}, fmt.Errorf("internal error in %s: %w", c.path, err)
	}
	return c.outcome(res), nil
}

// panicError is a panic while a package was analysed.
type panicError struct {
	pkg   string
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("internal error in %s: %v", e.pkg, e.value)
}

// knowsVersion refuses source that is newer than the parser and the type checker
// in this program.
func (c *check) knowsVersion() error {
	have := version.Lang(runtime.Version())
	want := version.Lang(c.goVersion)
	if have == "" || want == "" || version.Compare(want, have) <= 0 {
		return nil
	}
	return fmt.Errorf("%s: its module is written for %s, and this fencelint was built with %s\n"+
		"build it anew with %s or later: GOTOOLCHAIN=%s.0 go install github.com/fencelint/fencelint/cmd/fencelint@latest",
		c.path, want, runtime.Version(), want, want)
}

func (c *check) parse() error {
	c.tool.observe("parse", c.path)
	for _, name := range c.files {
		f, err := parser.ParseFile(c.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return c.sourceError(err)
		}
		c.parsed = append(c.parsed, f)
	}
	return nil
}

func (c *check) types() (*prove.Unit, error) {
	var errs []error
	conf := types.Config{
		Importer:  c.importer,
		GoVersion: c.goVersion,
		Sizes:     types.SizesFor("gc", build.Default.GOARCH),
		Error:     func(err error) { errs = append(errs, err) },
	}
	info := &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	pkg, err := conf.Check(c.path, c.fset, c.parsed, info)
	if len(errs) > 0 {
		return nil, c.sourceError(errors.Join(errs...))
	}
	if err != nil {
		return nil, c.sourceError(err)
	}
	return &prove.Unit{Fset: c.fset, Files: c.parsed, Pkg: pkg, Info: info, Module: c.module, ImportFact: c.facts}, nil
}

func (c *check) outcome(res *prove.Result) outcome {
	out := outcome{fact: res.Fact}
	for _, f := range res.Findings {
		if c.rules.enabled(f.Rule) {
			out.findings = append(out.findings, c.finding(f))
		}
	}
	out.findings = append(out.findings, c.expired(out.findings)...)
	for _, r := range res.Rows {
		out.rows = append(out.rows, c.row(r))
	}
	for _, b := range res.Loose {
		out.loose = append(out.loose, c.boundary(b))
	}
	return out
}

// expired are the decisions whose last day is over. The engine has no clock, since what
// it says is cached; the command has one. A directive that is reported already for
// another reason is left at that.
func (c *check) expired(found []report.Finding) []report.Finding {
	const name = "fencedirective"
	if c.today.IsZero() || !c.rules.enabled(name) {
		return nil
	}
	var list []report.Finding
	for _, p := range classify.Read(c.fset, c.parsed, names.All()).Expired(c.today) {
		f := c.finding(prove.Finding{Rule: name, Pos: p.Pos, End: p.End, Message: p.Message})
		if !slices.ContainsFunc(found, func(g report.Finding) bool { return g.Rule == name && g.Position == f.Position }) {
			list = append(list, f)
		}
	}
	return list
}

func (c *check) finding(f prove.Finding) report.Finding {
	end := f.End
	if !end.IsValid() {
		end = f.Pos
	}
	last := c.position(end)
	g := report.Finding{
		Rule: f.Rule, Message: rule.Printable(f.Message), Key: f.Key, Package: c.path,
		Position: c.position(f.Pos), EndLine: last.Line, EndCol: last.Col,
	}
	for _, r := range f.Related {
		step := report.Step{Position: c.place(r.Place), Message: rule.Printable(r.Message)}
		if r.Pos.IsValid() {
			step.Position = c.position(r.Pos)
		}
		g.Related = append(g.Related, step)
	}
	for _, x := range f.Fixes {
		fix := report.Fix{Message: rule.Printable(x.Message)}
		for _, e := range x.TextEdits {
			from := c.fset.PositionFor(e.Pos, false)
			to := from.Offset
			if e.End.IsValid() {
				to = c.fset.PositionFor(e.End, false).Offset
			}
			fix.Edits = append(fix.Edits, report.Edit{
				File: c.show(from.Filename), Start: from.Offset, End: to, New: string(e.NewText),
			})
		}
		g.Fixes = append(g.Fixes, fix)
	}
	return g
}

func (c *check) row(r prove.Row) report.Row {
	at := c.place(r.Place)
	row := report.Row{
		File: at.File, Line: at.Line, From: r.Place.From, Library: r.Library, Class: r.Class, Idiom: r.Idiom,
		Contract: r.Contract, Signal: r.Signal, Role: r.Role, Accepted: r.Accepted, Partial: r.Partial, Method: r.Method, Forwards: r.Forwards, Layer: r.Layer,
	}
	for _, p := range r.Settled {
		at := c.place(p)
		row.Settled = append(row.Settled, fmt.Sprintf("%s:%d", at.File, at.Line))
	}
	if r.Inner.Line > 0 {
		at := c.place(r.Inner)
		row.Inner = fmt.Sprintf("%s:%d", at.File, at.Line)
	}
	for _, p := range r.Through {
		at := c.place(p)
		row.Through = append(row.Through, fmt.Sprintf("%s:%d", at.File, at.Line))
	}
	row.Trace = c.reasons(r.Trace)
	for _, b := range r.Boundaries {
		row.Boundaries = append(row.Boundaries, c.boundary(b))
	}
	return row
}

func (c *check) boundary(b prove.Boundary) report.Boundary {
	at := c.place(b.Place)
	shown := report.Boundary{
		File: at.File, Line: at.Line, From: b.Place.From, Receiver: b.Receiver, Fence: b.Fence, Guard: b.Guard,
		Verdict: b.Verdict, Reason: b.Reason, Known: string(b.Known), Unseen: rule.Printable(b.Unseen), Path: b.Path, Trace: c.reasons(b.Trace), Peer: b.Peer,
	}
	for _, v := range b.Via {
		v := c.place(v)
		shown.Via = append(shown.Via, fmt.Sprintf("%s:%d", v.File, v.Line))
	}
	return shown
}

// reasons gives steps of the reasoning the positions of reports.
func (c *check) reasons(list []prove.Reason) []report.Reason {
	var out []report.Reason
	for _, r := range list {
		step := report.Reason{Kind: string(r.Kind), Text: rule.Printable(r.Text), Depth: r.Depth}
		if r.Place.Line > 0 {
			at := c.place(r.Place)
			step.File, step.Line = at.File, at.Line
		}
		out = append(out, step)
	}
	return out
}

// position is where source says it is, //line comments heeded.
func (c *check) position(pos token.Pos) report.Position {
	p := c.fset.Position(pos)
	return report.Position{File: c.show(p.Filename), Line: p.Line, Col: p.Column}
}

func (c *check) place(at prove.Place) report.Position {
	return report.Position{File: c.show(c.locate(at)), Line: at.Line, Col: at.Col}
}

// sourceError is an error in the analysed code, a line for each message.
type sourceError struct{ lines []string }

func (e *sourceError) Error() string { return strings.Join(e.lines, "\n") }

func isSourceError(err error) bool {
	var s *sourceError
	return errors.As(err, &s)
}

// maxErrors bounds the messages about one package; the compiler shows as many.
const maxErrors = 10

// sourceError takes the messages and positions out of the errors of parser and
// type checker.
func (c *check) sourceError(err error) *sourceError {
	e := new(sourceError)
	for _, err := range flatten(err) {
		if len(e.lines) == maxErrors {
			e.lines = append(e.lines, c.path+": too many errors")
			break
		}
		e.lines = append(e.lines, c.describe(err))
	}
	return e
}

func flatten(err error) []error {
	switch err := err.(type) {
	case interface{ Unwrap() []error }:
		return err.Unwrap()
	case scanner.ErrorList:
		var all []error
		for _, e := range err {
			all = append(all, e)
		}
		return all
	}
	return []error{err}
}

func (c *check) describe(err error) string {
	at, msg := report.Position{File: c.path}, err.Error()
	switch err := err.(type) {
	case types.Error:
		if err.Pos.IsValid() {
			at = c.position(err.Pos)
		}
		msg = err.Msg
	case *scanner.Error:
		at, msg = report.Position{File: c.show(err.Pos.Filename), Line: err.Pos.Line, Col: err.Pos.Column}, err.Msg
	}
	return at.String() + ": " + rule.Printable(msg)
}
