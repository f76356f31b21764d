package fence

import "strconv"

type cop uint8

const (
	cAnd cop = iota
	cOr
	cNot
	cCmp
	cIs
	cNull
	cNoRow
	cTruthy
	cExists
	cAtom
	cDark
)

type cnode struct {
	op     cop
	cmp    Op
	value  Truth
	kids   []*cnode
	l, r   *tnode
	choice *choice
	member bool
	self   bool // both sides are the same value
	flip   bool // the choice's pair stands the other way round
	gate   *Mutation
}

type top uint8

const (
	tConst top = iota
	tNull
	tLit
	tFence
	tToken
	tFree
	tDark
	tApply
	tCase
	tBool
)

type tnode struct {
	op    top
	i     int64
	fn    Fn
	kids  []*tnode
	conds []*cnode
	leaf  *choice
	col   int // of a free stored column of the target row, else -1
	lin   []lin
	touch bool // computed from fence or token
}

// compiler holds what a program is compiled for.
type compiler struct {
	*program
	fence Stored
	has   bool // there is a fence
	token func(Arg) bool
	inSet bool
}

// maxNodes bounds a program; beyond it nothing is proved.
const maxNodes = 20000

func compile(m *Mutation, fence Stored, has bool, token func(Arg) bool) *program {
	p := &program{sem: m.Semantics, sequential: m.Sequential, casts: make(map[Fn]bool)}
	c := &compiler{program: p, fence: fence, has: has, token: token}
	p.lines.init()
	p.guard = c.cond(m.Guard)
	c.inSet = true
	for _, a := range m.Set {
		n := setNode{col: -1}
		isFence := has && fence.Row == Target && a.Column == fence.Column
		if !isFence {
			n.col = c.column(a.Column)
		}
		n.value = c.term(a.Value)
		if isFence {
			c.meet(n.value.lin, []lin{{a: 1}})
			c.meet(n.value.lin, []lin{{b: 1}})
		}
		p.set = append(p.set, n)
	}
	p.settle()
	return p
}

func (c *compiler) column(name string) int {
	for i, have := range c.cols {
		if have == name {
			return i
		}
	}
	c.cols = append(c.cols, name)
	return len(c.cols) - 1
}

func (c *compiler) grow() bool {
	c.steps++
	if c.steps > maxNodes {
		c.tooBig = true
	}
	return !c.tooBig
}

func (c *compiler) cond(x Cond) *cnode {
	if !c.grow() {
		return &cnode{op: cDark}
	}
	switch x := x.(type) {
	case nil:
		return &cnode{op: cAnd}
	case And:
		return &cnode{op: cAnd, kids: c.conds(x.Of)}
	case Or:
		return &cnode{op: cOr, kids: c.conds(x.Of)}
	case Not:
		return &cnode{op: cNot, kids: c.conds([]Cond{x.Of})}
	case Is:
		return &cnode{op: cIs, value: x.Value, kids: c.conds([]Cond{x.Of})}
	case Cmp:
		return c.cmp(x)
	case IsNull:
		return c.isNull(x)
	case NoRow:
		return &cnode{op: cNoRow}
	case Truthy:
		return c.truthy(x)
	case Exists:
		return &cnode{op: cExists, member: x.Member, kids: c.conds([]Cond{x.Of})}
	case Gate:
		return &cnode{op: cAtom, gate: x.On}
	case Atom:
		return c.atom(x)
	}
	return &cnode{op: cDark}
}

func (c *compiler) conds(xs []Cond) []*cnode {
	out := make([]*cnode, len(xs))
	for i, x := range xs {
		out[i] = c.cond(x)
	}
	return out
}

func (c *compiler) atom(x Atom) *cnode {
	for _, t := range x.Of {
		if c.touches(t) {
			return &cnode{op: cDark}
		}
	}
	ch := c.choose(chAtom, c.keys(x.Key, x.Of))
	ch.count++
	return &cnode{op: cAtom, choice: ch}
}

func (c *compiler) isNull(x IsNull) *cnode {
	n := &cnode{op: cNull, l: c.term(x.Of)}
	if n.l.leaf != nil && n.l.op == tFree {
		n.l.leaf.sample(val{k: vNull})
		n.l.leaf.sample(val{k: vLit, i: -1})
	}
	return n
}

func (c *compiler) truthy(x Truthy) *cnode {
	if b, ok := x.Of.(Bool); ok {
		return c.cond(b.Of)
	}
	n := &cnode{op: cTruthy, l: c.term(x.Of)}
	c.meet(n.l.lin, []lin{{}})
	if leaf := n.l.leaf; leaf != nil && n.l.op == tFree {
		leaf.sample(val{k: vNull})
		leaf.sample(val{vInt, 0})
		leaf.sample(val{vHalf, 0})
		leaf.sample(val{vHalf, -1})
	}
	return n
}

func (c *compiler) cmp(x Cmp) *cnode {
	n := &cnode{op: cCmp, cmp: x.Op, l: c.term(x.L), r: c.term(x.R)}
	if !c.meet(n.l.lin, n.r.lin) {
		return &cnode{op: cDark}
	}
	c.around(n.l, n.r)
	c.around(n.r, n.l)
	if n.l.op == tFree || n.r.op == tFree || n.l.hasLeaf() || n.r.hasLeaf() {
		c.pair(n, x)
	}
	return n
}

// pair registers the two sides as one choice, so that x < y and x >= y agree.
func (c *compiler) pair(n *cnode, x Cmp) {
	if n.l.volatile() || n.r.volatile() {
		return
	}
	kl, kr := c.key(x.L), c.key(x.R)
	if kl == kr {
		n.self = true
		return
	}
	l, r := x.L, x.R
	if kr < kl {
		kl, kr, l, r = kr, kl, r, l
		n.flip = true
	}
	ch := c.choose(chPair, kl+"\x00"+kr)
	ch.count++
	ch.l, ch.r = l, r
	if ch.count == 1 {
		ch.leaves = n.r.collect(n.l.collect(nil))
	}
	n.choice = ch
}

// around gives the free value t samples on both sides of what it is compared
// with. Compared with anything but a constant it must stay open.
func (c *compiler) around(t, with *tnode) {
	leaf := t.leaf
	if leaf == nil {
		return
	}
	leaf.sample(val{k: vNull})
	switch with.op {
	case tConst:
		leaf.sample(val{vInt, with.i})
		leaf.sample(val{vHalf, with.i})
		if below, ok := addInt(with.i, -1); ok {
			leaf.sample(val{vHalf, below})
		}
	case tLit:
		leaf.sample(val{vLit, with.i})
		leaf.sample(val{vLit, -1})
	case tNull:
		leaf.sample(val{vLit, -1})
	default:
		leaf.barred = true
	}
}

func (t *tnode) hasLeaf() bool { return len(t.collect(nil)) > 0 }

func (t *tnode) volatile() bool {
	if t.op == tFree && t.leaf == nil {
		return true
	}
	for _, k := range t.kids {
		if k.volatile() {
			return true
		}
	}
	return false
}

func (t *tnode) collect(out []*choice) []*choice {
	if t.leaf != nil {
		out = append(out, t.leaf)
	}
	for _, k := range t.kids {
		out = k.collect(out)
	}
	return out
}

func (c *compiler) term(x Term) *tnode {
	if !c.grow() {
		return &tnode{op: tDark, col: -1, touch: true}
	}
	switch x := x.(type) {
	case Const:
		return &tnode{op: tConst, i: x.Int, col: -1, lin: []lin{{c: x.Int}}}
	case Lit:
		return c.literal(x)
	case Null, nil:
		return &tnode{op: tNull, col: -1}
	case Stored:
		return c.stored(x)
	case Input:
		if c.token(x.Arg) {
			return &tnode{op: tToken, col: -1, lin: []lin{{b: 1}}, touch: true}
		}
		return c.free("a" + string(x.Arg))
	case Apply:
		return c.apply(x)
	case Case:
		return c.caseTerm(x)
	case Bool:
		return &tnode{op: tBool, col: -1, conds: c.conds([]Cond{x.Of}), lin: []lin{{c: 0}, {c: 1}}, touch: c.touchesCond(x.Of)}
	case Opaque:
		return c.opaque(x)
	}
	return &tnode{op: tDark, col: -1, touch: true}
}

func (c *compiler) literal(x Lit) *tnode {
	if n, err := strconv.ParseInt(x.Text, 10, 64); err == nil && strconv.FormatInt(n, 10) == x.Text {
		return &tnode{op: tConst, i: n, col: -1, lin: []lin{{c: n}}}
	}
	return &tnode{op: tLit, i: c.lit(x.Text), col: -1}
}

func (c *compiler) stored(x Stored) *tnode {
	if c.has && x == c.fence {
		return &tnode{op: tFence, col: -1, lin: []lin{{a: 1}}, touch: true}
	}
	n := c.free(storedKey(x))
	if x.Row == Target {
		n.col = c.column(x.Column)
	}
	return n
}

func (c *compiler) free(key string) *tnode {
	leaf := c.choose(chLeaf, key)
	if !c.inSet {
		leaf.count++
	}
	return &tnode{op: tFree, leaf: leaf, col: -1}
}

func (c *compiler) opaque(x Opaque) *tnode {
	for _, t := range x.Of {
		if c.touches(t) {
			return &tnode{op: tDark, col: -1, touch: true}
		}
	}
	if x.Volatile {
		return &tnode{op: tFree, col: -1}
	}
	return c.free("o" + c.keys(x.Key, x.Of))
}

func (c *compiler) caseTerm(x Case) *tnode {
	n := &tnode{op: tCase, col: -1}
	was := c.inSet
	for _, arm := range x.Arms {
		c.inSet = false // conditions count wherever they stand
		n.conds = append(n.conds, c.cond(arm.When))
		c.inSet = was
		n.kids = append(n.kids, c.term(arm.Then))
		n.touch = n.touch || c.touchesCond(arm.When)
	}
	n.kids = append(n.kids, c.term(x.Else))
	for _, k := range n.kids {
		n.lin = joinLin(n.lin, k.lin)
		n.touch = n.touch || k.touch
	}
	bar(n)
	return n
}

// bar keeps the free values inside t open: sampling them would miss values.
func bar(t *tnode) {
	for _, leaf := range t.collect(nil) {
		leaf.barred = true
	}
}

func (c *compiler) apply(x Apply) *tnode {
	n := &tnode{op: tApply, fn: x.Fn, col: -1}
	for _, a := range x.Args {
		if text, ok := a.(Apply); ok && x.Fn == CastInt && text.Fn == CastText && len(text.Args) == 1 {
			a = text.Args[0] // through text and back
		}
		k := c.term(a)
		n.kids = append(n.kids, k)
		n.touch = n.touch || k.touch
	}
	bar(n)
	if n.touch && x.Fn >= CastText {
		c.casts[x.Fn] = true
	}
	if !c.linear(n) {
		if n.touch {
			return &tnode{op: tDark, col: -1, touch: true}
		}
		n.lin = nil
	}
	return n
}
