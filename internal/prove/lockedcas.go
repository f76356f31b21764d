package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// lockedCas: a row that one transaction locks, reads, decides about and writes is compared
// and set. Nobody changes it in between, and who reads again is admitted.
func (j *judge) lockedCas(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	if !j.isTx(p.w) {
		return decision{}, false
	}
	for _, c := range p.w.Conds {
		for _, e := range j.readsIn(p, c.Term) {
			if j.locksWritten(p, e, m, bs) && j.readsMoved(e, c.Term, m) {
				if d, ok := j.lockedToken(p, e, c.Term, m, bs); ok {
					return d, true
				}
				return casWorth(p.class().Contract, decision{guard: "cas"}, false), true
			}
		}
	}
	for _, e := range p.sum.Events {
		if e.Precedes(p.w) && slices.Contains(e.Holds, p.acq) && j.isRead(e) && j.restsOn(e, m, bs) && j.locksWritten(p, e, m, bs) {
			return casWorth(p.class().Contract, decision{guard: "cas"}, false), true
		}
	}
	return decision{}, false
}

// lockedToken judges a number that code under the lock compares with a column that is meant as
// a fence, and that the write stores there: one that did not come with the grant is none.
func (j *judge) lockedToken(p *pair, read *flow.Event, compared *term.Term, m *fence.Mutation, bs []bound) (decision, bool) {
	if p.class().Contract == "cas" || compared.Kind != term.Op || len(compared.Args) != 2 || !strings.ContainsAny(compared.Str, "<>") {
		return decision{}, false
	}
	for _, col := range j.comparedColumns(read, compared) {
		in, stored := m.Assigned(col.name).(fence.Input)
		i := slices.IndexFunc(bs, func(b bound) bool { return stored && b.arg == in.Arg })
		if i < 0 || !fenceWords.MatchString(col.name) || !slices.ContainsFunc(compared.Args, bs[i].term.Equal) {
			continue
		}
		v := fence.Verdict{Column: col.name, StoredToken: true}
		if d := j.foreignToken(&bs[i], &v); d.verdict == refuted {
			return d, true
		}
	}
	return decision{}, false
}

// locksWritten reports whether a read locks the row that a write of its transaction is about.
func (j *judge) locksWritten(p *pair, e *flow.Event, m *fence.Mutation, bs []bound) bool {
	if sameUnit(e, p.w) != yes || !j.locksRows(e) {
		return false
	}
	written := j.equalities(m, bs)
	_, args := j.statement(e)
	for _, s := range j.scripts(e) {
		for i := range s.Statements {
			st := &s.Statements[i]
			if st.From != m.Resource {
				continue
			}
			read := j.equalities(st.Check(), j.bind(st.Params, args))
			other := func(x string) bool { return !slices.Contains(written, x) }
			if len(read) > 0 && !slices.ContainsFunc(read, other) {
				return true
			}
		}
	}
	return false
}

// equalities are the columns that a condition has equal to a known value, each with it.
func (j *judge) equalities(m *fence.Mutation, bs []bound) []string {
	out := literalKeys(m.Guard)
	for _, c := range j.proveAlone(m).Cas {
		i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == c.Arg })
		if i >= 0 && bs[i].term.Kind != term.Unknown {
			out = append(out, c.Column+"="+bs[i].term.Key())
		}
	}
	return out
}

// readsMoved reports whether a term rests on a column that e has read and m assigns.
func (j *judge) readsMoved(e *flow.Event, t *term.Term, m *fence.Mutation) bool {
	return t.Any(func(u *term.Term) bool {
		if u.Kind == term.Field {
			inner := u.Args[0]
			return inner.Kind == term.Call && inner.N >= flow.OutParam && j.madeBy(inner, e) && m.Assigned(j.columnNamed(u.Str)) != nil
		}
		if u.Kind != term.Call || u.N < flow.OutParam || !j.madeBy(u, e) {
			return false
		}
		return slices.ContainsFunc(j.scripts(e), func(s *fsql.Script) bool {
			return slices.ContainsFunc(s.Statements, func(st fsql.Statement) bool {
				i := u.N - flow.OutParam
				return i < len(st.Columns) && m.Assigned(st.Columns[i]) != nil
			})
		})
	})
}

// restsOn reports whether each value that a write brings along was computed from what e has
// read of the columns that it assigns.
func (j *judge) restsOn(e *flow.Event, m *fence.Mutation, bs []bound) bool {
	brought := 0
	for _, s := range m.Set {
		for _, a := range fence.Args(s.Value) {
			i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == a })
			if i < 0 || !j.readsMoved(e, bs[i].term, m) {
				return false
			}
			brought++
		}
	}
	return brought > 0
}
