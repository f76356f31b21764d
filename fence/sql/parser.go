package sql

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// parser reads one statement. Problems are collected on the innermost
// data-changing statement, or on the statement itself.
type parser struct {
	*lexer
	t     []token
	match []int // for each opening parenthesis the index of the closing one
	i     int
	depth int
	probs []problemAt
	notes []string
	calls []*expr
}

func newParser(lx *lexer, t []token) *parser {
	p := &parser{lexer: lx, t: t, match: make([]int, len(t))}
	var open []int
	for i, x := range t {
		p.match[i] = len(t) - 1
		switch {
		case x.kind != tOp:
		case x.text == "(":
			open = append(open, i)
		case x.text == ")" && len(open) > 0:
			p.match[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return p
}

// maxDepth bounds nesting, so that no text exhausts the stack.
const (
	maxDepth    = 100
	maxChain    = 300 // operators in a row, other than AND and OR
	maxProblems = 20  // of one statement; more say nothing new
)

func (p *parser) cur() token { return p.t[min(p.i, len(p.t)-1)] }

func (p *parser) peek(n int) token { return p.t[min(p.i+n, len(p.t)-1)] }

func (p *parser) eof() bool { return p.cur().kind == tEOF }

func (p *parser) is(words ...string) bool {
	for n, w := range words {
		if t := p.peek(n); t.kind != tIdent || t.text != w {
			return false
		}
	}
	return true
}

// take consumes the words if all are there.
func (p *parser) take(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.i += len(words)
	return true
}

func (p *parser) isOp(op string) bool { t := p.cur(); return t.kind == tOp && t.text == op }

func (p *parser) takeOp(op string) bool {
	if !p.isOp(op) {
		return false
	}
	p.i++
	return true
}

// any consumes one word of the list and returns it, "" if none is there.
func (p *parser) any(words ...string) string {
	for _, w := range words {
		if p.take(w) {
			return w
		}
	}
	return ""
}

func (p *parser) fail(reason string) {
	if len(p.probs) < maxProblems {
		p.probs = append(p.probs, problemAt{reason, p.i})
	}
}

// holed gives t the hole in it even if that holds only identifier characters:
// where a word is out of place it matters which one it is.
func (p *parser) holed(t token) token {
	if t.hole == 0 && t.kind != tStr {
		t.hole = p.anyHole(t.text)
	}
	return t
}

// failHole reports a hole that may change the guard.
func (p *parser) failHole(what string, t token) {
	p.fail(what + ": " + p.reason(t.hole))
}

func (p *parser) note(s string) {
	for _, have := range p.notes {
		if have == s {
			return
		}
	}
	p.notes = append(p.notes, s)
}

// expect consumes an operator or reports its absence.
func (p *parser) expect(op string) bool {
	if p.takeOp(op) {
		return true
	}
	p.fail("expected " + op)
	return false
}

// skipParens consumes a balanced group that starts here.
func (p *parser) skipParens() {
	depth := 0
	for !p.eof() {
		switch {
		case p.isOp("("):
			depth++
		case p.isOp(")"):
			depth--
		}
		p.i++
		if depth <= 0 {
			return
		}
	}
}

// ident consumes an identifier. Inserted text is allowed: at a place where
// only a name can stand it cannot change the guard.
func (p *parser) ident() (string, bool) {
	t := p.cur()
	switch t.kind {
	case tIdent, tQuoted, tHole:
		p.i++
		return t.text, true
	}
	return "", false
}

// path consumes a.b.c.
func (p *parser) path() []string {
	var out []string
	for {
		name, ok := p.ident()
		if !ok {
			return out
		}
		out = append(out, name)
		if !p.isOp(".") {
			return out
		}
		p.i++
		for p.isOp(".") { // SQL Server: db..table
			p.i++
		}
	}
}

// names consumes (a, b, c); quals drops qualifiers.
func (p *parser) names() []string {
	if !p.takeOp("(") {
		return nil
	}
	var out []string
	for !p.eof() && !p.isOp(")") {
		from := p.i
		if path := p.path(); len(path) > 0 {
			out = append(out, path[len(path)-1])
		}
		for !p.eof() && !p.isOp(",") && !p.isOp(")") { // collation, order, operator class
			if p.isOp("(") {
				p.skipParens()
			} else {
				p.i++
			}
		}
		p.takeOp(",")
		if p.i == from {
			break
		}
	}
	p.expect(")")
	return out
}

// called gives r the name that was written. A name in quotes is another one than the
// same letters without, where the dialect keeps their case.
func (r *relation) called(path []string) {
	r.name, r.exact = tableName(path), strings.Join(path, ".")
}

func tableName(path []string) string { return TableName(strings.Join(path, ".")) }

// TableName is the name by which a table is compared with others: in lower case, and without
// the schema in which a name without one stands as well (PostgreSQL's search path, SQL Server's
// default schema).
func TableName(name string) string {
	name = strings.ToLower(name)
	if schema, table, ok := strings.Cut(name, "."); ok && (schema == "public" || schema == "dbo") && !strings.Contains(table, ".") {
		return table
	}
	return name
}

// span is the source text of tokens [from, to), one space between.
func (p *parser) span(from, to int) string {
	var b strings.Builder
	for i := from; i < to && i < len(p.t); i++ {
		if i > from {
			b.WriteByte(' ')
		}
		if t := p.t[i]; t.kind == tStr {
			b.WriteString("'" + t.text + "'")
		} else {
			b.WriteString(t.text)
		}
	}
	return b.String()
}

// keyOf is a text that is equal for expressions written equally. A long one is
// equal to no other.
func (l *lowerer) keyOf(e *expr) string {
	const long = 40
	size := 0
	for i := e.from; i < e.to && i < len(l.p.t); i++ {
		size += len(l.p.t[i].text)
		if i-e.from > long || size > 10*long {
			return "long" + l.ref()
		}
	}
	return l.p.span(e.from, e.to)
}

func (p *parser) problemOf(x problemAt) fence.Problem {
	t := p.t[min(x.tok, len(p.t)-1)]
	end := min(t.pos+60, len(p.src))
	return fence.Problem{Reason: x.reason, Text: clip(p.src[min(t.pos, len(p.src)):end]), Offset: t.pos}
}
