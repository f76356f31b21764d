package sql

import "strings"

// callName is the name by which columns of r are qualified.
func (r *relation) callName() string {
	name := r.alias
	if name == "" {
		name = r.exact[strings.LastIndexByte(r.exact, '.')+1:]
	}
	return name
}

// fromList parses a FROM clause, flattening joins.
func (p *parser) fromList() []*relation {
	var out []*relation
	for {
		at := p.i
		out = append(out, p.fromItem()...)
		out = p.joins(out)
		if !p.takeOp(",") || p.i == at {
			return out
		}
	}
}

// joins parses the joins that follow what is in rels.
func (p *parser) joins(rels []*relation) []*relation {
	for {
		kind := p.joinWord()
		if kind == "" {
			return rels
		}
		if kind == "right" || kind == "full" {
			for _, r := range rels {
				r.outer = true
			}
		}
		items := p.fromItem()
		outer := kind == "left" || kind == "full"
		for _, r := range items {
			r.outer = r.outer || outer
		}
		var on *expr
		switch {
		case p.take("on"):
			on = p.expr(0)
		case p.take("using"):
			p.names()
		}
		if on != nil && len(items) > 0 {
			last := items[len(items)-1]
			last.on = both(last.on, on)
			if kind == "right" {
				last.outer = true // its condition does not restrict
			}
		}
		rels = append(rels, items...)
	}
}

func both(a, b *expr) *expr {
	if a == nil {
		return b
	}
	return &expr{kind: eAnd, args: []*expr{a, b}, from: a.from, to: b.to}
}

// joinWord consumes the words of a join and returns its kind, "" if there is none.
func (p *parser) joinWord() string {
	p.take("natural")
	switch {
	case p.take("join"), p.take("inner", "join"), p.take("cross", "join"), p.take("straight_join"), p.take("cross", "apply"):
		return "inner"
	case p.take("left", "outer", "join"), p.take("left", "join"), p.take("outer", "apply"):
		return "left"
	case p.take("right", "outer", "join"), p.take("right", "join"):
		return "right"
	case p.take("full", "outer", "join"), p.take("full", "join"):
		return "full"
	}
	return ""
}

func (p *parser) fromItem() []*relation {
	p.take("lateral")
	if p.isOp("(") {
		if p.queryAt(p.i + 1) {
			p.i++
			r := &relation{sub: p.query()}
			if !p.isOp(")") {
				p.stray()
				p.skipTo(")")
			}
			p.expect(")")
			p.relTail(r)
			return []*relation{r}
		}
		p.depth++
		defer func() { p.depth-- }()
		if p.depth > maxDepth {
			p.tooDeep()
			return nil
		}
		p.i++
		rels := p.fromList()
		p.expect(")")
		if len(rels) == 1 && rels[0].alias == "" {
			p.relTail(rels[0])
		}
		return rels
	}
	return []*relation{p.table()}
}

// table parses a table or table function with its alias and hints.
func (p *parser) table() *relation {
	p.take("only")
	from := p.i
	r := &relation{}
	path := p.path()
	if len(path) == 0 {
		p.fail("table expected")
		if !p.eof() {
			p.i++
		}
		return r
	}
	r.called(path)
	if t := p.cur(); t.kind == tParam && t.text[0] == '@' && t.pos == p.t[p.i-1].end { // CockroachDB: table@index
		p.i++
	} else if p.isOp("@") {
		p.i++
		if p.isOp("{") {
			for !p.eof() && !p.takeOp("}") {
				p.i++
			}
		}
	}
	p.takeOp("*") // PostgreSQL: include descendants
	if p.isOp("(") {
		r.fn = p.call(path, from)
		if p.take("with", "ordinality") {
			p.note("rows are numbered")
		}
	}
	p.relTail(r)
	return r
}

// relTail parses hints and the alias behind a relation.
func (p *parser) relTail(r *relation) {
	p.hints(r)
	if p.take("as") {
		r.alias = p.alias(true)
	} else {
		r.alias = p.alias(false)
		if t := p.cur(); r.alias == "" && t.hole > 0 && (t.kind == tHole || t.kind == tIdent) && p.aliasFollows() {
			p.i++
			r.alias = t.text
		}
	}
	if p.isOp("(") && r.alias != "" {
		r.cols = p.names()
	}
	p.hints(r)
}

// aliasFollows tells whether the word behind the current token goes on with
// the statement, so that inserted text here can only be an alias.
func (p *parser) aliasFollows() bool { return p.peek(1).kind == tIdent && p.peek(1).text == "set" }

func (p *parser) hints(r *relation) {
	for {
		switch {
		case p.is("with") && p.peek(1).text == "(":
			p.i++
			r.hint = p.span(p.i, min(p.i+16, len(p.t)))
			p.skipParens()
		case (p.is("use") || p.is("force") || p.is("ignore")) && (p.peek(1).text == "index" || p.peek(1).text == "key"):
			p.i += 2
			p.skipTo("(")
			p.skipParens()
		case p.take("indexed", "by"):
			p.ident()
		case p.take("not", "indexed"):
		case p.is("tablesample"), p.is("partition") && p.peek(1).text == "(":
			p.i++
			p.skipTo("(")
			p.skipParens()
		default:
			return
		}
	}
}
