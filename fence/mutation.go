package fence

// Semantics says what a comparison with an absent value yields.
type Semantics uint8

const (
	SQL3VL        Semantics = iota // unknown; only true admits
	MissingFalse                   // false (DynamoDB, CQL); <> may be true
	MissingMongo                   // false; <> and negation match absent values
	MissingZero                    // absent values read as 0 (etcd revisions)
	MissingRaises                  // an ordered comparison aborts (Lua)
)

// Kind is what a mutation does to its rows.
type Kind uint8

const (
	Update Kind = iota
	Insert
	Upsert // insert, or update the row that is there
	Delete
	Merge
	Replace // insert, or overwrite the row that is there
	Truncate
	DDL
)

// String is the kind in lower case.
func (k Kind) String() string {
	return [...]string{"update", "insert", "upsert", "delete", "merge", "replace", "truncate", "ddl"}[k]
}

// Path says how a mutation treats a row that is absent.
type Path uint8

const (
	Closed Path = iota // nothing is written
	Open               // a row is inserted, whatever the guard says
	Only               // nothing but insertion
)

// String is the path in lower case.
func (p Path) String() string { return [...]string{"closed", "open", "only"}[p] }

// Assign stores a value in a column of the target row.
type Assign struct {
	Column string
	Value  Term
}

// Problem is a piece of the source that was not understood. A mutation with
// problems proves nothing.
type Problem struct {
	Reason string
	Text   string // the piece itself, shortened
	Offset int    // in bytes, from the start of the source
}

// Mutation is one write with its guard and its effects.
type Mutation struct {
	Kind     Kind
	Resource string // table or collection in lower case, schema only if written
	Guard    Cond   // over the row that is there; nil if none
	Set      []Assign
	// Sequential says that later assignments see the values of earlier ones.
	Sequential bool
	// InsertPath, InsertRow, ConflictOn and OnConflict describe insertion: the
	// values of the new row, the key columns named, and what a key that is
	// taken does: "error", "nothing", "update", "replace".
	InsertPath Path
	InsertRow  []Assign
	ConflictOn []string
	OnConflict string

	// Again says of a change of the schema that done once more it leaves what is there.
	Again bool

	Semantics Semantics
	Returning bool // the statement hands back the rows it wrote
	// Notes are assumptions under which the lowering is faithful.
	Notes    []string
	Problems []Problem
}

// Assigned is the value that m stores in column, nil if none.
func (m *Mutation) Assigned(column string) Term {
	for i := len(m.Set) - 1; i >= 0; i-- {
		if m.Set[i].Column == column {
			return m.Set[i].Value
		}
	}
	return nil
}

// Clears tells whether m stores NULL in column or removes its row.
func (m *Mutation) Clears(column string) bool {
	if m.Kind == Delete || m.Kind == Truncate {
		return true
	}
	_, null := m.Assigned(column).(Null)
	return null
}
