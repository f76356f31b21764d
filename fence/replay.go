package fence

// maxDemands bounds the nodes evaluated in search of what a guard demands.
const maxDemands = 100_000

// demands evaluates the guard with one pair of values held in each relation
// and returns the relations under which it can be true. Samples are those
// of the class where token and fence are equal if eq is set, else one.
func demands(j *env, ch *choice, eq bool) relation {
	var out relation
	for r := relLT; r <= relNull; r <<= 1 {
		ch.forced = r
		if j.opens(eq) {
			out |= r
		}
	}
	ch.forced = 0
	return out
}

func (e *env) opens(eq bool) bool {
	open := false
	e.inSet = false
	ts := []int64{smallToken}
	if eq {
		ts = e.lines.tokens()
	}
	for _, t := range ts {
		e.f, e.t = val{vInt, t}, val{vInt, t}
		e.each(func() { open = open || e.cond(e.guard)&(isT|isD) != 0 })
	}
	return open
}

// storedSide returns the target's column of a pair and the other value; the
// relation is read with the column on the left if flip is false.
func storedSide(ch *choice) (s Stored, other Term, flip, ok bool) {
	if s, ok = ch.l.(Stored); ok && s.Row == Target {
		return s, ch.r, false, true
	}
	s, ok = ch.r.(Stored)
	return s, ch.l, true, ok && s.Row == Target
}

func (r relation) mirror() relation {
	out := r & (relEQ | relNull | relDark)
	if r&relLT != 0 {
		out |= relGT
	}
	if r&relGT != 0 {
		out |= relLT
	}
	return out
}

// replayOf finds the rule by which the guard refuses a second write under the
// same epoch: a sequence that must rise, or a value that the write moves.
func replayOf(m *Mutation, j *judgement, ref Stored) *Replay {
	work := 0
	for _, ch := range j.p.choices {
		if ch.kind != chPair {
			continue
		}
		s, other, flip, ok := storedSide(ch)
		if !ok || s == ref {
			continue
		}
		if work += j.p.steps; work > maxDemands {
			return nil
		}
		r := demands(j.e, ch, true)
		if flip {
			r = r.mirror()
		}
		set := m.Assigned(s.Column)
		switch {
		case r == relLT && set != nil && sameTerm(set, other):
			return &Replay{"sequence", s.Column, other}
		case r == relEQ && moves(set, s, other):
			return &Replay{"cas", s.Column, other}
		}
	}
	return nil
}

// moves tells whether the assignment gives the column another value than the
// one it was compared with.
func moves(set Term, s Stored, with Term) bool {
	return set != nil && !sameTerm(set, s) && !sameTerm(set, with)
}

func sameTerm(a, b Term) bool {
	c := &compiler{program: &program{}, token: func(Arg) bool { return false }}
	return c.key(a) == c.key(b)
}

// casOf lists the equalities with an argument that the guard demands.
func casOf(m *Mutation) []Cas {
	if m.Guard == nil {
		return nil
	}
	p := compile(m, Stored{}, false, func(Arg) bool { return false })
	e := newEnv(p)
	var out []Cas
	work := 0
	for _, ch := range p.choices {
		if ch.kind != chPair {
			continue
		}
		s, other, _, ok := storedSide(ch)
		in, isArg := other.(Input)
		if work += p.steps; work > maxDemands {
			return out
		}
		if !ok || !isArg || !m.demandsEqual(demands(e, ch, false), s) {
			continue
		}
		out = append(out, Cas{s.Column, in.Arg, moves(m.Assigned(s.Column), s, other)})
	}
	return out
}

// demandsEqual reports whether relations leave only that a column is equal to what it is
// compared with. Where an absent value is equal to an absent one, both may be absent.
func (m *Mutation) demandsEqual(r relation, s Stored) bool {
	if r != relEQ|relNull || m.Semantics != MissingMongo && m.Semantics != MissingRaises {
		return r == relEQ
	}
	asked := false
	WalkCond(m.Guard, func(c Cond) {
		n, ok := c.(IsNull)
		asked = asked || ok && sameTerm(n.Of, s)
	}, func(Term) {})
	return !asked
}

// monotone tells whether doing m again, late, or twice leaves the same row:
// every assignment is a constant, or a maximum or minimum with the old value.
func monotone(m *Mutation) bool {
	if len(m.Set) == 0 || m.InsertPath == Only {
		return false
	}
	var grow, shrink, fixed bool
	for _, a := range m.Set {
		switch v := a.Value.(type) {
		case Const, Lit:
			fixed = true
		case Apply:
			old := false
			for _, x := range v.Args {
				old = old || x == Term(Stored{Column: a.Column})
			}
			switch {
			case old && (v.Fn == Greatest || v.Fn == GreatestNull):
				grow = true
			case old && (v.Fn == Least || v.Fn == LeastNull):
				shrink = true
			default:
				return false
			}
		default:
			return false
		}
	}
	return grow || shrink || fixed
}
