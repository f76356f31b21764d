package fence

import "slices"

// throughGate adopts the verdict of another mutation of the same unit if m
// cannot happen without it and it proves more. What counts is whether that one meets
// its row: it hands the row back even if it leaves it as it is.
func (p *prover) throughGate(v *Verdict, m *Mutation) {
	for _, g := range Gates(m) {
		if !required(m, g) {
			continue
		}
		gv := p.met(g)
		better := gv.RejectsStale == Yes && v.RejectsStale != Yes || gv.Compared && !v.Compared
		if !better {
			continue
		}
		own := *v
		*v = gv
		v.Shape = "cte"
		if v.Table == "" {
			v.Table = g.Resource
		}
		v.Compared = own.Compared || gv.Compared
		v.Others = append(v.Others, own.Others...)
	}
}

// Gates are the mutations of the same statement whose effect m's guard asks for,
// each once, in order.
func Gates(m *Mutation) []*Mutation {
	var out []*Mutation
	visitor{cond: func(c Cond) {
		if g, ok := c.(Gate); ok && g.On != nil && !slices.Contains(out, g.On) {
			out = append(out, g.On)
		}
	}}.inCond(m.Guard)
	return out
}

// required tells whether m's guard is never true unless g met a row.
func required(m *Mutation, g *Mutation) bool {
	p := compile(m, Stored{}, false, func(Arg) bool { return false })
	e := newEnv(p)
	e.gate = g
	open := false
	e.each(func() { open = open || e.cond(p.guard)&(isT|isD) != 0 })
	return !open
}
