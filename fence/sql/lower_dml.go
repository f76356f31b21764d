package sql

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
)

// dml lowers a data-changing statement to its mutations.
func (l *lowerer) dml(d *dml) []*fence.Mutation {
	wasEnv, wasScope, wasProbs := l.env, l.scope, l.probs
	l.probs = nil
	defer func() { l.env, l.scope, l.probs = wasEnv, wasScope, wasProbs }()
	l.bindCTEs(d.ctes)
	l.scope = &scope{known: make(map[string]bool)}
	for _, a := range d.sets {
		l.scope.known[a.col] = true
	}
	var out []*fence.Mutation
	switch d.kind {
	case "update":
		out = l.update(d)
	case "delete":
		out = l.delete(d)
	case "insert", "replace", "upsert":
		out = l.insert(d)
	case "merge":
		out = l.mergeStmt(d)
	}
	if l.spent {
		l.problem(tooComplex, d.start)
	}
	for _, x := range d.probs {
		l.probs = append(l.probs, l.p.problemOf(x))
	}
	for i, m := range out {
		if m.Kind == fence.Update || m.Kind == fence.Delete {
			m = m.SameRow()
			out[i] = m
		}
		m.Returning = d.hasRet
		m.Sequential = l.d == MySQL || d.conf != nil && d.conf.duplicate
		m.Problems = append(m.Problems, l.probs...)
		m.Notes = append(m.Notes, d.notes...)
	}
	l.probAll = append(l.probAll, l.probs...)
	return out
}

// targets separates the relations that are written from those only read.
func (l *lowerer) targets(d *dml) (written, read []*relation) {
	all := append(slices.Clone(d.targets), d.from...)
	if d.kind == "update" && len(d.from) == 0 && len(d.targets) > 1 {
		return l.assignedOf(d)
	}
	for _, t := range d.targets {
		for _, r := range d.from {
			if r.alias != "" && r.alias == t.exact && t.alias == "" || r.alias == "" && r.exact == t.exact && (d.kind == "delete" || l.d == SQLServer || l.d == MySQL) {
				written = append(written, r)
			}
		}
	}
	if len(written) > 0 {
		for _, r := range d.from {
			if !slices.Contains(written, r) {
				read = append(read, r)
			}
		}
		return written, read
	}
	if d.kind == "delete" && len(d.targets) > 1 && len(d.from) == 0 {
		return d.targets[:1], d.targets[1:]
	}
	return d.targets[:min(1, len(d.targets))], all[min(1, len(d.targets)):]
}

// assignedOf finds the written tables of UPDATE a JOIN b SET ... by the
// qualifiers of the assigned columns.
func (l *lowerer) assignedOf(d *dml) (written, read []*relation) {
	for _, r := range d.targets {
		name := r.callName()
		hit := slices.ContainsFunc(d.sets, func(a assign) bool { return a.qual != "" && a.qual == name })
		if hit {
			written = append(written, r)
		} else {
			read = append(read, r)
		}
	}
	if slices.ContainsFunc(d.sets, func(a assign) bool { return a.qual == "" }) {
		l.problem("a column assigned without its table, beside a join", d.start)
	}
	if len(written) == 0 {
		return d.targets[:1], d.targets[1:]
	}
	return written, read
}

// bindTarget puts the written row in scope.
func (l *lowerer) bindTarget(r *relation) {
	name := r.name
	if name == "" {
		name = "?"
	}
	l.scope.rels = append(l.scope.rels, &rel{alias: r.callName(), table: name, row: fence.Target, open: true})
}

// guardOf lowers joins and WHERE for one written relation; the other written
// ones are read like any row.
func (l *lowerer) guardOf(d *dml, target *relation, others []*relation) fence.Cond {
	l.bindTarget(target)
	conds := l.bind(others, unlocked)
	if target.on != nil && !target.outer {
		conds = append(conds, l.cond(target.on))
	}
	if d.where != nil {
		conds = append(conds, l.cond(d.where))
	}
	return fence.All(conds...)
}

func (l *lowerer) eachTarget(d *dml, build func(target *relation) *fence.Mutation) []*fence.Mutation {
	written, read := l.targets(d)
	var out []*fence.Mutation
	outer := l.scope
	for _, target := range written {
		l.scope = &scope{parent: outer.parent, known: outer.known}
		others := slices.Clone(read)
		for _, w := range written {
			if w != target {
				others = append(others, w)
			}
		}
		if target.sub != nil {
			l.problem("the table written is a subquery", d.start)
		}
		target, through := l.writeThrough(target, d)
		guard := fence.All(through, l.guardOf(d, target, others))
		m := build(target)
		m.Guard, m.Resource = guard, target.name
		out = append(out, m)
	}
	return out
}

// writeThrough replaces a common table expression that is written, as SQL
// Server allows, by its table; its WHERE is part of the guard.
func (l *lowerer) writeThrough(r *relation, d *dml) (*relation, fence.Cond) {
	e := l.env.find(r.exact)
	if l.d != SQLServer || e == nil || e.q == nil {
		return r, nil
	}
	q := e.q
	plain := len(q.from) == 1 && q.from[0].sub == nil && q.from[0].fn == nil && !q.group && len(q.setOp) == 0 && len(e.cols) == 0
	for _, it := range q.items {
		plain = plain && (it.e.kind == eStar || it.e.kind == eCol && it.name == it.e.name[len(it.e.name)-1])
	}
	if !plain {
		l.problem("the table written is a common table expression", d.start)
		return r, nil
	}
	base := &relation{name: q.from[0].name, exact: q.from[0].exact, alias: r.callName()}
	if q.where == nil {
		return base, nil
	}
	was := l.scope
	l.scope = &scope{}
	l.bindTarget(q.from[0])
	c := l.cond(q.where)
	l.scope = was
	return base, c
}

func (l *lowerer) update(d *dml) []*fence.Mutation {
	return l.eachTarget(d, func(target *relation) *fence.Mutation {
		m := &fence.Mutation{Kind: fence.Update}
		name := target.callName()
		for _, a := range d.sets {
			if a.qual == "" || a.qual == name || len(d.targets) == 1 {
				m.Set = append(m.Set, fence.Assign{Column: a.col, Value: l.value(a.value)})
			}
		}
		if l.d == MySQL && len(d.targets) > 1 && readsAssigned(m.Set) {
			l.problem("the order of assignments in a joined UPDATE is not defined", d.start)
		}
		return m
	})
}

// readsAssigned tells whether an assignment reads a column that another one changes.
func readsAssigned(set []fence.Assign) bool {
	found := false
	for _, a := range set {
		fence.WalkTerm(a.Value, func(t fence.Term) {
			s, ok := t.(fence.Stored)
			found = found || ok && s.Row == fence.Target && s.Column != a.Column &&
				slices.ContainsFunc(set, func(b fence.Assign) bool { return b.Column == s.Column })
		})
	}
	return found
}

func (l *lowerer) value(e *expr) fence.Term {
	if e == nil {
		return fence.Opaque{Key: "value" + l.ref()}
	}
	return l.term(e)
}

func (l *lowerer) delete(d *dml) []*fence.Mutation {
	return l.eachTarget(d, func(*relation) *fence.Mutation { return &fence.Mutation{Kind: fence.Delete} })
}

func (l *lowerer) insert(d *dml) []*fence.Mutation {
	target := d.targets[0]
	m := &fence.Mutation{Kind: fence.Insert, Resource: target.name, InsertPath: fence.Only, OnConflict: "error"}
	values, conds := l.insertValues(d)
	excluded := &rel{alias: "excluded", cols: make(map[string]fence.Term), open: true, of: values}
	for i, v := range values {
		if i < len(d.cols) {
			excluded.cols[d.cols[i]] = v
			m.InsertRow = append(m.InsertRow, fence.Assign{Column: d.cols[i], Value: v})
		} else {
			m.InsertRow = append(m.InsertRow, fence.Assign{Value: v})
		}
	}
	m.Guard = fence.All(conds...)
	if d.ignore || l.d == GoogleSQL { // each of its tables has a primary key, which comes first by custom
		m.OnConflict = "nothing"
		if l.d == GoogleSQL && len(d.cols) > 0 {
			m.ConflictOn = d.cols[:1]
		}
	}
	switch {
	case d.kind != "insert":
		m.Kind, m.Set, m.InsertPath, m.OnConflict = fence.Replace, m.InsertRow, fence.Open, "replace"
	case d.conf != nil:
		l.conflict(m, d, excluded)
	}
	return []*fence.Mutation{m}
}

// insertValues lowers the rows to insert; conditions are those of a SELECT.
func (l *lowerer) insertValues(d *dml) ([]fence.Term, []fence.Cond) {
	switch {
	case d.query != nil:
		wasEnv, wasScope := l.env, l.scope
		l.push()
		rows := l.queryRows(d.query)
		l.env, l.scope = wasEnv, wasScope
		var out []fence.Term
		for _, it := range rows.items {
			if it.star {
				return nil, rows.conds
			}
			out = append(out, it.term)
		}
		return out, rows.conds
	case len(d.rows) > 0:
		return l.mergeRows(d.rows), nil
	}
	return nil, nil
}

// conflict lowers what an insert does to a row that is there.
func (l *lowerer) conflict(m *fence.Mutation, d *dml, excluded *rel) {
	c := d.conf
	m.ConflictOn, m.OnConflict = c.on, c.action
	if c.action != "update" {
		return
	}
	l.scope = &scope{known: make(map[string]bool)}
	l.bindTarget(d.targets[0])
	hidden := &scope{rels: []*rel{excluded}}
	if d.rowName != "" {
		named := &rel{alias: d.rowName, cols: excluded.cols, open: true, of: excluded.of}
		if len(d.rowCols) > 0 {
			named.cols = make(map[string]fence.Term)
			for i, name := range d.rowCols {
				if i < len(m.InsertRow) {
					named.cols[name] = m.InsertRow[i].Value
				}
			}
			l.scope.named = named.cols
		}
		hidden.rels = append(hidden.rels, named)
	}
	l.scope.parent = hidden
	for _, a := range c.sets {
		m.Set = append(m.Set, fence.Assign{Column: a.col, Value: l.value(a.value)})
	}
	if c.where != nil {
		m.Guard = fence.All(m.Guard, l.cond(c.where))
	}
	self := func(a fence.Assign) bool {
		if a.Value == fence.Term(fence.Stored{Column: a.Column}) {
			return true
		}
		if v, ok := a.Value.(fence.Apply); ok && v.Fn == fence.Coalesce && len(v.Args) > 0 && v.Args[0] == fence.Term(fence.Stored{Column: a.Column}) {
			return true // what is there once stays
		}
		// What is in conflict has the value that it is given.
		return slices.Contains(c.on, a.Column) && slices.ContainsFunc(m.InsertRow, func(i fence.Assign) bool {
			in, ok := i.Value.(fence.Input)
			out, ok2 := a.Value.(fence.Input)
			return i.Column == a.Column && ok && ok2 && in.Arg == out.Arg
		})
	}
	if len(m.Set) > 0 && !slices.ContainsFunc(m.Set, func(a fence.Assign) bool { return !self(a) }) {
		m.Set, m.OnConflict = nil, "nothing"
		return
	}
	m.Kind, m.InsertPath = fence.Upsert, fence.Open
}

// mergeStmt lowers each arm of a MERGE. An INSERT arm whose ON is a plain key
// is the insert path of the update; else it is a write of its own, since a
// row that ON refuses is inserted.
func (l *lowerer) mergeStmt(d *dml) []*fence.Mutation {
	l.bindTarget(d.targets[0])
	conds := l.bind(d.from, unlocked)
	var on fence.Cond
	if d.on != nil {
		on = l.cond(d.on)
	}
	var out []*fence.Mutation
	before := make(map[bool][]fence.Cond) // of the arms of the same branch
	for _, a := range d.merge {
		if !a.matched && a.action == "insert" {
			continue
		}
		guard := slices.Clone(before[a.matched])
		if a.matched {
			guard = append(append(guard, conds...), on)
		}
		if a.cond != nil {
			c := l.cond(a.cond)
			guard = append(guard, c)
			before[a.matched] = append(before[a.matched], fence.Not{Of: fence.Is{Of: c, Value: fence.True}})
		}
		out = append(out, l.mergeArm(d, a, guard)...)
	}
	for _, a := range d.merge {
		if !a.matched && a.action == "insert" {
			out = l.mergeInsert(d, a, out)
		}
	}
	return out
}

func (l *lowerer) mergeArm(d *dml, a mergeArm, guard []fence.Cond) []*fence.Mutation {
	m := &fence.Mutation{Kind: fence.Merge, Resource: d.targets[0].name}
	if a.where != nil {
		guard = append(guard, l.cond(a.where))
	}
	m.Guard = fence.All(guard...)
	switch a.action {
	case "update":
		for _, s := range a.sets {
			m.Set = append(m.Set, fence.Assign{Column: s.col, Value: l.value(s.value)})
		}
		out := []*fence.Mutation{m}
		if a.delWhere != nil {
			out = append(out, &fence.Mutation{Kind: fence.Delete, Resource: m.Resource, Guard: m.Guard})
		}
		return out
	case "delete":
		m.Kind = fence.Delete
		return []*fence.Mutation{m}
	}
	return nil
}

func (l *lowerer) mergeInsert(d *dml, a mergeArm, out []*fence.Mutation) []*fence.Mutation {
	var row []fence.Assign
	for i, v := range a.vals {
		as := fence.Assign{Value: l.value(v)}
		if i < len(a.cols) {
			as.Column = a.cols[i]
		}
		row = append(row, as)
	}
	set := make(map[string]bool)
	for _, m := range out {
		for _, s := range m.Set {
			set[s.Column] = true
		}
	}
	if len(out) > 0 && plainKey(d.on, set) {
		for _, m := range out {
			if m.Kind == fence.Merge {
				m.InsertPath, m.InsertRow = fence.Open, row
			}
		}
		return out
	}
	return append(out, &fence.Mutation{Kind: fence.Insert, Resource: d.targets[0].name, InsertPath: fence.Only, InsertRow: row, OnConflict: "error"})
}

// plainKey tells whether ON is a conjunction of equalities on columns that no
// arm assigns.
func plainKey(e *expr, set map[string]bool) bool {
	if e == nil {
		return false
	}
	switch e.kind {
	case eAnd:
		return !slices.ContainsFunc(e.args, func(a *expr) bool { return !plainKey(a, set) })
	case eCmp:
		for _, a := range e.args {
			if a.kind == eCol && set[a.name[len(a.name)-1]] {
				return false
			}
		}
		return e.op == "="
	}
	return false
}
