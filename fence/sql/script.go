package sql

import "github.com/fencelint/fencelint/fence"

// Dialect names the SQL of one database family.
type Dialect string

const (
	Postgres  Dialect = "postgres"
	MySQL     Dialect = "mysql" // and MariaDB
	SQLite    Dialect = "sqlite"
	SQLServer Dialect = "sqlserver"
	Oracle    Dialect = "oracle"
	Cockroach Dialect = "cockroach"
	GoogleSQL Dialect = "googlesql" // of Cloud Spanner
)

// Dialects are all that Parse knows. With an unknown one, parse under each
// that is plausible and take the weakest verdict; Parse reads "" as Postgres.
func Dialects() []Dialect {
	return []Dialect{Postgres, MySQL, SQLite, SQLServer, Oracle, Cockroach, GoogleSQL}
}

// HoleBase is the rune of hole 0: hole i is written as HoleBase+i in the text.
// A hole that occurs twice is the same text in both places.
const HoleBase = '\uE000'

// MaxHoles is the number of holes one text can have.
const MaxHoles = 0xF8FF - 0xE000 + 1

// Hole says what is known of a piece of text that the program inserts.
type Hole struct {
	// Ident: the piece holds only letters, digits and underscores, at least one.
	Ident bool
	// Starts is text that the piece is known to start with, "" if nothing is known.
	Starts string
	// Reason names the hole in messages.
	Reason string
}

// Script is a text that was read.
type Script struct {
	Statements []Statement
	// Problems are faults of the text as a whole.
	Problems []fence.Problem
	// Inserted says that text is inserted which may have placeholders without a number, so
	// that only the first Ahead of the text and the last Behind are at a known place.
	Inserted      bool
	Ahead, Behind int
}

// Statement is one statement of a script.
type Statement struct {
	// Kind is select, insert, update, delete, merge, upsert, truncate, ddl,
	// call, set, begin, commit, rollback, lock, unlock, other or unknown.
	Kind      string
	Mutations []*fence.Mutation // in the order written; a CTE before its user
	Read      bool              // hands back rows or counts them without writing
	Tables    []string          // that are read, in lower case, sorted
	Columns   []string          // of the outermost SELECT, "*" and expressions as written
	// RowLock is "update" or "share" if rows of a SELECT are locked. Locked
	// are the tables whose rows are, CTEs and subqueries included.
	RowLock    string
	Locked     []string
	SkipLocked bool
	Calls      []FuncCall  // locks and sequences
	Own        []FuncCall  // functions that the schema defines
	Foreign    []string    // functions that the database system does not bring along, in the order written
	Ends       bool        // it ends the transaction that it is sent in, or undoes part of it
	From       string      // the first table of a SELECT, "" if it is none; its row is the target of Where
	Where      fence.Cond  // of a SELECT, over the rows it reads
	Params     []fence.Arg // in the order of first use
	Returning  []string
	Offset     int // of the first token, in bytes
	Problems   []fence.Problem
}

// Check is a SELECT seen as a guard: what its Where says about the row of its
// first table, for a unit in which that row is locked and its absence is a
// refusal. It is nil for other statements.
func (s *Statement) Check() *fence.Mutation {
	if s.Kind != "select" || s.From == "" {
		return nil
	}
	return &fence.Mutation{Kind: fence.Update, Resource: s.From, Guard: s.Where, Problems: s.Problems}
}

// FuncCall is a call of a function that locks or counts.
type FuncCall struct {
	Name string // lower case
	Args []fence.Term
}
