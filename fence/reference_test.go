package fence

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

// A second, plain evaluator: every value is one number or absent. The prover
// must never call impossible what it finds possible.

type num struct {
	n    int64
	null bool
}

type world struct {
	vals  map[string]num // by column or argument
	atoms map[string]Truth
	sem   Semantics
	abort bool
}

func (w *world) term(x Term) num {
	switch x := x.(type) {
	case Stored:
		v := w.vals[x.Column]
		if v.null && x.Column == "f" && w.sem == MissingZero {
			return num{}
		}
		return v
	case Input:
		return w.vals[string(x.Arg)]
	case Const:
		return num{n: x.Int}
	case Null:
		return num{null: true}
	case Bool:
		switch w.cond(x.Of) {
		case True:
			return num{n: 1}
		case False:
			return num{}
		}
		return num{null: true}
	case Case:
		for _, a := range x.Arms {
			if w.cond(a.When) == True {
				return w.term(a.Then)
			}
		}
		if x.Else == nil {
			return num{null: true}
		}
		return w.term(x.Else)
	case Apply:
		return w.apply(x)
	}
	panic(fmt.Sprintf("no value for %T", x))
}

func (w *world) apply(x Apply) num {
	args := make([]num, len(x.Args))
	for i, a := range x.Args {
		args[i] = w.term(a)
	}
	switch x.Fn {
	case Coalesce:
		for _, a := range args {
			if !a.null {
				return a
			}
		}
		return num{null: true}
	case NullIf:
		if !args[0].null && !args[1].null && args[0].n == args[1].n {
			return num{null: true}
		}
		return args[0]
	case CastInt:
		return args[0]
	case Sub:
		if len(args) == 1 {
			return num{-args[0].n, args[0].null}
		}
	}
	out, first := num{null: true}, true
	for _, a := range args {
		if a.null {
			if x.Fn == Greatest || x.Fn == Least {
				continue
			}
			return num{null: true}
		}
		if first {
			out, first = a, false
			continue
		}
		switch x.Fn {
		case Add:
			out.n += a.n
		case Sub:
			out.n -= a.n
		case Greatest, GreatestNull:
			out.n = max(out.n, a.n)
		case Least, LeastNull:
			out.n = min(out.n, a.n)
		}
	}
	return out
}

func truthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

func (w *world) cond(x Cond) Truth {
	switch x := x.(type) {
	case nil:
		return True
	case And:
		out := True
		for _, k := range x.Of {
			switch w.cond(k) {
			case False:
				return False
			case Unknown3:
				out = Unknown3
			}
		}
		return out
	case Or:
		out := False
		for _, k := range x.Of {
			switch w.cond(k) {
			case True:
				return True
			case Unknown3:
				out = Unknown3
			}
		}
		return out
	case Not:
		switch w.cond(x.Of) {
		case True:
			return False
		case False:
			return True
		}
		return Unknown3
	case Is:
		return truthOf(w.cond(x.Of) == x.Value)
	case IsNull:
		return truthOf(w.term(x.Of).null)
	case Atom:
		return w.atoms[x.Key]
	case Truthy:
		v := w.term(x.Of)
		if v.null {
			return w.missing(EQ)
		}
		return truthOf(v.n != 0)
	case Cmp:
		return w.cmp(x)
	}
	panic(fmt.Sprintf("no truth for %T", x))
}

func (w *world) missing(op Op) Truth {
	switch w.sem {
	case SQL3VL:
		return Unknown3
	case MissingRaises:
		if op.Ordered() {
			w.abort = true
		}
		return truthOf(op == NE)
	}
	return truthOf(op == NE)
}

func (w *world) cmp(x Cmp) Truth {
	l, r := w.term(x.L), w.term(x.R)
	if l.null || r.null {
		switch {
		case x.Op == Same, x.Op == EQ && w.sem == MissingMongo:
			return truthOf(l.null && r.null)
		case w.sem == MissingRaises && !x.Op.Ordered():
			return truthOf((l.null && r.null) == (x.Op == EQ))
		}
		return w.missing(x.Op)
	}
	switch x.Op {
	case EQ, Same:
		return truthOf(l.n == r.n)
	case NE:
		return truthOf(l.n != r.n)
	case LT:
		return truthOf(l.n < r.n)
	case LE:
		return truthOf(l.n <= r.n)
	case GT:
		return truthOf(l.n > r.n)
	}
	return truthOf(l.n >= r.n)
}

// maker writes random mutations.
type maker struct{ *rand.Rand }

func (g maker) one(n int) bool { return g.IntN(n) == 0 }

func (g maker) op() Op { return Op(g.IntN(7)) }

func (g maker) leaf() Term {
	switch g.IntN(9) {
	case 0, 1:
		return Stored{Column: "f"}
	case 2, 3:
		return Input{"$1"}
	case 4:
		return Stored{Column: "a"}
	case 5:
		return Stored{Column: "b"}
	case 6:
		return Input{"$2"}
	case 7:
		if g.one(4) {
			return Null{}
		}
	}
	return Const{int64(g.IntN(5) - 1)}
}

func (g maker) term(depth int) Term {
	if depth == 0 || g.one(2) {
		return g.leaf()
	}
	switch g.IntN(4) {
	case 0:
		return Case{Arms: []Arm{{g.cond(depth - 1), g.term(depth - 1)}}, Else: g.term(depth - 1)}
	case 1:
		return Bool{g.cond(depth - 1)}
	}
	fn := [...]Fn{Coalesce, Greatest, Least, GreatestNull, LeastNull, Add, Sub, NullIf, CastInt}[g.IntN(9)]
	args := []Term{g.term(depth - 1)}
	if fn != CastInt && !(fn == Sub && g.one(3)) {
		args = append(args, g.term(depth-1))
	}
	return Apply{fn, args}
}

func (g maker) cond(depth int) Cond {
	if depth > 0 {
		switch g.IntN(7) {
		case 0, 1:
			return And{[]Cond{g.cond(depth - 1), g.cond(depth - 1)}}
		case 2, 3:
			return Or{[]Cond{g.cond(depth - 1), g.cond(depth - 1)}}
		case 4:
			return Not{g.cond(depth - 1)}
		case 5:
			return Is{g.cond(depth - 1), Truth(g.IntN(3))}
		}
	}
	switch g.IntN(10) {
	case 0:
		return Atom{Key: [...]string{"p", "q"}[g.IntN(2)]}
	case 1:
		return IsNull{g.leaf()}
	case 2:
		return Truthy{g.leaf()}
	case 3, 4, 5:
		return Cmp{g.op(), Stored{Column: "f"}, Input{"$1"}}
	}
	return Cmp{g.op(), g.term(min(depth, 2)), g.term(min(depth, 1))}
}

func (g maker) mutation() *Mutation {
	m := &Mutation{Kind: Update, Guard: g.cond(3), Semantics: Semantics(g.IntN(5)), Sequential: g.one(2)}
	if g.one(2) {
		m.Semantics = SQL3VL
	}
	if g.one(2) {
		return m
	}
	m.Set = []Assign{{"f", g.term(2)}, {"p", g.term(1)}}
	if g.one(2) {
		m.Set[0], m.Set[1] = m.Set[1], m.Set[0]
	}
	if g.one(3) {
		m.Set[1] = Assign{m.Set[1].Column, Stored{Column: m.Set[1].Column}}
	}
	return m
}

// outcome runs m in the world: is a row changed, and what is the fence then?
func (w *world) outcome(m *Mutation) (changed bool, f num) {
	if w.cond(m.Guard) != True || w.abort {
		return false, num{}
	}
	if len(m.Set) == 0 {
		return true, w.vals["f"]
	}
	before := map[string]num{"f": w.vals["f"], "p": w.vals["p"]}
	after := map[string]num{"f": before["f"], "p": before["p"]}
	for _, a := range m.Set {
		v := w.term(a.Value)
		after[a.Column] = v
		if m.Sequential {
			w.vals[a.Column] = v
		}
	}
	return after["f"] != before["f"] || after["p"] != before["p"], after["f"]
}

var small = []num{{null: true}, {n: -1}, {n: 0}, {n: 1}, {n: 2}, {n: 4}}

// each visits all worlds.
func each(sem Semantics, visit func(w *world, f num, t int64)) {
	fences := append([]num{{n: -3}, {n: 3}, {n: 5}, {n: 6}, {n: 7}, {n: 8}}, small...)
	for _, f := range fences {
		for _, t := range []int64{1, 2, 3, 5} {
			for _, a := range small {
				for _, b := range small[:4] {
					for _, in := range small[:4] {
						for p := True; p <= Unknown3; p++ {
							for q := True; q <= Unknown3; q++ {
								w := &world{vals: map[string]num{"f": f, "$1": {n: t}, "a": a, "b": b, "$2": in, "p": {n: 77}}, atoms: map[string]Truth{"p": p, "q": q}, sem: sem}
								visit(w, f, t)
							}
						}
					}
				}
			}
		}
	}
}

func tokenIs1(a Arg) bool { return a == "$1" }

var mutations = flag.Int("mutations", 150, "random mutations a seed")

// TestReference compares the prover with the plain evaluator on random
// mutations under every semantics.
func TestReference(t *testing.T) {
	n := *mutations
	if testing.Short() {
		n = 60
	}
	for _, seed := range []uint64{1, rand.Uint64()} {
		g := maker{rand.New(rand.NewPCG(seed, 3))}
		exact, possible := 0, 0
		for range n {
			m := g.mutation()
			v := ProveColumn(m, "f", tokenIs1)
			got := [4]Admission{v.Less, v.Equal, v.Greater, v.Null}
			var seen [4]bool
			each(m.Semantics, func(w *world, f num, tok int64) {
				changed, newF := w.outcome(m)
				if !changed {
					return
				}
				c := order(tok, f.n)
				if f.null {
					c = absent
				}
				if !seen[c] && got[c] == Never {
					t.Errorf("seed %d: %s is admitted: f=%v t=%d: %#v", seed, classNames[c], f, tok, m)
				}
				seen[c] = true
				if v.Advances == "yes" && (newF.null || newF.n != max(tok, f.n) && !f.null || f.null && newF.n != tok) {
					t.Errorf("seed %d: fence becomes %v from f=%v t=%d: %#v", seed, newF, f, tok, m)
					v.Advances = ""
				}
			})
			for c := range got {
				switch {
				case got[c] == Never && !seen[c], got[c] == Admitted && seen[c]:
					exact++
				case got[c] == Admitted:
					possible++
				}
			}
		}
		t.Logf("seed %d: %d mutations, %d of %d classes exact, %d admitted without a case in the sample", seed, n, exact, 4*n, possible)
	}
}
