package lua

// expr is an expression. Kind is one of: nil true false number string name index
// call method binary unary and or table function vararg bad.
type expr struct {
	kind string
	text string // name, literal, operator, method
	args []*expr
	keys []*expr // table: nil for positional items
	pos  int

	params   []string // of a function
	variadic bool
	body     []stmt
}

// stmt is a statement. Kind is one of: local assign call return if loop do
// function break bad.
type stmt struct {
	kind  string
	names []string // local, function, loop variables
	left  []*expr  // assign
	exprs []*expr  // values; conditions of if and loop
	arms  [][]stmt // if: one for each condition, perhaps one more for else; loop, do: one
	pos   int
	local bool // function: it is a local one
}
