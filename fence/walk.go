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

// WalkTerm calls visit for x and every term inside it, also those in the
// conditions of a Case.
func WalkTerm(x Term, visit func(Term)) {
	if x == nil {
		return
	}
	visit(x)
	inner := func(t Term) { WalkTerm(t, visit) }
	switch x := x.(type) {
	case Apply:
		for _, a := range x.Args {
			inner(a)
		}
	case Opaque:
		for _, a := range x.Of {
			inner(a)
		}
	case Case:
		for _, a := range x.Arms {
			WalkCond(a.When, nil, inner)
			inner(a.Then)
		}
		inner(x.Else)
	case Bool:
		WalkCond(x.Of, nil, inner)
	}
}

// Args are the arguments that occur in x, each once, in order.
func Args(x Term) []Arg { return addArgs(nil, x) }

func addArgs(out []Arg, x Term) []Arg {
	WalkTerm(x, func(t Term) {
		in, ok := t.(Input)
		if !ok {
			return
		}
		for _, have := range out {
			if have == in.Arg {
				return
			}
		}
		out = append(out, in.Arg)
	})
	return out
}

// valueArgs are the arguments whose value x can have or is computed from, as
// opposed to those that only decide which value it has.
func valueArgs(x Term) []Arg {
	switch x := x.(type) {
	case Case:
		var out []Arg
		for _, a := range x.Arms {
			out = append(out, valueArgs(a.Then)...)
		}
		return append(out, valueArgs(x.Else)...)
	case Bool:
		return nil
	case Apply:
		var out []Arg
		for _, a := range x.Args {
			out = append(out, valueArgs(a)...)
		}
		return out
	}
	return Args(x)
}

// CondArgs are the arguments that occur in x, each once, in order.
func CondArgs(x Cond) []Arg {
	var out []Arg
	WalkCond(x, nil, func(t Term) { out = addArgs(out, t) })
	return out
}
