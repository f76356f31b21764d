package sql

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
)

// Parse reads text. It never fails and never panics, and takes time linear in
// the text up to a bounded factor; what it does not understand is a Problem.
func Parse(text string, holes []Hole, d Dialect) *Script {
	toks, problems := lex(text, holes, d)
	out := &Script{}
	lx := &lexer{src: text, holes: holes, d: d}
	eachStatement(toks, func(part []token) { out.Statements = append(out.Statements, statement(lx, part)) })
	out.place(problems)
	out.countAround(lx, toks)
	return out
}

// countAround counts the placeholders without a number around inserted text.
func (s *Script) countAround(l *lexer, toks []token) {
	first, last := -1, -1
	for i, r := range l.src {
		if l.dirty(string(r)) > 0 {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if s.Inserted = first >= 0; !s.Inserted {
		return
	}
	for _, t := range toks {
		switch {
		case t.kind != tParam || t.text[0] != '?' || l.src[t.pos:t.end] != "?":
		case t.pos < first:
			s.Ahead++
		case t.pos > last:
			s.Behind++
		}
	}
}

// eachStatement calls do with the tokens of every statement and an end behind them.
func eachStatement(toks []token, do func([]token)) {
	start := 0
	var body routine
	for i, t := range toks {
		body.next(t, i-start)
		end := t.kind == tEOF || t.kind == tOp && t.text == ";" && !body.open()
		if !end {
			continue
		}
		body = routine{}
		if i > start {
			do(append(slices.Clone(toks[start:i]), token{kind: tEOF, pos: toks[i].pos, end: toks[i].pos}))
		}
		start = i + 1
	}
}

// routine follows the text of CREATE TRIGGER and the like, whose body has
// semicolons of its own.
type routine struct {
	create, is bool
	depth      int
}

func (r *routine) next(t token, n int) {
	if t.kind != tIdent {
		return
	}
	switch t.text {
	case "create":
		r.create = r.create || n == 0
	case "trigger", "procedure", "function", "package":
		r.is = r.is || r.create && n < 8
	case "begin", "case":
		r.depth++
	case "end":
		r.depth--
	}
}

func (r *routine) open() bool { return r.is && r.depth > 0 }

// place hands the problems of the lexer to the statements they are in.
func (s *Script) place(problems []fence.Problem) {
	for _, x := range problems {
		at := -1
		for i := range s.Statements {
			if s.Statements[i].Offset <= x.Offset {
				at = i
			}
		}
		if at < 0 {
			at = 0
		}
		if at >= len(s.Statements) {
			s.Problems = append(s.Problems, x)
			continue
		}
		st := &s.Statements[at]
		st.Problems = append(st.Problems, x)
		for _, m := range st.Mutations {
			m.Problems = append(m.Problems, x)
		}
	}
}

// kinds of statements that are recognised by their first word alone.
var plainKinds = map[string]string{
	"create": "ddl", "alter": "ddl", "drop": "ddl", "rename": "ddl",
	"call": "call", "exec": "call", "execute": "call", "do": "call", "perform": "call",
	"set": "set", "reset": "set", "pragma": "set", "use": "set", "declare": "set",
	"begin": "begin", "start": "begin", "commit": "commit", "end": "commit", "rollback": "rollback", "abort": "rollback",
	"lock": "lock", "unlock": "unlock", "refresh": "ddl", "prepare": "call", "copy": "insert", "load": "insert",
}

// upkeep are the first words of statements that leave the data as it is.
var upkeep = set("savepoint release explain analyze vacuum reindex cluster flush optimize attach detach show describe desc listen unlisten notify " +
	"fetch move close deallocate discard checkpoint comment grant revoke")

func statement(lx *lexer, toks []token) Statement {
	p := newParser(lx, toks)
	l := &lowerer{p: p, d: lx.d}
	st := Statement{Offset: toks[0].pos}
	p.params(&st)
	p.explained()
	ctes := p.with()
	switch {
	case p.isDML():
		st.Kind = p.cur().text
		d := p.dml()
		d.ctes = ctes
		p.finish()
		d.probs, d.notes = p.probs, p.notes
		main := l.dml(d)
		l.muts = append(l.muts, main...)
		st.Returning = itemNames(p, d.ret)
		if st.Kind == "insert" && d.conf != nil && d.conf.action == "update" || st.Kind == "replace" {
			st.Kind = "upsert"
		}
	case p.startsQuery() || p.is("table"):
		st.Kind = "select"
		q := p.query()
		q.ctes = append(ctes, q.ctes...)
		p.finish()
		l.selectStmt(&st, q)
	case p.take("truncate"):
		st.Kind = "truncate"
		l.truncate()
	default:
		l.plain(&st)
	}
	l.fill(&st)
	st.Ends = p.ends(st.Kind)
	return st
}

// fill moves what was collected on the way to the statement.
func (l *lowerer) fill(st *Statement) {
	st.Mutations = append(st.Mutations, l.muts...)
	for _, x := range l.p.probs {
		st.Problems = append(st.Problems, l.p.problemOf(x))
	}
	if l.spent {
		l.problem(tooComplex, 0)
	}
	for _, x := range append(l.probAll, l.probs...) {
		if !slices.Contains(st.Problems, x) {
			st.Problems = append(st.Problems, x)
		}
	}
	slices.Sort(l.tables)
	slices.Sort(l.locked)
	st.Tables, st.Locked = l.tables, l.locked
	st.SkipLocked = l.skip
	st.Read = st.Kind == "select" && len(st.Mutations) == 0 && !l.p.writesFurther()
	st.Foreign = l.foreign()
	l.funcCalls(st)
}

// finish reports what is left over behind a statement.
func (p *parser) finish() {
	t := p.holed(p.cur())
	switch {
	case t.kind == tEOF:
		return
	case t.hole > 0:
		p.failHole("inserted text behind the statement", t)
	default:
		p.fail("not understood")
	}
}

func (p *parser) params(st *Statement) {
	seen := make(map[string]bool)
	for _, t := range p.t {
		if t.kind == tParam && !seen[t.text] {
			seen[t.text] = true
			st.Params = append(st.Params, fence.Arg(t.text))
		}
	}
}

func itemNames(p *parser, items []selItem) []string {
	var out []string
	for _, it := range items {
		name := it.name
		if it.e.kind == eStar {
			name = "*"
		} else if name == "" {
			name = p.span(it.e.from, it.e.to)
		}
		out = append(out, name)
	}
	return out
}

// selectStmt lowers a SELECT: its first table plays the target of Where.
func (l *lowerer) selectStmt(st *Statement, q *query) {
	l.scope = &scope{known: make(map[string]bool)}
	l.bindCTEs(q.ctes)
	st.Columns = itemNames(l.p, q.items)
	st.RowLock = q.lock
	l.skip = l.skip || q.skip
	if q.into != "" {
		l.muts = append(l.muts, &fence.Mutation{Kind: fence.DDL, Resource: q.into})
	}
	var conds []fence.Cond
	for i, r := range q.from {
		if i == 0 && r.sub == nil && r.fn == nil && l.env.find(r.exact) == nil {
			l.bindTarget(r)
			l.table(r.name)
			st.From = r.name
			if q.locks(r) {
				l.lockTable(r.name)
			}
			continue
		}
		conds = append(conds, l.bindOne(r, q.locks(r))...)
	}
	for _, r := range q.from {
		if r.on != nil && !r.outer {
			conds = append(conds, l.cond(r.on))
		}
	}
	if q.where != nil {
		conds = append(conds, l.cond(q.where))
	}
	for _, it := range q.items {
		l.parts(it.e) // notes the tables of subqueries
	}
	for _, other := range q.setOp {
		l.push()
		l.queryRows(other)
		l.pop()
	}
	st.Where = fence.All(conds...)
}

func (l *lowerer) truncate() {
	p := l.p
	p.take("table")
	p.take("only")
	for {
		path := p.path()
		if len(path) == 0 {
			break
		}
		l.muts = append(l.muts, &fence.Mutation{Kind: fence.Truncate, Resource: tableName(path)})
		if !p.takeOp(",") {
			break
		}
	}
}

// plain handles statements whose inside does not matter.
func (l *lowerer) plain(st *Statement) {
	p := l.p
	w := p.cur()
	if st.Kind = plainKinds[w.text]; w.kind == tIdent && upkeep[w.text] {
		st.Kind = "other"
	}
	switch {
	case w.kind != tIdent || st.Kind == "":
		st.Kind = "unknown"
		if w = p.holed(w); w.hole > 0 {
			p.failHole("the statement itself is inserted", w)
		} else {
			p.fail("statement not understood")
		}
	case st.Kind == "ddl":
		l.ddl()
	case st.Kind == "call":
		p.fail(calls[w.text])
	case p.hasWrites():
		st.Kind = "unknown"
		p.fail("one statement follows another without a semicolon")
	case st.Kind == "insert":
		l.bulk(st, w.text)
	}
}

// calls says of the statements that run other text what that is.
var calls = map[string]string{
	"call": "the procedure that it calls may write", "exec": "the procedure that it calls may write", "execute": "what it executes may write",
	"do": "the block that it runs may write", "perform": "the function that it calls may write", "prepare": "what it prepares may write",
}

// writing are the words that begin statements which change data.
var writing = set("insert update delete merge truncate call exec execute")

// hasWrites reports whether a statement of settings has another one behind it, as
// SQL Server allows without a semicolon.
func (p *parser) hasWrites() bool {
	switch p.cur().text {
	case "set", "begin", "declare", "use", "commit", "end":
		p.i++
		return p.writesFurther()
	}
	return false
}

// writesFurther reports whether a word from here on begins a statement that
// changes data. FOR UPDATE and FOR NO KEY UPDATE begin none.
func (p *parser) writesFurther() bool {
	for n := max(p.i, 1); n < len(p.t); n++ {
		before := p.t[n-1].text
		if t := p.t[n]; t.kind == tIdent && writing[t.text] && before != "for" && before != "key" {
			return true
		}
	}
	return false
}

// explained skips EXPLAIN ANALYZE, which runs the statement behind it.
func (p *parser) explained() {
	if !p.is("explain") {
		return
	}
	n, runs := p.i+1, false
	if p.peek(1).text == "(" {
		for _, t := range p.t[n:p.match[n]] {
			runs = runs || t.text == "analyze"
		}
		n = p.match[n] + 1
	}
	for ; n < len(p.t) && explainWords[p.t[n].text]; n++ {
		runs = runs || p.t[n].text == "analyze"
	}
	if runs {
		p.i = n
	}
}

var explainWords = set("analyze verbose debug query plan extended")

// holders are the objects of CREATE, ALTER and DROP that hold data. Those that hold
// tables are made and altered without harm.
var holders, holdTables = set("table materialized"), set("database schema keyspace tablespace")

var holdNone = set("on function procedure trigger index view type set")

// ddl notes what CREATE, ALTER or DROP names, if it holds data.
func (l *lowerer) ddl() {
	p := l.p
	drop, create, again := p.is("drop"), p.is("create"), p.is("refresh")
	for p.i = 1; !p.eof() && p.i < 10 && !holdNone[p.cur().text]; p.i++ {
		if w := p.cur().text; !holders[w] && !(drop && holdTables[w]) {
			continue
		}
		p.i++
		p.take("view")
		p.any("concurrently")
		again = p.take("if", "not", "exists") && create || again
		p.any("if")
		p.any("exists")
		p.any("only")
		if path := p.path(); len(path) > 0 {
			l.muts = append(l.muts, &fence.Mutation{Kind: fence.DDL, Resource: tableName(path), Again: again})
		}
		return
	}
}

// bulk reads COPY t FROM and LOAD DATA INTO TABLE t.
func (l *lowerer) bulk(st *Statement, w string) {
	p := l.p
	path := l.bulkTable(w)
	out := w == "copy" && p.is("to")
	p.i = 1
	switch {
	case len(path) > 0:
		l.muts = append(l.muts, &fence.Mutation{Kind: fence.Insert, Resource: tableName(path), InsertPath: fence.Only, OnConflict: "error"})
	case out && !p.writesFurther():
		st.Kind = "other" // rows are handed out
	}
}

func (l *lowerer) bulkTable(w string) []string {
	p := l.p
	p.i = 1
	if w == "copy" {
		path := p.path()
		if p.isOp("(") {
			p.skipParens()
		}
		if !p.is("from") {
			return nil
		}
		return path
	}
	for ; !p.eof(); p.i++ {
		if p.take("into", "table") {
			return p.path()
		}
	}
	return nil
}

var lockCalls = set("pg_advisory_lock pg_advisory_xact_lock pg_try_advisory_lock pg_try_advisory_xact_lock pg_advisory_lock_shared " +
	"pg_advisory_xact_lock_shared pg_try_advisory_lock_shared pg_try_advisory_xact_lock_shared pg_advisory_unlock pg_advisory_unlock_shared " +
	"pg_advisory_unlock_all get_lock release_lock release_all_locks is_free_lock is_used_lock nextval currval setval lastval sp_getapplock sp_releaseapplock")

func (l *lowerer) funcCalls(st *Statement) {
	for _, e := range l.p.calls {
		if lockCalls[e.op] {
			st.Calls = append(st.Calls, FuncCall{Name: e.op, Args: l.terms(e.args)})
		} else if !builtin(e.name) {
			st.Own = append(st.Own, FuncCall{Name: e.op, Args: l.terms(e.args)})
		}
	}
	if st.Kind == "call" {
		l.p.i = 1
		if path := l.p.path(); len(path) > 0 && lockCalls[path[len(path)-1]] {
			st.Calls = append(st.Calls, FuncCall{Name: path[len(path)-1]})
		}
	}
}
