package sql

func (p *parser) insert(w string) *dml {
	p.i++
	d := &dml{kind: w}
	p.modifiers(d)
	if p.take("or") {
		switch p.any("replace", "update", "ignore", "abort", "fail", "rollback") {
		case "replace", "update":
			d.kind = "replace"
		case "ignore":
			d.ignore = true
		}
	}
	if p.is("all") || p.is("first") {
		p.fail("insert into several tables")
	}
	p.take("into")
	p.take("table")
	r := &relation{}
	r.called(p.path())
	if r.name == "" {
		p.fail("table expected")
	}
	p.hints(r)
	if p.take("as") {
		r.alias = p.alias(true)
	} else if t := p.cur(); t.kind == tIdent && !insertWords[t.text] {
		r.alias = p.alias(false)
	}
	d.targets = []*relation{r}
	if p.isOp("(") && !p.startsQuery() {
		d.cols = p.names()
	}
	if p.take("overriding") {
		p.any("system", "user")
		p.take("value")
	}
	p.output(d)
	p.source(d)
	p.insertTail(d)
	return d
}

var insertWords = set("values select with set default on returning output overriding value table partition")

// source parses the rows to insert.
func (p *parser) source(d *dml) {
	switch {
	case p.take("default", "values"):
		d.rows = [][]*expr{{}}
	case p.take("values"), p.take("value"):
		d.rows = p.rows()
	case p.take("set"):
		var row []*expr
		for _, a := range p.assigns() {
			d.cols = append(d.cols, a.col)
			row = append(row, a.value)
		}
		d.rows = [][]*expr{row}
	case p.startsQuery():
		d.query = p.query()
	default:
		if t := p.cur(); t.hole > 0 {
			p.failHole("inserted text in the list of values", t)
			p.i++
			return
		}
		p.fail("VALUES expected")
	}
}

func (p *parser) insertTail(d *dml) {
	if p.take("as") { // MySQL: AS new(a, b)
		d.rowName = p.alias(true)
		if p.isOp("(") {
			d.rowCols = p.names()
		}
	}
	for {
		switch {
		case p.take("on", "duplicate", "key", "update"):
			d.conf = &conflict{action: "update", duplicate: true, sets: p.assigns()}
		case p.take("on", "conflict"):
			c := p.onConflict()
			if d.conf != nil && d.conf.action == "update" && c.action == "update" {
				p.fail("more than one ON CONFLICT DO UPDATE")
			}
			if d.conf == nil || c.action == "update" {
				d.conf = c
			}
		case p.is("returning"), p.is("return"), p.is("then", "return"), p.is("output"):
			p.output(d)
		default:
			return
		}
	}
}

// onConflict parses the target, whose WHERE only selects an index, and the action.
func (p *parser) onConflict() *conflict {
	c := &conflict{}
	switch {
	case p.take("on", "constraint"):
		p.ident() // its columns are not in sight
	case p.isOp("("):
		c.on = p.keyColumns()
		if p.take("where") {
			p.expr(0)
		}
	}
	if !p.take("do") {
		p.fail("DO expected")
		return c
	}
	if p.take("nothing") {
		c.action = "nothing"
		return c
	}
	c.action = "update"
	if !p.take("update", "set") {
		p.fail("UPDATE SET expected")
		return c
	}
	c.sets = p.assigns()
	if p.take("where") {
		c.where = p.expr(0)
	}
	return c
}

// keyColumns parses the target of ON CONFLICT; expressions in it name no column.
func (p *parser) keyColumns() []string {
	end := p.match[p.i]
	var out []string
	start := true
	for p.i++; p.i < end && !p.eof(); {
		if p.isOp("(") {
			p.skipParens()
			start = false
			continue
		}
		t := p.cur()
		p.i++
		switch {
		case t.kind == tOp && t.text == ",":
			start = true
		case start && t.kind != tOp && !p.isOp("("):
			out, start = append(out, t.text), false
		default:
			start = false
		}
	}
	p.expect(")")
	return out
}

func (p *parser) mergeStmt() *dml {
	p.i++
	d := &dml{kind: "merge"}
	p.modifiers(d)
	p.take("into")
	d.targets = []*relation{p.table()}
	if !p.take("using") {
		p.fail("USING expected")
	}
	d.from = p.fromItem()
	if p.take("on") {
		d.on = p.expr(0)
	} else {
		p.fail("ON expected")
	}
	for p.take("when") {
		d.merge = append(d.merge, p.mergeArm())
	}
	p.tail(d)
	return d
}

func (p *parser) mergeArm() mergeArm {
	a := mergeArm{matched: !p.take("not")}
	if !p.take("matched") {
		p.fail("MATCHED expected")
	}
	if p.take("by") {
		a.bySource = p.any("source", "target") == "source"
	}
	if p.take("and") {
		a.cond = p.expr(0)
	}
	if !p.take("then") {
		p.fail("THEN expected")
		return a
	}
	switch {
	case p.take("update"):
		a.action = "update"
		if !p.take("set") {
			p.fail("SET expected")
		}
		a.sets = p.assigns()
		if p.take("where") {
			a.where = p.expr(0)
		}
		if p.take("delete") {
			p.take("where")
			a.delWhere = p.expr(0)
		}
	case p.take("insert"):
		a.action = "insert"
		if p.isOp("(") {
			a.cols = p.names()
		}
		if p.take("values") {
			a.vals = p.parenList()
		} else {
			p.take("default", "values")
		}
		if p.take("where") {
			a.where = p.expr(0)
		}
	case p.take("delete"):
		a.action = "delete"
	case p.take("do", "nothing"):
		a.action = "nothing"
	default:
		p.fail("action expected")
	}
	return a
}
