package fence

// apply evaluates a function over sets of values.
func (e *env) apply(n *tnode) vset {
	if len(n.kids) == 0 {
		return one(vDark, 0)
	}
	switch n.fn {
	case Coalesce:
		return e.coalesce(n.kids)
	case CastInt, CastFloat, CastNarrow, CastText:
		return e.cast(n)
	case Sub:
		if len(n.kids) == 1 {
			return fold(one(vInt, 0), e.term(n.kids[0]), Sub)
		}
	}
	out := e.term(n.kids[0])
	for _, k := range n.kids[1:] {
		out = fold(out, e.term(k), n.fn)
	}
	return out
}

func (e *env) coalesce(kids []*tnode) vset {
	var out vset
	for _, k := range kids {
		v := e.term(k)
		null := false
		for _, x := range v.v[:v.n] {
			switch x.k {
			case vNull:
				null = true
			case vAny, vOld, vDark:
				null = true
				out.add(x)
			default:
				out.add(x)
			}
		}
		if !null {
			return out
		}
	}
	if out.n == 0 {
		return one(vNull, 0)
	}
	return out.withNull()
}

// withNull adds NULL unless the set already covers it.
func (s vset) withNull() vset {
	if !s.has(vAny) {
		s.add(val{k: vNull})
	}
	return s
}

func (e *env) cast(n *tnode) vset {
	v := e.term(n.kids[0])
	var out vset
	for _, x := range v.v[:v.n] {
		switch {
		case n.fn == CastText && x.k == vInt:
			x.k = vText
		case n.fn != CastText && x.k == vText:
			x.k = vInt
		case x.k == vOld:
			x = val{k: vAny}
		}
		out.add(x)
	}
	return out
}

func fold(a, b vset, fn Fn) vset {
	var out vset
	for _, x := range a.v[:a.n] {
		for _, y := range b.v[:b.n] {
			v := fold1(x, y, fn)
			out.union(v)
		}
	}
	return out
}

func fold1(x, y val, fn Fn) vset {
	null := x.k == vNull || y.k == vNull
	switch fn {
	case Add, Sub, GreatestNull, LeastNull:
		if null {
			return one(vNull, 0)
		}
	case Greatest, Least:
		if x.k == vNull {
			return vset{n: 1, v: [4]val{y}}
		}
		if y.k == vNull {
			return vset{n: 1, v: [4]val{x}}
		}
	case NullIf:
		return nullIf(x, y)
	}
	if x.k == vDark || y.k == vDark {
		return one(vDark, 0)
	}
	if x.k != vInt || y.k != vInt {
		if x == y && fn != Add && fn != Sub {
			return vset{n: 1, v: [4]val{x}}
		}
		return one(vAny, 0)
	}
	return number(x.i, y.i, fn)
}

func number(a, b int64, fn Fn) vset {
	switch fn {
	case Add:
		if s, ok := addInt(a, b); ok {
			return one(vInt, s)
		}
		return one(vAny, 0)
	case Sub:
		d := a - b
		if (d < a) == (b > 0) {
			return one(vInt, d)
		}
		return one(vAny, 0)
	case Greatest, GreatestNull:
		return one(vInt, max(a, b))
	}
	return one(vInt, min(a, b))
}

func nullIf(x, y val) vset {
	out := vset{n: 1, v: [4]val{x}}
	switch {
	case x.k == vNull || y.k == vNull:
		return out
	case x.k == vInt && y.k == vInt:
		if x.i == y.i {
			return one(vNull, 0)
		}
		return out
	case x.k == vDark || y.k == vDark:
		return one(vDark, 0)
	}
	return out.withNull()
}
