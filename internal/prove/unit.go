package prove

import (
	"slices"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// protectedUnit: an earlier statement of the same transaction compares the epoch, or the
// claim in its row, which it locks by that, and its refusal stops this one.
func (j *judge) protectedUnit(p *pair) (decision, bool) {
	sent := j.sender(p)
	if !j.isTx(sent) && !j.inSession(p, sent) {
		return decision{}, false
	}
	for _, w := range sent.After {
		same := sameUnit(w, sent)
		if same == no && j.isTx(w) && j.within(unitOf(sent), unitOf(w)) {
			same = yes
		}
		if same == no || !j.isTx(sent) && !j.inSession(p, w) {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		switch {
		case d.refuses() && d.unseen:
			return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown",
				reason: "the statement before it refuses by leaving a row as it is, which no count of rows tells for certain"}, true
		case d.refuses() && d.alone != "":
			return decision{verdict: refuted, rule: "staleadmitted", guard: "fence", reason: d.alone}, true
		case d.refuses():
			return j.joined(p, w, sent, d, same), true
		case d.verdict == waiting:
			return decision{verdict: waiting, guard: "unknown", reason: d.reason}, true
		}
	}
	return j.lostBefore(p, sent)
}

// lostBefore: an earlier statement of the same transaction compares the epoch, and its refusal
// is lost, or it compares an identity that comes again. That is said there: once it is mended,
// it stops this one too.
func (j *judge) lostBefore(p *pair, sent *flow.Event) (decision, bool) {
	for _, w := range p.sum.Events {
		if w.Kind != flow.Write || w == sent || !slices.Contains(w.Holds, p.acq) || sameUnit(w, sent) != yes || !w.Precedes(sent) {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		switch {
		case d.refuses() && d.verdict != proved:
			d.reason = "an earlier statement of the same transaction " + d.compares() + ", and its refusal is lost there"
		case d.guard == "owner" && d.rule == "identityreused":
			d.reason = "an earlier statement of the same transaction compares an identity that comes again"
		default:
			continue
		}
		d.rule, d.guarded = "", false
		return d, true
	}
	return decision{}, false
}

// refuses reports whether a statement compares the epoch, or the claim, as it should. That
// nobody hears of a refusal is its own finding: what the refusal stops, it stops.
func (d *decision) refuses() bool {
	return (d.guard == "fence" || d.guard == "owner") && (d.verdict == proved || d.rule == "rejectionignored")
}

func (d *decision) compares() string {
	if d.guard == "owner" {
		return "compares the claim"
	}
	return "compares the epoch"
}

// joined is the decision about a statement that another one before it guards, as far
// as both are in one transaction until both are done.
func (j *judge) joined(p *pair, w, sent *flow.Event, d decision, same answer) decision {
	if same != yes || manyUnits(sent) {
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown",
			reason: "its transaction may be another one than that of the statement that " + d.compares()}
	}
	if c, ok := j.cut(p, w, sent); ok {
		return c
	}
	d.verdict, d.rule = proved, ""
	d.reason = "an earlier statement of the same transaction refuses obsolete owners"
	d.guarded, d.strict, d.row = true, false, ""
	return d
}

func (j *judge) isTx(w *flow.Event) bool {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || w.Recv == nil {
		return false
	}
	if unit := unitOf(w); c.Sink.Carrier == "tx" || bindsStatement[lastPart(unboxed(w.Recv).Str)] && unit != unboxed(w.Recv) || j.begun(unit) {
		return true
	}
	return w.Recv.Kind == term.Iface && strings.HasSuffix(w.Recv.Str, ".Tx")
}

// inSession reports whether a statement runs in a transaction that was begun on its
// session, which is no value of its own.
func (j *judge) inSession(p *pair, w *flow.Event) bool {
	if w.Recv == nil {
		return false
	}
	unit := unitOf(w)
	return slices.ContainsFunc(p.sum.Events, func(b *flow.Event) bool {
		return b.Kind == flow.Begin && strings.HasSuffix(b.Key, "/xorm.Session.Begin") && unitOf(b).Equal(unit) && !vague(unit) && b.Precedes(w)
	})
}

// begun reports whether a value is a transaction by where it comes from: of some
// libraries the type does not tell.
func (j *judge) begun(unit *term.Term) bool {
	if j.runsTx(unit) {
		return true
	}
	c := j.models.FuncKey(unit.Str)
	return unit.Kind == term.Call && c != nil && c.Sink != nil && c.Sink.Kind == "begin"
}

// answer is yes, no, or that it cannot be told.
type answer uint8

const (
	no answer = iota
	perhaps
	yes
)

// sameUnit reports whether two events go through one transaction.
func sameUnit(a, b *flow.Event) answer {
	if a.Recv == nil || b.Recv == nil {
		return no
	}
	x, y := unitOf(a), unitOf(b)
	switch {
	case x.Equal(y) && !vague(x):
		return yes
	case x.Equal(y), vague(x) && vague(y):
		return perhaps
	}
	return no
}

// within reports whether a transaction was begun in another one, and is a part of it.
func (j *judge) within(inner, outer *term.Term) bool {
	if !j.begun(inner) || vague(outer) {
		return false
	}
	for _, from := range inner.Args {
		if from = unboxed(from); from.Equal(outer) || j.within(from, outer) {
			return true
		}
	}
	return false
}

// vague reports whether a term can stand for one transaction here and for another one
// there: something that is not followed, or that is kept in a list or a map.
// Which one a method gives is told by its place and by what it is called on, not by the context
// and the options that it is given.
func vague(t *term.Term) bool {
	switch {
	case t.Kind == term.Unknown || t.Kind == term.Elem:
		return true
	case t.Kind == term.Call && t.Site != "" && len(t.Args) > 1 && isMethod(t.Str):
		return vague(t.Args[0])
	}
	return slices.ContainsFunc(t.Args, vague)
}

// unitOf is the value that a write goes through: of a prepared statement that was
// bound to a transaction, and of a chain of a query builder, the transaction.
func unitOf(w *flow.Event) *term.Term {
	r := unboxed(w.Recv)
	if r.Kind == term.Call && len(r.Args) > 0 && bindsStatement[lastPart(r.Str)] && strings.Contains(r.Str, ".Tx.") {
		return unboxed(r.Args[0])
	}
	if r.Kind == term.Field && embedsTx[r.Str] {
		return unboxed(r.Args[0])
	}
	return runner(r)
}

// embedsTx are the fields by which a library's transaction or connection holds that of
// database/sql.
var embedsTx = map[string]bool{
	"github.com/jmoiron/sqlx.Tx.Tx": true, "github.com/uptrace/bun.Tx.Tx": true,
	"github.com/jmoiron/sqlx.Conn.Conn": true, "github.com/uptrace/bun.Conn.Conn": true,
	spannerPath + ".ReadWriteStmtBasedTransaction.ReadWriteTransaction": true,
}

// runner is what a chain of a query builder runs on: what its first step was made from,
// or what a step names.
func runner(r *term.Term) *term.Term {
	for r.Kind == term.Call && len(r.Args) > 0 && chainStep(r.Str) {
		if s := lastPart(r.Str); len(r.Args) > 1 && (s == "RunWith" || s == "Conn") {
			return unboxed(r.Args[1])
		}
		r = unboxed(r.Args[0])
	}
	if r.Kind == term.Field && strings.HasPrefix(unboxed(r.Args[0]).Str, entPath+".Client.") { // the client of an entity, of a transaction
		return unboxed(r.Args[0])
	}
	return r
}

// chainPackages are packages whose methods are steps of a chain, but for those that open a
// transaction or a connection.
var chainPackages = []string{
	"gorm.io/gorm.DB.", "github.com/uptrace/bun.", "github.com/Masterminds/squirrel.", "github.com/doug-martin/goqu/v9",
	"github.com/go-pg/pg/", "xorm.io/xorm.Session.", "github.com/go-xorm/xorm.Session.", "entgo.io/ent/dialect/sql.", entPath + ".",
	"github.com/upper/db/v4.",
}

// chainStep reports whether a method leaves a chain in its transaction.
func chainStep(key string) bool {
	last := lastPart(key)
	return slices.ContainsFunc(chainPackages, func(b string) bool { return strings.HasPrefix(key, b) }) && isMethod(key) &&
		!strings.HasPrefix(last, "Begin") && !strings.Contains(last, "Transaction") && !strings.HasSuffix(last, " supplies") &&
		!opensUnit[last] && !bindsStatement[last]
}

func isMethod(key string) bool {
	return strings.Count(key[strings.LastIndexByte(key, '/')+1:], ".") > 1
}

var opensUnit = map[string]bool{"New": true, "Connection": true, "Open": true, "DB": true, "RunInTx": true, "NewSession": true, "WithTx": true, "Tx": true}

var bindsStatement = map[string]bool{
	"Stmt": true, "StmtContext": true, "Stmtx": true, "StmtxContext": true, "NamedStmt": true, "NamedStmtContext": true,
	"Prepare": true, "PrepareContext": true, "Preparex": true, "PreparexContext": true, "PrepareNamed": true, "PrepareNamedContext": true,
}

// manyUnits reports whether one and the same variable may hold another transaction
// when this write runs than it held before.
func manyUnits(w *flow.Event) bool {
	begun := 0
	for _, u := range unitOf(w).Alternatives() {
		switch unboxed(u).Kind {
		case term.Call:
			begun++
		case term.Global:
			return true
		}
	}
	return begun > 1
}

// cut judges a write that comes after an event of its transaction, a guard or a lock,
// if something in between may end the transaction or undo part of it.
func (j *judge) cut(p *pair, g, w *flow.Event) (decision, bool) {
	if j.endsWithin(g, w) {
		return ended("the transaction ends between the two, in the text of one of them"), true
	}
	dialects := j.dialects(g, w)
	unsure := decision{}
	for _, x := range w.Earlier {
		if slices.Contains(x.Earlier, g) {
			if d, ok := j.cutBy(p, x, g, w, dialects); ok {
				unsure = worse(unsure, d)
			}
		}
	}
	for _, q := range j.queued(p, w) {
		if d, ok := j.endedBy(q, dialects); ok {
			unsure = worse(unsure, d)
		}
	}
	return unsure, unsure.verdict != silent
}

// cutBy judges a write whose transaction, which is that of its guard g, the event x may
// end.
func (j *judge) cutBy(p *pair, x, g, w *flow.Event, dialects []fsql.Dialect) (decision, bool) {
	if !sharesSession(x, w) && !sharesSession(x, g) || j.backTo(p, x, g) {
		return decision{}, false
	}
	for _, q := range j.queued(p, x) {
		if d, ok := j.endedBy(q, dialects); ok {
			return d, true
		}
	}
	if kind, _ := j.kindOf(x); kind == "batch_flush" {
		return decision{}, false
	}
	return j.endedBy(x, dialects)
}

// backTo reports whether a statement undoes only what came after a savepoint that was
// set behind g.
func (j *judge) backTo(p *pair, x, g *flow.Event) bool {
	name := j.savepoint(x, "rollback", "to")
	if name == "" || slices.ContainsFunc(p.sum.Events, func(s *flow.Event) bool { return j.savepoint(s, "release") == name }) {
		return false // or the name may mean an older one again
	}
	return slices.ContainsFunc(p.sum.Events, func(s *flow.Event) bool {
		return s.Kind == flow.Write && j.savepoint(s, "savepoint") == name && sameUnit(s, x) == yes && flow.Between(g, s, x)
	})
}

// savepoint is the name at the end of a statement that begins with some words; "" if
// it is another one, or more than one.
func (j *judge) savepoint(x *flow.Event, words ...string) string {
	if x.Kind != flow.Write || x.Recv == nil {
		return ""
	}
	stmt, _ := j.statement(x)
	ts := texts(stmt)
	if len(ts) != 1 || ts[0].none != "" || len(ts[0].holes) > 0 {
		return ""
	}
	fields := strings.Fields(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(ts[0].s), ";")))
	if len(fields) <= len(words) || len(fields) > len(words)+2 || !slices.Equal(fields[:len(words)], words) {
		return ""
	}
	return fields[len(fields)-1]
}

// queued lists the statements that a call sends as a batch.
func (j *judge) queued(p *pair, flush *flow.Event) []*flow.Event {
	kind, s := j.kindOf(flush)
	if kind != "batch_flush" {
		return nil
	}
	var out []*flow.Event
	for _, w := range p.sum.Events {
		if kind, _ := j.kindOf(w); kind == "batch_queue" && sameBatch(w.Recv, j.at(s.Input, flush)) {
			out = append(out, w)
		}
	}
	return out
}

// endedBy judges a write whose transaction x, which reaches it, may end.
func (j *judge) endedBy(x *flow.Event, dialects []fsql.Dialect) (decision, bool) {
	at := j.named(x) + " (" + x.Chain[0].Place.String() + ")"
	switch ends, waits := j.ends(x, dialects); {
	case ends == yes:
		return ended(at + " ends the transaction or undoes part of it, and what was compared or locked before holds no more"), true
	case waits:
		return decision{verdict: waiting, guard: "unknown", reason: "the caller supplies a statement that is sent in the same transaction"}, true
	case ends == perhaps:
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: at + " sends a statement that is not understood, and may end the transaction"}, true
	}
	return decision{}, false
}

// named is the text that an event sends, as far as it is known, or its call.
func (j *judge) named(x *flow.Event) string {
	if x.Kind == flow.Write {
		stmt, _ := j.statement(x)
		if ts := texts(stmt); len(ts) == 1 && ts[0].none == "" {
			return "`" + ts[0].shown() + "`"
		}
	}
	return j.callName(x)
}

func ended(reason string) decision {
	return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: reason}
}

// sharesSession reports whether what is sent through x can reach the transaction of w:
// it goes through the same value, one that was made from it, or the one it was made
// from.
func sharesSession(x, w *flow.Event) bool {
	if x.Recv == nil || w.Recv == nil {
		return true
	}
	a, b := unitOf(x), unitOf(w)
	if x.EndsSession() {
		return vague(a) || a.Equal(b)
	}
	if x.Kind == flow.Release && lastPart(x.Key) != "RollbackTo" { // the end of the transaction itself leaves nothing to write through
		return !a.Equal(b) && (vague(a) || a.Any(b.Equal))
	}
	return vague(a) || vague(b) || a.Any(b.Equal) || b.Any(a.Equal) || a.Kind == term.Alt || b.Kind == term.Alt
}

// ends reports whether an event ends the transaction that it is sent in; waits says
// that its caller supplies the text.
func (j *judge) ends(x *flow.Event, dialects []fsql.Dialect) (is answer, waits bool) {
	if x.Kind == flow.Release || x.EndsSession() {
		return yes, false
	}
	if c := j.models.FuncKey(x.Key); c != nil && c.Sink != nil && builders[c.Sink.Lib] != nil && c.Sink.Dialect != "sql" {
		return no, false // it changes rows
	}
	stmt, _ := j.statement(x)
	for _, t := range texts(stmt) {
		if t.none != "" {
			is, waits = max(is, perhaps), waits || t.handed
			continue
		}
		for _, d := range dialects {
			for _, st := range j.parse(t.s, t.holes, d).Statements {
				switch {
				case st.Ends:
					is = yes
				case st.Kind == "unknown", st.Kind == "call" && d != "postgres":
					is = max(is, perhaps)
				}
			}
		}
	}
	return is, waits
}

// endsWithin reports whether one of the two sends, beside its change, a statement that
// ends the transaction.
func (j *judge) endsWithin(g, w *flow.Event) bool {
	found := false
	for _, e := range []*flow.Event{g, w} {
		for _, s := range j.scripts(e) {
			found = found || len(s.Statements) > 1 && slices.ContainsFunc(s.Statements, func(st fsql.Statement) bool { return st.Ends })
		}
	}
	return found
}

// dialects are those in which the statements of a transaction may be written: a text
// without arguments tells of none.
func (j *judge) dialects(es ...*flow.Event) []fsql.Dialect {
	var out []fsql.Dialect
	for _, e := range es {
		c := j.models.FuncKey(e.Key)
		if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
			continue
		}
		stmt, _ := j.statement(e)
		for _, t := range texts(stmt) {
			if strings.ContainsAny(t.s, "$@?:") {
				out = append(out, j.dialectsIn(e.Key, t.s)...)
			}
		}
	}
	if used := j.driversUsed(); len(out) == 0 && len(used) > 1 {
		return used[:len(used)-1]
	}
	if len(out) == 0 {
		return []fsql.Dialect{"postgres", "mysql"}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
