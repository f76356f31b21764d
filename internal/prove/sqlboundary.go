package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// sqlDecision decides a statement of SQL.
func sqlDecision(j *judge, p *pair) decision {
	list := j.statements(p.w)
	if len(list) > 1 {
		return j.batchDecision(p, list)
	}
	d := decision{}
	for _, s := range list {
		d = worse(d, j.statedDecision(p, s))
	}
	return d
}

func (j *judge) statedDecision(p *pair, s stated) decision {
	d := decision{}
	forms := texts(s.stmt)
	if !slices.ContainsFunc(forms, func(t text) bool { return t.s != "" }) {
		return j.noText(p, text{none: "nothing is seen to give it a text", from: []*term.Term{s.stmt}})
	}
	for _, t := range forms {
		d = worse(d, j.textDecision(p, t, s.args))
	}
	return d
}

// stated is a statement with its bind arguments.
type stated struct{ stmt, args *term.Term }

// statements lists those that a write sends in SQL, or could as well; none for other
// receivers.
func (j *judge) statements(w *flow.Event) []stated {
	c := j.models.FuncKey(w.Key)
	switch {
	case c == nil || c.Sink == nil:
		return nil
	case c.Sink.Format == model.StatementRecord:
		out := carried(j.at(c.Sink.Input, w))
		for i := range out {
			out[i].stmt = j.widen(out[i].stmt)
		}
		return out
	case c.Sink.Dialect == "sql":
		stmt, args := j.statement(w)
		return []stated{{stmt, args}}
	case c.Sink.Lib == spannerLib && w.Kind == flow.Write:
		var out []stated
		for _, x := range j.spannerWritings(j.at(c.Sink.Input, w)) {
			stmt, args := x.statement()
			out = append(out, stated{stmt, args})
		}
		return out
	}
	return j.builtStatements(w, c.Sink)
}

// statement finds the text and the bind arguments of a write.
func (j *judge) statement(w *flow.Event) (stmt, args *term.Term) {
	s := j.models.FuncKey(w.Key).Sink
	if s.Format == model.StatementRecord {
		return joinedStatement(j.statements(w))
	}
	if s.Args >= 0 && s.Args < len(w.Args) {
		args = w.Args[s.Args]
	}
	if l, ok := elements(orZero(args)); ok && s.Stmt == s.Args && len(l) > 0 {
		return j.widen(unboxed(l[0])), term.NewList(false, l[1:]...) // the text is the first of the variable arguments
	}
	if s.Stmt >= 0 && s.Stmt < len(w.Args) {
		if text, vals, ok := j.takenOut(w.Args[s.Stmt], args); ok {
			return j.widen(text), vals
		}
		if s.Format != "" {
			return j.formatted(j.widen(w.Args[s.Stmt]), args)
		}
		return j.byName(j.widen(w.Args[s.Stmt])), args
	}
	if w.Recv != nil {
		return j.prepared(j.widen(w.Recv)), args
	}
	return term.NewUnknown("not an argument of the call"), args
}

// joinedStatement is one that stands for several; then their arguments are not told apart.
func joinedStatement(list []stated) (stmt, args *term.Term) {
	if len(list) == 1 {
		return list[0].stmt, list[0].args
	}
	var texts []*term.Term
	for _, s := range list {
		texts = append(texts, s.stmt)
	}
	return term.NewAlt(texts...), nil
}

// byName puts the text of a prepared statement in place of its name.
func (j *judge) byName(t *term.Term) *term.Term {
	if name, ok := term.StringValue(t); ok && name != "" {
		if text := j.a.Prepared(name); text != nil {
			return text
		}
	}
	return t
}

// prepared is the text that a prepared statement was made from.
func (j *judge) prepared(t *term.Term) *term.Term {
	var out []*term.Term
	for _, a := range t.Alternatives() {
		out = append(out, j.preparedFrom(a))
	}
	return term.NewAlt(out...)
}

func (j *judge) preparedFrom(t *term.Term) *term.Term {
	if t.Kind == term.Field && t.Args[0].Kind == term.Call && lastPart(t.Str) == "Stmt" { // embedded in that of another library
		return j.preparedFrom(t.Args[0])
	}
	if t.Kind == term.Call {
		if c := j.models.FuncKey(t.Str); c != nil && c.Sink != nil {
			switch i := c.Sink.Stmt + 1; { // the receiver is the first argument of a term
			case c.Sink.Kind == "prepare" && i < len(t.Args):
				return j.widen(t.Args[i])
			case c.Sink.Kind == "stmt" && len(t.Args) > 1:
				return j.prepared(j.widen(t.Args[len(t.Args)-1]))
			}
		}
	}
	if t.Symbolic() {
		return t
	}
	return term.NewUnknown("that of a prepared statement made elsewhere")
}

func (j *judge) textDecision(p *pair, t text, args *term.Term) decision {
	if t.none != "" {
		return j.noText(p, t)
	}
	d := decision{}
	for _, dialect := range j.dialectsIn(p.w.Key, t.s) {
		script := j.parse(t.s, t.holes, dialect)
		d = worse(d, j.scriptDecision(p, t, script, askedFor(script, args)))
	}
	return d
}

// noText: nothing is known of the statement. A query is taken for a read if what
// its text is made from says so.
func (j *judge) noText(p *pair, t text) decision {
	if d, ok := j.protectedUnit(p); ok && d.verdict == proved {
		d.receiver, d.shown = "table:?", j.callName(p.w)
		return d
	}
	hint := noHint
	for _, from := range t.from {
		hint = max(hint, j.intentOf(from))
	}
	if hint == reads && onlyQueries(j.models.FuncKey(p.w.Key).Sink.Kind) {
		return decision{}
	}
	if t.handed {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: suppliedText, hidden: suppliedText, shown: j.callName(p.w)}
	}
	return decision{
		verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "table:?",
		reason: t.none, hidden: t.none, shown: j.callName(p.w),
	}
}

func (j *judge) scriptDecision(p *pair, t text, script *fsql.Script, args *term.Term) decision {
	d := decision{}
	if len(script.Problems) > 0 && len(script.Statements) == 0 {
		return j.unread(t, script.Problems[0].Reason)
	}
	if namesStatement(t, script) {
		d := j.unread(t, "`"+t.shown()+"` is the name of a statement that is prepared where it is not seen")
		d.shown = j.callName(p.w)
		return d
	}
	for i := range script.Statements {
		st := &script.Statements[i]
		switch {
		case len(st.Mutations) > 0:
			for _, m := range st.Mutations {
				d = worse(d, j.mutationDecision(p, t, m, args))
			}
		case !WritesNothing(st):
			reason := "the statement is not understood"
			if len(st.Problems) > 0 {
				reason = st.Problems[0].Reason
			}
			d = worse(d, j.unread(t, reason))
		default:
			d = worse(d, j.hiddenWrite(p, t, st))
		}
	}
	return d
}

const (
	suppliedText = "the caller supplies the statement"
	suppliedPart = "the caller supplies part of the statement"
)

// harmless lists kinds of statements that write no data.
var harmless = map[string]bool{"select": true, "set": true, "begin": true, "commit": true, "rollback": true, "lock": true, "unlock": true, "ddl": true, "other": true}

// WritesNothing reports whether a statement was read and changes no data.
func WritesNothing(st *fsql.Statement) bool {
	return len(st.Mutations) == 0 && (st.Read || harmless[st.Kind])
}

func (j *judge) unread(t text, reason string) decision {
	if t.handed {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: suppliedPart, hidden: suppliedPart, shown: t.shown()}
	}
	return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: reason, hidden: reason, shown: t.shown()}
}

func (j *judge) mutationDecision(p *pair, t text, m *fence.Mutation, args *term.Term) decision {
	bs := j.bind(mutationArgs(m), args)
	d := j.guardDecision(p, t, m, bs)
	d.resource = "table:" + m.Resource
	d.receiver, d.shown = d.resource, t.shown()
	if d.verdict != proved && d.verdict != waiting && t.handed && len(m.Problems) > 0 {
		d.verdict, d.guard, d.rule, d.reason = waiting, "unknown", "unprovedwrite", m.Problems[0].Reason
	}
	return d
}

// guardDecision judges a write by what the statement says, and by its unit.
func (j *judge) guardDecision(p *pair, t text, m *fence.Mutation, bs []bound) decision {
	d := j.guardOf(p, m, bs)
	if j.o.Trace {
		d.seen = &seen{t, m, bs}
	}
	return d
}

// guardOf: first with the numbers of this lock as tokens, then with whatever else
// the statement compares.
func (j *judge) guardOf(p *pair, m *fence.Mutation, bs []bound) decision {
	if d, ok := j.ownerDecision(p, m, bs); ok {
		return d
	}
	j.readApart(p, bs)
	own := map[fence.Arg]*bound{}
	for i := range bs {
		if j.ownEpoch(p, &bs[i]) {
			own[bs[i].arg] = &bs[i]
		}
	}
	if len(own) > 0 {
		v := fence.Prove(m, func(a fence.Arg) bool { return own[a] != nil })
		if v.Compared || v.StoredToken {
			return j.fenceDecision(p, m, &v, own, bs)
		}
	}
	if d, ok := j.otherToken(m, bs); ok {
		if u, ok := j.ofTwoLocks(p, m, bs); ok {
			return u
		}
		return d
	}
	if d, ok := j.sqlCas(p, m, bs); ok {
		return d
	}
	if len(m.Problems) > 0 && (m.Guard != nil || m.Kind == fence.Update || m.Kind == fence.Delete) {
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: m.Problems[0].Reason}
	}
	if d, ok := j.writtenName(p, m); ok {
		return d
	}
	return j.unguarded(p, m, bs)
}

// ownEpoch reports whether the argument is a number that the coordinator issued
// with a grant of this lock, on every path.
func (j *judge) ownEpoch(p *pair, b *bound) bool {
	some := false
	for _, o := range b.origins {
		switch o.class {
		case epoch, epochReread:
			if otherLock(o.handle, p.acq.Hold.Handle) || otherGrant(o.grant, p.acq) {
				return false
			}
			some = true
		case zero: // judged as zerotoken
		default:
			return false
		}
	}
	return some
}

// otherGrant reports whether a number came with another acquisition than this.
func otherGrant(g *term.Term, acq *flow.Event) bool {
	if g == nil {
		return false
	}
	return g.Str != acq.Key || !strings.HasSuffix(g.Site, acq.Site) && !strings.HasSuffix(acq.Site, g.Site)
}

// otherLock reports whether two lock handles are certainly different ones.
func otherLock(a, b *term.Term) bool {
	if a == nil || b == nil {
		return false
	}
	for _, x := range a.Alternatives() {
		for _, y := range b.Alternatives() {
			x, y = unboxed(x), unboxed(y)
			if apart(x, y) {
				continue
			}
			if x.Equal(y) || x.Kind != term.Call || y.Kind != term.Call || sameMade(x.Site, y.Site) {
				return false
			}
		}
	}
	return true
}

// sameMade reports whether two values were made by one call: also where one is told by the
// function that made it alone, and the other with the calls that led there.
func sameMade(x, y string) bool {
	return x == y || x != "" && y != "" && (strings.HasSuffix(x, "/"+y) || strings.HasSuffix(y, "/"+x))
}

// fenceDecision judges a statement that mentions the epoch.
func (j *judge) fenceDecision(p *pair, m *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, bs []bound) decision {
	d := decision{guard: "fence", column: v.Column, elsewhere: v.Table != ""}
	if rule, reason := fault(m, v, own, p.class()); rule != "" {
		d.verdict, d.rule, d.reason = refuted, rule, reason
		if rule == "unprovedwrite" {
			d.verdict, d.guard = unproved, "unknown"
		}
		if rule == "tokennotcompared" {
			d.guard = "none"
			if u := j.unguarded(p, m, bs); u.verdict == proved || u.verdict == waiting || u.rule == "checkthenact" || u.guard == "fence" || u.rule == "fencenotadvanced" {
				return u
			}
		}
		return d
	}
	if rule, reason := j.undone(p, m, v, bs); rule != "" {
		d.verdict, d.rule, d.reason = refuted, rule, reason
		if rule == "unprovedwrite" {
			d.verdict = unproved
		}
		return d
	}
	if reason := j.replayMissing(p, v); reason != "" {
		d.verdict, d.rule, d.words, d.reason = refuted, "repeatedepoch", undeclared, reason
		return d
	}
	d.verdict, d.guarded, d.unseen = proved, true, v.Unseen
	if verdict, rule, reason := withoutTrace(m, v); rule != "" {
		d.verdict, d.rule, d.reason = verdict, rule, reason
		return d
	}
	var args []*bound
	for _, a := range v.GuardArgs {
		if own[a] != nil {
			args = append(args, own[a])
		}
	}
	d.source = sourceOfEpochs(args)
	d.strict, d.inserts = v.AdmitsEqual == fence.No && v.Replay == nil, insertsMissing(m, v)
	d.again = v.Again == fence.Admitted
	d.row, d.fixed = rowOfStatement(m, v, bs)
	d.alone = j.ownRow(p, m, v, bs)
	d.reason = refusedBelow(v.Column)
	if a := assumedOf(own); a != nil {
		d.reason += ", provided that " + a.provided
		if j.o.Strict {
			d.verdict, d.rule, d.reason = unproved, "unprovedwrite", a.otherwise
			return d
		}
	}
	return j.rejection(p, d)
}

// insertsMissing reports whether a row that is missing is inserted for any owner. Stores
// that ask the condition of a missing record, too, do so only if it lets that pass.
func insertsMissing(m *fence.Mutation, v *fence.Verdict) bool {
	asked := m.Semantics == fence.MissingFalse || m.Semantics == fence.MissingRaises
	return v.Insert == fence.Open && (!asked || v.NullRule == "bypasses")
}

// withoutTrace judges a refusal that leaves the row as it is. MySQL counts the rows changed,
// others those met.
func withoutTrace(m *fence.Mutation, v *fence.Verdict) (verdict, string, string) {
	switch {
	case !v.Unseen || m.Sequential:
		return "", "", ""
	case m.Returning:
		return unproved, "unprovedwrite", "a refused write leaves the row as it is and returns it: only what it returns can tell"
	}
	return refuted, "rejectionignored", "a refused write leaves the row as it is, but counts it; a condition in WHERE would meet none"
}

// unguarded judges a statement without any guard of its own.
func (j *judge) unguarded(p *pair, m *fence.Mutation, bs []bound) decision {
	if d, ok := j.protectedUnit(p); ok {
		if d.verdict == proved && j.takesBack(p, m, bs) {
			return decision{verdict: refuted, rule: "nulladmitted", guard: "none", reason: takenBack}
		}
		return d
	}
	if (m.Kind == fence.Insert || m.InsertPath == fence.Only) && m.OnConflict == "nothing" {
		return j.onceByKey(m, bs)
	}
	if d, ok := j.lockedCompare(p, m, bs); ok {
		return d
	}
	if d, ok := j.lockedRecord(p, m, bs); ok {
		return d
	}
	if d, ok := j.serialCompare(p, m, bs); ok {
		return d
	}
	if d, ok := j.lockedCas(p, m, bs); ok {
		return d
	}
	if d, ok := j.lastGuard(p, m); ok {
		return d
	}
	if d, ok := j.lastCompare(p, m, bs); ok {
		return d
	}
	d := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "nothing in the statement refuses an obsolete owner"}
	if sameAgain(m, bs) {
		d.guard, d.reason = "idempotent", "the statement can be repeated, but an obsolete owner's comes through"
	}
	if reason := j.checkedBefore(p, m.Resource); reason != "" {
		d.rule, d.reason = "checkthenact", reason
	}
	return d
}

// scripts reads the statement of a write in each form and dialect that it can have.
func (j *judge) scripts(w *flow.Event) []*fsql.Script {
	var out []*fsql.Script
	for _, s := range j.statements(w) {
		for _, t := range texts(s.stmt) {
			if t.none != "" {
				continue
			}
			for _, dialect := range j.dialectsIn(w.Key, t.s) {
				out = append(out, j.parse(t.s, t.holes, dialect))
			}
		}
	}
	return out
}

// tables lists the tables that a write changes.
func (j *judge) tables(w *flow.Event) []string {
	var out []string
	for _, s := range j.scripts(w) {
		for _, st := range s.Statements {
			for _, m := range st.Mutations {
				if !slices.Contains(out, m.Resource) {
					out = append(out, m.Resource)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// locksRows reports whether a statement locks the rows that it reads.
func (j *judge) locksRows(w *flow.Event) bool {
	for _, s := range j.scripts(w) {
		for _, st := range s.Statements {
			if st.RowLock != "" && len(st.Mutations) == 0 {
				return true
			}
		}
	}
	return false
}
