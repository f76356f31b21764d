package sql

import (
	"strconv"
	"strings"
)

// prefix parses an operand with what stands before it.
func (p *parser) prefix() *expr {
	t := p.cur()
	from := p.i
	switch t.kind {
	case tNum:
		p.i++
		return &expr{kind: eNum, val: t.text, from: from, to: p.i}
	case tStr:
		p.i++
		return p.literal(t, from)
	case tParam:
		p.i++
		return &expr{kind: eParam, val: t.text, from: from, to: p.i}
	case tHole:
		if p.qualifies(p.i) {
			return p.nameOrCall()
		}
		if t.hole > 0 {
			p.failHole("inserted text in an expression", t)
		}
		p.i++
		return &expr{kind: eOther, op: t.text, from: from, to: p.i}
	case tQuoted:
		return p.nameOrCall()
	case tIdent:
		return p.prefixWord(t.text)
	case tOp:
		return p.prefixOp(t.text)
	}
	p.fail("expression expected")
	return &expr{kind: eOther, from: from, to: from}
}

// literal joins adjacent strings, as the standard says.
func (p *parser) literal(t token, from int) *expr {
	e := &expr{kind: eStr, val: t.text, from: from}
	joined := []string{t.text}
	for {
		if t.hole > 0 {
			p.i--
			p.failHole("inserted text in a literal may end it", t)
			p.i++
		}
		if t = p.cur(); t.kind != tStr {
			e.val = strings.Join(joined, "")
			e.to = p.i
			return e
		}
		joined = append(joined, t.text)
		p.i++
	}
}

func (p *parser) prefixOp(op string) *expr {
	from := p.i
	switch op {
	case "(":
		p.i++
		return p.parens(from)
	case "-":
		p.i++
		x := p.expr(bpUnary)
		return p.node(eNeg, "", from, x)
	case "+":
		p.i++
		return p.expr(bpUnary)
	case "!":
		p.i++
		x := p.expr(bpUnary)
		return p.node(eNot, "", from, x)
	case "*":
		p.i++
		return p.node(eStar, "", from)
	case "~", "@", "#", "|", "&", "@@":
		p.i++
		x := p.expr(bpUnary)
		return p.node(eOther, op, from, x)
	case "{": // ODBC escapes
		p.fail("not understood")
	default:
		p.fail("expression expected")
	}
	if op != ")" && op != "]" && op != "," {
		p.i++
	}
	return &expr{kind: eOther, from: from, to: p.i}
}

func (p *parser) parens(from int) *expr {
	if p.startsQuery() {
		q := p.query()
		p.expect(")")
		return &expr{kind: eSub, sub: q, from: from, to: p.i}
	}
	items := p.list(")")
	p.expect(")")
	if len(items) == 1 {
		x := *items[0]
		x.from, x.to = from, p.i
		if p.isOp(".") { // (row).field
			return p.field(&x)
		}
		return &x
	}
	return &expr{kind: eRow, args: items, from: from, to: p.i}
}

func (p *parser) field(x *expr) *expr {
	p.i++
	if !p.takeOp("*") {
		p.ident()
	}
	return p.node(eOther, "field", x.from, x)
}

func (p *parser) prefixWord(w string) *expr {
	from := p.i
	call := p.peek(1).kind == tOp && p.peek(1).text == "("
	switch w {
	case "not":
		p.i++
		if p.is("exists") {
			x := p.prefix()
			return p.node(eNot, "", from, x)
		}
		x := p.expr(bpNot)
		return p.node(eNot, "", from, x)
	case "null":
		p.i++
		return p.node(eNull, "", from)
	case "true":
		p.i++
		return p.node(eTrue, "", from)
	case "false":
		p.i++
		return p.node(eFalse, "", from)
	case "exists":
		if call {
			return p.exists()
		}
	case "case":
		return p.caseExpr()
	case "cast", "try_cast", "convert", "try_convert", "safe_cast":
		if call {
			return p.cast(w)
		}
	case "row":
		if call {
			p.i++
			x := p.parenList()
			return &expr{kind: eRow, args: x, from: from, to: p.i}
		}
	case "array":
		return p.array()
	case "interval":
		p.i++
		x := p.expr(bpUnary)
		p.any("day", "hour", "minute", "second", "month", "year", "week", "microsecond")
		return p.node(eOther, "interval", from, x)
	case "date", "timestamp", "timestamptz", "time", "uuid", "json", "jsonb":
		if p.peek(1).kind == tStr {
			p.i++
			x := p.prefix()
			return p.node(eOther, w, from, x)
		}
	case "binary", "prior", "distinct":
		if k := p.peek(1).kind; k != tOp && k != tEOF || call {
			p.i++
			x := p.expr(bpUnary)
			if w == "binary" {
				x = p.node(eCast, w, from, x)
			}
			return x
		}
	case "select", "from", "where", "and", "or", "set", "values":
		if !call || w != "values" {
			p.fail("expression expected")
			return &expr{kind: eOther, from: from, to: p.i}
		}
	}
	return p.nameOrCall()
}

func (p *parser) exists() *expr {
	from := p.i
	p.i += 2
	if !p.startsQuery() {
		p.fail("EXISTS without a query")
		p.list(")")
		p.expect(")")
		return p.node(eOther, "exists", from)
	}
	q := p.query()
	p.expect(")")
	return &expr{kind: eExists, sub: q, from: from, to: p.i}
}

func (p *parser) parenList() []*expr {
	if !p.expect("(") {
		return nil
	}
	items := p.list(")")
	p.expect(")")
	return items
}

func (p *parser) array() *expr {
	from := p.i
	p.i++
	switch {
	case p.takeOp("["):
		items := p.list("]")
		p.expect("]")
		return &expr{kind: eFunc, op: "array", args: items, from: from, to: p.i}
	case p.takeOp("("):
		if p.startsQuery() {
			q := p.query()
			p.expect(")")
			return &expr{kind: eOther, op: "array", sub: q, from: from, to: p.i}
		}
		items := p.list(")")
		p.expect(")")
		return &expr{kind: eOther, op: "array", args: items, from: from, to: p.i}
	}
	return &expr{kind: eCol, name: []string{"array"}, from: from, to: p.i}
}

func (p *parser) caseExpr() *expr {
	from := p.i
	p.i++
	e := &expr{kind: eCase, from: from}
	if !p.is("when") {
		e.op = "simple"
		e.args = append(e.args, p.expr(0))
	}
	for p.take("when") {
		e.args = append(e.args, p.expr(0))
		if !p.take("then") {
			p.fail("CASE without THEN")
		}
		e.args = append(e.args, p.expr(0))
	}
	if p.take("else") {
		e.args = append(e.args, p.expr(0))
	} else {
		e.args = append(e.args, nil)
	}
	if !p.take("end") {
		p.fail("CASE without END")
	}
	e.to = p.i
	return e
}

// cast parses CAST(x AS t) and SQL Server's CONVERT(t, x).
func (p *parser) cast(w string) *expr {
	from := p.i
	p.i += 2
	if strings.HasSuffix(w, "convert") && p.d == SQLServer {
		typ := p.typeName()
		p.expect(",")
		x := p.expr(0)
		if p.takeOp(",") {
			p.expr(0)
		}
		p.expect(")")
		return p.node(eCast, typ, from, x)
	}
	x := p.expr(0)
	typ := ""
	switch {
	case p.take("as"), p.takeOp(","):
		typ = p.typeName()
	case p.take("using"):
		p.ident()
		typ = "text"
	}
	p.expect(")")
	return p.node(eCast, typ, from, x)
}

// decimals hold every integer of 64 bits if they have 19 digits.
var decimals = set("decimal dec numeric number")

// typeName reads a type: words, a length, array brackets.
func (p *parser) typeName() string {
	path := p.path()
	if len(path) == 0 {
		p.fail("type expected")
		return ""
	}
	name := strings.ToLower(path[len(path)-1])
	for _, next := range []string{"precision", "varying", "unsigned", "signed", "integer"} {
		if (name == "double" || name == "character" || name == "unsigned" || name == "signed" || name == "bit") && p.take(next) {
			name += " " + next
		}
	}
	if p.isOp("(") {
		if n, err := strconv.Atoi(p.peek(1).text); err == nil && n >= 19 && decimals[name] {
			name = "bigint"
		}
		p.skipParens()
	}
	if name == "timestamp" || name == "time" {
		if p.take("with", "time", "zone") || p.take("without", "time", "zone") {
			name += " zone"
		}
	}
	for p.isOp("[") && p.pg() {
		for !p.eof() && !p.isOp("]") {
			p.i++
		}
		p.takeOp("]")
		p.brackets = 0
		name += "[]"
	}
	return name
}

// nameOrCall parses a column, a star or a call.
func (p *parser) nameOrCall() *expr {
	from := p.i
	path := p.path()
	if len(path) == 0 {
		p.fail("expression expected")
		p.i++
		return &expr{kind: eOther, from: from, to: p.i}
	}
	for i, t := range p.t[from:p.i] {
		if t.hole > 0 && !p.qualifies(from+i) {
			p.failHole("inserted text in an expression", t)
		}
	}
	if p.isOp("*") && p.t[p.i-1].text == "." {
		p.i++
		return p.node(eStar, "", from)
	}
	if p.isOp("(") && p.t[from].kind != tHole {
		return p.call(path, from)
	}
	if p.takeOp("(") { // Oracle's outer join mark, or a name that was inserted
		p.list(")")
		p.expect(")")
	}
	return &expr{kind: eCol, name: path, from: from, to: p.i}
}

func (p *parser) call(path []string, from int) *expr {
	p.i++
	e := &expr{kind: eFunc, op: strings.ToLower(path[len(path)-1]), name: path, from: from}
	distinct := p.any("distinct", "all") == "distinct"
	if p.startsQuery() && !p.is("values") {
		e.sub = p.query()
		e.kind = eOther
	} else {
		e.args = p.callArgs()
	}
	p.expect(")")
	for p.callTail() {
	}
	if distinct {
		e.val = "distinct"
	}
	e.to = p.i
	if e.kind == eFunc {
		p.calls = append(p.calls, e)
	}
	if p.isOp(".") {
		return p.field(e)
	}
	return e
}

// callArgs parses arguments, also those with keywords in between.
func (p *parser) callArgs() []*expr {
	var out []*expr
	for !p.eof() && !p.isOp(")") {
		at := p.i
		out = append(out, p.expr(0))
		switch {
		case p.takeOp(","), p.takeOp("=>"), p.takeOp(":="):
		case p.take("order", "by"):
			p.exprs()
		case p.any("from", "for", "in", "as", "separator", "using", "placing") != "":
		case p.isOp(")"):
		default:
			p.stray()
			if p.i == at || !p.isOp(")") && !p.isOp(",") {
				p.skipTo(")")
				return out
			}
		}
	}
	return out
}

// skipTo moves to the closing operator at this depth, or to the end.
func (p *parser) skipTo(end string) {
	for !p.eof() && !p.isOp(end) {
		if p.isOp("(") {
			p.skipParens()
			continue
		}
		p.i++
	}
}

// callTail consumes OVER (...), FILTER (...), WITHIN GROUP (...).
func (p *parser) callTail() bool {
	switch {
	case p.is("over") && p.peek(1).kind != tEOF:
		p.i++
		if p.isOp("(") {
			p.skipParens()
		} else {
			p.ident()
		}
		return true
	case p.is("filter") && p.peek(1).text == "(":
		p.i++
		p.skipParens()
		return true
	case p.is("within", "group"):
		p.i += 2
		p.skipParens()
		return true
	}
	return false
}

// tableAhead are the words behind which the name of a table stands.
var tableAhead = set("into update from join only table")

// qualifies reports whether the inserted text at i is the table of a column: a point
// and a name follow, and the same text has named a table before. Had it been more
// than a name, there would be no such table.
func (p *parser) qualifies(i int) bool {
	t := p.t[i]
	if t.hole == 0 || t.kind != tHole && t.kind != tQuoted || i+2 >= len(p.t) || p.t[i+1].text != "." || p.t[i+2].kind != tIdent && p.t[i+2].kind != tQuoted {
		return false
	}
	for k := 1; k < i; k++ {
		if u := p.t[k]; u.kind == t.kind && u.text == t.text && p.t[k-1].kind == tIdent && tableAhead[p.t[k-1].text] {
			return true
		}
	}
	return false
}
