package oracle

import (
	"testing"

	"github.com/fencelint/fencelint/fence"
)

// edit copies a mutation with its conditions and terms replaced from the
// inside out.
type edit struct {
	cond func(fence.Cond) fence.Cond
	term func(fence.Term) fence.Term
}

func (e edit) apply(m *fence.Mutation) {
	m.Guard = e.c(m.Guard)
	for i := range m.Set {
		m.Set[i].Value = e.t(m.Set[i].Value)
	}
}

func (e edit) cs(xs []fence.Cond) []fence.Cond {
	out := make([]fence.Cond, len(xs))
	for i, x := range xs {
		out[i] = e.c(x)
	}
	return out
}

func (e edit) ts(xs []fence.Term) []fence.Term {
	out := make([]fence.Term, len(xs))
	for i, x := range xs {
		out[i] = e.t(x)
	}
	return out
}

func (e edit) c(x fence.Cond) fence.Cond {
	switch y := x.(type) {
	case fence.And:
		x = fence.And{Of: e.cs(y.Of)}
	case fence.Or:
		x = fence.Or{Of: e.cs(y.Of)}
	case fence.Not:
		x = fence.Not{Of: e.c(y.Of)}
	case fence.Is:
		x = fence.Is{Of: e.c(y.Of), Value: y.Value}
	case fence.Exists:
		y.Of = e.c(y.Of)
		x = y
	case fence.Cmp:
		x = fence.Cmp{Op: y.Op, L: e.t(y.L), R: e.t(y.R)}
	case fence.Truthy:
		x = fence.Truthy{Of: e.t(y.Of)}
	}
	if e.cond != nil && x != nil {
		x = e.cond(x)
	}
	return x
}

func (e edit) t(x fence.Term) fence.Term {
	switch y := x.(type) {
	case fence.Apply:
		x = fence.Apply{Fn: y.Fn, Args: e.ts(y.Args)}
	case fence.Case:
		out := fence.Case{Else: e.t(y.Else)}
		for _, a := range y.Arms {
			out.Arms = append(out.Arms, fence.Arm{When: e.c(a.When), Then: e.t(a.Then)})
		}
		x = out
	case fence.Bool:
		x = fence.Bool{Of: e.c(y.Of)}
	}
	if e.term != nil && x != nil {
		x = e.term(x)
	}
	return x
}

func onCond(f func(fence.Cond) fence.Cond) func(*fence.Mutation) { return edit{cond: f}.apply }
func onTerm(f func(fence.Term) fence.Term) func(*fence.Mutation) { return edit{term: f}.apply }

// faults are mistakes that a front end or the prover could make.
var faults = []struct {
	name    string
	effects bool // noticed on upserts, else on plain updates
	gates   bool // noticed on writes that ask another one
	on      *database
	plant   func(*fence.Mutation)
}{
	{"comparison with NULL is false", false, false, sqlite, func(m *fence.Mutation) { m.Semantics = fence.MissingFalse }},
	{"<= read as <", false, false, sqlite, onCond(func(c fence.Cond) fence.Cond {
		if x, ok := c.(fence.Cmp); ok && x.Op == fence.LE {
			x.Op = fence.LT
			return x
		}
		return c
	})},
	{"AND binds no tighter than OR", false, false, sqlite, onCond(func(c fence.Cond) fence.Cond {
		or, ok := c.(fence.Or)
		if !ok || len(or.Of) != 2 {
			return c
		}
		if and, ok := or.Of[1].(fence.And); ok && len(and.Of) == 2 {
			return fence.And{Of: []fence.Cond{fence.Or{Of: []fence.Cond{or.Of[0], and.Of[0]}}, and.Of[1]}}
		}
		return c
	})},
	{"NOT overlooked", false, false, sqlite, onCond(func(c fence.Cond) fence.Cond {
		if x, ok := c.(fence.Not); ok {
			return x.Of
		}
		return c
	})},
	{"IS TRUE overlooked", false, false, sqlite, onCond(func(c fence.Cond) fence.Cond {
		if x, ok := c.(fence.Is); ok {
			return x.Of
		}
		return c
	})},
	{"COALESCE overlooked", false, false, sqlite, onTerm(func(t fence.Term) fence.Term {
		if x, ok := t.(fence.Apply); ok && x.Fn == fence.Coalesce {
			return x.Args[0]
		}
		return t
	})},
	{"difference of constants overlooked", false, false, sqlite, onTerm(func(t fence.Term) fence.Term {
		if x, ok := t.(fence.Apply); ok && (x.Fn == fence.Add || x.Fn == fence.Sub) && len(x.Args) == 2 {
			return x.Args[0]
		}
		return t
	})},
	{"greatest of NULL swapped", true, false, postgres, onTerm(swapNull)},
	{"greatest of NULL swapped", true, false, mariadb, onTerm(swapNull)},
	{"SET not sequential", true, false, mariadb, func(m *fence.Mutation) { m.Sequential = false }},
	{"SET sequential", true, false, sqlite, func(m *fence.Mutation) { m.Sequential = true }},
	{"a cast to text overlooked", false, false, mariadb, onTerm(func(t fence.Term) fence.Term {
		if x, ok := t.(fence.Apply); ok && x.Fn == fence.CastText {
			return x.Args[0]
		}
		return t
	})},
	{"NOT before a gate overlooked", false, true, postgres, onCond(func(c fence.Cond) fence.Cond {
		if x, ok := c.(fence.Not); ok {
			return x.Of
		}
		return c
	})},
	{"OR beside a gate read as AND", false, true, postgres, onCond(func(c fence.Cond) fence.Cond {
		if x, ok := c.(fence.Or); ok && len(x.Of) > 1 {
			return fence.And{Of: x.Of}
		}
		return c
	})},
}

func swapNull(t fence.Term) fence.Term {
	x, ok := t.(fence.Apply)
	if !ok {
		return t
	}
	swap := map[fence.Fn]fence.Fn{fence.Greatest: fence.GreatestNull, fence.GreatestNull: fence.Greatest, fence.Least: fence.LeastNull, fence.LeastNull: fence.Least}
	if fn, ok := swap[x.Fn]; ok {
		x.Fn = fn
	}
	return x
}

// TestPlantedFaults shows that the comparison would notice such mistakes.
func TestPlantedFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name+" on "+string(f.on.dialect), func(t *testing.T) {
			n := max(*count, 500)
			if f.gates {
				c := compareGates(t, 1, 300, f.plant)
				t.Logf("%v", c)
				if c.unsound == 0 {
					t.Error("not noticed")
				}
				return
			}
			if f.effects {
				c := compareEffects(t, f.on, 1, 300, f.plant)
				t.Logf("%v", c)
				if c.unsound+c.wrongAdvance+c.wrongPayload == 0 {
					t.Error("not noticed")
				}
				return
			}
			c := compareUpdates(t, f.on, 1, n, f.plant)
			t.Logf("%v", c)
			if c.unsound == 0 {
				t.Error("not noticed")
			}
		})
	}
}
