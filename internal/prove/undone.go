package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
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

// ownRow says of a guard that it names its row by its own process alone, where the lock has
// another name: the next owner compares at a row of its own. That protects no other write.
func (j *judge) ownRow(p *pair, m *fence.Mutation, v *fence.Verdict, bs []bound) string {
	if m.Kind != fence.Update || len(v.Cas) == 0 || len(literalKeys(m.Guard)) > 0 {
		return ""
	}
	why := ""
	for _, c := range v.Cas {
		i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == c.Arg })
		if c.Column == v.Column {
			continue
		}
		if i < 0 || identityIn(bs[i].term) == "" || j.namesLock(p, identityIn(bs[i].term)) {
			return ""
		}
		why = "the statement before it compares at a row that it finds by " + identityIn(bs[i].term) + ", and the next owner at another one"
	}
	return why
}

// namesLock reports whether the lock itself is called by what tells one process from another.
func (j *judge) namesLock(p *pair, source string) bool {
	named := func(t *term.Term) bool { return t != nil && identityIn(t) == source }
	return named(p.acq.Hold.Handle) || named(p.acq.Recv) || slices.ContainsFunc(p.acq.Args, named)
}
