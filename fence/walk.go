package fence

// WalkCond calls cond for every condition in x and term for every outermost
// term, in order. Both may be nil.
func WalkCond(x Cond, cond func(Cond), term func(Term)) {
	if x == nil {
		return
	}
	if cond != nil {
		cond(x)
	}
	terms := func(ts ...Term) {
		if term != nil {
			for _, t := range ts {
				term(t)
			}
		}
	}
	switch x := x.(type) {
	case And:
		for _, k := range x.Of {
			WalkCond(k, cond, term)
		}
	case Or:
		for _, k := range x.Of {
			WalkCond(k, cond, term)
		}
	case Not:
		WalkCond(x.Of, cond, term)
	case Is:
		WalkCond(x.Of, cond, term)
	case Exists:
		WalkCond(x.Of, cond, term)
	case Cmp:
		terms(x.L, x.R)
	case IsNull:
		terms(x.Of)
	case Truthy:
		terms(x.Of)
	case Atom:
		terms(x.Of...)
	}
}

// WalkConds calls visit for every condition in x, also those that decide which value a
// term has, such as that of a subquery.
func WalkConds(x Cond, visit func(Cond)) { visitor{cond: visit}.inCond(x) }

// WalkTerm calls visit for x and every term inside it, also those in the
// conditions of a Case.
func WalkTerm(x Term, visit func(Term)) { visitor{term: visit}.inTerm(x) }

// visitor visits everything in a condition or term once, from the outside in.
type visitor struct {
	cond func(Cond) // may be nil
	term func(Term) // may be nil
}

func (v visitor) inCond(x Cond) {
	WalkCond(x, v.cond, v.inTerm)
}

func (v visitor) inTerm(x Term) {
	if x == nil {
		return
	}
	if v.term != nil {
		v.term(x)
	}
	switch x := x.(type) {
	case Apply:
		for _, a := range x.Args {
			v.inTerm(a)
		}
	case Opaque:
		for _, a := range x.Of {
			v.inTerm(a)
		}
	case Case:
		for _, a := range x.Arms {
			v.inCond(a.When)
			v.inTerm(a.Then)
		}
		v.inTerm(x.Else)
	case Bool:
		v.inCond(x.Of)
	}
}

// inMutation visits the guard and the values assigned.
func (v visitor) inMutation(m *Mutation) {
	v.inCond(m.Guard)
	for _, a := range m.Set {
		v.inTerm(a.Value)
	}
}

// Args are the arguments that occur in x, each once, in order.
func Args(x Term) []Arg {
	var s argSet
	s.addTerm(x)
	return s.list
}

// argSet keeps arguments in the order of their first occurrence.
type argSet struct {
	list []Arg
	seen map[Arg]bool
}

func (s *argSet) add(a Arg) {
	if s.seen[a] {
		return
	}
	if s.seen == nil {
		s.seen = make(map[Arg]bool)
	}
	s.seen[a] = true
	s.list = append(s.list, a)
}

func (s *argSet) addTerm(x Term) {
	WalkTerm(x, func(t Term) {
		if in, ok := t.(Input); ok {
			s.add(in.Arg)
		}
	})
}

// valueArgs are the arguments whose value x can have or is computed from, as
// opposed to those that only decide which value it has.
func valueArgs(x Term) []Arg {
	var s argSet
	s.addValue(x)
	return s.list
}

func (s *argSet) addValue(x Term) {
	walkValue(x, func(t Term) {
		if in, ok := t.(Input); ok {
			s.add(in.Arg)
		}
	})
}

// walkValue visits the terms that the value of x is computed from, without
// the conditions that choose among them.
func walkValue(x Term, visit func(Term)) {
	switch x := x.(type) {
	case nil, Bool:
	case Case:
		for _, a := range x.Arms {
			walkValue(a.Then, visit)
		}
		walkValue(x.Else, visit)
	case Apply:
		for _, a := range x.Args {
			walkValue(a, visit)
		}
	default:
		WalkTerm(x, visit)
	}
}

// CondArgs are the arguments that occur in x, each once, in order.
func CondArgs(x Cond) []Arg {
	var s argSet
	WalkCond(x, nil, s.addTerm)
	return s.list
}
