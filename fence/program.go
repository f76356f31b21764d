package fence

import "strings"

// program is a mutation compiled for one candidate of a fence column.
type program struct {
	sem     Semantics
	lits    []string
	litIDs  map[string]int64
	choices []*choice
	byKey   map[chKey]*choice
	active  []*choice // those enumerated, in order
	lines   lines
	tooBig  bool
	casts   map[Fn]bool
	steps   int // nodes compiled
	cols    []string

	guard      *cnode
	set        []setNode
	sequential bool
}

type setNode struct {
	col   int // index in cols, -1 for the fence
	value *tnode
}

// choice is something with several possible values that must be the same
// wherever it occurs: a free value, a pair of values, a condition.
type choice struct {
	kind    chKind
	count   int
	barred  bool // occurs where sampling would lose values
	samples []val
	slot    int // position in active, -1 if left open
	l, r    Term
	forced  relation
	leaves  []*choice
}

type chKind uint8

type chKey struct {
	kind chKind
	key  string
}

const (
	chLeaf chKind = iota
	chPair
	chAtom
)

func (c *choice) size() int {
	switch c.kind {
	case chLeaf:
		return len(c.samples)
	case chPair:
		return 4
	}
	return 3
}

func (c *choice) sample(v val) {
	if len(c.samples) > maxCombos { // never enumerated
		return
	}
	for _, have := range c.samples {
		if have == v {
			return
		}
	}
	c.samples = append(c.samples, v)
}

// relateLits compares two literals. Stores differ in case, padding and what
// else they overlook, so only plain words are known to differ.
func (p *program) relateLits(a, b int64) relation {
	switch {
	case a < 0 || b < 0:
		if a == b {
			return relLT | relEQ | relGT
		}
		return relLT | relGT
	case a == b:
		return relEQ
	case plainWord(p.lits[a]) && plainWord(p.lits[b]) && !strings.EqualFold(strings.TrimSpace(p.lits[a]), strings.TrimSpace(p.lits[b])):
		return relLT | relGT
	}
	return relLT | relEQ | relGT
}

func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && s[i] != '_' && s[i] != '-' && s[i] != ' ' {
			return false
		}
	}
	return s != ""
}

func (p *program) lit(text string) int64 {
	if i, ok := p.litIDs[text]; ok {
		return i
	}
	if p.litIDs == nil {
		p.litIDs = make(map[string]int64)
	}
	i := int64(len(p.lits))
	p.lits = append(p.lits, text)
	p.litIDs[text] = i
	return i
}

func (p *program) choose(kind chKind, key string) *choice {
	k := chKey{kind, key}
	if c := p.byKey[k]; c != nil {
		return c
	}
	if p.byKey == nil {
		p.byKey = make(map[chKey]*choice)
	}
	c := &choice{kind: kind, slot: -1}
	p.choices = append(p.choices, c)
	p.byKey[k] = c
	return c
}

// maxCombos bounds the joint enumeration of repeated choices at one sample.
const maxCombos = 256

// settle decides which repeated choices are enumerated. Those left out stay
// open, which admits more, never less.
func (p *program) settle() {
	room := maxCombos
	take := func(c *choice) {
		if n := c.size(); n > 1 && n <= room {
			room /= n
			c.slot = len(p.active)
			p.active = append(p.active, c)
		}
	}
	for _, c := range p.choices {
		if c.kind == chLeaf && c.count > 1 && !c.barred {
			take(c)
		}
	}
	for _, c := range p.choices {
		if c.kind == chLeaf || c.count < 2 || c.barred {
			continue
		}
		open := c.kind == chAtom
		for _, leaf := range c.leaves {
			open = open || leaf.slot < 0
		}
		if open {
			take(c)
		}
	}
}
