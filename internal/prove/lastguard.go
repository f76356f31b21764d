package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// lastGuard: a later statement of the same transaction compares the epoch, and nothing
// is committed without it: what comes before it is undone where it is refused.
func (j *judge) lastGuard(p *pair, m *fence.Mutation) (decision, bool) {
	sent := j.sender(p)
	if len(sent.Sealed) == 0 || !j.isTx(sent) || manyUnits(sent) || vague(unitOf(sent)) || !j.commitsHere(p, sent) {
		return decision{}, false
	}
	for _, g := range sent.Sealed {
		if sameUnit(g, sent) != yes {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: g})
		if !d.refuses() || d.column == "" || j.prepares(p, m, g, d.column) {
			continue
		}
		if c, ok := j.cutAnywhere(p, g, sent); ok {
			return c, true
		}
		d.verdict, d.rule = proved, ""
		d.reason = "a later statement of the same transaction refuses obsolete owners, and nothing is committed without it"
		d.guarded, d.strict, d.row = true, false, ""
		return d, true
	}
	return decision{}, false
}

// commitsHere reports whether the end of the write's transaction is in sight: a commit
// of this function or of one that it calls, or that of a library which runs it.
func (j *judge) commitsHere(p *pair, w *flow.Event) bool {
	unit := unitOf(w)
	if j.runsTx(unit) {
		return true
	}
	return slices.ContainsFunc(p.sum.Events, func(c *flow.Event) bool {
		return c.Kind == flow.Commit && c.Recv != nil && unitOf(c).Equal(unit)
	})
}

// runsTx reports whether a transaction was handed to a function by the library that
// runs it and commits.
func (j *judge) runsTx(unit *term.Term) bool {
	c := j.models.FuncKey(flow.SuppliedBy(unit))
	return c != nil && c.Sink != nil && c.Sink.Kind == "begin"
}

// prepares reports whether a write, or another one of its transaction, moves the fence
// before g compares it: then the comparison says nothing.
func (j *judge) prepares(p *pair, m *fence.Mutation, g *flow.Event, column string) bool {
	tables := j.tables(g)
	moves := func(m *fence.Mutation) bool {
		touched := m.Assigned(column) != nil || m.Kind == fence.Delete || m.Kind == fence.Truncate || m.Kind == fence.DDL
		return touched && slices.Contains(tables, m.Resource)
	}
	if moves(m) {
		return true
	}
	for _, v := range p.sum.Events {
		if v.Kind != flow.Write || v == g || v == p.w || v.Recv == nil || sameUnit(v, g) == no || !slices.ContainsFunc(j.mutations(v), moves) {
			continue
		}
		if d := j.decide(&pair{sum: p.sum, acq: p.acq, w: v}); d.verdict != proved {
			return true
		}
	}
	return false
}

// cutAnywhere judges a write whose transaction may be ended by something else than the
// commits that its guard g stands before.
func (j *judge) cutAnywhere(p *pair, g, w *flow.Event) (decision, bool) {
	for _, q := range append(j.queued(p, w), j.queued(p, g)...) {
		if d, ok := j.endedBy(q, j.dialects(g, w)); ok {
			return d, true
		}
	}
	if j.endsWithin(g, w) {
		return ended("the transaction ends between the two, in the text of one of them"), true
	}
	for _, x := range p.sum.Events {
		if !slices.Contains(x.Earlier, w) && !slices.Contains(x.Earlier, g) || x.Kind != flow.Write && x.Kind != flow.Release {
			continue
		}
		if d, ok := j.cutBy(p, x, g, w, j.dialects(g, w)); ok {
			return d, true
		}
	}
	return decision{}, false
}

// lastCompare is the same for a row lock and a comparison in Go that stand before each
// commit of the transaction.
func (j *judge) lastCompare(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	sent := j.sender(p)
	if !j.isTx(sent) || manyUnits(sent) || vague(unitOf(sent)) || sent.Async || sent.Deferred {
		return decision{}, false
	}
	found := decision{}
	for _, c := range p.sum.Events {
		if c.Kind != flow.Commit || c.Recv == nil || !flow.MayFollow(sent, c) {
			continue
		}
		same := sameUnit(c, sent)
		if same == no && unitOf(c).Kind == term.Call {
			continue
		}
		d, ok := j.lockedCompare(&pair{sum: p.sum, acq: p.acq, w: c}, m, bs)
		if !ok || same != yes || c.Deferred || c.Async || d.verdict != proved || j.preparesRead(p, c, m) {
			return decision{}, false
		}
		found = d
	}
	if found.verdict == silent {
		return found, false
	}
	found.reason = "the row with the epoch is locked and compared before the transaction commits"
	return found, true
}

// preparesRead reports whether a write of the transaction moves the fence that is read
// and compared before the commit c, or something else may end the transaction.
func (j *judge) preparesRead(p *pair, c *flow.Event, m *fence.Mutation) bool {
	for _, x := range c.Conds {
		e := j.readIn(p, x.Term)
		if e == nil {
			continue
		}
		tables := j.readTables(e)
		if _, cut := j.cutAnywhere(p, e, p.w); cut || slices.Contains(tables, m.Resource) {
			return true
		}
		for _, v := range p.sum.Events {
			if v.Kind != flow.Write || v == p.w || v.Recv == nil || sameUnit(v, c) == no || !shares(j.tables(v), tables) {
				continue
			}
			if d := j.decide(&pair{sum: p.sum, acq: p.acq, w: v}); d.verdict != proved {
				return true
			}
		}
	}
	return false
}
