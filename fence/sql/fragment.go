package sql

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// Context says where a fragment of SQL stands that a query builder joins
// with others.
type Context struct {
	Dialect Dialect
	Holes   []Hole
	// Table is the table written, which may qualify a column, or its alias.
	Table string
	// First is the number of question marks before the fragment.
	First int
}

// Fragment is a condition or a value that was read on its own.
type Fragment struct {
	Cond     fence.Cond // of Condition
	Value    fence.Term // of Value
	Params   []fence.Arg
	Problems []fence.Problem
}

// Condition reads text as a condition on the row written, as builders put it
// between parentheses of their own.
func (c Context) Condition(text string) Fragment {
	return c.read(text, func(l *lowerer, e *expr, f *Fragment) { f.Cond = l.cond(e) })
}

// Value reads text as an expression that is stored in a column.
func (c Context) Value(text string) Fragment {
	return c.read(text, func(l *lowerer, e *expr, f *Fragment) { f.Value = l.term(e) })
}

func (c Context) read(text string, lower func(*lowerer, *expr, *Fragment)) Fragment {
	lx := &lexer{src: text, holes: c.Holes, d: c.Dialect, ordinal: c.First}
	for lx.next() {
	}
	end := token{kind: tEOF, pos: len(text), end: len(text)}
	p := newParser(lx, append(lx.toks, end))
	var st Statement
	p.params(&st)
	e := p.expr(0)
	p.finish()
	l := &lowerer{p: p, d: c.Dialect, scope: &scope{}}
	l.bindTarget(&relation{name: c.Table, exact: strings.ToLower(c.Table)})
	f := Fragment{Params: st.Params, Problems: lx.problems}
	lower(l, e, &f)
	for _, x := range p.probs {
		f.Problems = append(f.Problems, p.problemOf(x))
	}
	f.Problems = append(f.Problems, l.probs...)
	return f
}
