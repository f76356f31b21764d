package prove

import (
	"cmp"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/model"
)

// add keeps a finding unless a directive accepts it.
func (j *judge) add(f Finding) {
	if f.Pos.IsValid() && f.Rule != "fencedirective" {
		if j.set.Accepted(f.Pos, f.Rule) != nil {
			return
		}
	}
	j.findings = append(j.findings, f)
}

// report makes the finding of a decided pair. It stands where the acquirer's own
// text reaches the boundary.
func (j *judge) report(p *pair, d decision) {
	first := p.w.Chain[0]
	if !first.Pos.IsValid() || isTest(first.Place) && !isTest(p.acq.Chain[len(p.acq.Chain)-1].Place) {
		return // a test of code that is judged for itself
	}
	c := causeOf(p, d.rule)
	c.statement = len(p.acq.Chain) > 1 && (d.rule == "unprovedwrite" && d.hidden != "" || d.rule == "unfencedwrite" && d.words == "")
	j.reports(c.Reported)
	if a := j.set.Accepted(first.Pos, d.rule); a != nil {
		j.accept(p, a, d)
		return
	}
	j.add(Finding{
		Rule: d.rule, Pos: first.Pos, End: j.endOf(first.Pos),
		Message: j.message(first.Pos, p, d),
		Related: j.related(p),
		cause:   c,
		Key:     strings.Join([]string{d.rule, plainName(p.sum.ID), p.acq.Key, d.receiver, d.shown}, "|"),
	})
}

// accept keeps a decision in the register. What holds an external effect without
// saying what compensates it is a finding where nothing may rest on an assumption.
func (j *judge) accept(p *pair, a *classify.Accept, d decision) {
	text := a.Dir.Text
	if effectRules[d.rule] && a.Compensation == "" {
		text += " (no compensation stated)"
		if j.o.Strict {
			j.findings = append(j.findings, Finding{
				Rule: d.rule, Pos: p.w.Chain[0].Pos, End: j.endOf(p.w.Chain[0].Pos),
				Message: upperFirst(d.shown) + " is accepted, but the directive says nothing of what compensates a second effect: add compensation=\"…\".",
				Key:     strings.Join([]string{d.rule, plainName(p.sum.ID), p.acq.Key, d.receiver, "no compensation"}, "|"),
			})
		}
	}
	if row := j.rowOf(p); row != nil && !slices.Contains(row.Accepted, text) {
		row.Accepted = append(row.Accepted, text)
	}
}

// effectRules are those about receivers that cannot refuse.
var effectRules = map[string]bool{"missingidempotency": true, "unstableidempotency": true, "effectbeforefence": true, "unenforcedheader": true}

func (j *judge) endOf(pos token.Pos) token.Pos {
	if c := j.callAt(pos); c != nil {
		return c.End()
	}
	return pos
}

// related is the chain from the acquisition over the calls to the boundary.
func (j *judge) related(p *pair) []Related {
	var out []Related
	last := acquiredHere
	if at := p.acq.Belief; at != nil {
		out = append(out, Related{Place: at.Place, Pos: at.Pos, Message: last})
		last = "this asks whether it is held"
		if p.acq.Task {
			last = "this runs under it"
		}
	}
	for i, s := range p.acq.Chain {
		msg := last
		if i < len(p.acq.Chain)-1 {
			msg = "by way of this call"
		}
		out = append(out, Related{Place: s.Place, Pos: s.Pos, Message: msg})
	}
	for i, s := range p.w.Chain {
		if i == 0 && len(p.w.Chain) == 1 {
			continue // the finding itself stands there
		}
		msg := "the write goes through this call"
		if i == len(p.w.Chain)-1 {
			msg = leavesHere
		}
		out = append(out, Related{Place: s.Place, Pos: s.Pos, Message: msg})
	}
	return out
}

// message tells what can happen, with the names of the code, and what to do, where a finding
// stands at a position.
func (j *judge) message(at token.Pos, p *pair, d decision) string {
	m := messages[cmp.Or(d.words, d.rule)]
	if m.what == "" {
		m = messages["unprovedwrite"]
	}
	shown := d.shown
	if strings.ContainsAny(shown, " ") && !strings.HasPrefix(shown, "the ") && !strings.HasPrefix(shown, "what ") {
		shown = "`" + shown + "`"
	}
	lock := p.acq.Chain[0]
	if p.acq.Belief != nil {
		lock = *p.acq.Belief
	}
	fix, token := j.advice(p), j.tokenHint(p)
	r := strings.NewReplacer(
		"{write}", shown,
		"{reason}", j.reasonOf(p, d),
		"{func}", funcName(p.sum.ID),
		"{lock}", j.lockName(p.acq, lock),
		"{pauses}", j.pauses(p.acq),
		"{line}", j.lineFrom(at, lock),
		"{column}", orWord(d.column, "the fence column"),
		"{token}", token,
		"{guard}", strings.ReplaceAll(fix.guard, "{token}", token),
		"{compare}", fix.compare,
		"{answer}", fix.answer,
	)
	return holesShown(upperFirst(r.Replace(m.what)) + " " + r.Replace(m.then) + " " + r.Replace(m.todo))
}

// lineFrom names the line of a step for who reads at a position: with the file, if that is
// another one.
func (j *judge) lineFrom(at token.Pos, s flow.Step) string {
	if here := j.u.Fset.File(at); here != nil && s.Pos.IsValid() && here == j.u.Fset.File(s.Pos) {
		return "line " + strconv.Itoa(s.Place.Line)
	}
	return s.Place.String()
}

// pauses says how long a holder has to be away until another one has the lock. A lock of a
// database's session or transaction has no lease: it goes with its connection.
func (j *judge) pauses(acq *flow.Event) string {
	for e := acq; e != nil; e = e.Source() {
		switch j.lockScope(e) {
		case "conn":
			return "pauses until the lock is gone with its connection"
		case "tx":
			return "pauses until the lock is gone with its transaction"
		}
	}
	return "pauses past the lease"
}

// reasonOf is the reason of a verdict in the names of the code that it is about.
func (j *judge) reasonOf(p *pair, d decision) string {
	if p.sum == nil {
		return d.reason
	}
	return j.inNames(d.reason, p.sum.ID)
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func upperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// tokenHint names the number that this lock gives out, or the one that it lacks.
func (j *judge) tokenHint(p *pair) string {
	if t := tokenHints[p.acq.Hold.Lib]; t != "" {
		return t
	}
	l := j.entry(p.acq)
	if p.acq.Entry == flow.ByHand || l != nil && (l.Token.Class == model.ClassNone || l.Token.Class == model.ClassOpaque) {
		return "a number that each acquisition raises (this lock issues none)"
	}
	return "the lock's epoch"
}

var tokenHints = map[string]string{
	"etcd": "the revision that etcd gave with the lock",
}

// template is a message in three sentences.
type template struct{ what, then, todo string }

const paused = "{func} holds {lock} ({line}), {pauses}, and a newer owner writes; then {func} wakes up and "

// createdAnew is the template for what is created once and deleted by code in sight.
const createdAnew = "created anew"

// forgotten is the template for a fence whose row code in sight deletes.
const forgotten = "fence forgotten"

// outlived is the template for a fence that is only kept for a time.
const outlived = "fence outlived"

// ownRefusal is the template for a comparison in the program whose refusal is lost.
const ownRefusal = "own refusal"

var messages = map[string]template{
	ownRefusal: {
		"the program refuses {write} to an obsolete owner itself, and its refusal is lost: {reason}.",
		paused + "finds the newer epoch and does not write, but the code goes on as if it had.",
		"Return an error from the branch in which the stored epoch is the newer one, up to whoever asked for the work.",
	},
	outlived: {
		"{write} rests on a fence that is forgotten after a time: {reason}.",
		"{func} holds {lock} ({line}) and {pauses}; a newer owner writes, and {column} expires; then {func} wakes up, finds no epoch, and its write goes through.",
		"Store {column} without a time to live.",
	},
	forgotten: {
		"{write} forgets its fence with the row: {reason}.",
		"{func} holds {lock} ({line}) and {pauses}; a newer owner writes, and the row is deleted; then {func} wakes up and inserts it once more.",
		"Mark the row as deleted and keep it with its fence, or keep the fence in a row of its own that is never deleted.",
	},
	createdAnew: {
		"{write} is open to an obsolete owner: {reason}.",
		"{func} holds {lock} ({line}) and {pauses}; a newer owner creates it, and it is deleted; then {func} wakes up and creates it once more.",
		"Mark it as deleted in place of deleting it, or accept it with a reason.",
	},
	"unfencedwrite": {
		"{write} is open to an obsolete owner: {reason}.",
		paused + "overwrites what the newer owner wrote.",
		"{guard}, or accept it with a reason.",
	},
	"release": {
		"{write} gives the lock back and stores the result, whoever has the lock: {reason}.",
		paused + "overwrites what the newer owner wrote, and frees its lock.",
		"Name the owner in the condition, by a value that is made for each acquisition, and return an error when no row was changed.",
	},
	"unprovedwrite": {
		"it is not proved that {write} refuses an obsolete owner: {reason}.",
		"If it does not: " + paused + "its write goes through.",
		"Make the condition visible here, declare what the receiver enforces with //fencelint:writes, or accept it with a reason.",
	},
	"staleadmitted": {
		"the condition of {write} lets an obsolete owner through: {reason}.",
		paused + "its older epoch passes.",
		"Demand `{column} < ` the epoch, joined by AND to the rest of the condition, and store the epoch in {column}.",
	},
	"fencenotadvanced": {
		"{write} never stores the epoch that it compares: {reason}.",
		paused + "passes, since {column} is still below its epoch.",
		"Store the epoch in the same statement: `SET {column} = ` the epoch.",
	},
	"rejectionignored": {
		"the refusal of {write} is lost: {reason}.",
		paused + "the statement is refused, but the code goes on as if it had been written.",
		"Look at the answer ({answer}) and return an error when it says no.",
	},
	"tokennotcompared": {
		"{write} stores the epoch and compares it with nothing: {reason}.",
		paused + "overwrites the newer owner's row, and its epoch too.",
		"Add `AND {column} < ` the epoch to the condition.",
	},
	"equaladmitted": {
		"{write} admits an equal epoch: {reason}.",
		"{func} sends it once more after a time-out, or a delayed copy arrives, and it is applied twice.",
		"Use `<`, or order repetitions by (epoch, sequence), or say with replay= on the lock what makes repetition harmless.",
	},
	"nulladmitted": {
		"{write} can be passed without an epoch: {reason}.",
		paused + "passes if the column was cleared meanwhile.",
		"Make {column} NOT NULL with a default of 0, and compare it without the exception.",
	},
	"tokenmismatch": {
		"{write} compares one number and stores another: {reason}.",
		paused + "finds a fence that does not say who wrote last.",
		"Use one value, the epoch of this acquisition, in both places.",
	},
	"fencecolumn": {
		"{write} does not compare the epoch as a whole number: {reason}.",
		"Text orders '10' before '9', and a narrow or floating type loses digits: from some epoch on the older one passes.",
		"Keep the epoch a 64-bit integer from the lock to the column.",
	},
	"crosstablefence": {
		"the guard of {write} is in another row: {reason}.",
		paused + "waits behind the newer owner's transaction, and the database compares with what it read before.",
		"Compare a column of the row that is written, or lock the fence row first (FOR UPDATE) in the same transaction.",
	},
	"checkthenact": {
		"{write} goes out without a guard after a check in Go: {reason}.",
		paused + "its check, made before the pause, no longer holds when the write arrives.",
		"{compare}.",
	},
	"identityreused": {
		"the guard of {write} asks for an identity that comes again: {reason}.",
		"{func} holds {lock} ({line}) and {pauses}; an owner of the same identity takes over, or {func} itself after a restart, and the earlier write passes as the new owner's.",
		"Write a value that is new for each acquisition (a random claim, or a number that each claim raises), and compare that.",
	},
	"casnotfence": {
		"{write} compares a version, and the lock asks for more: {reason}.",
		paused + "reads the newest version first, so its write passes.",
		"Compare and store {token}, or declare contract=cas if a lost update is all that must not happen.",
	},
	"notactivated": {
		"{write} comes before the epoch is made known to the resource: {reason}.",
		"{func} wins {lock} ({line}) and begins to work; the former owner, which nothing has shut out yet, wakes up and works as well.",
		"Begin with a statement that stores the new epoch where the writes compare it, check its answer, and read and write only then.",
	},
	"repeatedepoch": {
		"{write} is refused to its own owner: {reason}.",
		"{func} writes the row, then writes it again under the same epoch, and the second write changes nothing; what it was to complete stays half done.",
		"Order the writes of one owner by (epoch, step), or put them into one statement, or say with replay= on the lock what tells repetitions apart.",
	},
	"clocktoken":     tokenTemplate,
	"opaquetoken":    tokenTemplate,
	"volatiletoken":  tokenTemplate,
	"unboundcounter": tokenTemplate,
	"localcounter":   tokenTemplate,
	"untrustedtoken": tokenTemplate,
	"mixedtokens":    tokenTemplate,
	"zerotoken":      tokenTemplate,
	"missingidempotency": {
		"{write} cannot be refused to an obsolete owner: {reason}.",
		paused + "the effect happens twice.",
		"Send a key that is the same for every attempt and every owner, or accept it and say what compensates.",
	},
}

var tokenTemplate = template{
	"{write} is guarded by a value that is no fencing token: {reason}.",
	paused + "can bring a value that passes.",
	"Use {token}: it was issued with the grant, and each later owner has a greater one.",
}

// isTest reports whether a place is in a test.
func isTest(p Place) bool { return strings.HasSuffix(p.File, "_test.go") }

// endsLike reports whether a way is another one with more callers in front.
func endsLike(way, other []Place) bool {
	return len(way) >= len(other) && slices.Equal(way[len(way)-len(other):], other)
}

// waysShown bounds the ways to one boundary that the register lists whatever they are;
// more are listed if they pass through a call that none before them does.
const waysShown, waysListed = 4, 12

// record adds the boundary to the register's rows of the acquisition: where the lock
// is used, and where the wrapper of this package that was used takes it.
func (j *judge) record(p *pair, d decision) {
	if isTest(p.w.Chain[0].Place) || p.sum != nil && p.sum.Test {
		return
	}
	last := p.w.Chain[len(p.w.Chain)-1]
	b := Boundary{Place: last.Place, Receiver: d.receiver, Fence: d.fenceColumn(), Guard: d.guard, Verdict: string(d.verdict), Reason: holesShown(j.reasonOf(p, d)), Trace: j.trace(p, d)}
	if d.verdict == waiting {
		b.Verdict = string(unproved)
	}
	b.Known, b.Unseen = j.knows(p, d)
	rows := j.rowsOf(p)
	for _, way := range p.w.Ways() {
		b.Path, b.Via = nil, nil
		for _, s := range way[:len(way)-1] {
			b.Path = append(b.Path, funcName(s.Func))
			b.Via = append(b.Via, s.Place)
		}
		for _, row := range rows {
			row.add(b)
		}
	}
}

// fenceColumn is the column that holds the fence, where that is in the table written.
func (d *decision) fenceColumn() string {
	if d.guard != "fence" || d.elsewhere {
		return ""
	}
	return d.column
}

func (r *Row) add(b Boundary) {
	b.Receiver = clean(b.Receiver)
	same := 0
	fresh := slices.Clone(b.Via)
	for _, old := range r.Boundaries {
		if old.Place != b.Place || old.Receiver != b.Receiver || old.Guard != b.Guard || old.Verdict != b.Verdict {
			continue
		}
		if same++; endsLike(b.Via, old.Via) {
			return
		}
		fresh = slices.DeleteFunc(fresh, func(v Place) bool { return slices.Contains(old.Via, v) })
	}
	if same < waysShown || same < waysListed && len(fresh) > 0 {
		r.Boundaries = append(r.Boundaries, b)
	}
}

func (j *judge) rowsOf(p *pair) []*Row {
	var out []*Row
	for e := p.acq; e != nil; e = e.Source() {
		if r := j.rows[e]; r != nil {
			out = append(out, r)
		}
	}
	if len(out) > 1 && p.sum != nil && p.sum.Test {
		return out[:1]
	}
	if len(out) > 0 {
		return out
	}
	if p.acq.Belief != nil {
		if r := j.rowOfBelief(p.acq); r != nil {
			return []*Row{r}
		}
		return nil
	}
	if r := j.rowOfTwin(p); r != nil {
		return []*Row{r}
	}
	if len(p.acq.Chain) == 0 || p.acq.Chain[0].Place.Pkg == j.u.Pkg.Path() {
		return nil
	}
	row := &Row{Place: p.acq.Chain[0].Place, Library: p.acq.Hold.Lib, Partial: true}
	j.rows[p.acq] = row
	j.order = append(j.order, p.acq)
	return []*Row{row}
}

// rowOfTwin is the row of the same acquisition, in a literal, where it is written: what
// calls the literal is on another way to it.
func (j *judge) rowOfTwin(p *pair) *Row {
	if p.sum == nil {
		return nil
	}
	root := rootEvent(p.acq)
	for _, e := range p.sum.Events {
		if e.Kind == flow.Acquire && e != p.acq && rootEvent(e) == root && j.rows[e] != nil {
			return j.rows[e]
		}
	}
	return nil
}

// rowOf is the row of the use.
func (j *judge) rowOf(p *pair) *Row {
	if rows := j.rowsOf(p); len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// usesOf lists, for each acquisition, the copies of it in callers. What tests do with the
// code that they try out says nothing about it.
func usesOf(sums []*flow.Summary) map[*flow.Event][]*flow.Event {
	m, tried := make(map[*flow.Event][]*flow.Event), make(map[*flow.Event]bool)
	for _, s := range sums {
		for _, e := range s.Events {
			tried[e] = s.Test
		}
	}
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind != flow.Acquire && e.Kind != flow.May || e.Belief != nil || e.Source() == nil || e.Hold.Library || e.Async {
				continue
			}
			if e.Source().Hold.Passes() && (!s.Test || tried[e.Source()]) {
				m[e.Source()] = append(m[e.Source()], e)
			}
		}
	}
	return m
}
