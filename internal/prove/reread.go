package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A number that is read apart from the grant is the newer owner's once that has come: it
// counts only where the same read shows that the holder is still this one.

// readApart takes the numbers that were read without a look at their holder for what they
// are: anybody can read them at any time.
func (j *judge) readApart(p *pair, bs []bound) {
	for i := range bs {
		for k := range bs[i].origins {
			switch o := &bs[i].origins[k]; {
			case o.class == unbound && drawnWith(p, o) && endsCounter(p, o):
				o.class, o.worth = volatile, "whose counter the program lets expire or deletes: it begins again, below what was given out before"
			case o.class == unbound && drawnWith(p, o):
				o.class = epoch
			case o.class == epochReread && !j.holderShown(p, o):
				o.class, o.worth = unbound, "which is read apart from the grant, and no look at its holder in the same read comes before the write: a stale owner reads the number of the newer one"
			case o.raisedBy != nil && !acquires(p.sum, o.raisedBy) && (j.byLibrary(p.acq) || j.besideClaim(p.acq, o)):
				o.class, o.worth = unbound, "which a statement draws after the lock was granted by something else: a stale owner draws a fresh one"
			case o.class == stored && len(bs[i].origins) == 1:
				if source := j.readAsHolder(p, bs[i].term); source != "" {
					o.class, o.source = epoch, source
				}
			case o.raisedBy != nil && j.raisedUnasked(p, o.raisedBy):
				o.class, o.worth = unbound, "which a statement raises in the hold for whoever comes: a stale owner draws a fresh one"
			}
		}
	}
}

// readAsHolder names the column of a claim that counts the owners, if a number was read from it
// by a query for what this claim alone has put there: who has lost the claim reads nothing.
func (j *judge) readAsHolder(p *pair, t *term.Term) string {
	c := j.claimOf(p.acq)
	for t.Kind == term.Convert || t.Kind == term.Iface {
		t = t.Args[0]
	}
	stmt, args := j.asked(t)
	if c == nil || stmt == nil {
		return ""
	}
	for _, s := range j.askedScripts(stmt) {
		for i := range s.Statements {
			st := &s.Statements[i]
			at := j.columnIn(t, st.Columns)
			if st.From != c.table || at < 0 || at >= len(st.Columns) || !slices.Contains(c.counted, st.Columns[at]) {
				continue
			}
			asked := j.equalities(st.Check(), j.bind(st.Params, args))
			for column, by := range c.signed {
				if j.fresh(&by) && slices.Contains(asked, column+"="+by.term.Key()) {
					return c.table + "." + st.Columns[at]
				}
			}
		}
	}
	return ""
}

// raisedUnasked reports whether a number was raised by another statement of the hold than the
// one that took the lock, and that does not ask for what the claim has put there.
func (j *judge) raisedUnasked(p *pair, raise *term.Term) bool {
	c := j.claimOf(p.acq)
	if c == nil || !otherGrant(raise, p.acq) || acquires(p.sum, raise) {
		return false
	}
	return slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		m := j.models.FuncKey(e.Key)
		return e.Kind == flow.Write && !otherGrant(raise, e) && slices.Contains(e.Holds, p.acq) && m != nil && m.Sink != nil &&
			slices.ContainsFunc(j.loweredForms(e, m.Sink), func(l *lowered) bool { return l.mutation.Resource == c.table && !c.asksOwner(l.mutation) })
	})
}

// asksOwner reports whether a write has a condition on a column that tells one claim from
// another.
func (c *claim) asksOwner(m *fence.Mutation) bool {
	asks := false
	fence.WalkCond(m.Guard, nil, func(t fence.Term) {
		fence.WalkTerm(t, func(t fence.Term) {
			if s, ok := t.(fence.Stored); ok {
				_, signed := c.signed[s.Column]
				asks = asks || signed || c.kept[s.Column] || slices.Contains(c.counted, s.Column)
			}
		})
	})
	return asks
}

// presented is a value that a write presents, or that code compares, with where it comes from:
// a number that was read apart from the grant is taken for what it is.
func (j *judge) presented(p *pair, t *term.Term) bound {
	b := bound{term: t, origins: j.origins(t)}
	j.readApart(p, []bound{b})
	return b
}

// byLibrary reports whether a lock is granted by a library, and not by a statement.
func (j *judge) byLibrary(acq *flow.Event) bool {
	if acq.Entry == flow.ByHand || acq.Entry == flow.Claim {
		return false
	}
	c := j.models.FuncKey(acq.Key)
	return c != nil && len(c.Locks) > 0 && (c.Sink == nil || c.Sink.Dialect != "sql")
}

// besideClaim reports whether a number was raised in another table than that in which a
// statement took the lock, and not in one transaction with it.
func (j *judge) besideClaim(acq *flow.Event, o *origin) bool {
	c := j.claimOf(acq)
	if c == nil || len(o.raisedBy.Args) == 0 {
		return false
	}
	table := o.source[:max(0, strings.LastIndexByte(o.source, '.'))]
	return table != c.table && !(j.isTx(acq) && unboxed(o.raisedBy.Args[0]).Equal(unitOf(acq)))
}

// acquires reports whether a function acquires a lock by a call.
func acquires(sum *flow.Summary, call *term.Term) bool {
	return slices.ContainsFunc(sum.Events, func(e *flow.Event) bool { return e.Kind == flow.Acquire && !otherGrant(call, e) })
}

// holderShown reports whether a decision before the write compared the holder in the read
// that gave the number; whether the record is that of a key that only this owner has; or,
// of a number that stands in no record, whether the coordinator was asked who holds.
func (j *judge) holderShown(p *pair, o *origin) bool {
	if o.record == nil {
		return false
	}
	if o.handle == nil && ofOwnKey(o.record, p.acq) {
		return true
	}
	for _, c := range p.w.Conds {
		if o.handle != nil && j.asksLibrary(c.Term) != "" && c.Term.Any(o.handle.Equal) {
			return true
		}
		if c.Term.Kind != term.Op || len(c.Term.Args) != 2 || (c.Term.Str == "==") != c.Want || c.Term.Str != "==" && c.Term.Str != "!=" {
			continue
		}
		x, y := unboxed(c.Term.Args[0]), unboxed(c.Term.Args[1])
		if y.Kind != term.Const && j.namesHolder(x, o.record) || x.Kind != term.Const && j.namesHolder(y, o.record) {
			return true
		}
	}
	return false
}

// namesHolder reports whether a term is the field of a record that names its holder.
func (j *judge) namesHolder(t, record *term.Term) bool {
	if t.Kind == term.Convert {
		t = t.Args[0]
	}
	if t.Kind != term.Field || !t.Args[0].Equal(record) {
		return false
	}
	for _, l := range j.fieldLocks(t) {
		if l.Role == model.RoleToken && l.Token.Class == model.ClassOpaque {
			return true
		}
	}
	return false
}

// ofOwnKey reports whether a record was read under a key that the grant gave to its owner
// alone: among what the call that read it was given stands what the acquisition gave out.
// That it was called on the lock says nothing: a lock can be asked for whoever holds it.
func ofOwnKey(record *term.Term, acq *flow.Event) bool {
	h := acq.Hold.Handle
	if h == nil || h.Kind != term.Call {
		return false
	}
	return record.Any(func(read *term.Term) bool {
		given := read.Args
		if isMethod(read.Str) && len(given) > 0 {
			given = given[1:]
		}
		return read.Kind == term.Call && slices.ContainsFunc(given, func(a *term.Term) bool { return a.Any(h.Equal) })
	})
}
