package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// A row lock keeps later owners out of the row that it met: of a row that it passed over, or
// of another one, it says nothing.

// notLocked says why the row that a write changes is not the one that the read e has locked
// and that was compared; "" if nothing speaks against it.
func (j *judge) notLocked(p *pair, e *flow.Event, m *fence.Mutation, bs []bound) (rule, reason string) {
	if j.skipsLocked(e) && !j.metRow(p, e) {
		return "staleadmitted", passedOver
	}
	if m != nil && j.otherRow(p, e, m, bs) {
		return "staleadmitted", storedElsewhere
	}
	return "", ""
}

const (
	passedOver      = "the read passes over a row that another owner has locked, and the write comes after that, too"
	storedElsewhere = "the row that is locked and compared is not the one in which the epoch is stored"
)

// readColumn is a column that a read gives, of a table.
type readColumn struct{ from, name string }

// comparedColumns are the columns of a read that a condition rests on.
func (j *judge) comparedColumns(read *flow.Event, compared *term.Term) []readColumn {
	var out []readColumn
	named := make(map[*term.Term]bool) // rows that were read into a record
	compared.Any(func(u *term.Term) bool {
		column := ""
		if u.Kind == term.Field && ofNullable(u.Str) {
			return false
		}
		if u.Kind == term.Field {
			column, u = j.columnNamed(u.Str), u.Args[0]
			named[u] = true
		}
		if u.Kind != term.Call || u.N < flow.OutParam || !j.madeBy(u, read) || column == "" && named[u] {
			return false
		}
		for _, s := range j.scripts(read) {
			for _, st := range s.Statements {
				name := column
				if i := u.N - flow.OutParam; name == "" && i < len(st.Columns) {
					name = st.Columns[i]
				}
				out = append(out, readColumn{from: st.From, name: name})
			}
		}
		return false
	})
	return out
}

// advancedSomewhere reports whether a statement of the package writes a table whose rows the
// statement e locks, and there a column that it reads and that is compared.
func (j *judge) advancedSomewhere(e *flow.Event, compared *term.Term) bool {
	tables, columns := j.lockedTables(e), j.comparedColumns(e, compared)
	stores := func(m *fence.Mutation) bool {
		if !slices.Contains(tables, m.Resource) {
			return false
		}
		known := len(columns) > 0 && len(m.Problems) == 0 && len(m.Set) > 0 && m.Kind == fence.Update
		return !known || slices.ContainsFunc(columns, func(c readColumn) bool {
			name := strings.ToLower(c.name[strings.LastIndexByte(c.name, '.')+1:])
			return !identifier.MatchString(name) || m.Assigned(name) != nil
		})
	}
	for _, sum := range j.a.Functions() {
		for _, w := range sum.Events {
			if (w.Kind == flow.Write || w.Kind == flow.Acquire) && slices.ContainsFunc(j.mutations(w), stores) {
				return true
			}
		}
	}
	return false
}

var identifier = pattern.New(`^[a-z_][a-z0-9_]*$`)

// lockedTables are the tables of whose rows a read locks some: those that it names, or all
// that it reads.
func (j *judge) lockedTables(e *flow.Event) []string {
	var out []string
	for _, s := range j.scripts(e) {
		for _, st := range s.Statements {
			if len(st.Locked) == 0 {
				out = append(out, st.Tables...)
			}
			out = append(out, st.Locked...)
		}
	}
	return out
}

// skipsLocked reports whether a read leaves out the rows that others have locked.
func (j *judge) skipsLocked(e *flow.Event) bool {
	for _, s := range j.scripts(e) {
		for i := range s.Statements {
			if s.Statements[i].SkipLocked {
				return true
			}
		}
	}
	return false
}

// metRow reports whether a write is made only if a read gave a row: that there is none stops
// it.
func (j *judge) metRow(p *pair, e *flow.Event) bool { return slices.Contains(p.w.After, e) }

// otherRow reports whether a write stores the epoch of its lock in a column that was read
// with the lock, of a row that is called by another name than the one that was locked: each
// of two names is a constant or was handed in. One that the transaction stores there, too,
// has the row that was compared.
func (j *judge) otherRow(p *pair, e *flow.Event, m *fence.Mutation, bs []bound) bool {
	inUnit := func(w *flow.Event) bool { return sameUnit(w, e) != no }
	for _, s := range j.statements(e) {
		for _, script := range j.scripts(e) {
			for _, st := range script.Statements {
				locked := rowNames(st.Where, func(a fence.Arg) *term.Term { return j.argument(a, s.args) })
				if st.From != m.Resource || !j.storesOwn(p, m, func(column string) bool { return slices.Contains(st.Columns, column) }, bs) {
					continue
				}
				if namedApart(locked, rowNames(m.Guard, valueIn(bs))) && !j.storedAt(p, inUnit, m, locked) {
					return true
				}
			}
		}
	}
	return false
}

// storesOwn reports whether a write stores the epoch of its lock in one of some columns.
func (j *judge) storesOwn(p *pair, m *fence.Mutation, has func(column string) bool, bs []bound) bool {
	return slices.ContainsFunc(m.Set, func(a fence.Assign) bool {
		in, ok := a.Value.(fence.Input)
		return ok && has(a.Column) && slices.ContainsFunc(bs, func(b bound) bool { return b.arg == in.Arg && j.ownEpoch(p, &b) })
	})
}

// storedAt reports whether another write of the transaction is to the row of some names.
func (j *judge) storedAt(p *pair, inUnit func(*flow.Event) bool, m *fence.Mutation, locked map[string]*term.Term) bool {
	return slices.ContainsFunc(p.sum.Events, func(w *flow.Event) bool {
		if w.Kind != flow.Write || w == p.w || w.Recv == nil || !inUnit(w) {
			return false
		}
		for _, s := range j.statements(w) {
			for _, l := range j.sqlForms(s.stmt, s.args) {
				if l.mutation.Resource == m.Resource && !namedApart(locked, rowNames(l.mutation.Guard, l.value)) {
					return true
				}
			}
		}
		return false
	})
}

// namedApart reports whether two rows have different names in one column.
func namedApart(a, b map[string]*term.Term) bool {
	for column, x := range a {
		if y := b[column]; y != nil && namesRow(x) && namesRow(y) && !x.Equal(y) {
			return true
		}
	}
	return false
}

// namesRow reports whether a term is a name of its own: another one of these is another row.
func namesRow(t *term.Term) bool {
	return t.Kind == term.Param || t.Kind == term.Free || t.Kind == term.Const
}

// rowNames are the values that a condition demands of columns.
func rowNames(c fence.Cond, value func(fence.Arg) *term.Term) map[string]*term.Term {
	names := make(map[string]*term.Term)
	var visit func(fence.Cond)
	visit = func(c fence.Cond) {
		switch c := c.(type) {
		case fence.And:
			for _, x := range c.Of {
				visit(x)
			}
		case fence.Cmp:
			s, ok := c.L.(fence.Stored)
			in, isInput := c.R.(fence.Input)
			if !ok || c.Op != fence.EQ || !isInput {
				return
			}
			if v := value(in.Arg); v != nil {
				names[strings.ToLower(s.Column)] = unboxed(v)
			}
		}
	}
	visit(c)
	return names
}
