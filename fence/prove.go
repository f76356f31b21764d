package fence

import (
	"cmp"
	"slices"
)

// Prove evaluates m for every order of the stored fence and the token. token
// says which arguments carry the token; nil means none does. Of several
// columns that could be the fence it judges each and keeps the best.
func Prove(m *Mutation, token func(Arg) bool) Verdict {
	if token == nil {
		token = func(Arg) bool { return false }
	}
	p := prover{token, make(map[*Mutation]Verdict)}
	v := proveOwn(m, token, false)
	p.throughGate(&v, m)
	v.finish(m, token)
	return v
}

// prover keeps the verdicts on mutations that others depend on.
type prover struct {
	token func(Arg) bool
	done  map[*Mutation]Verdict
}

// met is the verdict on whether m meets its row, changed or not.
func (p *prover) met(m *Mutation) Verdict {
	if v, ok := p.done[m]; ok {
		return v
	}
	p.done[m] = Verdict{Problems: []string{"a write depends on itself"}} // until it is known
	v := proveOwn(m, p.token, true)
	p.throughGate(&v, m)
	v.finish(m, p.token)
	p.done[m] = v
	return v
}

// finish fills in what does not depend on the fence column.
func (v *Verdict) finish(m *Mutation, token func(Arg) bool) {
	if v.Shape != "cte" || m.InsertPath != Closed {
		v.Insert = m.InsertPath // else that of the write it depends on
	}
	v.stored(m, token)
	v.Monotone = monotone(m)
	v.Cas = casOf(m)
	v.doubt(m, token)
}

// proveOwn judges m by its own guard and assignments; with met, by the guard alone.
func proveOwn(m *Mutation, token func(Arg) bool, met bool) Verdict {
	switch m.Kind {
	case Insert:
		return insertion(m, token, met)
	case Truncate, DDL:
		return unguarded(m)
	}
	cands := candidates(m, token)
	if len(cands) == 0 {
		v := verdictOf(m, nil, judge(m, Stored{}, false, token, met), token)
		v.NullRule = "na"
		return v
	}
	var best Verdict
	var rank []int
	var others []OtherGuard
	compared := false
	many := len(cands) > maxCandidates
	for _, c := range cands[:min(len(cands), maxCandidates)] {
		v := verdictOf(m, c, judge(m, c.ref, true, token, met), token)
		compared = compared || c.compared
		if c.compared && c.ref.Row != Target && c.ref.Table != Ambiguous {
			others = append(others, otherGuard(c, &v))
		}
		if r := score(v, c); rank == nil || slices.Compare(r, rank) > 0 ||
			slices.Equal(r, rank) && cmp.Compare(c.ref.Column, best.Column) < 0 {
			best, rank = v, r
		}
	}
	if many {
		best.Problems = append(best.Problems, "the token is compared with too many columns")
	}
	best.Compared = best.Compared || compared
	best.Others = append(best.Others, others...)
	return best
}

func otherGuard(c *candidate, v *Verdict) OtherGuard {
	return OtherGuard{c.ref.Table, c.ref.Column, c.ref.Row == LockedOther, v.RejectsStale, v.Greater == Never}
}

// insertion is the verdict on a plain insert: only a condition on rows of
// another table, locked by the statement, can refuse it.
func insertion(m *Mutation, token func(Arg) bool, met bool) Verdict {
	out := unguarded(m)
	for _, c := range candidates(m, token) {
		if !c.compared || c.ref.Row == Target {
			continue
		}
		v := verdictOf(m, c, judge(m, c.ref, true, token, met), token)
		out.Others = append(out.Others, otherGuard(c, &v))
		if c.ref.Row == LockedOther && v.RejectsStale == Yes && out.RejectsStale != Yes {
			v.Others = out.Others
			out = v
		}
		out.Compared = true
	}
	return out
}

// maxCandidates bounds the columns that are judged.
const maxCandidates = 16

// unguarded is the verdict on a write that no condition can refuse.
func unguarded(m *Mutation) Verdict {
	v := Verdict{Less: Admitted, Equal: Admitted, Greater: Admitted, Null: Admitted,
		ZeroToken: Admitted, NullToken: Admitted, NullRule: "bypasses", Advances: "absent", Shape: "none"}
	if m.Kind == Insert {
		v.Shape = "insertOnly"
	}
	v.answers()
	return v
}

// score orders candidates: what rejects stale owners, the row written before
// others, ordered before equal before merely assigned, what advances.
func score(v Verdict, c *candidate) []int {
	b := func(ok bool) int {
		if ok {
			return 1
		}
		return 0
	}
	stale := [...]int{Unknown: 1, Yes: 2, No: 0}[v.RejectsStale]
	return []int{stale, 2 - int(c.ref.Row), b(c.compared) + b(c.ordered()), b(v.Advances == "yes"), b(v.Progress == Yes)}
}

// verdictOf reads a judgement; c is nil if no column can be the fence.
func verdictOf(m *Mutation, c *candidate, j *judgement, token func(Arg) bool) Verdict {
	v := Verdict{Less: j.outcome[less].admission(), Equal: j.outcome[equal].admission(),
		Greater: j.outcome[greater].admission(), Null: j.outcome[absent].admission(),
		Again:     j.open[equal].admission(),
		ZeroToken: j.outcome[zeroToken].admission(), NullToken: j.outcome[nullToken].admission(),
		Advances: j.word()}
	for _, w := range j.witness {
		if w != nil {
			v.Witnesses = append(v.Witnesses, *w)
		}
	}
	if j.p.tooBig {
		v.Problems = append(v.Problems, "condition has too many cases")
	}
	v.casts(j.p.casts)
	if c == nil {
		v.Shape = "none"
		if v.Advances != "na" {
			v.Advances = "absent"
		}
		v.answers()
		return v
	}
	v.Column, v.Table, v.Ops = c.ref.Column, c.ref.Table, c.ops
	v.GuardArgs = partners(m, c.ref)
	v.shape(m, c, j)
	v.answers()
	switch {
	case v.Greater == Never || !j.hasPayload():
	case j.payload != 0:
		v.Payload = Yes
	default:
		v.Payload = No
	}
	if v.Equal == Admitted {
		v.Replay = replayOf(m, j, c.ref)
	}
	switch {
	case c.ref.Table == Ambiguous:
		v.Problems = append(v.Problems, "column "+c.ref.Column+" could be of several tables")
		v.RejectsStale = Unknown
	case c.ref.Row == Other:
		v.elsewhere()
	default:
		if by := chosenBy(m.Guard, c.ref, token); by != "" && v.RejectsStale == Yes {
			v.apart("the row is chosen by the epoch, in " + by + ": each owner meets a row of its own")
		}
	}
	return v
}

// shape says how the verdict comes about. An update that compares nothing is judged by
// its order all the same: it lets every one through.
func (v *Verdict) shape(m *Mutation, c *candidate, j *judgement) {
	switch {
	case j.open[less]|j.open[equal]|j.open[greater]|j.open[absent] == 0:
		v.Shape = "blocked"
	case c.ref.Row != Target:
		v.Shape = "otherRow"
	case v.Less == Never && j.open[less] != 0:
		v.Shape, v.Unseen = "perColumn", true
	case j.onlyEqual():
		v.Shape = "equality"
	case c.compared, m.Kind == Update:
		v.Shape = "order"
	default:
		v.Shape = "none"
	}
}

// elsewhere takes a proof back whose fence is a row that another owner may
// change while this statement waits.
func (v *Verdict) elsewhere() {
	v.RejectsStale, v.AdmitsEqual, v.Progress = No, Yes, Yes
	v.NullRule, v.Advances, v.Replay = "na", "absent", nil
}

// apart notes that two owners may meet different rows.
func (v *Verdict) apart(why string) { v.RejectsStale, v.Apart = No, why }

// answers derives the summary fields from the admissions.
func (v *Verdict) answers() {
	v.RejectsStale = [...]Tri{Undecided: Unknown, Never: Yes, Admitted: No}[v.Less]
	v.AdmitsEqual, v.Progress = v.Equal.tri(), v.Greater.tri()
	if v.NullRule == "" {
		v.NullRule = [...]string{Undecided: "unknown", Never: "blocks", Admitted: "bypasses"}[v.Null]
	}
}

func (v *Verdict) casts(seen map[Fn]bool) {
	for _, c := range []struct {
		fn   Fn
		word string
	}{{CastText, "text"}, {CastFloat, "float"}, {CastNarrow, "narrow"}} {
		if seen[c.fn] {
			v.Casts = append(v.Casts, c.word)
		}
	}
	if (seen[CastFloat] || seen[CastNarrow]) && v.Less == Never {
		v.Less = Undecided
	}
}

// stored notes where the token goes.
func (v *Verdict) stored(m *Mutation, token func(Arg) bool) {
	note := func(as []Assign) {
		for _, a := range as {
			if !slices.ContainsFunc(valueArgs(a.Value), token) {
				continue
			}
			v.StoredToken = true
			if a.Column != "" && !slices.Contains(v.StoredIn, a.Column) {
				v.StoredIn = append(v.StoredIn, a.Column)
			}
		}
	}
	note(m.Set)
	note(m.InsertRow)
	if a := m.Assigned(v.Column); a != nil && v.Table == "" {
		v.SetArgs = valueArgs(a)
	}
}

// doubt applies the problems of the lowering and states the assumptions.
func (v *Verdict) doubt(m *Mutation, token func(Arg) bool) {
	for _, p := range m.Problems {
		v.Problems = append(v.Problems, p.Reason)
	}
	v.Assumptions = append(v.Assumptions, m.Notes...)
	if len(v.Problems) > 0 {
		v.Less, v.Equal, v.Greater, v.Null = Undecided, Undecided, Undecided, Undecided
		v.ZeroToken, v.NullToken = Undecided, Undecided
		v.NullRule, v.Replay, v.Witnesses, v.Payload = "", nil, nil, Unknown
		v.answers()
		return
	}
	if v.RejectsStale == Yes && v.Column != "" {
		v.Assumptions = append(v.Assumptions, "column "+v.Column+" holds integers of at most 64 bits")
	}
	if v.RejectsStale == Yes && v.Table == "" {
		why, unknown := apartByKey(m, v.Column, token)
		switch {
		case why != "":
			v.apart(why)
		case unknown != "":
			v.Problems = append(v.Problems, unknown)
			v.RejectsStale = Unknown
		}
	}
	if v.RejectsStale == Yes && m.InsertPath == Open {
		v.Assumptions = append(v.Assumptions, "the conflict key is unique and its rows are never deleted")
	}
}

// ProveColumn evaluates m with the given column of its own row as the fence,
// whatever else the token is compared with.
func ProveColumn(m *Mutation, column string, token func(Arg) bool) Verdict {
	c := &candidate{ref: Stored{Column: column}}
	for _, have := range candidates(m, token) {
		if have.ref == c.ref {
			c = have
		}
	}
	v := verdictOf(m, c, judge(m, c.ref, true, token, false), token)
	v.Compared = c.compared
	v.finish(m, token)
	return v
}
