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
		return decision{verdict: proved, guard: "fence", guarded: true,
			reason: "the row with the epoch is locked and compared in the same transaction"}, true
	}
	return decision{}, false
}

// lowersRecord reports whether a write stores in a compared field of a locked record what
// is not the epoch of this lock.
func (j *judge) lowersRecord(p *pair, m *fence.Mutation, compared *term.Term, locked func(*term.Term) bool, bs []bound) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	return compared.Any(func(u *term.Term) bool {
		return u.Kind == term.Field && len(u.Args) > 0 && locked(u.Args[0]) && slices.ContainsFunc(m.Set, func(a fence.Assign) bool {
			return plain(a.Column) == plain(lastPart(u.Str)) && j.resets(p, m, &fence.Mutation{Resource: m.Resource}, a.Column, bs)
		})
	})
}

// locksRecord reports whether a value was read by a mapper that locked the row in a
// transaction.
func locksRecord(u, unit *term.Term) bool {
	if u.Kind == term.Call && u.Str == boilPath+".Query.One" && len(u.Args) > 1 { // gives the record
		return unboxed(u.Args[0]).Equal(unit) && u.Args[1].Any(func(m *term.Term) bool {
			return m.Kind == term.Call && strings.HasSuffix(m.Str, "/qm.For") && len(m.Args) == 1 && lockWord(m.Args[0])
		})
	}
	if u.Kind != term.Call || u.N < flow.OutParam || len(u.Args) == 0 {
		return false
	}
	chain := unboxed(u.Args[0])
	switch {
	case !runner(chain).Equal(unit):
		return false
	case strings.HasPrefix(u.Str, bunPath+".SelectQuery."):
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
	return ok && !strings.Contains(s, "SKIP") && (strings.HasPrefix(s, "UPDATE") || strings.HasPrefix(s, "SHARE") || strings.HasPrefix(s, "NO KEY UPDATE"))
}
