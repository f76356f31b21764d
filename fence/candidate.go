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
	visitor{f.cond, f.guardTerm}.inCond(m.Guard)
	for _, a := range m.Set {
		visitor{f.cond, f.term}.inTerm(a.Value)
		if a.Column != "" && slices.ContainsFunc(valueArgs(a.Value), token) {
			f.get(Stored{Column: a.Column}).set = true
		}
	}
	return f.found
}

type finder struct {
	token func(Arg) bool
	found []*candidate
	index map[Stored]*candidate
}

func (f *finder) get(ref Stored) *candidate {
	if c := f.index[ref]; c != nil {
		return c
	}
	if f.index == nil {
		f.index = make(map[Stored]*candidate)
	}
	c := &candidate{ref: ref}
	f.index[ref] = c
	f.found = append(f.found, c)
	return c
}

func (f *finder) cond(x Cond) {
	switch x := x.(type) {
	case Cmp:
		f.compare(x)
	case Atom:
		f.share(x.Of)
	}
}

func (f *finder) term(x Term) {
	if a, ok := x.(Apply); ok && a.Fn == NullIf {
		f.share(a.Args)
	}
}

// guardTerm also takes a function that is not understood for a comparison.
func (f *finder) guardTerm(x Term) {
	f.term(x)
	if o, ok := x.(Opaque); ok {
		f.share(o.Of)
	}
}

func (f *finder) hasToken(x Term) bool {
	return slices.ContainsFunc(valueArgs(x), f.token)
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
	walkValue(x, func(t Term) {
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
		walkValue(x, func(t Term) {
			if s, ok := t.(Stored); ok {
				f.get(s).compared = true
			}
		})
	}
}

// partners are the arguments that the column shares a comparison with, tokens or not.
func partners(m *Mutation, ref Stored) []Arg {
	var out argSet
	holds := func(x Term) bool {
		found := false
		walkValue(x, func(t Term) { found = found || t == Term(ref) })
		return found
	}
	visitor{cond: func(k Cond) {
		if cmp, ok := k.(Cmp); ok && (holds(cmp.L) || holds(cmp.R)) {
			out.addValue(cmp.L)
			out.addValue(cmp.R)
		}
	}}.inMutation(m)
	return out.list
}
