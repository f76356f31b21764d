package sql

// ekind is the form of an expression.
type ekind uint8

const (
	eOther ekind = iota // not understood; args are the parts that were
	eCol
	eNum
	eStr
	eParam
	eNull
	eTrue
	eFalse
	eStar
	eAnd
	eOr
	eXor
	eNot
	eCmp     // op
	eIs      // op is what follows IS: null, true, false, unknown, distinct, not distinct
	eBetween // x, low, high
	eIn      // x, list...
	eInSub   // x, sub
	eExists
	eSub
	eRow
	eFunc // op is the name, name the name with its schema
	eCase // args: when, then, ..., else (nil if absent); op "simple" puts the operand first
	eCast // op is the type
	eBin  // op
	eNeg
	eAny // op, x, args[1] or sub; val is any or all
)

// expr is a parsed expression. not negates eIs, eBetween, eIn, eInSub.
type expr struct {
	kind ekind
	op   string
	val  string
	name []string
	args []*expr
	sub  *query
	not  bool
	from int // index of the first token
	to   int // index after the last
}

type selItem struct {
	e    *expr
	name string // alias or column name, "" if none
}

// relation is one item of a FROM clause.
type relation struct {
	name  string // table, with its schema if written
	exact string // the name in the form in which the dialect tells names apart
	alias string
	cols  []string
	sub   *query
	fn    *expr
	on    *expr
	outer bool   // its conditions do not restrict the other rows
	hint  string // of SQL Server, in brackets
}

// query is a SELECT, VALUES or a data-changing statement in a CTE.
type query struct {
	ctes   []*cte
	items  []selItem
	from   []*relation
	where  *expr
	values [][]*expr
	dml    *dml
	group  bool // grouping, aggregates or DISTINCT: rows are not those of the tables
	setOp  []*query
	lock   string
	lockOf []string // the relations that OF names; none means all
	skip   bool
	cut    bool // LIMIT, OFFSET and the like may leave out the only row
	having *expr
	into   string // the table that SELECT INTO makes
}

type cte struct {
	name string
	cols []string
	q    *query
}

type assign struct {
	col   string
	qual  string
	value *expr
}

// dml is a data-changing statement.
type dml struct {
	kind    string
	ctes    []*cte
	targets []*relation
	from    []*relation
	sets    []assign
	where   *expr
	cols    []string
	rows    [][]*expr
	query   *query
	conf    *conflict
	merge   []mergeArm
	on      *expr
	ret     []selItem
	hasRet  bool
	rowName string // MySQL: alias of the inserted row
	rowCols []string
	ignore  bool
	start   int
	probs   []problemAt
	notes   []string
}

type conflict struct {
	duplicate bool   // ON DUPLICATE KEY: MySQL
	action    string // nothing, update, replace
	on        []string
	sets      []assign
	where     *expr
}

type mergeArm struct {
	matched  bool
	bySource bool
	cond     *expr
	action   string // update, insert, delete, nothing
	sets     []assign
	where    *expr
	cols     []string
	vals     []*expr
	delWhere *expr
}

type problemAt struct {
	reason string
	tok    int
}
