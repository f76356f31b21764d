package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// takesBack reports whether a statement sets the fence that an earlier statement
// of its transaction compared and stored, or removes the row of a fence that would be
// inserted again.
func (j *judge) takesBack(p *pair, m *fence.Mutation, bs []bound) bool {
	sent := j.sender(p)
	for _, w := range sent.After {
		if sameUnit(w, sent) == no || !slices.Contains(j.tables(w), m.Resource) {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		if d.verdict != proved || d.column == "" {
			continue
		}
		for _, g := range j.mutations(w) {
			if g.Resource == m.Resource && j.resets(p, m, g, d.column, bs) {
				return true
			}
		}
	}
	return false
}

const takenBack = "it takes back the fence that was just compared, and any epoch passes after it"

// lowersRead is the same for a fence that was read and compared in Go.
func (j *judge) lowersRead(p *pair, m *fence.Mutation, read *flow.Event, compared *term.Term, bs []bound) bool {
	return slices.ContainsFunc(j.comparedColumns(read, compared), func(c readColumn) bool {
		return c.from == m.Resource && m.Assigned(c.name) != nil && j.resets(p, m, &fence.Mutation{Resource: m.Resource}, c.name, bs)
	})
}

// columnNamed is the column that is read into a field.
func (j *judge) columnNamed(field string) string {
	if name, _, _ := strings.Cut(j.fieldTag(field, "db"), ","); name != "" {
		return name
	}
	return strings.ToLower(lastPart(field))
}

// gateTakenBack is the same within one statement, where a guard in another part of it
// lets this part run.
func (j *judge) gateTakenBack(p *pair, m *fence.Mutation, v *fence.Verdict, bs []bound) bool {
	return slices.ContainsFunc(fence.Gates(m), func(g *fence.Mutation) bool {
		return g.Resource == m.Resource && g.Resource == v.Table && j.resets(p, m, g, v.Column, bs)
	})
}

// resets reports whether m takes back what the guard g has stored in a fence of its
// table.
func (j *judge) resets(p *pair, m, g *fence.Mutation, column string, bs []bound) bool {
	switch v := m.Assigned(column).(type) {
	case nil:
		return g.InsertPath == fence.Open && (m.Kind == fence.Delete || m.Kind == fence.Truncate)
	case fence.Input:
		return !j.mayCarry(p, v.Arg, bs)
	default:
		return fence.Lowers(m, column, func(a fence.Arg) bool { return j.mayCarry(p, a, bs) })
	}
}

// mayCarry reports whether an argument is an epoch of this lock, or what a caller
// hands in.
func (j *judge) mayCarry(p *pair, a fence.Arg, bs []bound) bool {
	i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == a })
	return i >= 0 && (j.ownEpoch(p, &bs[i]) || bs[i].worth() == handedIn)
}

// moved tells whether code in sight stores another value in a column of rows that are
// there.
func (j *judge) moved(table, column string) answer {
	most := no
	for _, sum := range j.a.Functions() {
		for _, w := range sum.Events {
			if c := j.models.FuncKey(w.Key); w.Kind != flow.Write && w.Kind != flow.Acquire || c == nil || c.Sink == nil {
				continue
			}
			if most = max(most, j.stores(w, table, column)); most == yes {
				return most
			}
		}
	}
	return most
}

// stores tells whether a write stores something in a column of a table.
func (j *judge) stores(w *flow.Event, table, column string) answer {
	sink := j.models.FuncKey(w.Key).Sink
	if sink.Dialect != "sql" && strings.Contains(sink.Boundary, "store") || w.Decl != nil {
		return yes
	}
	if sink.Dialect != "sql" {
		return no
	}
	if slices.ContainsFunc(j.mutations(w), func(m *fence.Mutation) bool {
		return m.Resource == table && m.Assigned(column) != nil
	}) {
		return yes
	}
	stmt, _ := j.statement(w)
	if !j.isRead(w) && slices.ContainsFunc(texts(stmt), func(t text) bool { return t.none != "" }) {
		return perhaps
	}
	return no
}

// apart reports whether two terms are different members of one thing: two entries
// of a map, two fields of a struct.
func apart(x, y *term.Term) bool {
	if x.Kind != y.Kind || len(x.Args) == 0 || len(y.Args) == 0 || !x.Args[0].Equal(y.Args[0]) {
		return false
	}
	switch x.Kind {
	case term.Field:
		return x.Str != y.Str
	case term.Elem:
		return len(x.Args) == 2 && len(y.Args) == 2 && x.Args[1].Kind == term.Const && y.Args[1].Kind == term.Const && !x.Args[1].Equal(y.Args[1])
	}
	return false
}
