// Package prove turns holds, effects and token origins into verdicts.
//
// What enters is one type-checked package and the encoded facts of its direct
// imports ([Unit]); what leaves is one [Result]: the findings of every rule,
// the register's rows, and the package's own fact. It must not know how a
// driver loads packages, nor how a report is written.
package prove

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/fencelint/fencelint/internal/flow"
)

// Unit is one type-checked package, as any driver has it.
type Unit struct {
	Fset  *token.FileSet
	Files []*ast.File
	Pkg   *types.Package
	Info  *types.Info
	// Foreign says that the package is known to belong to another module or to the
	// standard library: it is looked into only if it touches a lock or a store.
	Foreign bool
	// ReadFile reads a file beside the Go files (embedded text); nil means os.ReadFile.
	ReadFile func(name string) ([]byte, error)
	// ImportFact returns the encoded fact of a directly imported package, nil if it has none.
	ImportFact func(path string) []byte
}

// Options are what a driver may choose; the zero value is the default of every driver.
type Options struct {
	// Models is the path of a user's model file, "" for none.
	Models string
	// Strict also reports what holds only under an assumption.
	Strict bool
}

// Finding is one diagnostic of one rule.
type Finding struct {
	Rule     string // name of the rule, which is also its Category
	Pos, End token.Pos
	Message  string
	Related  []Related
	Fixes    []analysis.SuggestedFix
	// Key identifies the finding across drivers and moved lines: rule, hold, boundary.
	Key string
}

// Place is a position that needs no token.FileSet: it may be in another package.
// File is the base name of the file; Pkg is the import path.
type Place = flow.Place

// Related is one step of the chain acquisition, calls, boundary.
type Related struct {
	Place   Place
	Pos     token.Pos // valid if the place is in this package
	Message string
}

// Row is one lock of the register.
type Row struct {
	Place    Place
	Library  string // model id of the library, "directive" for a declared one
	Class    string // efficiency, correctness, or "" when unclassified
	Idiom    string // direct, wrapper-method, interface, callback, goroutine-leader, sql-raw
	Contract string
	Signal   string // is the loss signal observed: yes, no, n/a, unknown
	Role     string // acquisition, wrapper, open (an obligation that no package closed)
	Method   string // name of the method that is called, or that is the wrapper
	Inner    Place  // the library's call, where the project's own code stands between
	// Partial says that only the boundaries count: they were found here for a lock that
	// another package acquires, and whose row is there.
	Partial bool
	// Settled are calls through interfaces whose types are known by now, so that a
	// boundary that says otherwise is out of date.
	Settled    []Place
	Boundaries []Boundary
	Accepted   []string // accept directives in force, as written
}

// Boundary is one write that a lock's hold reaches.
type Boundary struct {
	Place    Place
	Receiver string // resource: kind:name
	Guard    string // fence owner session cas cas-reread create-once idempotent idempotency-key none unknown
	Verdict  string // proved, refuted, unproved
	Reason   string
	Path     []string // the calls from the acquisition's function to the boundary
	Via      []Place  // where those calls stand
	Trace    []string // reasoning, step by step, for explain
}

// Result is what one package yields.
type Result struct {
	Findings []Finding // sorted by position, rule, message
	Rows     []Row     // sorted by position
	Fact     []byte    // encoded package fact; empty means nothing to say
}
