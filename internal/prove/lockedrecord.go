package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// lockedRecord: a mapper has read a record and locked its row, and a comparison in Go that
// aborts comes before the write, in one transaction that nothing ends in between.
func (j *judge) lockedRecord(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	if !j.isTx(p.w) && !j.inSession(p, p.w) || vague(unitOf(p.w)) || manyUnits(p.w) {
		return decision{}, false
	}
	locked := func(t *term.Term) bool {
		return t.Any(func(u *term.Term) bool { return locksRecord(u, unitOf(p.w)) })
	}
	for _, c := range p.w.Conds {
		if !j.rejectsStale(p, c, locked) {
			continue
		}
		for _, x := range p.w.Earlier {
			if d, ok := j.endedBy(x, j.dialects(x, p.w)); ok && sharesSession(x, p.w) {
				return d, true
			}
		}
		if j.lowersRecord(p, m, c.Term, locked, bs) {
			return decision{verdict: refuted, rule: "nulladmitted", guard: "none", reason: takenBack}, true
		}
		switch j.recordAdvances(c.Term, locked) {
		case no:
			return decision{verdict: refuted, rule: "fencenotadvanced", guard: "none",
				reason: "the row with the epoch is locked and compared, but no code in sight stores a newer epoch in it"}, true
		case perhaps:
			return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown",
				reason: "the row with the epoch is locked and compared, and only a statement whose text is not known may store a newer epoch in it"}, true
		}
		if reason := j.recordNotLocked(p, m, c.Term, locked, bs); reason != "" {
			return decision{verdict: refuted, rule: "staleadmitted", guard: "fence", reason: reason}, true
		}
		if c.Null {
			return nullPasses(), true
		}
		return j.refusedHere(p, c, decision{verdict: proved, guard: "fence", guarded: true,
			reason: "the row with the epoch is locked and compared in the same transaction"}), true
	}
	return decision{}, false
}

// lowersRecord reports whether a write stores in a compared field of a locked record what
// is not the epoch of this lock.
func (j *judge) lowersRecord(p *pair, m *fence.Mutation, compared *term.Term, locked func(*term.Term) bool, bs []bound) bool {
	return slices.ContainsFunc(comparedFields(compared, locked), func(field string) bool {
		return slices.ContainsFunc(m.Set, func(a fence.Assign) bool {
			return j.sameName(a.Column, field) && !keepsField(a, valueIn(bs), field) && j.resets(p, m, &fence.Mutation{Resource: m.Resource}, a.Column, bs)
		})
	})
}

// valueIn finds the values of bound arguments.
func valueIn(bs []bound) func(fence.Arg) *term.Term {
	return func(a fence.Arg) *term.Term {
		for i := range bs {
			if bs[i].arg == a {
				return bs[i].term
			}
		}
		return nil
	}
}

// comparedFields are the fields of locked records in a condition.
func comparedFields(t *term.Term, locked func(*term.Term) bool) []string {
	var out []string
	t.Any(func(u *term.Term) bool {
		if u.Kind == term.Field && len(u.Args) > 0 && locked(u.Args[0]) {
			out = append(out, u.Str)
		}
		return false
	})
	return out
}

// sameName reports whether a column is that of a field, by its name or by its tags.
func (j *judge) sameName(column, field string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	if plain(column) == plain(lastPart(field)) || column == j.gormColumn(field) {
		return true
	}
	if e := (entChain{j: j, entity: strings.TrimSuffix(field, "."+lastPart(field))}); column == e.constant("Field"+lastPart(field), "") {
		return true
	}
	for _, tag := range []string{"bun", "pg", "xorm", "boil", "db"} {
		name, _, _ := strings.Cut(j.fieldTag(field, tag), ",")
		if column == name || tag == "xorm" && strings.Contains(name, "'"+column+"'") {
			return true
		}
	}
	return false
}

// recordAdvances tells whether code in sight stores a compared field of a locked record:
// with a record of that type, or in a column of that name.
func (j *judge) recordAdvances(compared *term.Term, locked func(*term.Term) bool) answer {
	fields := comparedFields(compared, locked)
	if len(fields) == 0 {
		return yes // what is compared is a value of the row, whose column is not known
	}
	most := no
	for _, sum := range j.a.Functions() {
		for _, w := range sum.Events {
			if c := j.models.FuncKey(w.Key); w.Kind != flow.Write && w.Kind != flow.Acquire || c == nil || c.Sink == nil {
				continue
			}
			for _, f := range fields {
				if most = max(most, j.storesField(w, f)); most == yes {
					return yes
				}
			}
		}
	}
	return most
}

// storesField tells whether a write stores something else in a field of a record than
// what it holds.
func (j *judge) storesField(w *flow.Event, field string) answer {
	found := no
	for _, s := range j.statements(w) {
		if slices.ContainsFunc(texts(s.stmt), func(t text) bool { return t.none != "" }) {
			found = perhaps
		}
		for _, l := range j.sqlForms(s.stmt, s.args) {
			if slices.ContainsFunc(l.mutation.Set, func(a fence.Assign) bool { return j.sameName(a.Column, field) && !keepsField(a, l.value, field) }) &&
				j.mayWrite(w, l.mutation.Resource, field[:len(field)-len(lastPart(field))-1]) {
				return yes
			}
		}
	}
	return found
}

// keepsField reports whether a column is given what the field of a record holds.
func keepsField(a fence.Assign, value func(fence.Arg) *term.Term, field string) bool {
	in, ok := a.Value.(fence.Input)
	if !ok {
		return false
	}
	t := value(in.Arg)
	return t != nil && unboxed(t).Kind == term.Field && unboxed(t).Str == field
}

// mayWrite reports whether a write to a table may be to that of a type: it is given a
// record of the type, or names a table that may be so called.
func (j *judge) mayWrite(w *flow.Event, table, typ string) bool {
	other := false
	for _, t := range append([]*term.Term{orZero(w.Recv)}, w.Args...) {
		if t.Any(func(u *term.Term) bool {
			if u.Kind != term.Iface && u.Kind != term.Struct {
				return false
			}
			of := strings.TrimLeft(u.Str, "*[]")
			other = other || j.structOf(of) != nil
			return of == typ
		}) {
			return true
		}
	}
	name := snake(lastPart(typ))
	for _, tag := range []string{j.fieldTag(typ+".BaseModel", "bun"), j.fieldTag(typ+".tableName", "pg")} {
		if tag != "" {
			name = strings.TrimPrefix(strings.Split(tag, ",")[0], "table:")
		}
	}
	name = j.tableName(typ, name)
	return !other && (strings.HasSuffix(table, name) || strings.HasSuffix(table, plural(name)))
}

// locksRecord reports whether a value was read by a mapper that locked the row in a
// transaction.
func locksRecord(u, unit *term.Term) bool {
	if u.Kind == term.Call && u.Str == boilPath+".Query.One" && len(u.Args) > 1 { // gives the record
		return unboxed(u.Args[0]).Equal(unit) && u.Args[1].Any(func(m *term.Term) bool {
			return m.Kind == term.Call && strings.HasSuffix(m.Str, "/qm.For") && len(m.Args) == 1 && lockWord(m.Args[0])
		})
	}
	if u.Kind == term.Call && strings.HasPrefix(u.Str, entPath+".Query.") && len(u.Args) > 0 {
		return runner(u).Equal(unit) && u.Args[0].Any(func(s *term.Term) bool {
			return s.Kind == term.Call && (s.Str == entPath+".Query.ForUpdate" || s.Str == entPath+".Query.ForShare")
		})
	}
	if u.Kind != term.Call || u.N < flow.OutParam || len(u.Args) == 0 {
		return false
	}
	chain := unboxed(u.Args[0])
	switch {
	case !runner(chain).Equal(unit):
		return false
	case strings.HasPrefix(u.Str, bunPath+".SelectQuery."), strings.HasPrefix(u.Str, pgPath+"/"):
		return len(u.Args) > 1 && lockWord(u.Args[1])
	case strings.HasPrefix(u.Str, "xorm.io/xorm.Session."):
		return chain.Any(func(s *term.Term) bool {
			return s.Kind == term.Call && strings.HasSuffix(s.Str, "/xorm.Session.ForUpdate")
		})
	case strings.HasPrefix(u.Str, "gorm.io/gorm.DB."):
		return chain.Any(func(s *term.Term) bool {
			return s.Kind == term.Struct && strings.HasSuffix(s.Str, "/clause.Locking") && lockWord(fieldNamed(s, "Strength"))
		})
	}
	return false
}

func lockWord(t *term.Term) bool {
	s, ok := term.StringValue(unboxed(t))
	s = strings.ToUpper(strings.TrimSpace(s))
	return ok && (strings.HasPrefix(s, "UPDATE") || strings.HasPrefix(s, "SHARE") || strings.HasPrefix(s, "NO KEY UPDATE"))
}
