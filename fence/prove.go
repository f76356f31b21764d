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
	return p.prove(m)
}

// prover keeps the verdicts on mutations that others depend on.
type prover struct {
	token func(Arg) bool
	done  map[*Mutation]Verdict
}

func (p *prover) prove(m *Mutation) Verdict {
	if v, ok := p.done[m]; ok {
		return v
	}
	p.done[m] = Verdict{Problems: []string{"a write depends on itself"}} // until it is known
	v := proveOwn(m, p.token)
	p.throughGate(&v, m)
	v.finish(m, p.token)
	p.done[m] = v
	return v
}

// finish fills in what does not depend on the fence column.
func (v *Verdict) finish(m *Mutation, token func(Arg) bool) {
	v.Insert = m.InsertPath
	v.stored(m, token)
	v.Monotone = monotone(m)
	v.Cas = casOf(m)
	v.doubt(m)
}

// proveOwn judges m by its own guard and assignments.
func proveOwn(m *Mutation, token func(Arg) bool) Verdict {
	switch m.Kind {
	case Insert, Truncate, DDL:
		return unguarded(m)
	}
	cands := candidates(m, token)
	if len(cands) == 0 {
		v := verdictOf(m, nil, judge(m, Stored{}, false, token), token)
		v.NullRule = "na"
		return v
	}
	var best Verdict
	var rank []int
	many := len(cands) > maxCandidates
	for _, c := range cands[:min(len(cands), maxCandidates)] {
		v := verdictOf(m, c, judge(m, c.ref, true, token), token)
		if r := score(v, c); rank == nil || slices.Compare(r, rank) > 0 ||
			slices.Equal(r, rank) && cmp.Compare(c.ref.Column, best.Column) < 0 {
			best, rank = v, r
		}
	}
	if many {
		best.Problems = append(best.Problems, "the token is compared with too many columns")
	}
	for _, c := range cands[:min(len(cands), maxCandidates)] {
		best.Compared = best.Compared || c.compared
		if c.compared && c.ref.Row != Target {
			best.Others = append(best.Others, OtherGuard{c.ref.Table, c.ref.Column, c.ref.Row == LockedOther})
		}
	}
	return best
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
		v.Shape, v.Advances = "none", "absent"
		v.answers()
		return v
	}
	v.Column, v.Table, v.Ops = c.ref.Column, c.ref.Table, c.ops
	v.GuardArgs = partners(m, c.ref)
	v.shape(m, c, j)
	v.answers()
	if j.payload != 0 {
		v.Payload = Yes
	} else if len(m.Set) > 1 {
		v.Payload = No
	}
	if v.Equal == Admitted {
		v.Replay = replayOf(m, j, c.ref)
	}
	if c.ref.Row == Other {
		v.elsewhere()
	}
	return v
}

// shape says how the verdict comes about.
func (v *Verdict) shape(m *Mutation, c *candidate, j *judgement) {
	refused := v.Less == Never && v.Equal == Never && v.Greater == Never && v.Null == Never
	switch {
	case refused:
		v.Shape = "blocked"
	case c.ref.Row != Target:
		v.Shape = "otherRow"
	case j.byNoOp && v.Less == Never && v.plainlyAdmits(m, j):
		v.Shape = "perColumn"
	case v.Less == Never && v.Greater == Never:
		v.Shape = "equality"
	case c.compared:
		v.Shape = "order"
	default:
		v.Shape = "none"
	}
}

// plainlyAdmits tells whether the guard alone lets a stale write through.
func (v *Verdict) plainlyAdmits(m *Mutation, j *judgement) bool {
	e := j.e
	e.inSet = false
	for _, t := range j.p.lines.tokens() {
		for _, f := range j.p.lines.fences(t) {
			if f <= t {
				continue
			}
			e.f, e.t = val{vInt, f}, val{vInt, t}
			open := false
			e.each(func() { open = open || e.cond(j.p.guard)&(isT|isD) != 0 })
			if open {
				return true
			}
		}
	}
	return false
}

// elsewhere takes a proof back whose fence is a row that another owner may
// change while this statement waits.
func (v *Verdict) elsewhere() {
	v.RejectsStale, v.AdmitsEqual, v.Progress = No, Yes, Yes
	v.NullRule, v.Advances, v.Replay = "na", "absent", nil
}

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
			if slices.ContainsFunc(valueArgs(a.Value), token) && !slices.Contains(v.StoredIn, a.Column) {
				v.StoredIn = append(v.StoredIn, a.Column)
			}
		}
	}
	note(m.Set)
	note(m.InsertRow)
	v.StoredToken = len(v.StoredIn) > 0
	if a := m.Assigned(v.Column); a != nil && v.Table == "" {
		v.SetArgs = valueArgs(a)
	}
}

// doubt applies the problems of the lowering and states the assumptions.
func (v *Verdict) doubt(m *Mutation) {
	for _, p := range m.Problems {
		v.Problems = append(v.Problems, p.Reason)
	}
	v.Assumptions = append(v.Assumptions, m.Notes...)
	if len(v.Problems) > 0 {
		v.Less, v.Equal, v.Greater, v.Null = Undecided, Undecided, Undecided, Undecided
		v.ZeroToken, v.NullToken = Undecided, Undecided
		v.NullRule, v.Replay, v.Witnesses = "", nil, nil
		v.answers()
		return
	}
	if v.RejectsStale == Yes && v.Column != "" {
		v.Assumptions = append(v.Assumptions, "column "+v.Column+" holds integers of at most 64 bits")
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
	v := verdictOf(m, c, judge(m, c.ref, true, token), token)
	v.Compared = c.compared
	v.finish(m, token)
	return v
}
