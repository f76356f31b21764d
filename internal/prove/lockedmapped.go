package prove

import (
	"cmp"
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// Which row a mapper has locked: as in lockedwhich.go, but the read is a chain of calls.

// recordNotLocked says why the row that a write changes is not the one that a mapper has
// locked, and whose field was compared; "" if nothing speaks against it.
func (j *judge) recordNotLocked(p *pair, m *fence.Mutation, compared *term.Term, locked func(*term.Term) bool, bs []bound) string {
	reads := lockingReads(compared, unitOf(p.w))
	if slices.ContainsFunc(reads, func(u *term.Term) bool { return u.Any(flow.PassesOver) && !j.metRecord(p, u) }) {
		return passedOver
	}
	fields := comparedFields(compared, locked)
	inField := func(column string) bool {
		return slices.ContainsFunc(fields, func(f string) bool {
			return j.sameName(column, f) && j.mayWrite(p.w, m.Resource, f[:len(f)-len(lastPart(f))-1])
		})
	}
	if !j.storesOwn(p, m, inField, bs) {
		return ""
	}
	inUnit := func(w *flow.Event) bool { return unitOf(w).Equal(unitOf(p.w)) }
	for _, u := range reads {
		row := j.gormRow(u)
		if namedApart(row, rowNames(m.Guard, valueIn(bs))) && !j.storedAt(p, inUnit, m, row) {
			return storedElsewhere
		}
	}
	return ""
}

// lockingReads are the reads in a condition that lock a row in a transaction.
func lockingReads(compared, unit *term.Term) []*term.Term {
	var out []*term.Term
	compared.Any(func(u *term.Term) bool {
		if locksRecord(u, unit) {
			out = append(out, u)
		}
		return false
	})
	return out
}

// metRecord reports whether a write is made only if a read gave a row: that there was none is
// an error which stops it, or the number of rows was asked.
func (j *judge) metRecord(p *pair, read *term.Term) bool {
	of := func(u *term.Term) bool { return u.Kind == term.Call && u.Str == read.Str && u.Site == read.Site }
	return slices.ContainsFunc(p.w.Conds, func(c flow.Cond) bool {
		if c.Term.Kind != term.Op || len(c.Term.Args) != 2 || !c.Term.Args[0].Any(of) {
			return false
		}
		x, y := unboxed(c.Term.Args[0]), unboxed(c.Term.Args[1])
		if y.Equal(term.Nil) {
			return c.Want == (c.Term.Str == "==") && lastPart(read.Str) != "Find"
		}
		n, ok := term.IntValue(y)
		return ok && x.Kind == term.Field && lastPart(x.Str) == "RowsAffected" && slices.Contains(holdsFor[c.Term.Str], cmp.Compare(0, n)) != c.Want
	})
}

// holdsFor lists for which order of its sides a comparison holds.
var holdsFor = map[string][]int{"==": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}

// gormRow are the values that a read of gorm demands of columns.
func (j *judge) gormRow(u *term.Term) map[string]*term.Term {
	pkg := pathOf(u.Str)
	lists, _ := chains(u.Args[0], pkg)
	if pkg != "gorm.io/gorm" || len(lists) != 1 {
		return nil
	}
	steps := lists[0]
	if len(u.Args) > 1 { // behind the record
		steps = append(slices.Clip(steps), gormInline(u.Args[1])...)
	}
	g := &gormChain{j: j, w: &writing{dollar: true}, pkg: pkg, name: j.gormColumn}
	g.w.str("DELETE FROM t")
	g.begin(steps)
	g.conditions(" WHERE ")
	if g.w.failed != "" {
		return nil
	}
	for _, l := range j.sqlForms(g.w.statement()) {
		return rowNames(l.mutation.Guard, l.value)
	}
	return nil
}
