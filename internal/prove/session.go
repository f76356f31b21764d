package prove

import (
	"cmp"
	"slices"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A lock of the database server lives and dies with the connection or the
// transaction that took it. A write on the same one needs no fence: an owner that
// lost the lock has lost the means to write.

// statementLock is the entry about a lock that a statement takes, nil for other locks.
func (j *judge) statementLock(acq *flow.Event) *model.Lock {
	for _, l := range j.models.Kind("sql") {
		if l.ID == acq.Entry {
			return l
		}
	}
	return nil
}

// lockScope says with what a lock taken by a statement lives: "conn", "tx", or "".
func (j *judge) lockScope(acq *flow.Event) string {
	if l := j.statementLock(acq); l != nil {
		return l.Scope
	}
	if acq.Entry == flow.Claim && j.locksRows(acq) || acq.Entry == flow.ByHand && acq.Hold.Lib == tableLock {
		return "tx"
	}
	return ""
}

// misplaced reports whether a statement lock is lost at once, since it goes
// through something on which it has no hold, and by which rule.
func (j *judge) misplaced(acq *flow.Event) string {
	scope, carrier := j.lockScope(acq), j.a.Carrier(acq)
	if scope == "" || carrier == "tx" || j.inTx(acq) || scope == "tx" && j.mayBeTx(acq) {
		return ""
	}
	switch {
	case scope == "tx" && (carrier == "pool" || carrier == "conn") && !j.begunOnSession(acq):
		return "txlock"
	case scope == "conn" && carrier == "pool" && !j.onOneConn(acq):
		return "poollock"
	}
	return ""
}

// begunOnSession reports whether a lock is taken in a transaction that was begun on the
// session of xorm through which it goes.
func (j *judge) begunOnSession(acq *flow.Event) bool {
	if !strings.Contains(acq.Key, "/xorm.Session.") {
		return false
	}
	return slices.ContainsFunc(j.a.Functions(), func(s *flow.Summary) bool {
		return slices.Contains(s.Events, acq) && j.inSession(&pair{sum: s}, acq)
	})
}

// onOneConn reports whether a statement goes through what a library hands to a function
// that it runs on one connection, although the type is that of a pool.
func (j *judge) onOneConn(e *flow.Event) bool {
	if e.Recv == nil {
		return false
	}
	c := j.models.FuncKey(flow.SuppliedBy(unitOf(e)))
	return c != nil && c.Sink != nil && c.Sink.Kind == "conn"
}

// inTx reports whether a statement goes through a transaction although the type does
// not tell: of a function that is handed one, its callers know.
func (j *judge) inTx(e *flow.Event) bool {
	if e.Recv == nil {
		return false
	}
	unit := unitOf(e)
	if j.begun(unit) {
		return true
	}
	uses := j.uses[e]
	return unit.Symbolic() && len(uses) > 0 && !slices.ContainsFunc(uses, func(u *flow.Event) bool { return !j.inTx(u) })
}

// bySession decides the writes in the hold of a statement lock.
func (j *judge) bySession(p *pair) (decision, bool) {
	if d, ok := j.byConnection(p); ok {
		return d, true
	}
	if j.lockScope(p.acq) == "" {
		return j.withClaim(p)
	}
	if j.misplaced(p.acq) != "" {
		return j.underLost(p), true
	}
	if j.isRead(p.w) {
		return decision{}, true
	}
	sent := j.sender(p)
	if sameSession(sent, p.acq) && j.shared(p.acq) {
		return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", receiver: j.receiverOf(p), shown: j.callName(p.w),
			reason: "the lock is a shared one, which others hold at the same time"}, true
	}
	if j.a.UnseenHandle(p.acq) && !j.inTx(p.acq) && throughSame(sent, p.acq) {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "session", receiver: j.receiverOf(p), shown: j.callName(p.w),
			reason: "the lock and the write go through one handle, of which it is not seen whether it is a " + carrierWord[j.lockScope(p.acq)]}, true
	}
	if sameSession(sent, p.acq) && j.lockScope(p.acq) == "tx" && j.mayBeTx(p.acq) {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "session", receiver: j.receiverOf(p), shown: j.callName(p.w),
			reason: "the lock and the write go through one handle, of which it is not seen whether it is a transaction"}, true
	}
	if sameSession(sent, p.acq) {
		if d, ok := j.cut(p, p.acq, sent); ok && j.lockScope(p.acq) == "tx" {
			d.receiver, d.shown = j.receiverOf(p), j.callName(p.w)
			return d, true
		}
		return decision{
			verdict: proved, guard: "session", receiver: j.receiverOf(p), shown: j.callName(p.w),
			reason: "the lock dies with the " + carrierWord[j.lockScope(p.acq)] + " that carries the write",
		}, true
	}
	return decision{}, false
}

// besideLock says of an open write that the lock is on another connection than the one which
// carries it, so that to lose the lock does not stop it.
func (j *judge) besideLock(p *pair, d decision) decision {
	scope := j.lockScope(p.acq)
	if d.rule != "unfencedwrite" || scope == "" || p.w.Recv == nil || p.acq.Recv == nil || vague(p.w.Recv) || vague(p.acq.Recv) {
		return d
	}
	d.reason += "; the lock is on another " + carrierWord[scope]
	return d
}

// withClaim decides a write in the transaction that writes the claim: nobody else gets at the
// row of the claim until both are there.
func (j *judge) withClaim(p *pair) (decision, bool) {
	if p.acq.Recv == nil || p.w.Recv == nil || !j.isTx(p.acq) || j.isRead(p.w) || j.claimOf(p.acq) == nil {
		return decision{}, false
	}
	sent := j.sender(p)
	if !sameSession(sent, p.acq) || manyUnits(sent) {
		return decision{}, false
	}
	if _, ok := j.cut(p, p.acq, sent); ok {
		return decision{}, false
	}
	return decision{
		verdict: proved, guard: "session", receiver: j.receiverOf(p), shown: j.callName(p.w),
		reason: "the transaction that writes the claim carries the write, and its row is locked until both are there",
	}, true
}

// underLost decides a write in the hold of a lock that nothing keeps. One finding tells of
// the lock; what the write itself refuses stays.
func (j *judge) underLost(p *pair) decision {
	d := j.byReceiver(p)
	switch {
	case d.verdict == "":
	case slices.Contains([]string{"", "none", "unknown"}, d.guard):
		d = decision{verdict: refuted, guard: "none", receiver: cmp.Or(d.receiver, "?"), reason: lostLock}
	case d.verdict != proved:
		d.rule, d.reason = "", d.reason+"; "+lostLock
	}
	return d
}

const lostLock = "the lock is lost as soon as it is taken"

// byConnection decides the writes through the connection on which a library took a lock.
func (j *judge) byConnection(p *pair) (decision, bool) {
	l := j.entry(p.acq)
	if l != nil && l.Guard == "same_driver" {
		return j.byDriver(p)
	}
	if l == nil || l.Guard != "same_conn" || l.Handle.Root != "arg" || p.w.Recv == nil || j.isRead(p.w) {
		return decision{}, false
	}
	conn := unboxed(p.acq.Hold.Handle)
	if vague(conn) || slices.ContainsFunc(p.w.Recv.Alternatives(), func(r *term.Term) bool { return !unboxed(r).Any(conn.Equal) }) {
		return decision{}, false
	}
	return decision{
		verdict: proved, guard: "session", receiver: j.receiverOf(p), shown: j.callName(p.w),
		reason: "the lock dies with the connection that carries the write",
	}, true
}

// byDriver decides the writes through a driver that takes the lock itself. Whether both go
// through one connection is not seen through its interface.
func (j *judge) byDriver(p *pair) (decision, bool) {
	if p.w.Recv == nil || p.acq.Recv == nil || vague(unboxed(p.acq.Recv)) || !unboxed(p.w.Recv).Equal(unboxed(p.acq.Recv)) || j.isRead(p.w) {
		return decision{}, false
	}
	d := notSeen("the driver that took the lock carries the write, and whether on one connection is the driver's business")
	d.guard, d.receiver, d.shown = "session", j.receiverOf(p), j.callName(p.w)
	return d, true
}

// shared reports whether a statement takes a lock that keeps out nobody who takes it
// the same way.
func (j *judge) shared(acq *flow.Event) bool {
	for _, s := range j.scripts(acq) {
		for _, st := range s.Statements {
			if acq.Entry == flow.Claim && st.RowLock == "share" || slices.ContainsFunc(st.Calls, func(c fsql.FuncCall) bool { return strings.HasSuffix(c.Name, "_shared") }) {
				return true
			}
		}
	}
	return false
}

var carrierWord = map[string]string{"tx": "transaction", "conn": "connection"}

// sameSession reports whether a write goes through the carrier of the lock, or
// through a transaction that was begun on it. What does so in a function does so wherever
// that is called, whatever callers know of the pool.
func sameSession(w, acq *flow.Event) bool {
	if x, y := w.Source(), acq.Source(); x != nil && y != nil && w.SameCall(acq) && sameSession(x, y) {
		return true
	}
	if w.Recv == nil || acq.Recv == nil {
		return false
	}
	lock := unboxed(flow.RunsOn(acq.Recv))
	if lock.Kind == term.Field && embedsTx[lock.Str] {
		lock = unboxed(lock.Args[0])
	}
	if vague(lock) {
		return false
	}
	for _, r := range w.Recv.Alternatives() {
		if !unboxed(r).Any(func(u *term.Term) bool { return u.Equal(lock) }) {
			return false
		}
	}
	return true
}

// throughSame reports whether a write goes through the handle of the lock, or through what
// the same object gave for it.
func throughSame(w, acq *flow.Event) bool {
	if sameSession(w, acq) {
		return true
	}
	if w.Recv == nil {
		return false
	}
	x, y := unboxed(w.Recv), unboxed(acq.Recv)
	return x.Kind == term.Call && y.Kind == term.Call && x.Str == y.Str && x.N == y.N && len(x.Args) == 1 && len(y.Args) == 1 &&
		!vague(y) && x.Args[0].Equal(y.Args[0])
}

// receiverOf names the table that a statement writes, as far as it is known.
func (j *judge) receiverOf(p *pair) string {
	c := j.models.FuncKey(p.w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		return "store"
	}
	if names := j.tables(p.w); len(names) > 0 {
		return "table:" + strings.Join(names, ",")
	}
	return "table:?"
}

// carrier reports a statement lock on something that it cannot live on, where the statement
// is sent if that is known there.
func (j *judge) carrier(sum *flow.Summary, e *flow.Event) {
	rule := j.misplaced(e)
	if rule == "" || e.Source() != nil && j.misplaced(e.Source()) == rule && correct(e.Source()) {
		return
	}
	pos := e.Chain[0].Pos
	r := strings.NewReplacer("{func}", funcName(sum.ID), "{lock}", j.exprAt(e.Chain[0], e.Key))
	j.add(Finding{
		Rule: rule, Pos: pos, End: j.endOf(pos), Message: r.Replace(carrierMessages[rule]),
		Key: strings.Join([]string{rule, plainName(sum.ID), e.Key, e.Entry}, "|"),
	})
}

var carrierMessages = map[string]string{
	"poollock": "{lock} takes a lock that belongs to one connection, through a pool: the next statement of {func} may use another connection, the unlock misses the one that holds the lock, and the pool may close it at any time while {func} goes on. Pin a connection (db.Conn) and send lock, writes and unlock through it, or take a transaction lock inside the transaction that writes.",
	"txlock":   "{lock} takes a lock that ends with its transaction, outside of one: it is gone when the statement returns, and {func} goes on without it. Begin a transaction, and take the lock and write in it.",
}
