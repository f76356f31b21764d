package sql

import (
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// rel is a row source that names can refer to.
type rel struct {
	alias string // as the dialect tells names apart
	table string // base table, "" if derived
	row   fence.RowRef
	ref   string
	cols  map[string]fence.Term // of a derived row
	open  bool                  // may have columns that are not in cols
	of    []fence.Term          // what unknown columns of a derived row come from
}

type scope struct {
	parent *scope
	rels   []*rel
	known  map[string]bool       // columns that the target is known to have
	named  map[string]fence.Term // names that the statement itself gives, which no column of the target has
}

// column is the value of a column that rel does have.
func (r *rel) column(name string) fence.Term {
	if t, ok := r.cols[name]; ok {
		return t
	}
	if r.table == "" {
		return fence.Opaque{Key: r.alias + "." + name, Of: r.of}
	}
	if r.row == fence.Target {
		return fence.Stored{Column: name}
	}
	return fence.Stored{Column: name, Row: r.row, Table: r.table, Ref: r.ref}
}

func (r *rel) has(name string) bool {
	_, ok := r.cols[name]
	return ok || r.open
}

// answersTo tells whether a qualifier means this row.
func (r *rel) answersTo(qual string) bool {
	return r.alias == qual
}

func (l *lowerer) resolve(path []string) fence.Term {
	name := path[len(path)-1]
	if len(path) > 1 {
		return l.qualified(path[len(path)-2], name)
	}
	for s := l.scope; s != nil; s = s.parent {
		if t, ok := s.unqualified(name); ok {
			return t
		}
	}
	return fence.Opaque{Key: name}
}

func (l *lowerer) qualified(qual, name string) fence.Term {
	for s := l.scope; s != nil; s = s.parent {
		for _, r := range s.rels {
			if r.answersTo(qual) {
				return r.column(name)
			}
		}
	}
	return fence.Stored{Column: name, Row: fence.Other, Table: strings.ToLower(qual)}
}

// unqualified finds the only row of this scope that can have the column. The
// statement is valid, so a row known to have it is the one.
func (s *scope) unqualified(name string) (fence.Term, bool) {
	if t, ok := s.named[name]; ok {
		return t, true
	}
	var may []*rel
	for _, r := range s.rels {
		if _, ok := r.cols[name]; ok {
			return r.column(name), true
		}
		if r.has(name) {
			may = append(may, r)
		}
	}
	for _, r := range may {
		if r.row == fence.Target && r.table != "" && (len(may) == 1 || s.known[name]) {
			return r.column(name), true
		}
	}
	switch len(may) {
	case 0:
		return nil, false
	case 1:
		return may[0].column(name), true
	}
	return fence.Stored{Column: name, Row: fence.Other, Table: fence.Ambiguous}, true
}

// cteEnv is the chain of common table expressions in view.
type cteEnv struct {
	parent *cteEnv
	name   string
	cols   []string
	q      *query
	muts   []*fence.Mutation
	ret    map[string]fence.Term
}

func (e *cteEnv) find(name string) *cteEnv {
	for ; e != nil; e = e.parent {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (l *lowerer) push() { l.scope = &scope{parent: l.scope} }
func (l *lowerer) pop()  { l.scope = l.scope.parent }

func (l *lowerer) ref() string {
	l.refs++
	return strconv.Itoa(l.refs)
}

// bind puts the relations in scope and returns the conditions that every row
// of their join satisfies.
func (l *lowerer) bind(rels []*relation, locks func(*relation) bool) []fence.Cond {
	var conds []fence.Cond
	for _, r := range rels {
		got := l.bindOne(r, locks(r))
		if !r.outer {
			conds = append(conds, got...)
		}
	}
	for _, r := range rels {
		if r.on != nil {
			if c := l.cond(r.on); !r.outer {
				conds = append(conds, c)
			}
		}
	}
	return conds
}

func unlocked(*relation) bool { return false }

func (l *lowerer) bindOne(r *relation, locked bool) []fence.Cond {
	out := &rel{alias: r.callName()}
	s := l.scope
	if len(s.rels) >= maxNames {
		l.spent = true
		return nil
	}
	var conds []fence.Cond
	switch e := l.env.find(r.exact); {
	case r.sub != nil:
		conds = l.derive(out, r.sub, r.cols, l.env)
	case r.fn != nil:
		l.bindFunc(out, r)
	case r.name != "" && e != nil && e.muts != nil:
		conds = []fence.Cond{l.gateOf(e)}
		out.cols, out.open, out.of = e.ret, true, []fence.Term{fence.Opaque{Key: e.name + l.ref()}}
	case r.name != "" && e != nil && e.q != nil:
		cols := r.cols
		if len(cols) == 0 {
			cols = e.cols
		}
		conds = l.derive(out, e.q, cols, e.parent)
	default:
		out.table, out.open, out.row, out.ref = r.name, true, fence.Other, l.ref()
		l.table(r.name)
		if locked || strings.Contains(r.hint, "updlock") || strings.Contains(r.hint, "xlock") {
			out.row = fence.LockedOther
			l.lockTable(r.name)
		}
		if l.d == SQLite || l.d == GoogleSQL { // serializable: what a statement reads stays so until it is done
			out.row = fence.LockedOther
		}
	}
	s.rels = append(s.rels, out)
	return conds
}

func (l *lowerer) gateOf(e *cteEnv) fence.Cond {
	var any []fence.Cond
	for _, m := range e.muts {
		any = append(any, fence.Gate{On: m})
	}
	if len(any) == 1 {
		return any[0]
	}
	return fence.Or{Of: any}
}

// bindFunc gives a table function's columns values that depend on its arguments.
func (l *lowerer) bindFunc(out *rel, r *relation) {
	for _, a := range r.fn.args {
		out.of = append(out.of, l.term(a))
	}
	out.open = len(r.cols) == 0
	out.cols = make(map[string]fence.Term)
	for _, c := range r.cols {
		out.cols[c] = fence.Opaque{Key: out.alias + l.ref() + "." + c, Of: out.of}
	}
}

// maxInline bounds how often a CTE is expanded, so that nesting cannot
// double the work at every level.
const maxInline = 200

// derive lowers a subquery in FROM: its columns become terms, and the
// conditions on its rows are returned.
func (l *lowerer) derive(out *rel, q *query, cols []string, env *cteEnv) []fence.Cond {
	l.inlined++
	if l.inlined > maxInline {
		l.problem("too many subqueries", 0)
		out.open = true
		return nil
	}
	was, wasScope := l.env, l.scope
	l.env = env
	l.push()
	defer func() { l.env, l.scope = was, wasScope }()
	rows := l.queryRows(q)
	out.cols = make(map[string]fence.Term)
	for i, it := range rows.items {
		name := it.name
		if i < len(cols) {
			name = cols[i]
		}
		if it.star {
			l.starCols(out)
			continue
		}
		if name != "" {
			out.cols[name] = it.term
		}
	}
	return rows.conds
}

// starCols lets the columns of all rows in scope show through.
func (l *lowerer) starCols(out *rel) {
	out.open = true
	if len(l.scope.rels) == 1 {
		r := l.scope.rels[0]
		out.table, out.row, out.ref, out.of = r.table, r.row, r.ref, r.of
		for name, t := range r.cols {
			out.cols[name] = t
		}
	}
}

type itemTerm struct {
	name string
	term fence.Term
	star bool
}

// rows are what a query yields: conditions that hold for its rows, its
// columns, and the terms that anything about it may depend on.
type rows struct {
	conds []fence.Cond
	items []itemTerm
	of    []fence.Term
}

// note adds what a condition depends on.
func (r *rows) note(c fence.Cond) {
	fence.WalkCond(c, nil, func(t fence.Term) { r.of = append(r.of, t) })
}

// queryRows lowers a query in the current scope.
func (l *lowerer) queryRows(q *query) rows {
	l.bindCTEs(q.ctes)
	if q.lock != "" {
		l.skip = l.skip || q.skip
	}
	if q.values != nil {
		return l.valueRows(q.values)
	}
	out := rows{conds: l.bind(q.from, q.locks)}
	if q.where != nil {
		out.conds = append(out.conds, l.cond(q.where))
	}
	if q.having != nil {
		out.note(l.cond(q.having))
	}
	for _, c := range out.conds {
		out.note(c)
	}
	grouped := q.group || len(q.setOp) > 0 || hasAggregate(q.items)
	for _, it := range q.items {
		if it.e.kind == eStar {
			out.items = append(out.items, itemTerm{star: true})
			continue
		}
		t := l.term(it.e)
		out.of = append(out.of, t)
		if grouped {
			t = fence.Opaque{Key: "g" + l.ref(), Of: []fence.Term{t}}
		}
		out.items = append(out.items, itemTerm{name: it.name, term: t})
	}
	for _, other := range q.setOp {
		l.push()
		out.of = append(out.of, l.queryRows(other).of...)
		l.pop()
	}
	if grouped {
		out.conds = nil
	}
	return out
}

// valueRows merges the rows of VALUES; columns are named as PostgreSQL does.
func (l *lowerer) valueRows(values [][]*expr) rows {
	var out rows
	for i, t := range l.mergeRows(values) {
		out.items = append(out.items, itemTerm{name: "column" + strconv.Itoa(i+1), term: t})
		out.of = append(out.of, t)
	}
	return out
}

// mergeRows gives each column the value that all rows share, else one that is
// not understood.
func (l *lowerer) mergeRows(rows [][]*expr) []fence.Term {
	var out []fence.Term
	for i := range rows[0] {
		first := l.term(rows[0][i])
		of := []fence.Term{first}
		same := true
		for _, row := range rows[1:] {
			if i < len(row) {
				t := l.term(row[i])
				same = same && fence.TermString(t) == fence.TermString(first)
				of = append(of, t)
			}
		}
		if !same {
			first = fence.Opaque{Key: "rows" + l.ref(), Of: of, Volatile: true}
		}
		out = append(out, first)
	}
	return out
}

func hasAggregate(items []selItem) bool {
	for _, it := range items {
		if isAggregate(it.e) {
			return true
		}
	}
	return false
}

func isAggregate(e *expr) bool {
	if e == nil {
		return false
	}
	if e.kind == eFunc && aggregates[e.op] && (len(e.args) < 2 || e.op != "max" && e.op != "min") {
		return true
	}
	for _, a := range e.args {
		if isAggregate(a) {
			return true
		}
	}
	return false
}

// bindCTEs adds the expressions to the environment, lowering those that write.
func (l *lowerer) bindCTEs(ctes []*cte) {
	for i, c := range ctes {
		if i >= maxNames {
			l.spent = true
			return
		}
		e := &cteEnv{parent: l.env, name: c.name, cols: c.cols, q: c.q}
		if c.q != nil && c.q.dml != nil {
			wasScope := l.scope
			l.scope = nil
			e.muts = l.dml(c.q.dml)
			e.ret = l.returned(c.q.dml, e.muts)
			l.scope = wasScope
			l.muts = append(l.muts, e.muts...)
			if len(e.muts) == 0 {
				e.muts = []*fence.Mutation{{Kind: fence.DDL}}
			}
		}
		l.env = e
	}
}

// returned gives the columns that a CTE hands on the values it has stored, as
// far as these do not depend on the row.
func (l *lowerer) returned(d *dml, muts []*fence.Mutation) map[string]fence.Term {
	out := make(map[string]fence.Term)
	if len(muts) != 1 {
		return out
	}
	for _, it := range d.ret {
		if it.e.kind != eCol {
			continue
		}
		switch v := muts[0].Assigned(it.e.name[len(it.e.name)-1]).(type) {
		case fence.Input, fence.Const:
			out[it.name] = v
		}
	}
	return out
}
