package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/fencelint/fencelint/internal/term"
)

// EventKind says what happens at an event.
type EventKind uint8

// The kinds of events.
const (
	Write    EventKind = iota // a call that a model or a directive knows as a boundary
	Acquire                   // a call after which the program may believe that it owns a lock
	Release                   // a call that ends a hold
	Dyn                       // a call whose target is not known here: interface, function value
	Signal                    // the loss signal of a lock is asked for
	Begin                     // a transaction or connection is opened
	Commit                    // it ends, and its writes stay
	Extend                    // a renewal
	Check                     // the library's local belief is asked
	Mint                      // a number is drawn apart from the grant
	Steal                     // a lock is taken from its owner
	Resolved                  // a Dyn whose targets were found: what they cause stands beside it
	May                       // a call through an interface that may acquire a lock
)

// Place is a position that needs no token.FileSet. File is a base name.
type Place struct {
	Pkg  string `json:"pkg"`
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	From int    `json:"from,omitempty"` // line on which the statement begins that is sent here, 0 if no other
}

// String is the place as file:line.
func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// Step is one call on the way from a function to what happens in the end.
type Step struct {
	Pos   token.Pos // in this package, else NoPos
	Place Place
	Func  string // function whose text contains the call
}

// Event is something that running a function can cause, seen from that function:
// its terms speak of the function's parameters.
type Event struct {
	Kind  EventKind
	Key   string     // canonical key of the function called at the end; of the interface method for Dyn
	Entry string     // id of the model's entry, "" if the key is enough
	Recv  *term.Term // receiver, or the function value of a Dyn
	Args  []*term.Term
	Site  string // tells events of one kind apart, whatever line they stand on
	Chain []Step // Chain[0] stands in the function's own text

	Holds    []*Event  // acquisitions of the same summary in whose hold this runs
	Under    []*Event  // events of kind May of the same summary in whose hold this runs
	After    []*Event  // writes of the same summary that always come before, and stop this one when they are refused
	behind   []*Event  // calls with unknown targets that always come before, and stop this one when one of them says no
	Earlier  []*Event  // what may come before: of a statement that may end a transaction everything, else such statements
	Conds    []Cond    // decisions in Go that come before on each path
	Must     bool      // happens on each path to a return without error
	Async    bool      // in a goroutine or callback that may run beside or after
	Deferred bool      // when the function returns
	Tasked   bool      // in a task that is given to a scheduler
	Detached bool      // in a literal that nobody is seen to call
	Joined   bool      // of an Async event: it has ended when the function returns
	Outcomes []Outcome // what the function gives back when this is refused
	Hold     *Hold     // of an acquisition, sure or possible
	Dyn      *DynCall  // of a call with an unknown target
	Open     []*Event  // acquisitions for which the verdict waits for the caller's terms
	Decl     *Declared // of a boundary that a directive declares
	Cases    []Case    // what it is where callers answer questions; none if they are not asked

	// Sealed are the writes of the same summary that come between this one and any commit
	// after it, Settled those that come between it and any return without an error.
	// Committed: a commit may come after it. Halts and Fails, of a Dyn: where it returns
	// an error, nothing is committed, and the function returns an error.
	Sealed, Settled         []*Event
	Committed, Halts, Fails bool

	Lib string // library of a lock event

	// perhaps: what is called for this to happen calls it on some ways only, or calls
	// something else in its place.
	perhaps bool
	// later: it happens in a function that somebody is given to call when there is something
	// to do.
	later bool
	// zeroIsNo: the answer 0 of the script that acquires says that another has the lock.
	zeroIsNo bool
	// awaited: what runs it beside the function is known to wait for its end.
	awaited bool

	joined  []*Event            // the events that this one stands for
	src     *Event              // the callee's event that this one is a copy of
	before  []*Event            // what that one has before it where questions have the caller's answers
	told    map[*Event][]string // of an effect: the texts that later writes are given when it failed
	seeds   []Outcome           // what the call that causes this gives back when it is refused
	site    *site
	from    *keptIn          // of a call of a function value: what keeps it
	handed  *types.Signature // of a function that is handed to code which is not seen
	typed   []typeChoice     // types that called values have where it happens
	entries []string         // functions that run in the hold as a region's callback

	// Belief is where the lock was acquired, of an acquisition that is not made here:
	// the code finds that another goroutine or an earlier call has made it.
	Belief *Step
	// Told says of a belief that the library has just told of the acquisition.
	Told bool
	// Task says of a belief that it is a function's which a scheduler runs under the lock.
	Task bool
}

// DynCall is what is known of a call without a known target.
type DynCall struct {
	Iface   string // "path.Name" of the interface, "" for function values
	Method  string
	Results string // signature, for matching at main; Cancels for such a function
	// Asked is the interface of whose value it was asked whether it has this one, too; ""
	// for none. The types that become that one are meant, as far as they do.
	Asked string
}

// Cancels stands for the results of a function that does nothing but end a context.
const Cancels = "context.CancelFunc"

// Hold is what is known of an acquisition.
type Hold struct {
	Handle  *term.Term // the held thing
	Lock    *LockClass // class from directives seen so far, nearest first; nil if none
	Lib     string
	Library bool   // the library's call stands in this very function
	Success string // result tuple of the function when the lock is held, "" if unknown
	Escapes bool   // the function can return while it is held
	Region  bool   // a function runs while it is held, given to the library or by the caller
	Claimed bool   // of a possible acquisition: a directive makes it one as it stands
	Asked   bool   // a finding asks for its class
	Package bool   // the package clause gives the class, to whatever is a lock
	Given   bool   // that function is given by the caller
	Works   bool   // a write follows in the function, or in one of those that hand the hold on
	Maybe   bool   // the same call often means something else: a mark, a cached value
	// Forwarded says that the function hands on a lock in whose choice it has no say. Each
	// function has its own.
	Forwarded bool
	// Done are, of a possible acquisition, the types for which its hold was judged.
	Done  []string
	Signs Signs // of a Maybe: what speaks for a lock
	// Untested names the parts of the answer whose "no" is not looked at on some way
	// into the hold. It is not passed on.
	Untested []string
}

// Passes reports whether the caller has part in the hold: it gets the lock, or
// supplies what runs while it is held.
func (h *Hold) Passes() bool { return h.Escapes || h.Given }

// LockClass is a class with what its directive adds.
type LockClass struct {
	Class     string
	Resource  string
	Contract  string
	Replay    string
	Activated bool
}

// Declared is a boundary by directive (//fencelint:writes).
type Declared struct {
	Resource    string
	Kind        string
	Fence       int // index into Args, -1 if none
	Idempotency int
}

// Outcome is one way in which a function can end after a refusal.
type Outcome struct {
	Scenario string   // "" for the refusal of a write; "r0" when result 0 of a Dyn says no
	Returns  string   // result tuple: one letter a result, see abs.code
	Answered bool     // the peer was told no
	Observed bool     // the refusal was sent, stored or ended the process
	Unsure   bool     // a decision on the way could not be followed
	Reaches  []*Event // writes of the same summary that follow
	calls    []*Event // calls of what is not known that follow
	// toldTo is the parameter, counted from 1, that is a function which was told of the
	// refusal on the way; 0 for none.
	toldTo int
}

// Store is an assignment to something that the caller can see.
type Store struct {
	To, Value *term.Term
	Perhaps   bool // on some ways to a return without an error only
}

func (s Store) inField() bool {
	return s.To.Kind == term.Field && s.To.Str != wholeMark && s.To.Str != writtenMark && s.To.Str != elemMark && s.To.Str != outsideMark
}

// inRecord reports whether it goes to a field, or to all of a record.
func (s Store) inRecord() bool { return s.inField() || s.throughAddress() }

// inElement reports whether it goes into a list or map.
func (s Store) inElement() bool { return s.To.Kind == term.Field && s.To.Str == elemMark }

// throughAddress reports whether it goes to what a parameter points to.
func (s Store) throughAddress() bool { return s.To.Kind == term.Field && s.To.Str == wholeMark }

// Summary is all that a caller needs to know of a function.
type Summary struct {
	ID      string
	Events  []*Event
	Results []*term.Term
	Given   []Given // what it returns where callers answer questions
	Stores  []Store
	// Signals says what the function returns when a parameter carries a refusal.
	Signals []ParamSignal
	// Post says what the function decided on each way to a return without an error.
	Post []Cond
	// Yes and No say what it decided on each way on which its first bool is true, or false.
	Yes, No []Cond
	Params  int
	Test    bool

	kept []*Event // what essential found
}

// ParamSignal is the outcome of a function that is handed a refusal.
type ParamSignal struct {
	Param   int
	When    byte     // the letter of what the parameter is; 0 for an object that knows the answer
	Returns []string // result tuples; none if the function does not return
}

// Conversion is a place where a concrete type becomes an interface. One of an
// imported package has no place.
type Conversion struct {
	Type  string // "*path.T" or "path.T"
	Iface string // "path.I"
	Pos   token.Pos
	Place Place
	Value *term.Term
	Test  bool
	Lock  bool // a method of the type acquires
	Made  bool // by a constructor of another package, which gives the interface
	// Promoted are methods that the type has of what it embeds. It is not made where a
	// conversion is found, but where a fact is written.
	Promoted []Promoted
}

// Promoted is a method that a type has of what it embeds.
type Promoted struct {
	Method string
	ID     string   // of the function
	Path   []string // fields on the way to what has it
}

// certain reports whether e happens whenever the call that causes it succeeds.
func (e *Event) certain() bool { return !e.perhaps && (e.src == nil || e.src.Must) }

// Source is the event of the called function that e is a copy of, nil if e was
// made here.
func (e *Event) Source() *Event { return e.src }

// CopyOf reports whether e is w as a caller of w's function sees it. The same event may
// have been read twice, from two parts of a fact.
func (e *Event) CopyOf(w *Event) bool {
	src := e.src
	if src == nil || src == w {
		return src != nil
	}
	return src.Key == w.Key && src.Site == w.Site && slices.EqualFunc(src.Chain, w.Chain, func(a, b Step) bool { return a.Place == b.Place })
}

// SameCall reports whether two events came up through one call.
func (e *Event) SameCall(f *Event) bool { return e.site == f.site }

// ErrorOnly reports whether the call of an event gives back an error, or nothing at all.
func (e *Event) ErrorOnly() bool {
	if e.site == nil || e.site.call == nil {
		return false
	}
	for v := range e.site.call.Common().Signature().Results().Variables() {
		if !isError(v.Type()) {
			return false
		}
	}
	return true
}

// Beside are the events of the same call; none of a call in another package.
func (e *Event) Beside() []*Event {
	if e.site == nil {
		return nil
	}
	return e.site.events
}
