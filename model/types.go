package model

import "regexp"

// Role is what a matched object means for a lock.
type Role string

// The roles.
const (
	RoleOpen    Role = "open"    // constructor: ties key, time to live and session to a handle
	RoleAcquire Role = "acquire" // an exclusive section may begin
	RoleRelease Role = "release" // it ends
	RoleExtend  Role = "extend"  // prolongs it; its failure is a loss
	RoleLost    Role = "lost"    // source of the loss signal
	RoleCheck   Role = "check"   // asks who owns it: true only at that time
	RoleToken   Role = "token"   // reads a number or a name from the handle or the store
	RoleGuard   Role = "guard"   // predicate that the same store decides together with a write
	RoleRegion  Role = "region"  // a function runs while the lock is held
	RoleTask    Role = "task"    // a function that it is given runs under the lock of the library's scheduler
	RoleSteal   Role = "steal"   // takes or breaks the lock of another owner
	RoleAdopt   Role = "adopt"   // builds a handle for an ownership that exists already
	RoleOption  Role = "option"  // changes what another entry means
	RoleCounter Role = "counter" // ordered numbers that anybody may draw
	RoleTxLock  Role = "tx_lock" // lives and dies with a transaction; no lease
)

// TokenClass is what a number or a name given out by a lock is worth as a fence.
type TokenClass string

// The classes of tokens.
const (
	ClassEpoch          TokenClass = "epoch"           // greater for every later owner, issued with the grant
	ClassEpochReread    TokenClass = "epoch_reread"    // the same, read apart from the grant: valid only with Token.Requires in that read
	ClassVolatile       TokenClass = "volatile"        // moves within a tenure, or may be lower for a later owner
	ClassCounterUnbound TokenClass = "counter_unbound" // ordered, but a stale owner can draw a fresh one
	ClassOpaque         TokenClass = "opaque"          // equality only
	ClassClock          TokenClass = "clock"           // comes from a wall clock
	ClassNone           TokenClass = "none"            // the library shows nothing
)

// Call is all that a table says of one function or method. It is shared: do not
// change it.
type Call struct {
	// Locks are the lock entries that hold for every such call, in the order of
	// the file; more than one if the call has several roles.
	Locks []*Lock
	// Depends are the entries that hold only if the arguments say so: conditions
	// on their values (Match.Where), command words, scripts.
	Depends []*Lock
	// Sink is the effect of the call, nil if the table states none.
	Sink *Sink
	// Neutral says that the call is known and changes nothing at any receiver:
	// a log line, a ping, a getter.
	Neutral bool
}

// Lock is one entry about locks: one match with one role. Paths that the entry
// does not state are zero ([Path.IsZero]).
type Lock struct {
	ID    string // unique, e.g. "etcd.Mutex.Lock"
	Lib   string // library of the entry, e.g. "etcd"
	Role  Role
	Match Match
	// Mode of an acquisition: block, try, channel, background, announce.
	// Option entries may change it (ModeBy).
	Mode   string
	ModeBy string // what else decides the mode, e.g. "opt:FailIfLocked"

	Handle   Path   // where the held thing is; root key: the lock is known by equal Keys
	Session  Path   // the object whose death is the loss
	Key      Path   // name of the lock, the first of Keys
	Keys     []Path // all parts of the name, e.g. bucket and object
	TTL      Path   // duration of the lease
	TTLUnit  string // unit if TTL is a bare number: s, ms
	Value    Path   // owner's value that the acquisition writes
	Callback Path   // function that runs while the lock is held, or on its loss
	Release  Path   // function value that gives this acquisition back

	// OK is the condition of success; all of it must hold. With alternatives, OK
	// is the first and OKAny holds all. Both empty: returning is enough, or
	// OKText says what cannot be told from the call alone.
	OK     []Cond
	OKAny  [][]Cond
	OKText string // as written

	Lost  Signal // how the loss shows
	Scope string // until_release, callback, task, conn, tx, process, until_lost
	// On are the carriers on which a lock taken by a statement has its meaning
	// (conn, tx); on any other it is lost at once. Empty: not such a lock.
	On    []string
	Token Token

	// Guard names the predicate of the same store that counts as a proof
	// ("" none, see Guards); GuardAt and GuardKey are its parts.
	Guard    string
	GuardAt  Path // compare: the predicate; create_revision: the revision; lease_id: the id
	GuardKey Path // create_revision: the key whose create revision is compared

	Traps   []string // words of Traps: what goes wrong with this entry
	Maybe   bool     // the same call often means something else (de-duplication, caching)
	Removes bool     // a release that does not compare the owner
	Since   string   // version in which the entry appeared
	Sig     string   // signature as the library writes it
	Proof   string   // how the entry is known: source, docs, run
	Note    string
	Notes   []Note // remarks on single fields, sorted by field
	Pos     Pos    // where the entry stands in its file
}

// Note is a remark on one field of an entry.
type Note struct{ Field, Text string }

// Match says which objects an entry is about.
type Match struct {
	// Kind: call, field, funcfield, implements, const, type, sql, rediscmd, lua, chain, opts.
	Kind string
	Pkgs []string // import paths; empty for entries about text
	Recv string   // receiver, struct or interface, "" for package functions and constants
	Name string   // function, method, field, constant or type
	// Types are further receivers under which the type checker knows the method:
	// unexported ones, interfaces, instances of embedding.
	Types []string
	// Where restricts a call by the values of its arguments: all must hold.
	Where []Where
	When  string // restriction in words

	Pattern string   // sql: regular expression on the statement
	Funcs   []string // sql: functions of the dialect that do it, lower case
	Cmd     string   // rediscmd: the command word, upper case
	Needs   []string // rediscmd: words that must be among the arguments
	Args    int      // rediscmd: index of the first word
	Script  Path     // lua: where the script is
	// lua: regular expressions that tell what a script does.
	AcquireRE, ReleaseRE, CounterRE string
	Steps                           []string // chain: calls from the root to the consumer
	End                             string   // chain: the call that has the effect

	re *regexp.Regexp
}

// Regexp is Pattern compiled; nil if there is none.
func (m *Match) Regexp() *regexp.Regexp { return m.re }

// Where is a condition on the value of an argument: equal to Eq, matching Re,
// set to other than its zero value (Present), or not set (Absent).
type Where struct {
	At              Path
	Eq, Re          string
	Present, Absent bool
}

// Token is what an entry gives out, and what it is worth.
type Token struct {
	Class    TokenClass // "" if the entry does not speak about tokens
	At       Path       // where the value is
	Requires string     // condition of an epoch_reread, in words
	// HolderAt and HolderIs are Requires as paths: in the same read, HolderAt
	// must equal HolderIs.
	HolderAt, HolderIs Path
	Type               string // Go type of the value
	Source             string // counter it is drawn from: values of different sources must not be mixed
	Durability         string // consensus, single-node, async-replica, per-process, unknown
	Upgrade            string // what would make it better
	Zero               string // meaning of the zero value, "" if it has none
	Needs              string // option without which it is zero: a field of the acquisition's options, Options.FenceKey
}

// Signal is how the loss of a lock shows.
type Signal struct {
	// Kind: chan_close, chan_value, ctx_done, callback, poll, extend, err, refused
	// (this call's own failure), advisory (no loss of one's own), exit (the process
	// ends), none; "" not stated.
	Kind  string
	At    Path     // the channel, context, function or error
	Value string   // chan_value: the value that means lost
	Text  string   // as written
	Alt   []Signal // further signals of the same lock
}

// Path leads from a call to a value: a root and steps from there.
type Path struct {
	// Root: recv, arg, ret, value (the matched field itself), callback (argument of
	// Lock.Callback), session (what Lock.Session names), opt (functional option),
	// key (the handle is the key), conn, tx, row (the lock belongs to that carrier),
	// word (of a command), scan (column of the first row), sqlarg (argument of the
	// SQL function), elem (received from the channel ret[i]), script, read (result
	// of the call Name).
	Root  string
	Index int    // argument, result, word or column, or EachArg or LastArg; the first parameter after the receiver is 0
	Rest  bool   // this argument and all after it
	Name  string // opt, read: name of the function
	Steps []Step
	// From is a constructor, "NewMutex": the value is the one that went into
	// argument FromArg of the call of From that made Root.
	From    string
	FromArg int
	Text    string // as written
}

// Step is a field, a method call (.Name()), every element ([*], Name "*"), or a
// type assertion (.(pkg.Type)).
type Step struct {
	Name  string
	Call  bool
	Index int    // Call: which result
	Type  string // assertion: the type, with the name of its package
}

// Cond compares the value at Path with a literal: nil, true, false, a number, a string.
type Cond struct {
	Path  Path
	Op    string // == != > >= < <= ; "closed" for channels
	Value string
}

// Sink is one row about effects: what leaves through a call, where the statement
// is, and how the receiver says no.
type Sink struct {
	Lib          string
	Pkg          string   // the library's current import path
	Recv         string   // declaring type, "" for a function
	DeclaredOn   []string // other receivers under which the type checker knows the method
	Method       string
	Kind         string // see Kinds
	Boundary     string // store, cache, queue, external, local, read, carrier, unknown, or two joined with |
	Carrier      string // what the receiver is: pool, conn, tx, stmt, batch, client, ""
	ByShape      bool   // found by Table.Shape: Recv and Carrier are not known
	Gives        Path   // the carrier that the call makes, e.g. ret[0] of Begin
	GivesCarrier string // and what it is: tx, conn, stmt, rows, row, result
	Callback     Path   // function that is run with the carrier

	Stmt      int    // argument with the statement or filter, -1 if none
	Dialect   string // language of the statement: sql, cql, lua, mongo-filter, ...
	Format    string // how a library puts arguments into the text itself, or carries both: "" if it does neither
	Args      int    // first bind argument, -1 if none; if it is a slice and not variadic, its elements are bound
	ArgsShape string // positional ("") or struct_or_map
	Input     Path   // argument that is a struct with the request
	Key       Path   // resource written: key, path, topic
	Value     Path   // what is written
	Table     int    // argument with the table, -1 if none
	Version   int    // argument with the expected version, -1 if none
	Cond      []string
	CondStep  string // step of the chain that adds the condition
	Condition string // where else the condition comes from: receiver, chain, closure, arg
	CondText  string // the same with its particulars
	// Left, Op, Right are the parts of a comparison (kind compare); Term is what a
	// term of it or an operation stands for (kinds term and op).
	Left, Op, Right Path
	Term            string

	Profile  *Profile
	IdemKey  string // field, step or argument with the idempotency key
	Dedupe   string // the same for de-duplication by a queue
	Window   string // how long the receiver remembers it
	Random   bool   // the client fills in a random key if none is given
	Refused  string // value that means refused, if not the profile's
	Severity string // cannot_reject, cannot_observe
	Report   string // never: no finding
	Opts     string // options that matter
	Pattern  string // other calls of the same shape
	Since    string // version in which the call appeared
	Sig      string
	Note     string
	Pos      Pos
}

// Profile is what many rows share: how the receiver refuses, and what it can compare.
type Profile struct {
	Name      string
	Rejection Rejection
	OrderOps  string   // comparisons that the receiver can make: any, equality, exists, none, or a list
	Assumes   []string // assumptions that a proof through this receiver prints
	Needs     string   // what the statement must have for the rejection to show
	CondField string
	CondStep  string
	Dedupe    *Dedupe
	Severity  string
	Verified  string
	Note      string
}

// Dedupe is how a queue or an external receiver recognises a repetition.
type Dedupe struct{ Key, Window, OnDup string }

// Rejection is how the receiver says no.
type Rejection struct {
	Signal string // see Signals
	Symbol string // the method, field, error or code to look at
	When   string // value of it that means refused
	ErrNil bool   // the error is nil when refused
	// ErrStated says that the row states ErrNil at all.
	ErrStated bool
	Also      string // further symbols
	Ignored   string // code that looks right and does not see the refusal
	Wrong     string // symbol that is often mistaken for this one
	At        string // where the refusal arrives, if not at the call
	Note      string
}

// Generated describes code that a generator writes, by its marks.
type Generated struct {
	ID         string
	Recognise  []string
	How        string
	Meaning    string
	Advance    string
	Commands   []Note
	Terminals  []Note
	Predicates []Note
}

// Pos is a place in a model file.
type Pos struct {
	File string
	Line int
	Col  int
}
