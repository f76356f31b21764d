package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
)

// undone names the rule by which a guard, right by itself, guards nothing: what its
// statement or its arguments do makes a newer owner's epoch go unnoticed.
func (j *judge) undone(p *pair, m *fence.Mutation, v *fence.Verdict, bs []bound) (rule, reason string) {
	if j.gateTakenBack(p, m, v, bs) {
		return "nulladmitted", takenBack
	}
	table := orWord(v.Table, m.Resource)
	if pinned(v) {
		switch j.moved(table, v.Column) {
		case no:
			return "fencenotadvanced", "the epoch is compared with " + v.Column + ", and no code in sight stores a newer one in it"
		case perhaps:
			return "unprovedwrite", "the epoch is compared with " + v.Column + ", and only a statement whose text is not known may store a newer one in it"
		}
	}
	for _, g := range append(fence.Gates(m), m) {
		if g.InsertPath == fence.Open && g.Resource == table {
			if why := j.keyAnew(g, v.Column, bs); why != "" {
				return "staleadmitted", why
			}
		}
	}
	return "", ""
}

// keyAnew says of an upsert that its key is another one for each attempt.
func (j *judge) keyAnew(m *fence.Mutation, column string, bs []bound) string {
	why, some := "", false
	for _, a := range m.InsertRow {
		in, ok := a.Value.(fence.Input)
		i := slices.IndexFunc(bs, func(b bound) bool { return ok && b.arg == in.Arg })
		if i < 0 {
			some = some || a.Column != column && !fence.Anew(a.Value)
			continue
		}
		k := j.stability(bs[i].term)
		if k.is != fleeting {
			some = true
			continue
		}
		if slices.Contains(m.ConflictOn, a.Column) {
			return "the " + a.Column + " by which it finds the row is " + k.why
		}
		why = "the " + orWord(a.Column, "key") + " by which it finds the row is " + k.why
	}
	if some || len(m.InsertRow) == 0 {
		return ""
	}
	return why
}
