package fence

// Op is a comparison operator.
type Op uint8

const (
	EQ Op = iota
	NE
	LT
	LE
	GT
	GE
	// Same is equality that treats NULL as a value (IS NOT DISTINCT FROM, <=>).
	Same
)

// String is the operator as SQL writes it.
func (o Op) String() string { return [...]string{"=", "<>", "<", "<=", ">", ">=", "IS"}[o] }

// flip is the operator with its sides exchanged.
func (o Op) flip() Op { return [...]Op{EQ, NE, GT, GE, LT, LE, Same}[o] }

// Ordered tells whether o compares by order rather than by equality.
func (o Op) Ordered() bool { return o >= LT && o <= GE }

// Truth is a value of three-valued logic.
type Truth uint8

const (
	True Truth = iota
	False
	Unknown3
)

// Cond is a condition. A nil Cond is true.
type Cond interface{ cond() }

// And is true if all are; the empty And is true.
type And struct{ Of []Cond }

// Or is true if one is; the empty Or is false.
type Or struct{ Of []Cond }

// Not negates.
type Not struct{ Of Cond }

// Cmp compares two values.
type Cmp struct {
	Op   Op
	L, R Term
}

// Is tests the truth value of a condition and is itself never unknown.
type Is struct {
	Of    Cond
	Value Truth
}

// IsNull tests for NULL or an absent field.
type IsNull struct{ Of Term }

// NoRow is true when the record to be written does not exist.
type NoRow struct{}

// Truthy is a value used as a condition: not zero.
type Truthy struct{ Of Term }

// Exists is true if a row of Tables satisfies Of, else false; with Member set
// it is unknown where Of is unknown for a row, as IN is. Locked says that the
// rows are locked by the same statement.
type Exists struct {
	Of     Cond
	Member bool
	Tables []string
	Locked bool
}

// Gate is true only if another mutation of the same unit met a row.
type Gate struct{ On *Mutation }

// Atom is a condition that is not understood: every truth value is possible,
// the same for equal keys. Of are the terms it depends on.
type Atom struct {
	Key string
	Of  []Term
}

func (And) cond()    {}
func (Or) cond()     {}
func (Not) cond()    {}
func (Cmp) cond()    {}
func (Is) cond()     {}
func (IsNull) cond() {}
func (NoRow) cond()  {}
func (Truthy) cond() {}
func (Exists) cond() {}
func (Gate) cond()   {}
func (Atom) cond()   {}

// All is the conjunction of the conditions that are not nil; nil if none is.
func All(of ...Cond) Cond {
	var out []Cond
	for _, c := range of {
		if c != nil {
			out = append(out, c)
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return And{out}
}

// Row compares two row values of equal length, element by element from the
// left, as SQL does. It returns nil if the lengths differ or are 0.
func Row(op Op, l, r []Term) Cond {
	if len(l) != len(r) || len(l) == 0 {
		return nil
	}
	switch op {
	case EQ, Same:
		var all []Cond
		for i := range l {
			all = append(all, Cmp{op, l[i], r[i]})
		}
		return All(all...)
	case NE:
		return Not{Row(EQ, l, r)}
	}
	strict := op
	if op == LE {
		strict = LT
	} else if op == GE {
		strict = GT
	}
	last := len(l) - 1
	out := Cond(Cmp{op, l[last], r[last]})
	for i := last - 1; i >= 0; i-- {
		out = Or{[]Cond{Cmp{strict, l[i], r[i]}, And{[]Cond{Cmp{EQ, l[i], r[i]}, out}}}}
	}
	return out
}
