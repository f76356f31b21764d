package fence

type vkind uint8

const (
	vInt  vkind = iota
	vNull       // NULL, absent
	vHalf       // a number between i and i+1
	vText       // the decimal text of i
	vLit        // literal number i of the program, -1 for a text that is none of them
	vAny        // any value or NULL, unrelated to fence and token
	vDark       // computed from fence or token in a way that is not understood
	vOld        // the value that column i had before the write
)

type val struct {
	k vkind
	i int64
}

// vset is a small set of possible values.
type vset struct {
	n uint8
	v [4]val
}

func one(k vkind, i int64) vset { return vset{n: 1, v: [4]val{{k, i}}} }

// add puts v into s; a set that would not fit becomes any value (or dark).
func (s *vset) add(v val) {
	for _, have := range s.v[:s.n] {
		if have == v {
			return
		}
	}
	if int(s.n) < len(s.v) {
		s.v[s.n] = v
		s.n++
		return
	}
	k := vAny
	for _, have := range s.v {
		if have.k == vDark {
			k = vDark
		}
	}
	if v.k == vDark {
		k = vDark
	}
	*s = one(k, 0)
}

func (s *vset) union(o vset) {
	for _, v := range o.v[:o.n] {
		s.add(v)
	}
}

// has tells whether a value of kind k is possible.
func (s *vset) has(k vkind) bool {
	for _, v := range s.v[:s.n] {
		if v.k == k {
			return true
		}
	}
	return false
}

// is tells whether s is exactly the one value.
func (s *vset) is(k vkind, i int64) bool { return s.n == 1 && s.v[0] == val{k, i} }

// relation is a set of ways in which two values may stand to each other.
type relation uint8

const (
	relLT relation = 1 << iota
	relEQ
	relGT
	relNull // at least one is NULL
	relDark
)

const relAny = relLT | relEQ | relGT | relNull

// relate compares two single values.
func (p *program) relate(a, b val) relation {
	switch {
	case a.k == vNull || b.k == vNull:
		return relNull
	case a.k == vDark || b.k == vDark:
		return relDark
	case a.k == vAny || b.k == vAny || a.k == vOld || b.k == vOld:
		return relAny
	case a.k == vInt && b.k == vInt:
		return relOf(a.i, b.i)
	case a.k == vHalf && b.k == vInt:
		if a.i < b.i {
			return relLT
		}
		return relGT
	case a.k == vInt && b.k == vHalf:
		return p.relate(b, a).mirror()
	case a.k == vText && b.k == vText:
		if a.i == b.i {
			return relEQ
		}
		return relLT | relGT // the order of decimal texts is not that of numbers
	case a.k == vLit && b.k == vLit:
		return p.relateLits(a.i, b.i)
	}
	return relLT | relEQ | relGT
}

func relOf(a, b int64) relation {
	switch {
	case a < b:
		return relLT
	case a > b:
		return relGT
	}
	return relEQ
}

// answer is the outcome of op for one relation.
func answer(op Op, r relation) truth {
	yes := [...]relation{EQ: relEQ, NE: relLT | relGT, LT: relLT, LE: relLT | relEQ, GT: relGT, GE: relGT | relEQ, Same: relEQ}[op]
	if r&yes != 0 {
		return isT
	}
	return isF
}

// compare gives the outcomes of a op b for a set of relations; bothNull tells
// whether both sides may be NULL at once.
func (s Semantics) compare(op Op, rels relation, bothNull, maybeOne bool) truth {
	var out truth
	for r := relLT; r <= relGT; r <<= 1 {
		if rels&r != 0 {
			out |= answer(op, r)
		}
	}
	if rels&relDark != 0 {
		out |= isD
	}
	if rels&relNull != 0 {
		out |= s.onNull(op, bothNull, maybeOne)
	}
	return out
}

// onNull is the outcome of a comparison in which a side is absent: both may
// be, or only one of them.
func (s Semantics) onNull(op Op, both, oneSide bool) truth {
	var same, differ truth // both absent, one absent
	if both {
		same = isT
	}
	if oneSide {
		differ = isT
	}
	equal := same | differ.not()
	switch {
	case op == Same, op == EQ && (s == MissingMongo || s == MissingRaises):
		return equal
	case s == SQL3VL:
		return isN
	case s == MissingRaises && op.Ordered():
		return isR
	case s == MissingRaises:
		return equal.not()
	case op == NE && s == MissingMongo:
		return equal.not() | isT
	case op == NE: // stores differ in what an absent value is unequal to
		return isT | isF
	}
	return isF
}
