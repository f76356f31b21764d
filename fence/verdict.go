package fence

// Tri is yes, no or unknown.
type Tri uint8

const (
	Unknown Tri = iota
	Yes
	No
)

// String is the value in lower case.
func (t Tri) String() string { return [...]string{"unknown", "yes", "no"}[t] }

// Admission says whether a write can be accepted.
type Admission uint8

const (
	Undecided Admission = iota // depends on something not understood
	Never
	Admitted
)

// String is the value in lower case.
func (a Admission) String() string { return [...]string{"unknown", "never", "admitted"}[a] }

// tri reads a as the answer to "is it accepted".
func (a Admission) tri() Tri { return [...]Tri{Unknown, No, Yes}[a] }

// Witness is one pair of values at which the write is accepted.
type Witness struct {
	Class            string // "t<f", "t=f", "t>f", "f null", "t=0", "t null"
	Fence, Token     int64
	NoFence, NoToken bool // the value is NULL or absent
}

// Replay is a rule inside the guard that tells writes of one epoch apart.
type Replay struct {
	Kind   string // "sequence": only a larger number passes; "cas": only an equal one, which the write then moves
	Column string
	Value  Term // what the column is compared with
}

// Cas is an equality that the guard demands of a column of the target row.
type Cas struct {
	Column string
	Arg    Arg
	Moved  bool // the statement stores another value in the column
}

// OtherGuard is a comparison of the token with a row of another table.
type OtherGuard struct {
	Table, Column string
	Locked        bool // the row is locked by the same statement
	RejectsStale  Tri  // by this comparison alone
	Exact         bool // it rejects newer ones, too
}

// Verdict is what Prove found out about one mutation.
type Verdict struct {
	// Acceptance for each order of token t and stored fence f, and for no f.
	Less, Equal, Greater, Null Admission
	RejectsStale               Tri // Less is Never
	// Again is the acceptance of t=f by the condition alone: what leaves the row as it is
	// is met and counted all the same.
	Again                 Admission
	AdmitsEqual, Progress Tri // Equal, Greater are Admitted
	// Payload says whether, with t>f, something beside the fence is written.
	Payload Tri
	// NullRule is "blocks", "bypasses", "na" or "unknown" for a row without fence.
	NullRule string
	// Advances says what the new fence is when the write is accepted: "yes"
	// (t, or the larger of both), "keeps", "absent" (not assigned), "regress"
	// (may fall), "other", "unknown", "na" (the row goes away).
	Advances string
	// Shape is how the verdict comes about: "order", "equality", "perColumn",
	// "insertOnly", "otherRow", "cte", "none" (an insert or
	// upsert without a comparison), "blocked".
	Shape  string
	Column string // the fence, "" if no column is compared with or set from the token
	Table  string // of the fence, if it is not the mutation's own

	Compared    bool     // the token is compared with a stored value
	StoredToken bool     // the token is stored in some column
	StoredIn    []string // the columns that the token is stored in
	GuardArgs   []Arg    // the arguments that Column is compared with
	SetArgs     []Arg    // the arguments that Column's new value is computed from
	Ops         []Op     // the operators between Column and the token, column on the left

	// Unseen says that an obsolete owner's write is refused by leaving its row as it is:
	// it meets the row all the same, and hands it back.
	Unseen bool

	// Apart says why two owners may meet different rows, so that no order between
	// them refuses the older one; "" if they meet the same row.
	Apart string

	// ZeroToken and NullToken: does a token of 0 (or less), of NULL, pass
	// against a fence above 0?
	ZeroToken, NullToken Admission
	Replay               *Replay
	Insert               Path
	Others               []OtherGuard
	Monotone             bool // every assignment is a constant or a maximum or minimum with the old value
	Cas                  []Cas
	Casts                []string // "text", "float", "narrow": casts on the way of fence or token

	Problems    []string
	Assumptions []string
	Witnesses   []Witness
}
