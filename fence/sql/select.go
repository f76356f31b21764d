package sql

import (
	"slices"
	"strings"
)

// startsQuery tells whether a query begins here, perhaps in parentheses of
// its own: (SELECT 1) UNION ..., but not (SELECT 1) < 2.
func (p *parser) startsQuery() bool { return p.queryAt(p.i) }

func (p *parser) queryAt(at int) bool {
	n := at
	for p.t[n].kind == tOp && p.t[n].text == "(" && n < len(p.t)-1 {
		n++
	}
	if !p.queryWord(n) {
		return false
	}
	for k := n - 1; k >= at; k-- {
		after := p.t[min(p.match[k]+1, len(p.t)-1)]
		switch {
		case after.kind == tEOF, after.kind == tOp && after.text == ")":
		case after.kind == tIdent && queryGoesOn[after.text]:
		default:
			return false
		}
	}
	return true
}

var queryGoesOn = set("union except intersect minus order limit offset fetch for on returning")

// queryWord tells whether the word at n starts a query.
func (p *parser) queryWord(n int) bool {
	t := p.t[n]
	if t.kind != tIdent {
		return false
	}
	switch t.text {
	case "select", "with":
		return true
	case "values": // also a function in MySQL, whose result goes into an operator
		open := min(n+1, len(p.t)-1)
		if p.mysql() || p.t[open].kind != tOp || p.t[open].text != "(" {
			return false
		}
		after := p.t[min(p.match[open]+1, len(p.t)-1)]
		return after.kind == tEOF || after.kind == tOp && (after.text == ")" || after.text == ",") || after.kind == tIdent && queryGoesOn[after.text]
	}
	return false
}

// query parses WITH, SELECT, VALUES, set operations and what follows them.
func (p *parser) query() *query {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.tooDeep()
		return &query{group: true}
	}
	ctes := p.with()
	q := p.queryTerm()
	for {
		w := p.any("union", "except", "intersect", "minus")
		if w == "" {
			break
		}
		p.any("all", "distinct")
		q.setOp = append(q.setOp, p.queryTerm())
	}
	q.ctes = append(ctes, q.ctes...)
	p.queryTail(q)
	return q
}

func (p *parser) queryTerm() *query {
	switch {
	case p.isOp("("):
		p.i++
		q := p.query()
		p.expect(")")
		return q
	case p.take("values"):
		return &query{values: p.rows()}
	case p.is("select"):
		return p.selectCore()
	case p.is("update"), p.is("insert"), p.is("delete"), p.is("merge"), p.is("replace"), p.is("upsert"):
		return &query{dml: p.dml()}
	}
	p.fail("query expected")
	return &query{group: true}
}

func (p *parser) rows() [][]*expr {
	var out [][]*expr
	for {
		p.take("row")
		if !p.isOp("(") {
			if t := p.cur(); t.hole > 0 {
				p.failHole("inserted text in the list of values", t)
				p.i++
			}
			return out
		}
		out = append(out, p.parenList())
		if !p.takeOp(",") {
			return out
		}
	}
}

// with parses common table expressions.
func (p *parser) with() []*cte {
	if !p.take("with") {
		return nil
	}
	p.take("recursive")
	var out []*cte
	for {
		name, ok := p.ident()
		if !ok {
			p.fail("name expected")
			return out
		}
		c := &cte{name: name}
		if p.isOp("(") {
			c.cols = p.names()
		}
		if !p.take("as") {
			p.fail("AS expected")
		}
		p.take("not")
		p.take("materialized")
		if !p.expect("(") {
			return out
		}
		if p.isDML() {
			c.q = &query{dml: p.dmlScoped()}
		} else {
			c.q = p.query()
		}
		if !p.isOp(")") {
			p.stray()
			p.skipTo(")")
		}
		p.expect(")")
		out = append(out, c)
		if !p.takeOp(",") {
			return out
		}
	}
}

func (p *parser) isDML() bool {
	return p.is("update") || p.is("insert") || p.is("delete") || p.is("merge") || p.is("replace") && p.peek(1).text != "(" || p.is("upsert", "into")
}

func (p *parser) selectCore() *query {
	p.i++
	q := &query{}
	if p.take("distinct") {
		q.group = true
		if p.take("on") {
			p.parenList()
		}
	}
	p.take("all")
	if p.take("top") {
		q.cut = !some(p.expr(bpUnary))
		p.take("percent")
		p.take("with", "ties")
	}
	if !p.is("from") && !p.isOp(")") { // PostgreSQL allows no columns
		q.items = p.items()
	}
	if p.take("into") {
		p.selectInto(q)
	}
	if p.take("from") {
		q.from = p.fromList()
	}
	if p.take("where") {
		q.where = p.expr(0)
	}
	if p.take("group", "by") {
		q.group = true
		p.exprs()
	}
	if p.take("having") {
		q.group = true
		q.having = p.expr(0)
	}
	if p.take("window") {
		for p.path() != nil && p.take("as") && p.isOp("(") {
			p.skipParens()
			p.takeOp(",")
		}
	}
	return q
}

// selectInto reads INTO: a table that the statement makes, or variables.
func (p *parser) selectInto(q *query) {
	p.any("temporary", "temp", "unlogged")
	p.take("table")
	path := p.path()
	if len(path) == 0 || p.mysql() || p.d == Oracle {
		p.fail("SELECT INTO")
		return
	}
	q.into = tableName(path)
}

var aggregates = set("count sum min max avg array_agg string_agg json_agg jsonb_agg bool_or bool_and every group_concat listagg")

func (p *parser) items() []selItem {
	var out []selItem
	for !p.eof() {
		at := p.i
		if p.cur().kind == tHole && p.listGoesOn(p.peek(1)) { // a list of columns
			p.i++
			out = append(out, selItem{e: p.node(eStar, "", at)})
			if !p.takeOp(",") {
				break
			}
			continue
		}
		e := p.expr(0)
		it := selItem{e: e}
		if e.kind == eCol {
			it.name = e.name[len(e.name)-1]
		}
		if p.take("as") {
			it.name = p.alias(true)
		} else if a := p.alias(false); a != "" {
			it.name = a
		}
		out = append(out, it)
		if !p.takeOp(",") || p.i == at {
			break
		}
	}
	return out
}

// listGoesOn tells whether t can follow a complete item of a list.
func (p *parser) listGoesOn(t token) bool {
	return t.kind == tEOF || t.kind == tOp && (t.text == "," || t.text == ")") || t.kind == tIdent && stopWords[t.text]
}

// stopWords are the words that cannot be an alias without AS.
var stopWords = set("from where group having order limit offset fetch for union except intersect minus on using join inner left right full " +
	"cross natural set values returning output when window with as and or not lock select into straight_join use force ignore tablesample " +
	"insert update delete merge indexed partition do default overriding then end is in between like option lateral apply connect start model pivot unpivot only")

// alias reads an alias, "" if none is there.
func (p *parser) alias(after bool) string {
	t := p.cur()
	switch t.kind {
	case tQuoted:
		p.i++
		return t.text
	case tStr:
		p.i++
		return p.fold(t.text)
	case tIdent:
		if !after && (stopWords[t.text] || t.hole > 0 || p.isHoleWord(t)) {
			return ""
		}
		p.i++
		return t.text
	}
	return ""
}

// isHoleWord tells whether the word is nothing but inserted text.
func (p *parser) isHoleWord(t token) bool {
	for _, r := range t.text {
		return p.hole(r) >= 0
	}
	return false
}

func (p *parser) exprs() {
	for !p.eof() {
		at := p.i
		p.expr(0)
		p.any("asc", "desc")
		if p.take("nulls") {
			p.any("first", "last")
		}
		if !p.takeOp(",") || p.i == at {
			return
		}
	}
}

// queryTail parses ORDER BY, LIMIT and row locks, in any order.
func (p *parser) queryTail(q *query) {
	for {
		switch {
		case p.take("order", "by"), p.take("order", "siblings", "by"):
			p.exprs()
		case p.take("limit"):
			q.cut = !p.limit() || q.cut
		case p.take("offset"):
			q.cut = true
			p.expr(0)
			p.any("row", "rows")
		case p.take("fetch"):
			q.cut = !p.fetch() || q.cut
		case p.take("lock", "in", "share", "mode"):
			q.lock = "share"
		case p.take("option"):
			p.skipParens()
		case p.is("for"):
			if !p.forLock(q) {
				return
			}
		default:
			return
		}
	}
}

// limit tells whether the first row stays for certain.
func (p *parser) limit() bool {
	if p.take("all") {
		return true
	}
	n := p.expr(0)
	if p.takeOp(",") {
		p.expr(0)
		return false
	}
	return some(n)
}

// some tells whether n is a number above zero.
func some(n *expr) bool { return n.kind == eNum && strings.Trim(n.val, "0.eE") != "" }

// fetch tells whether the first row stays for certain.
func (p *parser) fetch() bool {
	stays := true
	p.any("first", "next")
	if !p.is("row") && !p.is("rows") {
		stays = some(p.expr(bpAdd))
	}
	p.any("row", "rows")
	if !p.take("only") {
		p.take("with", "ties")
	}
	return stays
}

// locks tells whether q locks the rows of r.
func (q *query) locks(r *relation) bool {
	return q.lock != "" && (len(q.lockOf) == 0 || slices.Contains(q.lockOf, r.callName()))
}

// forLock parses FOR UPDATE and the like. FOR KEY SHARE does not stop an
// update of other columns, so it is no lock for a fence.
func (p *parser) forLock(q *query) bool {
	from := p.i
	p.i++
	switch {
	case p.take("update"), p.take("no", "key", "update"):
		q.lock = "update"
	case p.take("share"):
		if q.lock == "" {
			q.lock = "share"
		}
	case p.take("key", "share"):
	case p.take("read", "only"), p.take("fetch", "only"):
		return true
	default:
		p.i = from
		return false
	}
	if p.take("of") {
		for {
			path := p.path()
			if len(path) == 0 {
				break
			}
			q.lockOf = append(q.lockOf, path[0])
			if !p.takeOp(",") {
				break
			}
		}
	}
	switch {
	case p.take("nowait"):
	case p.take("skip", "locked"):
		q.skip = true
	case p.take("wait"):
		p.expr(bpAdd)
	}
	return true
}
