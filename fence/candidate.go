package fence

import "slices"

// candidate is a column that may be the fence.
type candidate struct {
	ref      Stored
	compared bool
	ops      []Op // between the column on the left and the token
	set      bool // assigned from the token
}

func (c *candidate) ordered() bool { return slices.ContainsFunc(c.ops, Op.Ordered) }

// candidates are the columns that share a comparison with the token, in the
// guard or in a condition of the assignments, and those assigned from it.
func candidates(m *Mutation, token func(Arg) bool) []*candidate {
	f := &finder{token: token}
	f.cond(m.Guard)
	for _, a := range m.Set {
		f.term(a.Value)
		if slices.ContainsFunc(valueArgs(a.Value), token) {
			f.get(Stored{Column: a.Column}).set = true
		}
	}
	return f.found
}

type finder struct {
	token func(Arg) bool
	found []*candidate
}

func (f *finder) get(ref Stored) *candidate {
	for _, c := range f.found {
		if c.ref == ref {
			return c
		}
	}
	c := &candidate{ref: ref}
	f.found = append(f.found, c)
	return c
}

// cond visits the comparisons in x, also those inside values.
func (f *finder) cond(x Cond) {
	WalkCond(x, func(k Cond) {
		switch k := k.(type) {
		case Cmp:
			f.compare(k)
		case Atom:
			f.share(k.Of)
		}
	}, f.term)
}

func (f *finder) term(x Term) {
	WalkTerm(x, func(t Term) {
		switch t := t.(type) {
		case Case:
			for _, arm := range t.Arms {
				f.cond(arm.When)
			}
		case Bool:
			f.cond(t.Of)
		case Apply:
			if t.Fn == NullIf {
				f.share(t.Args)
			}
		}
	})
}

func (f *finder) hasToken(x Term) bool {
	return slices.ContainsFunc(Args(x), f.token)
}

func (f *finder) compare(x Cmp) {
	l, r := f.hasToken(x.L), f.hasToken(x.R)
	if r {
		f.mark(x.L, x.Op)
	}
	if l {
		f.mark(x.R, x.Op.flip())
	}
	if l {
		f.mark(x.L, x.Op)
	}
	if r {
		f.mark(x.R, x.Op.flip())
	}
}

// mark makes the columns in x candidates, compared with the token by op.
func (f *finder) mark(x Term, op Op) {
	WalkTerm(x, func(t Term) {
		if s, ok := t.(Stored); ok {
			c := f.get(s)
			c.compared = true
			if !slices.Contains(c.ops, op) {
				c.ops = append(c.ops, op)
			}
		}
	})
}

func (f *finder) share(terms []Term) {
	if !slices.ContainsFunc(terms, f.hasToken) {
		return
	}
	for _, x := range terms {
		WalkTerm(x, func(t Term) {
			if s, ok := t.(Stored); ok {
				f.get(s).compared = true
			}
		})
	}
}

// partners are the arguments that the column shares a comparison with, tokens or not.
func partners(m *Mutation, ref Stored) []Arg {
	var out []Arg
	holds := func(x Term) bool {
		found := false
		WalkTerm(x, func(t Term) { found = found || t == Term(ref) })
		return found
	}
	eachCond(m, func(k Cond) {
		if cmp, ok := k.(Cmp); ok && (holds(cmp.L) || holds(cmp.R)) {
			out = addArgs(addArgs(out, cmp.L), cmp.R)
		}
	})
	return out
}

// eachCond visits every condition of m, also those inside values.
func eachCond(m *Mutation, visit func(Cond)) {
	var term func(Term)
	cond := func(x Cond) { WalkCond(x, visit, term) }
	term = func(x Term) {
		WalkTerm(x, func(t Term) {
			switch t := t.(type) {
			case Case:
				for _, arm := range t.Arms {
					cond(arm.When)
				}
			case Bool:
				cond(t.Of)
			}
		})
	}
	cond(m.Guard)
	for _, a := range m.Set {
		term(a.Value)
	}
}
