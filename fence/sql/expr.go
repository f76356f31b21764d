package sql

import "cmp"

// binding powers; a higher one binds tighter.
const (
	bpOr = 10 * (iota + 1)
	bpXor
	bpAnd
	bpNot
	bpIs
	bpCmp
	bpIn
	bpOther
	bpAdd
	bpMul
	bpPow
	bpUnary
	bpCast
)

// power is the binding power of an infix operator, 0 if the token is none.
func (p *parser) power(t token) int {
	if t.kind == tIdent && t.hole == 0 {
		return p.wordPower(t.text)
	}
	if t.kind != tOp {
		return 0
	}
	switch t.text {
	case "||":
		if p.mysql() {
			return bpOr
		}
		if p.d == SQLite {
			return bpPow
		}
		return bpOther
	case "&&":
		if p.mysql() {
			return bpAnd
		}
		return bpOther
	case "<", "<=", ">", ">=", "!<", "!>":
		if p.d == SQLite {
			return bpIn + 1
		}
		return bpCmp
	case "=", "==", "<>", "!=", "<=>", "^=":
		return bpCmp
	case "+", "-":
		return bpAdd
	case "*", "/", "%":
		return bpMul
	case "^":
		return bpPow
	case "::", ":::", "[":
		return bpCast
	case "->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "??", "@@", "@@@", "~", "~*", "!~", "!~*", "<<", ">>", "&", "|", "#", "@":
		return bpOther
	}
	return 0
}

func (p *parser) wordPower(w string) int {
	switch w {
	case "or":
		return bpOr
	case "xor":
		if p.mysql() {
			return bpXor
		}
	case "and":
		return bpAnd
	case "is", "isnull", "notnull":
		if p.mysql() || p.d == SQLite {
			return bpCmp
		}
		return bpIs
	case "between", "in", "like", "ilike", "similar", "regexp", "rlike", "glob", "match", "overlaps":
		if p.d == SQLite {
			return bpCmp
		}
		return bpIn
	case "not": // x NOT IN, NOT BETWEEN, NOT LIKE
		switch n := p.peek(1); n.text {
		case "between", "in", "like", "ilike", "similar", "regexp", "rlike", "glob", "match":
			return p.wordPower(n.text)
		case "null":
			return bpIs
		}
	case "div", "mod":
		if p.mysql() {
			return bpMul
		}
	case "collate", "at":
		return bpCast
	case "operator":
		return bpOther
	}
	return 0
}

// expr parses an expression whose operators all bind tighter than min.
func (p *parser) expr(min int) *expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return p.tooDeep()
	}
	left := p.prefix()
	for chain := 0; ; chain++ {
		t := p.cur()
		if t.kind == tHole || t.kind == tIdent && t.hole > 0 {
			return left // the caller names the place
		}
		bp := p.power(t)
		if bp <= min {
			return left
		}
		if chain > maxChain && bp != bpOr && bp != bpAnd {
			return p.tooDeep()
		}
		left = p.infix(left, bp)
	}
}

func (p *parser) tooDeep() *expr {
	from := p.i
	p.fail("nested too deeply")
	p.i = len(p.t) - 1
	return &expr{kind: eOther, from: from, to: p.i}
}

func (p *parser) node(k ekind, op string, from int, args ...*expr) *expr {
	return &expr{kind: k, op: op, args: args, from: from, to: p.i}
}

// infix parses what follows left. Every path consumes at least one token.
func (p *parser) infix(left *expr, bp int) *expr {
	t := p.cur()
	p.i++
	from := left.from
	if t.kind == tIdent {
		return p.infixWord(left, t.text, bp)
	}
	switch t.text {
	case "::", ":::":
		typ := p.typeName()
		return p.node(eCast, typ, from, left)
	case "[":
		return p.subscript(left)
	case "||":
		if p.mysql() {
			return p.binary(eOr, "", left, bp)
		}
	case "&&":
		if p.mysql() {
			return p.binary(eAnd, "", left, bp)
		}
	case "=", "==", "<>", "!=", "^=", "<", "<=", ">", ">=", "!<", "!>", "<=>":
		return p.comparison(left, t.text, bp)
	}
	return p.binary(eBin, t.text, left, bp)
}

func (p *parser) binary(k ekind, op string, left *expr, bp int) *expr {
	right := p.expr(bp)
	if (k == eAnd || k == eOr) && left.kind == k { // a flat list, however long
		left.args = append(left.args, right)
		left.to = p.i
		return left
	}
	return p.node(k, op, left.from, left, right)
}

var sameOps = map[string]string{"==": "=", "!=": "<>", "^=": "<>", "!<": ">=", "!>": "<="}

func (p *parser) comparison(left *expr, op string, bp int) *expr {
	if same := sameOps[op]; same != "" {
		op = same
	}
	if p.is("any") || p.is("some") || p.is("all") {
		word := p.cur().text
		if n := p.peek(1); n.kind == tOp && n.text == "(" {
			return p.anyAll(left, op, word)
		}
	}
	return p.binary(eCmp, op, left, bp)
}

func (p *parser) anyAll(left *expr, op, word string) *expr {
	p.i += 2
	if word == "some" {
		word = "any"
	}
	e := &expr{kind: eAny, op: op, val: word, args: []*expr{left}, from: left.from}
	if p.startsQuery() {
		e.sub = p.query()
	} else {
		e.args = append(e.args, p.expr(0))
	}
	p.expect(")")
	e.to = p.i
	return e
}

func (p *parser) subscript(left *expr) *expr {
	for !p.eof() && !p.isOp("]") {
		at := p.i
		p.expr(0)
		p.takeOp(":")
		if p.i == at {
			break
		}
	}
	p.expect("]")
	return p.node(eOther, "[]", left.from, left)
}

func (p *parser) infixWord(left *expr, w string, bp int) *expr {
	switch w {
	case "or":
		return p.binary(eOr, "", left, bp)
	case "and":
		return p.binary(eAnd, "", left, bp)
	case "xor":
		return p.binary(eXor, "", left, bp)
	case "is":
		return p.isTest(left, bp)
	case "isnull":
		return p.node(eIs, "null", left.from, left)
	case "notnull":
		e := p.node(eIs, "null", left.from, left)
		e.not = true
		return e
	case "not":
		if p.take("null") {
			e := p.node(eIs, "null", left.from, left)
			e.not = true
			return e
		}
		word := p.cur().text
		p.i++
		e := p.infixWord(left, word, bp)
		if e.kind == eBetween || e.kind == eIn || e.kind == eInSub {
			e.not = true
			return e
		}
		return p.node(eNot, "", left.from, e)
	case "between":
		return p.between(left)
	case "in":
		return p.in(left)
	case "collate":
		p.path()
		return p.node(eOther, "collate", left.from, left)
	case "at":
		p.take("time")
		p.take("zone")
		right := p.expr(bpCast)
		return p.node(eOther, "at", left.from, left, right)
	case "operator":
		op := p.named()
		if cmpOps[op] != 0 || op == "=" {
			return p.binary(eCmp, op, left, bpOther)
		}
		return p.binary(eOther, "operator", left, bpOther)
	case "similar":
		p.take("to")
	}
	e := p.binary(eOther, w, left, bp)
	if p.take("escape") {
		p.expr(bpOther)
		e.to = p.i
	}
	return e
}

// named consumes the operator in OPERATOR(pg_catalog.<); one of another schema, or of
// none, may be the project's own.
func (p *parser) named() string {
	if !p.isOp("(") {
		return ""
	}
	from := p.i + 1
	p.skipParens()
	if p.i-from != 4 || p.t[from].text != "pg_catalog" {
		return ""
	}
	return cmp.Or(sameOps[p.t[from+2].text], p.t[from+2].text)
}

func (p *parser) isTest(left *expr, bp int) *expr {
	not := p.take("not")
	if p.d == SQLite {
		return p.isSQLite(left, not, bp)
	}
	e := &expr{kind: eIs, not: not, args: []*expr{left}, from: left.from}
	switch {
	case p.take("null"):
		e.op = "null"
	case p.take("true"):
		e.op = "true"
	case p.take("false"):
		e.op = "false"
	case p.take("unknown"):
		e.op = "unknown"
	case p.take("distinct", "from"):
		e.op = "distinct"
		e.args = append(e.args, p.expr(bp))
	default:
		e.kind, e.op, e.not = eOther, "is", false
		p.i++
		if p.isOp("(") {
			p.skipParens()
		}
	}
	e.to = p.i
	return e
}

// isSQLite parses x IS y, a comparison of any two values, NULL included.
func (p *parser) isSQLite(left *expr, not bool, bp int) *expr {
	e := &expr{kind: eIs, op: "distinct", not: !not, args: []*expr{left}, from: left.from}
	if p.take("distinct", "from") {
		e.not = not
	}
	y := p.expr(bp)
	e.to = p.i
	switch {
	case y.kind == eNull:
		e.op, e.not = "null", !e.not
	case y.kind == eTrue:
		e.op, e.not = "true", !e.not
	case y.kind == eFalse:
		e.op, e.not = "false", !e.not
	default:
		e.args = append(e.args, y)
	}
	return e
}

// bounds are the powers with which BETWEEN reads its two bounds.
func (p *parser) bounds() (low, high int) {
	switch {
	case p.mysql():
		return bpIn, bpCmp
	case p.d == SQLite:
		return bpAnd, bpCmp
	}
	return bpIn + 1, bpIn + 1
}

func (p *parser) between(left *expr) *expr {
	sym := p.any("symmetric", "asymmetric") == "symmetric"
	lowPower, highPower := p.bounds()
	low := p.expr(lowPower)
	if !p.take("and") {
		p.fail("BETWEEN without AND")
		return p.node(eOther, "between", left.from, left, low)
	}
	high := p.expr(highPower)
	e := p.node(eBetween, "", left.from, left, low, high)
	if sym {
		e.op = "symmetric"
	}
	return e
}

func (p *parser) in(left *expr) *expr {
	e := &expr{kind: eIn, args: []*expr{left}, from: left.from}
	if !p.isOp("(") { // a list bound as one parameter, or a table
		e.kind = eOther
		e.op = "in"
		e.args = append(e.args, p.expr(bpOther))
		e.to = p.i
		return e
	}
	p.i++
	if p.startsQuery() {
		e.kind = eInSub
		e.sub = p.query()
	} else {
		e.args = append(e.args, p.list(")")...)
	}
	p.expect(")")
	e.to = p.i
	return e
}

// list parses expressions up to the closing operator, which it leaves.
func (p *parser) list(end string) []*expr {
	var out []*expr
	for !p.eof() && !p.isOp(end) {
		at := p.i
		out = append(out, p.expr(0))
		if !p.takeOp(",") {
			if !p.isOp(end) {
				p.stray()
			}
			if !p.isOp(end) {
				return out
			}
		}
		if p.i == at {
			p.i++
		}
	}
	return out
}

// stray reports what stands where an expression should have ended.
func (p *parser) stray() {
	if t := p.holed(p.cur()); t.hole > 0 {
		p.failHole("inserted text in an expression", t)
		p.i++
		return
	}
	p.fail("not understood")
}
