package fence

// env is one sample: the values of fence and token and of every enumerated choice.
type env struct {
	*program
	f, t  val
	picks []val
	rels  []relation
	truth []truth
	odo   []int
	gate  *Mutation // a gate taken to be false, see requires
	newF  vset      // the fence after the assignments seen so far
	after []vset    // columns after the assignments seen so far, in a sequential set
	inSet bool
}

func newEnv(p *program) *env {
	n := len(p.active)
	return &env{program: p, picks: make([]val, n), rels: make([]relation, n), truth: make([]truth, n),
		odo: make([]int, n), after: make([]vset, len(p.cols))}
}

// each calls f for every combination of the enumerated choices.
func (e *env) each(f func()) {
	for i := range e.odo {
		e.odo[i] = 0
		e.pick(i)
	}
	for {
		f()
		i := 0
		for ; i < len(e.odo); i++ {
			if e.odo[i]++; e.odo[i] < e.active[i].size() {
				e.pick(i)
				break
			}
			e.odo[i] = 0
			e.pick(i)
		}
		if i == len(e.odo) {
			return
		}
	}
}

func (e *env) pick(i int) {
	n := e.odo[i]
	switch c := e.active[i]; c.kind {
	case chLeaf:
		e.picks[i] = c.samples[n]
	case chPair:
		e.rels[i] = relation(1) << n
	case chAtom:
		e.truth[i] = truth(1) << n
	}
}

func (e *env) cond(n *cnode) truth {
	switch n.op {
	case cAnd:
		out := isT
		for _, k := range n.kids {
			if out = out.and(e.cond(k)); out == isF || out == isR {
				break
			}
		}
		return out
	case cOr:
		out := isF
		for _, k := range n.kids {
			if out = out.or(e.cond(k)); out == isT || out == isR {
				break
			}
		}
		return out
	case cNot:
		return e.cond(n.kids[0]).not()
	case cIs:
		return e.cond(n.kids[0]).is(n.value)
	case cExists:
		return e.exists(n)
	case cCmp:
		return e.cmp(n)
	case cNull:
		return e.null(n)
	case cNoRow:
		if e.f.k == vNull {
			return isT | isF
		}
		return isF
	case cTruthy:
		return e.truthy(n)
	case cAtom:
		return e.atom(n)
	}
	return isD
}

// exists: perhaps no row is there, so false is always possible.
func (e *env) exists(n *cnode) truth {
	keep := isT | isD | isR
	if n.member {
		keep |= isN | isE
	}
	return e.cond(n.kids[0])&keep | isF
}

func (e *env) atom(n *cnode) truth {
	if n.gate != nil {
		if n.gate == e.gate {
			return isF
		}
		return isT | isF
	}
	if n.choice.slot >= 0 {
		return e.truth[n.choice.slot]
	}
	return openTruth
}

func (e *env) cmp(n *cnode) truth {
	if n.choice != nil && n.choice.forced != 0 {
		return e.ofPair(n, n.choice.forced)
	}
	l, r := e.term(n.l), e.term(n.r)
	if n.choice != nil && n.choice.slot >= 0 && (l.has(vAny) || r.has(vAny)) {
		return e.ofPair(n, e.rels[n.choice.slot])
	}
	var rels relation
	both, oneSide := false, false
	for _, a := range l.v[:l.n] {
		for _, b := range r.v[:r.n] {
			rels |= e.relate(a, b)
			an, bn := a.k == vNull, b.k == vNull
			aMay, bMay := an || a.open(), bn || b.open()
			both = both || aMay && bMay
			oneSide = oneSide || an != bn || a.open() || b.open()
		}
	}
	if n.self {
		rels &= relEQ | relNull | relDark
		oneSide = false
	}
	return e.sem.compare(n.cmp, rels, both, oneSide)
}

// open tells whether a value may be anything.
func (a val) open() bool { return a.k == vAny || a.k == vOld }

func (e *env) ofPair(n *cnode, rels relation) truth {
	op := n.cmp
	if n.flip {
		op = op.flip()
	}
	return e.sem.compare(op, rels, true, true)
}

func (e *env) null(n *cnode) truth {
	var out truth
	v := e.term(n.l)
	for _, x := range v.v[:v.n] {
		switch x.k {
		case vNull:
			out |= isT
		case vAny, vOld:
			out |= isT | isF
		case vDark:
			out |= isD
		default:
			out |= isF
		}
	}
	return out
}

func (e *env) truthy(n *cnode) truth {
	var out truth
	v := e.term(n.l)
	for _, x := range v.v[:v.n] {
		switch x.k {
		case vInt:
			out |= answer(NE, relOf(x.i, 0))
		case vNull:
			out |= e.sem.onNull(EQ, false, true)
		case vDark:
			out |= isD
		case vHalf:
			out |= isT
		case vText, vLit:
			out |= isT | isF
		default:
			out |= openTruth
		}
	}
	return out
}

func (e *env) term(n *tnode) vset {
	switch n.op {
	case tConst:
		return one(vInt, n.i)
	case tNull:
		return one(vNull, 0)
	case tLit:
		return one(vLit, n.i)
	case tFence:
		f := vset{n: 1, v: [4]val{e.f}}
		if e.inSet && e.sequential {
			f = e.newF
		}
		if e.sem == MissingZero && f.is(vNull, 0) {
			return one(vInt, 0)
		}
		return f
	case tToken:
		return vset{n: 1, v: [4]val{e.t}}
	case tFree:
		return e.free(n)
	case tApply:
		return e.apply(n)
	case tCase:
		return e.caseOf(n)
	case tBool:
		return e.boolean(e.cond(n.conds[0]))
	}
	return one(vDark, 0)
}

func (e *env) free(n *tnode) vset {
	if e.inSet && n.col >= 0 {
		return e.after[n.col]
	}
	if n.leaf != nil && n.leaf.slot >= 0 {
		return vset{n: 1, v: [4]val{e.picks[n.leaf.slot]}}
	}
	return one(vAny, 0)
}

func (e *env) boolean(t truth) vset {
	var out vset
	for x := isT; x <= isE; x <<= 1 {
		switch t & x {
		case isT:
			out.add(val{vInt, 1})
		case isF:
			out.add(val{vInt, 0})
		case isN:
			out.add(val{k: vNull})
		case isR, isD, isE:
			out.add(val{k: vDark})
		}
	}
	return out
}

func (e *env) caseOf(n *tnode) vset {
	var out vset
	for i, w := range n.conds {
		t := e.cond(w)
		if t&(isD|isR) != 0 {
			return one(vDark, 0)
		}
		if t&isT != 0 {
			out.union(e.term(n.kids[i]))
		}
		if t&(isF|isN|isE) == 0 {
			return out
		}
	}
	out.union(e.term(n.kids[len(n.kids)-1]))
	return out
}
