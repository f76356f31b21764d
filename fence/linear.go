package fence

import "math"

// lin is the linear form a*f + b*t + c of fence f and token t.
type lin struct {
	a, b int8
	c    int64
}

// lines are the thresholds at which some comparison of a program changes:
// f = x, t = x, f - t = x.
type lines struct {
	f, t, d []int64
}

// init puts the line in that bounds the classes of a verdict.
func (l *lines) init() { l.d = []int64{0} }

const maxLines = 16

func (l *lines) tooMany() bool { return len(l.f)+len(l.t)+len(l.d) > maxLines }

func note(s *[]int64, x int64) {
	for _, have := range *s {
		if have == x {
			return
		}
	}
	if len(*s) <= maxLines {
		*s = append(*s, x)
	}
}

// meet notes where two piecewise linear values cross. It is false if a
// crossing is no line of the kinds above, so that sampling proves nothing.
func (p *program) meet(l, r []lin) bool {
	for _, x := range l {
		for _, y := range r {
			if !p.lines.cross(x, y) {
				return false
			}
		}
	}
	return true
}

func (ls *lines) cross(x, y lin) bool {
	c, ok := addInt(y.c, -x.c)
	if !ok || x.c == math.MinInt64 {
		return false
	}
	neg := c != math.MinInt64
	switch a, b := x.a-y.a, x.b-y.b; {
	case a == 0 && b == 0:
	case a == 1 && b == 0:
		note(&ls.f, c)
	case a == -1 && b == 0 && neg:
		note(&ls.f, -c)
	case a == 0 && b == 1:
		note(&ls.t, c)
	case a == 0 && b == -1 && neg:
		note(&ls.t, -c)
	case a == 1 && b == -1:
		note(&ls.d, c)
	case a == -1 && b == 1 && neg:
		note(&ls.d, -c)
	default:
		return false
	}
	return true
}

func joinLin(a, b []lin) []lin {
	for _, x := range b {
		dup := false
		for _, y := range a {
			dup = dup || x == y
		}
		if !dup {
			a = append(a, x)
		}
	}
	return a
}

const maxPieces = 8

// linear computes the pieces of a function from those of its arguments. It is
// false if the result is not piecewise linear in the small sense above.
func (c *compiler) linear(n *tnode) bool {
	switch n.fn {
	case Add, Sub:
		return n.sum()
	case Greatest, Least, GreatestNull, LeastNull, NullIf:
		for i, x := range n.kids {
			for _, y := range n.kids[:i] {
				if !c.meet(x.lin, y.lin) {
					return false
				}
			}
		}
	case CastText:
		return true
	}
	for _, k := range n.kids {
		n.lin = joinLin(n.lin, k.lin)
		if n.fn == NullIf {
			break
		}
	}
	return len(n.lin) <= maxPieces
}

func (n *tnode) sum() bool {
	acc := []lin{{}}
	for i, k := range n.kids {
		sign := int8(1)
		if n.fn == Sub && (i > 0 || len(n.kids) == 1) {
			sign = -1
		}
		var next []lin
		for _, x := range acc {
			for _, y := range k.lin {
				if y.c == math.MinInt64 {
					return false
				}
				s, ok := addInt(x.c, int64(sign)*y.c)
				if !ok {
					return false
				}
				next = joinLin(next, []lin{{x.a + sign*y.a, x.b + sign*y.b, s}})
			}
		}
		if len(next) > maxPieces {
			return false
		}
		acc = next
	}
	n.lin = acc
	return true
}

// addInt adds without overflow.
func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}
