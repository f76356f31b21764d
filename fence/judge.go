package fence

import "slices"

// class is an order of token and fence.
type class uint8

const (
	less class = iota
	equal
	greater
	absent
	zeroToken
	nullToken
	classes
)

var classNames = [classes]string{"t<f", "t=f", "t>f", "f null", "t=0", "t null"}

// judgement is what sampling one candidate found.
type judgement struct {
	p       *program
	e       *env
	kind    Kind
	isSet   bool // the fence is assigned
	met     bool // changes do not count
	outcome [classes]truth
	open    [classes]truth // outcomes of the guard alone
	payload truth
	adv     advance
	witness [classes]*Witness
}

// maxSteps bounds the work on one candidate.
const maxSteps = 4_000_000

// judge evaluates m at every sample, with ref as the fence. With met, a write that
// leaves its row as it is is accepted too.
func judge(m *Mutation, ref Stored, has bool, token func(Arg) bool, met bool) *judgement {
	p := compile(m, ref, has, token)
	j := &judgement{p: p, e: newEnv(p), kind: m.Kind, met: met}
	for _, s := range p.set {
		j.isSet = j.isSet || s.col < 0
	}
	combos := 1
	for _, c := range p.active {
		combos *= c.size()
	}
	ts := p.lines.tokens()
	if len(ts)*30*combos*p.steps > maxSteps { // leave the repeated choices open
		for _, c := range p.active {
			c.slot = -1
		}
		p.active, combos = nil, 1
		j.e = newEnv(p)
	}
	if p.tooBig || p.lines.tooMany() || len(ts)*30*combos*p.steps > maxSteps {
		p.tooBig = true
		for c := range j.outcome {
			j.outcome[c], j.open[c] = isD, isD
		}
		return j
	}
	for _, t := range ts {
		for _, f := range p.lines.fences(t) {
			j.at(order(t, f), val{vInt, f}, val{vInt, t})
		}
		j.at(absent, val{k: vNull}, val{vInt, t})
	}
	if j.onlyEqual() { // a write that changes nothing is still accepted
		j.outcome[equal] |= j.open[equal]
	}
	for _, f := range p.lines.fences(smallToken) {
		if f > 0 {
			j.at(zeroToken, val{vInt, f}, val{vInt, 0})
			j.at(zeroToken, val{vInt, f}, val{vInt, -1})
			j.at(nullToken, val{vInt, f}, val{k: vNull})
		}
	}
	return j
}

// hasPayload tells whether a column beside the fence is assigned.
func (j *judgement) hasPayload() bool {
	return slices.ContainsFunc(j.p.set, func(s setNode) bool { return s.col >= 0 })
}

// onlyEqual tells whether the guard is open only where fence and token are equal.
func (j *judgement) onlyEqual() bool {
	return j.open[less] == 0 && j.open[greater] == 0 && j.open[absent] == 0 && j.open[equal] != 0
}

func order(t, f int64) class {
	switch {
	case t < f:
		return less
	case t > f:
		return greater
	}
	return equal
}

// at evaluates one sample.
func (j *judgement) at(c class, f, t val) {
	e := j.e
	e.f, e.t = f, t
	e.each(func() {
		e.inSet = false
		g := e.cond(j.p.guard) & (isT | isD)
		j.open[c] |= g
		if g == 0 {
			return
		}
		changed, payload := j.effects()
		got := g
		switch {
		case j.met:
		case changed == 0:
			return
		case changed&isT == 0:
			got = isD
		}
		j.outcome[c] |= got
		if c == greater {
			j.payload |= payload
		}
		if c <= absent {
			j.adv.note(e.newF, f, t)
		}
		if got&isT != 0 && j.witness[c] == nil {
			j.witness[c] = &Witness{classNames[c], f.i, t.i, f.k == vNull, t.k == vNull}
		}
	})
}

// effects evaluates the assignments. The first result says whether the row
// can change (isT), perhaps (isD), or not at all (0); the second the same of
// the columns beside the fence.
func (j *judgement) effects() (changed, payload truth) {
	e := j.e
	e.newF = vset{n: 1, v: [4]val{e.f}}
	if len(j.p.set) == 0 {
		return isT, 0
	}
	for i := range e.after {
		e.after[i] = one(vOld, int64(i))
	}
	e.inSet = true
	newF := e.newF
	for _, s := range j.p.set {
		if s.col >= 0 && payload != 0 && !e.sequential {
			continue // that one of them changes is all that is asked
		}
		v := e.term(s.value)
		if s.col < 0 {
			newF = v
			if e.sequential {
				e.newF = v
			}
			continue
		}
		if e.sequential {
			e.after[s.col] = v
		}
		if !v.is(vOld, int64(s.col)) {
			payload |= isT
		}
	}
	e.newF = newF
	changed = payload
	if !e.newF.is(e.f.k, e.f.i) {
		changed |= isT
		if e.newF.has(vDark) && payload == 0 {
			changed = isD
		}
	}
	return changed, payload
}

// advance collects what the new fence is where the write is accepted.
type advance struct {
	raised, kept, fell, other, dark bool
	// below: it fell, or was cleared, although the token is not below it.
	below bool
}

func (a *advance) note(n vset, f, t val) {
	for _, v := range n.v[:n.n] {
		cleared := v.k == vNull || v.k == vInt && v.i < f.i
		a.below = a.below || cleared && f.k == vInt && (t.k != vInt || t.i >= f.i)
		switch {
		case v.k == vDark:
			a.dark = true
		case v.k != vInt, f.k != vInt && v != t:
			a.other = true
		case f.k != vInt:
			a.raised = true
		case v.i < f.i:
			a.fell = true
		case v.i == f.i && t.i > f.i:
			a.kept = true
		case v.i != max(f.i, t.i):
			a.other = true
		case t.i > f.i:
			a.raised = true
		}
	}
}

// word is the Advances field of a verdict.
func (j *judgement) word() string {
	a := j.adv
	switch {
	case j.kind == Delete || j.kind == Truncate:
		return "na"
	case !j.isSet:
		return "absent"
	case a.dark:
		return "unknown"
	case a.fell:
		return "regress"
	case a.other, a.kept && a.raised:
		return "other"
	case a.kept:
		return "keeps"
	}
	return "yes"
}
