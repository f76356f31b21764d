package prove

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// Rules about several writes of one hold, or about writes beside all holds.

// inContext looks at what comes before a boundary in its hold: an activation that
// is still missing, or a write that has used up the epoch.
func (j *judge) inContext(p *pair, d decision) decision {
	if d.verdict == silent || d.verdict == waiting {
		return d
	}
	if p.class().Activated && !j.activated(p, d) && precedes("notactivated", d.rule) {
		d.verdict, d.rule = refuted, "notactivated"
		d.reason = "the lock is declared activated, and no statement has advanced the epoch at the resource before this one"
		return d
	}
	if d.verdict == proved && d.strict && !d.again {
		if w := j.usedUp(p, d); w != nil {
			d.verdict, d.rule = refuted, "repeatedepoch"
			d.reason = "the write at " + w.Chain[0].Place.String() + " has stored this epoch already, and " + d.column + " demands a greater one" + declaredInVain(p)
		} else if d.fixed && j.oneText(p.w) && j.a.Repeats(p.w, p.acq) {
			d.verdict, d.rule = refuted, "repeatedepoch"
			d.reason = "an earlier round of its loop has stored this epoch in the same row already, and " + d.column + " demands a greater one" + declaredInVain(p)
		}
	}
	return d
}

// declaredInVain says that a strict guard does nothing of what its lock declares of
// repetition: it refuses the second write whatever is declared.
func declaredInVain(p *pair) string {
	if r := p.class().Replay; r != "" {
		return ", whatever replay=" + r + " declares"
	}
	return ""
}

func precedes(rule, other string) bool { return other == "" || rank[rule] < rank[other] }

// activated reports whether a statement that advances the fence is certain to come
// before a boundary, or is the boundary. If that statement has a fault, the finding
// stands there, and once.
func (j *judge) activated(p *pair, d decision) bool {
	if d.column != "" || d.verdict == proved && (d.guard == "fence" || d.guard == "owner" || d.guard == "session") {
		return true
	}
	return slices.ContainsFunc(p.w.After, func(w *flow.Event) bool {
		e := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		return e.column != "" || e.guarded && (e.guard == "fence" || e.guard == "owner")
	})
}

// usedUp finds an earlier write of the hold that stored the epoch in the same row.
func (j *judge) usedUp(p *pair, d decision) *flow.Event {
	for _, w := range p.w.After {
		if e := j.decide(&pair{sum: p.sum, acq: p.acq, w: w}); e.strict && e.row != "" && e.row == d.row {
			return w
		}
	}
	return nil
}

// rowOfStatement names the row that a statement writes by what its condition
// demands of the other columns; "" if it names none. It is fixed if that is the same in
// each round of a loop.
func rowOfStatement(m *fence.Mutation, v *fence.Verdict, bs []bound) (row string, fixed bool) {
	parts := literalKeys(m.Guard)
	fixed = true
	for _, c := range v.Cas {
		i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == c.Arg })
		if c.Column == v.Column || i < 0 || bs[i].term.Kind == term.Unknown {
			continue
		}
		parts = append(parts, c.Column+"="+bs[i].term.Key())
		fixed = fixed && !bs[i].term.Any(varies)
	}
	if len(parts) == 0 {
		return "", false
	}
	slices.Sort(parts)
	return m.Resource + "." + v.Column + "|" + strings.Join(parts, "|"), fixed
}

// oneText reports whether a call sends the same statement each time.
func (j *judge) oneText(w *flow.Event) bool {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		return false
	}
	stmt, _ := j.statement(w)
	return !stmt.Any(varies)
}

// varies reports whether a term may be another value in the next round of a loop.
func varies(t *term.Term) bool {
	switch t.Kind {
	case term.Const, term.Param, term.Field, term.Convert, term.Iface, term.Concat:
		return false
	}
	return true
}

// literalKeys are the columns that each row met has equal to a literal.
func literalKeys(c fence.Cond) []string {
	switch c := c.(type) {
	case fence.And:
		var out []string
		for _, x := range c.Of {
			out = append(out, literalKeys(x)...)
		}
		return out
	case fence.Cmp:
		s, ok := c.L.(fence.Stored)
		if !ok || c.Op != fence.EQ {
			return nil
		}
		switch l := c.R.(type) {
		case fence.Const:
			return []string{s.Column + "=" + strconv.FormatInt(l.Int, 10)}
		case fence.Lit:
			return []string{s.Column + "=" + l.Text}
		}
	}
	return nil
}

// staleReads reports what was read before the acquisition and decides in the hold
// about a write to the same table.
func staleReads(j *judge, sum *flow.Summary) {
	reported, at := make(map[*flow.Event]bool), make(map[token.Pos]bool)
	for _, w := range sum.Events {
		if w.Kind != flow.Write {
			continue
		}
		for _, acq := range w.Holds {
			if acq.Belief != nil || acq.Hold == nil || acq.Hold.Lock == nil || acq.Hold.Lock.Class != "correctness" {
				continue
			}
			p := &pair{sum: sum, acq: acq, w: w}
			if e := j.staleFor(sum, acq, w); e != nil && !reported[e] && !j.comparesRead(p) {
				reported[e] = true
				j.reportStale(p, e.Chain[0].Pos, e.Key)
			}
			if u, pos := j.staleCall(p); u != nil && !at[pos] && !j.comparesRead(p) {
				at[pos] = true
				j.reportStale(p, pos, u.Str)
			}
		}
	}
}

// comparesRead reports whether a write is refused where what was read has changed since.
func (j *judge) comparesRead(p *pair) bool { return strings.HasPrefix(j.decide(p).guard, "cas") }

func (j *judge) staleFor(sum *flow.Summary, acq, w *flow.Event) *flow.Event {
	tables := j.tables(w)
	if len(tables) == 0 {
		return nil
	}
	var stale *flow.Event
	for _, e := range sum.Events {
		if e.Kind != flow.Write || !j.isRead(e) || !shares(j.readTables(e), tables) {
			continue
		}
		if slices.Contains(e.Holds, acq) {
			return nil // read again
		}
		if before(e, acq) && j.decidesOn(w, e) {
			stale = e
		}
	}
	return stale
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func before(a, b *flow.Event) bool {
	return a.Chain[0].Pos.IsValid() && a.Chain[0].Pos < b.Chain[0].Pos
}

// decidesOn reports whether a write depends on what a read returned: by a decision
// before it, or by a value that it stores.
func (j *judge) decidesOn(w, read *flow.Event) bool {
	uses := func(t *term.Term) bool {
		return t.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.N >= flow.OutParam && j.madeBy(u, read) })
	}
	if slices.ContainsFunc(w.Conds, func(c flow.Cond) bool { return uses(c.Term) }) {
		return true
	}
	_, args := j.statement(w)
	return args != nil && uses(args)
}

func (j *judge) reportStale(p *pair, pos token.Pos, read string) {
	j.add(Finding{
		Rule: "staleread", Pos: pos, End: j.endOf(pos),
		Message: "What is read here decides about the write at " + p.w.Chain[0].Place.String() + ", but " + funcName(p.sum.ID) + " takes the lock (" +
			j.exprAt(p.acq.Chain[0], p.acq.Key) + ", line " + lineOf(p.acq) + ") only afterwards: while it waits, another owner changes the row, and the decision rests on the old one. Read it again after the lock was taken.",
		Related: []Related{
			{Place: p.acq.Chain[0].Place, Pos: p.acq.Chain[0].Pos, Message: "the lock is acquired here"},
			{Place: p.w.Chain[0].Place, Pos: p.w.Chain[0].Pos, Message: "and the write goes out here"},
		},
		Key: strings.Join([]string{"staleread", plainName(p.sum.ID), p.acq.Key, read}, "|"),
	})
}

func lineOf(e *flow.Event) string {
	p := e.Chain[0].Place.String()
	return p[strings.LastIndexByte(p, ':')+1:]
}

func init() { leaseChecks = append(leaseChecks, staleReads) }
