package sql

// dmlScoped parses a data-changing statement inside another one and keeps its
// problems apart.
func (p *parser) dmlScoped() *dml {
	probs, notes := p.probs, p.notes
	p.probs, p.notes = nil, nil
	d := p.dml()
	d.probs, d.notes = p.probs, p.notes
	p.probs, p.notes = probs, notes
	return d
}

func (p *parser) dml() *dml {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.tooDeep()
		return &dml{kind: "unknown"}
	}
	start := p.i
	var d *dml
	switch w := p.cur().text; w {
	case "update":
		d = p.update()
	case "insert", "replace", "upsert":
		d = p.insert(w)
	case "delete":
		d = p.delete()
	case "merge":
		d = p.mergeStmt()
	default:
		d = &dml{kind: "unknown"}
	}
	d.start = start
	return d
}

func (p *parser) modifiers(d *dml) {
	for {
		switch {
		case p.take("low_priority"), p.take("high_priority"), p.take("delayed"), p.take("quick"):
		case p.take("ignore"):
			d.ignore = true
		case p.is("top"):
			p.i++
			p.expr(bpUnary)
			p.take("percent")
		default:
			return
		}
	}
}

func (p *parser) update() *dml {
	p.i++
	d := &dml{kind: "update"}
	p.modifiers(d)
	if p.take("or") {
		d.ignore = p.any("ignore", "replace", "abort", "fail", "rollback") == "ignore"
	}
	d.targets = p.fromList()
	if !p.take("set") {
		p.fail("SET expected")
	}
	d.sets = p.assigns()
	p.output(d)
	if p.take("from") {
		d.from = p.fromList()
	}
	p.tail(d)
	return d
}

// tail parses WHERE, ORDER BY, LIMIT and RETURNING.
func (p *parser) tail(d *dml) {
	for {
		switch {
		case p.take("where"):
			if p.take("current", "of") {
				p.fail("the row is the one a cursor stands on")
				p.ident()
				continue
			}
			d.where = both(d.where, p.expr(0))
		case p.take("order", "by"):
			p.exprs()
		case p.take("limit"):
			p.limit()
		case p.take("offset"):
			p.expr(0)
		case p.is("option") && p.peek(1).text == "(":
			p.i++
			p.skipParens()
		case p.is("returning"), p.is("return"), p.is("then", "return"), p.is("output"):
			p.output(d)
		default:
			return
		}
	}
}

// output parses RETURNING and OUTPUT.
func (p *parser) output(d *dml) {
	if p.any("returning", "return", "output") == "" && !p.take("then", "return") {
		return
	}
	d.hasRet = true
	if p.take("nothing") {
		d.hasRet = false
		return
	}
	if p.take("with") && p.isOp("(") {
		p.skipParens()
	}
	d.ret = p.items()
	if p.take("into") { // Oracle: variables; SQL Server: a table
		for {
			if p.cur().kind == tParam {
				p.i++
			} else if len(p.path()) == 0 {
				break
			} else if p.isOp("(") {
				p.skipParens()
			}
			if !p.takeOp(",") {
				break
			}
		}
	}
}

// assigns parses the list behind SET.
func (p *parser) assigns() []assign {
	var out []assign
	for !p.eof() {
		at := p.i
		out = append(out, p.assign()...)
		if t := p.cur(); t.hole > 0 && p.startsWith(t, ",") {
			p.note("text inserted into the SET list only adds assignments to other columns")
			p.i++
		}
		if !p.takeOp(",") && !p.behindInserted(at) || p.i == at {
			return out
		}
	}
	return out
}

// behindInserted reports whether what was read of a SET list is inserted text alone, and a
// column follows: the text has the commas.
func (p *parser) behindInserted(at int) bool {
	if p.t[at].kind != tHole || p.i != at+1 {
		return false
	}
	t, next := p.cur(), p.peek(1)
	return t.kind == tHole || (t.kind == tQuoted || t.kind == tIdent) && next.kind == tOp && (next.text == "=" || next.text == ".")
}

// startsWith tells whether the inserted text t is known to start with s.
func (p *parser) startsWith(t token, s string) bool {
	if t.kind != tHole || t.hole > len(p.holes) {
		return false
	}
	known := p.holes[t.hole-1].Starts
	for known != "" && known[0] == ' ' {
		known = known[1:]
	}
	return len(known) >= len(s) && known[:len(s)] == s
}

func (p *parser) assign() []assign {
	t := p.cur()
	if p.isOp("(") {
		return p.assignRow()
	}
	if next := p.peek(1); t.kind == tHole && !(next.kind == tOp && (next.text == "=" || next.text == ".")) {
		p.i++
		p.note("text inserted into the SET list only adds assignments to other columns")
		return nil
	}
	from := p.i
	if p.variable() && !(p.cur().kind == tIdent && p.peek(1).text == "=") {
		p.expr(bpCmp)
		return nil
	}
	path := p.path()
	if len(path) == 0 {
		p.fail("column expected")
		return nil
	}
	a := assign{col: path[len(path)-1]}
	if len(path) > 1 {
		a.qual = path[len(path)-2]
	}
	for p.isOp("[") { // an element of an array
		p.i++
		p.subscript(&expr{kind: eOther, from: from})
		a.value = &expr{kind: eOther, from: from, to: p.i}
	}
	compound := ""
	if t := p.cur(); t.kind == tOp && p.peek(1).kind == tOp && p.peek(1).text == "=" && (t.text == "+" || t.text == "-" || t.text == "*" || t.text == "/") {
		compound = t.text
		p.i++
	}
	if !p.takeOp("=") && !p.takeOp(":=") {
		p.fail("= expected")
		return nil
	}
	v := p.expr(0)
	switch {
	case a.value != nil:
		a.value = &expr{kind: eOther, args: []*expr{v}, from: from, to: p.i}
	case compound != "":
		a.value = &expr{kind: eBin, op: compound, args: []*expr{{kind: eCol, name: path}, v}, from: from, to: p.i}
	default:
		a.value = v
	}
	return []assign{a}
}

// variable consumes the variable that SQL Server sets on the way: @old = epoch, or
// @new = epoch = expression, where the column follows.
func (p *parser) variable() bool {
	t, next := p.cur(), p.peek(1)
	if p.d != SQLServer || t.kind != tParam || t.text[0] != '@' || next.kind != tOp || next.text != "=" {
		return false
	}
	p.i += 2
	return true
}

// assignRow parses (a, b) = (x, y), ROW(x, y) or a subquery.
func (p *parser) assignRow() []assign {
	from := p.i
	cols := p.names()
	if !p.takeOp("=") {
		p.fail("= expected")
	}
	v := p.expr(0)
	out := make([]assign, len(cols))
	for i, c := range cols {
		out[i].col = c
		switch {
		case v.kind == eRow && i < len(v.args):
			out[i].value = v.args[i]
		case v.kind != eRow && v.kind != eSub && len(cols) == 1:
			out[i].value = v
		case v.kind == eSub && i < len(v.sub.items) && len(v.sub.items) == len(cols) && len(v.sub.setOp) == 0:
			one := *v.sub
			one.items = one.items[i : i+1]
			out[i].value = &expr{kind: eSub, sub: &one, from: v.from, to: v.to}
		default:
			out[i].value = &expr{kind: eOther, op: c, args: []*expr{v}, from: from, to: p.i}
		}
	}
	return out
}

func (p *parser) delete() *dml {
	p.i++
	d := &dml{kind: "delete"}
	p.modifiers(d)
	if p.take("from") {
		d.targets = p.fromList()
		p.output(d)
		if p.take("using") {
			d.from = p.fromList()
		} else if p.take("from") { // SQL Server: DELETE FROM j FROM jobs j
			d.from = p.fromList()
		}
	} else { // DELETE j FROM jobs j JOIN ...
		d.targets = p.fromList()
		p.output(d)
		if p.take("from") {
			d.from = p.fromList()
		}
	}
	p.tail(d)
	return d
}
