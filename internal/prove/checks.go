package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// checkedBefore says which decision in Go stands before an unguarded write and
// guards nothing: one on a value read in the hold from the same resource or from
// the coordinator, or a comparison of the token in memory. "" if there is none.
func (j *judge) checkedBefore(p *pair, resource string) string {
	sink := j.models.FuncKey(p.w.Key)
	for _, c := range p.w.Conds {
		if sink != nil && sink.Sink != nil && sink.Sink.Dialect != "sql" && j.readsDocument(p, sink.Sink, c.Term) {
			return readBefore
		}
		if r := j.spannerRead(c.Term); r != nil && slices.Contains(r.tables, resource) {
			return readBefore
		}
		for _, e := range j.readsIn(p, c.Term) {
			if sameUnit(e, p.w) == yes && j.isTx(p.w) && j.locksRows(e) {
				continue // nobody changes it until the commit
			}
			if tables := j.readTables(e); slices.Contains(tables, resource) || j.coordinates(p, tables) {
				return readBefore
			}
		}
		if j.comparedInMemory(p, c.Term) {
			return "the epoch is compared in this process, and time passes between the comparison and the write"
		}
	}
	return ""
}

// readsDocument reports whether a condition rests on a read, in the hold, of the document
// that a write of a store without SQL changes.
func (j *judge) readsDocument(p *pair, s *model.Sink, t *term.Term) bool {
	return p.w.Recv != nil && t.Any(func(u *term.Term) bool {
		return u.Kind == term.Call && j.readsSame(p, s, u) && j.inHold(p, u)
	})
}

const readBefore = "the decision rests on a value that was read before, and nothing keeps another owner from changing it in between"

// readsIn finds the reads, in the hold, that a condition rests on.
func (j *judge) readsIn(p *pair, t *term.Term) []*flow.Event {
	var found []*flow.Event
	t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call || u.N < flow.OutParam {
			return false
		}
		for _, e := range p.sum.Events {
			if e.Kind == flow.Write && slices.Contains(e.Holds, p.acq) && j.madeBy(u, e) && j.isRead(e) && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
		return false
	})
	return found
}

// readIn is the first of them, nil if there is none.
func (j *judge) readIn(p *pair, t *term.Term) *flow.Event {
	if all := j.readsIn(p, t); len(all) > 0 {
		return all[0]
	}
	return nil
}

// madeBy reports whether what a call wrote through a pointer comes from the event:
// it is the event's own call, or a scan of the row that the event returned.
func (j *judge) madeBy(u *term.Term, e *flow.Event) bool {
	for _, a := range append([]*term.Term{u}, u.Args...) {
		a = unboxed(a)
		if a.Kind == term.Call && a.Str == e.Key && sameArguments(a, e) {
			return true
		}
	}
	return false
}

func sameArguments(call *term.Term, e *flow.Event) bool {
	args := call.Args
	if e.Recv != nil {
		if len(args) == 0 || !args[0].Equal(e.Recv) {
			return false
		}
		args = args[1:]
	}
	if call.N >= flow.OutParam {
		return true // only the receiver is kept of such a call
	}
	return slices.EqualFunc(args, e.Args, (*term.Term).Equal)
}

func (j *judge) readTables(e *flow.Event) []string {
	var out []string
	for _, s := range j.scripts(e) {
		for _, st := range s.Statements {
			out = append(out, st.Tables...)
		}
	}
	return out
}

// coordinates reports whether one of the tables holds the claim.
func (j *judge) coordinates(p *pair, tables []string) bool {
	c := j.claimOf(p.acq)
	return c != nil && slices.Contains(tables, c.table)
}

// comparedInMemory reports whether a condition compares the epoch of this lock
// with something that no receiver was asked for.
func (j *judge) comparedInMemory(p *pair, t *term.Term) bool {
	if t.Kind != term.Op || len(t.Args) != 2 || !strings.ContainsAny(t.Str, "<>") {
		return false
	}
	for i, a := range t.Args {
		b := bound{term: a, origins: j.origins(a)}
		other := t.Args[1-i]
		if j.ownEpoch(p, &b) && other.Kind != term.Const {
			return true
		}
	}
	return false
}

// lockedCompare: a row lock and a comparison in Go that aborts, in the transaction
// of the write, are a guard: the next owner waits for the commit.
func (j *judge) lockedCompare(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	if !j.isTx(p.w) {
		return decision{}, false
	}
	for _, c := range p.w.Conds {
		e := j.readIn(p, c.Term)
		if e == nil || sameUnit(e, p.w) != yes || !j.locksRows(e) || !j.rejectsStale(p, c, func(t *term.Term) bool { return j.readIn(p, t) != nil }) {
			continue
		}
		if !j.advancedSomewhere(e, c.Term) {
			return decision{verdict: refuted, rule: "fencenotadvanced", guard: "none",
				reason: "the row with the epoch is locked and compared, but no code in sight stores a newer epoch in it"}, true
		}
		if rule, reason := j.notLocked(p, e, m, bs); rule != "" {
			return decision{verdict: refuted, rule: rule, guard: "fence", reason: reason}, true
		}
		if d, ok := j.cut(p, e, p.w); ok {
			return d, true
		}
		if j.lowersRead(p, m, e, c.Term, bs) {
			return decision{verdict: refuted, rule: "nulladmitted", guard: "none", reason: takenBack}, true
		}
		if c.Null {
			return nullPasses(), true
		}
		return j.refusedHere(p, c, decision{verdict: proved, guard: "fence", guarded: true,
			reason: "the row with the epoch is locked and compared in the same transaction"}), true
	}
	return decision{}, false
}

// nullPasses is for a comparison in the program that is left out where the column is NULL.
func nullPasses() decision {
	return decision{verdict: refuted, rule: "nulladmitted", guard: "fence", column: "the epoch's column",
		reason: "a row whose epoch is NULL takes any epoch"}
}

// refusedHere is a proof that rests on a comparison in the program, unless what refuses there
// is taken for success.
func (j *judge) refusedHere(p *pair, c flow.Cond, d decision) decision {
	d.compared = &c
	if heard, how := j.heardCompared(p, c); !heard {
		d.verdict, d.rule, d.words, d.reason = refuted, "rejectionignored", ownRefusal, how
	}
	return d
}

// rejectsStale reports whether a decision in Go stops an owner whose number is
// below the one that was read.
func (j *judge) rejectsStale(p *pair, c flow.Cond, read func(*term.Term) bool) bool {
	return stopsBelow[j.passesBy(p, c, read)]
}

// stopsBelow are the comparisons of the own number with the one that was read that let go on
// whoever is not below it.
var stopsBelow = map[string]bool{"==": true, ">": true, ">=": true}

// passesBy is how the epoch of this lock has to compare with a number that was read, for the
// program to go on; "" if a decision compares other things.
func (j *judge) passesBy(p *pair, c flow.Cond, read func(*term.Term) bool) string {
	t := c.Term
	if t.Kind != term.Op || len(t.Args) != 2 || negated[t.Str] == "" {
		return ""
	}
	for i, a := range t.Args {
		if !read(t.Args[1-i]) {
			continue
		}
		if b := j.presented(p, a); !j.ownEpoch(p, &b) {
			continue
		}
		op := t.Str
		if i == 1 { // stored op token, seen from the token
			op = turned[op]
		}
		if !c.Want {
			op = negated[op]
		}
		return op
	}
	return ""
}

var turned = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

var negated = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
