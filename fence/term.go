package fence

// RowRef says which row a stored column belongs to.
type RowRef uint8

const (
	// Target is the row that the mutation writes.
	Target RowRef = iota
	// LockedOther is a row of another table that the same unit has locked.
	LockedOther
	// Other is any other row. What it says may be old when the write happens.
	Other
)

// Term is a value that the store sees while it evaluates a condition.
type Term interface{ term() }

// Ambiguous as the Table of a Stored says that it is not known which row has
// the column.
const Ambiguous = "?"

// Stored is a column (field, attribute) of a stored row. Table is empty for
// the target row; Ref tells several rows of one table apart.
type Stored struct {
	Column string
	Row    RowRef
	Table  string
	Ref    string
}

// Input is an argument of the statement; Prove is told which are tokens.
type Input struct{ Arg Arg }

// Const is an integer literal.
type Const struct{ Int int64 }

// Lit is any other literal, compared by its text.
type Lit struct{ Text string }

// Null is the NULL literal.
type Null struct{}

// Apply is a function of the small set the prover understands, see [Fn].
type Apply struct {
	Fn   Fn
	Args []Term
}

// Case is a searched CASE: the value of the first arm whose condition is
// true, else Else (nil means NULL).
type Case struct {
	Arms []Arm
	Else Term
}

// Arm is one WHEN of a Case.
type Arm struct {
	When Cond
	Then Term
}

// Bool is a condition used as a value: 1, 0 or NULL.
type Bool struct{ Of Cond }

// Opaque is a value that is not understood. Equal keys have equal values
// within one evaluation; Of are the terms it is computed from. Volatile ones
// may differ each time; Anew says that it is made to (random(), nextval()).
type Opaque struct {
	Key      string
	Of       []Term
	Volatile bool
	Anew     bool
}

// Fn is a function that the prover evaluates.
type Fn uint8

const (
	Coalesce     Fn = iota // first argument that is not NULL
	Greatest               // largest, ignoring NULL (PostgreSQL)
	Least                  // smallest, ignoring NULL
	GreatestNull           // largest, NULL if any argument is NULL (MySQL, SQLite)
	LeastNull              // smallest, NULL if any argument is NULL
	Add                    // sum
	Sub                    // difference; with one argument, negation
	NullIf                 // NULL if both arguments are equal, else the first
	CastInt                // to a 64-bit integer: the identity
	CastText               // to text: order becomes that of the bytes
	CastFloat              // to binary floating point: equal beyond 2^53
	CastNarrow             // to an integer of fewer than 64 bits
)

func (Stored) term() {}
func (Input) term()  {}
func (Const) term()  {}
func (Lit) term()    {}
func (Null) term()   {}
func (Apply) term()  {}
func (Case) term()   {}
func (Bool) term()   {}
func (Opaque) term() {}
