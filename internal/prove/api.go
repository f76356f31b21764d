package prove

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/model"
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
	// Module is the path of the package's module where that is known to be the user's own:
	// if a model covers it, the user is at work on that library.
	Module string
	// ReadFile reads a file beside the Go files (embedded text); nil means os.ReadFile.
	ReadFile func(name string) ([]byte, error)
	// ImportFact returns the encoded fact of a directly imported package, nil if it has none.
	ImportFact func(path string) []byte
}

// Options are what a driver may choose; the zero value is the default of every driver.
type Options struct {
	// Models is the path of a user's model file, "" for none.
	Models string
	// Table is the built-in table with that file, if somebody has read it already.
	Table *model.Table
	// Strict also reports what holds only under an assumption.
	Strict bool
	// Trace gives rows and boundaries the steps of the reasoning, and lists the writes
	// outside all holds. It costs time, and changes no verdict.
	Trace bool
	// Facts says what becomes of the package's fact.
	Facts FactUse
}

// FactUse is what becomes of a fact. Making it takes a tenth of the time.
type FactUse int

// The uses of facts.
const (
	FactKept   FactUse = iota // it is written somewhere, and must be small
	FactPassed                // it goes to packages in this process only
	FactUnused                // no package imports this one; no fact is made
)

// Finding is one diagnostic of one rule.
type Finding struct {
	Rule     string // name of the rule, which is also its Category
	Pos, End token.Pos
	Message  string
	Related  []Related
	Fixes    []analysis.SuggestedFix
	cause    *cause  // of a boundary in a hold, nil for others
	beyond   []Place // further writes of its call to which it does not lead
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
	Role     string // acquisition, wrapper, open (through an interface for which no type is found)
	Method   string // name of the method that is called, or that is the wrapper
	Inner    Place  // the library's call, where the project's own code stands between
	// Through are the calls between, by which the project's own code hands the lock on.
	Through []Place
	// Forwards says that the function has no say in which lock it hands on, and Layer that
	// it is named for taking one.
	Forwards, Layer bool
	// Partial says that only the boundaries count: they were found here for a lock that
	// another package acquires, and whose row is there.
	Partial bool
	// Settled are calls through interfaces whose types are known by now, so that a
	// boundary that says otherwise is out of date.
	Settled    []Place
	Boundaries []Boundary
	Accepted   []string // accept directives in force, as written
	Trace      []Reason // of the hold, with Options.Trace
}

// Boundary is one write that a lock's hold reaches.
type Boundary struct {
	Place    Place
	Receiver string // resource: kind:name
	Fence    string // the column that is compared, "" if there is none
	Guard    string // fence owner session cas cas-reread create-once idempotent idempotency-key none unknown
	Verdict  string // proved, refuted, unproved
	Reason   string
	// Known tells how much is known of the statement, filter or request that is sent,
	// and Unseen why no more.
	Known  Knowledge
	Unseen string
	Path   []string // the calls from the acquisition's function to the boundary
	Via    []Place  // where those calls stand
	Trace  []Reason // with Options.Trace
	// Peer says that it is a method's beside the one that takes the lock, and that it is not
	// seen who holds the lock when that is called.
	Peer bool
}

// Reason is one step of the reasoning behind a row or a boundary.
type Reason struct {
	Kind  ReasonKind
	Text  string
	Place Place // where the step can be read in the source; zero if nowhere
	Depth int   // of a step that explains the one before it with a smaller depth
}

// ReasonKind says what a step of the reasoning speaks of.
type ReasonKind string

// The kinds of steps, in the order in which they are given.
const (
	Acquired  ReasonKind = "acquired"  // where the lock is taken
	Classed   ReasonKind = "class"     // its class, and where that is declared
	Lasts     ReasonKind = "lasts"     // until where
	Called    ReasonKind = "call"      // a call on the way to the write
	Statement ReasonKind = "statement" // its text, holes as {…}
	Hole      ReasonKind = "hole"      // what one of them is made from
	Written   ReasonKind = "writes"    // what it does to which resource
	Condition ReasonKind = "condition" // under which the receiver accepts it
	Argument  ReasonKind = "argument"  // a value that the statement is given
	Token     ReasonKind = "token"     // what is taken for the token
	Origin    ReasonKind = "origin"    // a step on the way of the token
	Lost      ReasonKind = "lost"      // the step at which certainty about the token ends
	Ordered   ReasonKind = "ordering"  // accepted or refused for one order of token and stored fence
	Refusal   ReasonKind = "refusal"   // what becomes of a refusal
	Ruled     ReasonKind = "rule"      // the rule that reports it, and the directive that accepts it
	Decided   ReasonKind = "accepted"  // an accept directive in force
)

// Result is what one package yields.
type Result struct {
	Findings []Finding  // sorted by position, rule, message
	Rows     []Row      // sorted by position
	Loose    []Boundary // with Options.Trace: writes that no visible hold reaches
	Fact     []byte     // encoded package fact; empty means nothing to say
}
