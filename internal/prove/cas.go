package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// casVerdict judges a compare-and-set: it prevents lost updates, and admits an
// obsolete owner that reads again. What it is good for depends on the contract.
func (j *judge) casVerdict(p *pair, d decision, reread bool) decision {
	d.guard = "cas"
	if reread {
		d.guard = "cas-reread"
	}
	if heard, how := j.heard(p); !heard {
		d.verdict, d.rule, d.reason = refuted, "rejectionignored", how
		return d
	}
	if p.class().Contract != "cas" {
		if f, ok := j.casFence(p, d); ok {
			return f
		}
	}
	return casWorth(p.class().Contract, d, reread)
}

// casWorth is what a compare-and-set is worth under a contract, if its refusal is
// heard.
func casWorth(contract string, d decision, reread bool) decision {
	switch {
	case contract == "cas" && !reread:
		d.verdict, d.guarded, d.reason = proved, true, "the version that the decision rests on is compared in the write"
	case contract == "cas":
		d.verdict, d.rule, d.reason = refuted, "casnotfence", "the version is read again just before the write, so it says nothing about what the decision rests on"
	case contract == "fence":
		d.verdict, d.rule, d.reason = refuted, "casnotfence", "a version is compared, and an obsolete owner that reads after its successor has the newest one"
	default:
		d.verdict, d.guarded, d.reason = unproved, true, "no update is lost, but an obsolete owner that reads again is admitted"
	}
	return d
}

// sqlCas finds a column that the statement compares with a value read before, and moves.
func (j *judge) sqlCas(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	v := j.proveAlone(m)
	for _, c := range v.Cas {
		if !c.Moved {
			continue
		}
		i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == c.Arg })
		if i < 0 || !bs[i].isVersion() {
			continue
		}
		d := decision{column: c.Column}
		if bs[i].unread() && p.class().Contract == "cas" {
			d.verdict, d.rule, d.guard, d.reason = refuted, "zerotoken", "cas", "on one path the version is never read"
			return d, true
		}
		return j.casVerdict(p, d, readAgain(bs, i)), true
	}
	return decision{}, false
}

// versionLike reports whether a value may be a version that was read before, by this code, by
// its caller or by who sends the request.
func versionLike(c class) bool {
	return c == stored || c == handedIn || c == untrusted || c == unknownFrom
}

// isVersion reports whether a value was read before. What a read leaves that failed is
// beside it where the error is returned together with it.
func (b *bound) isVersion() bool {
	read := slices.ContainsFunc(b.origins, func(o origin) bool { return versionLike(o.class) })
	return read && !slices.ContainsFunc(b.origins, func(o origin) bool { return !versionLike(o.class) && o.class != zero })
}

// unread reports whether a value can be a variable that nothing was read into.
func (b *bound) unread() bool {
	return slices.ContainsFunc(b.origins, func(o origin) bool { return o.class == zero && o.reason == neverSet })
}

// neverSet is why a variable is zero that no code has given a value; a constant is chosen.
const neverSet = "it is never set"

// readAgain reports whether the version comes from another read than the data that
// is written with it.
func readAgain(bs []bound, version int) bool {
	rows := rowsIn(bs[version].term)
	if len(rows) == 0 {
		return false
	}
	other := false
	for i := range bs {
		if i == version {
			continue
		}
		for _, r := range rowsIn(bs[i].term) {
			if slices.Contains(rows, r) {
				return false
			}
			other = true
		}
	}
	return other
}

// rowsIn lists the keys of the rows that a value was scanned from.
func rowsIn(t *term.Term) []string {
	var out []string
	t.Any(func(u *term.Term) bool {
		if u.Kind == term.Call && u.N >= flow.OutParam && len(u.Args) > 0 {
			out = append(out, u.Args[0].Key())
		}
		return false
	})
	return out
}
