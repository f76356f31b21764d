package fence

import "slices"

// Fenced is a column that m compares with an argument and also sets from it,
// as a fence is: what a receiver of tokens does whose source is not in sight.
type Fenced struct {
	Column string
	Arg    Arg
}

// Fences are the columns of the target row that m treats as fences, in the
// order of the assignments. Arguments that m stores with a constant added or
// through a maximum count as well.
func Fences(m *Mutation) []Fenced {
	var out []Fenced
	for _, a := range m.Set {
		compared := partners(m, Stored{Column: a.Column})
		for _, arg := range valueArgs(a.Value) {
			f := Fenced{a.Column, arg}
			if slices.Contains(compared, arg) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Lock returns m as it stands when the unit has locked the rows of table
// before: comparisons with them hold until the write is done.
func (m *Mutation) Lock(table string) *Mutation {
	r := rewriter{func(s Stored) Stored {
		if s.Row == Other && s.Table == table {
			s.Row = LockedOther
		}
		return s
	}}
	out := *m
	out.Guard = r.cond(m.Guard)
	out.Set = nil
	for _, a := range m.Set {
		out.Set = append(out.Set, Assign{a.Column, r.term(a.Value)})
	}
	return &out
}

// rewriter copies conditions with their stored columns replaced.
type rewriter struct{ stored func(Stored) Stored }

func (r rewriter) conds(xs []Cond) []Cond {
	out := make([]Cond, len(xs))
	for i, x := range xs {
		out[i] = r.cond(x)
	}
	return out
}

func (r rewriter) terms(xs []Term) []Term {
	out := make([]Term, len(xs))
	for i, x := range xs {
		out[i] = r.term(x)
	}
	return out
}

func (r rewriter) cond(x Cond) Cond {
	switch x := x.(type) {
	case And:
		return And{r.conds(x.Of)}
	case Or:
		return Or{r.conds(x.Of)}
	case Not:
		return Not{r.cond(x.Of)}
	case Is:
		return Is{r.cond(x.Of), x.Value}
	case Exists:
		x.Of = r.cond(x.Of)
		return x
	case Cmp:
		return Cmp{x.Op, r.term(x.L), r.term(x.R)}
	case IsNull:
		return IsNull{r.term(x.Of)}
	case Truthy:
		return Truthy{r.term(x.Of)}
	case Atom:
		return Atom{x.Key, r.terms(x.Of)}
	}
	return x
}

func (r rewriter) term(x Term) Term {
	switch x := x.(type) {
	case Stored:
		return r.stored(x)
	case Apply:
		return Apply{x.Fn, r.terms(x.Args)}
	case Opaque:
		x.Of = r.terms(x.Of)
		return x
	case Case:
		out := Case{Else: r.term(x.Else)}
		for _, a := range x.Arms {
			out.Arms = append(out.Arms, Arm{r.cond(a.When), r.term(a.Then)})
		}
		return out
	case Bool:
		return Bool{r.cond(x.Of)}
	}
	return x
}
