package oracle

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// tree is a condition or value in a form in which two readings can be compared. What
// one side does not understand has op "{}", and only its leaves count: the columns and
// parameters in it.
type tree struct {
	op   string
	kids []*tree
	sub  bool // a query of its own, whose columns may have been looked through
}

func leaf(op string) *tree { return &tree{op: op} }

// agree compares our reading with theirs, the coarser one deciding how closely.
func agree(a, b *tree) bool {
	if b.op == "not" && b.kids[0].sub && a.op != "not" { // NOT x <> ANY (query) is read as an equality
		b = b.kids[0]
	}
	if b.sub {
		have, want := a.leaves(), b.leaves()
		return !slices.ContainsFunc(have, func(s string) bool { return !slices.Contains(want, s) })
	}
	if a.op == "{}" || b.op == "{}" {
		return slices.Equal(a.leaves(), b.leaves())
	}
	if a.op != b.op || len(a.kids) != len(b.kids) {
		return false
	}
	for i := range a.kids {
		if !agree(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

func (t *tree) leaves() []string {
	var out []string
	var walk func(*tree)
	walk = func(t *tree) {
		if len(t.kids) == 0 && (strings.HasPrefix(t.op, "col ") || strings.HasPrefix(t.op, "$")) {
			out = append(out, t.op)
		}
		for _, k := range t.kids {
			walk(k)
		}
	}
	walk(t)
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *tree) String() string {
	if len(t.kids) == 0 {
		return t.op
	}
	parts := make([]string, len(t.kids))
	for i, k := range t.kids {
		parts[i] = k.String()
	}
	return "(" + t.op + " " + strings.Join(parts, " ") + ")"
}

func condTree(c fence.Cond) *tree {
	switch c := c.(type) {
	case nil:
		return leaf("true")
	case fence.And:
		return joined("and", "true", c.Of)
	case fence.Or:
		return joined("or", "false", c.Of)
	case fence.Not:
		k := condTree(c.Of)
		if k.op == "not" {
			return k.kids[0]
		}
		return &tree{op: "not", kids: []*tree{k}}
	case fence.Is:
		k := condTree(c.Of)
		if k.op == "true" && c.Value == fence.True {
			return k
		}
		return &tree{op: [...]string{"is true", "is false", "is null"}[c.Value], kids: []*tree{k}}
	case fence.Cmp:
		return &tree{op: c.Op.String(), kids: []*tree{termTree(c.L), termTree(c.R)}}
	case fence.IsNull:
		return &tree{op: "is null", kids: []*tree{termTree(c.Of)}}
	case fence.Truthy:
		return termTree(c.Of)
	case fence.Atom:
		out := dark(c.Of)
		out.sub = c.Key == subquery
		return out
	}
	out := &tree{op: "{}"}
	if x, ok := c.(fence.Exists); ok {
		out.kids = []*tree{condTree(x.Of)}
	}
	return out
}

// joined flattens, so that it does not matter how a list was nested.
func joined(op, empty string, of []fence.Cond) *tree {
	out := &tree{op: op}
	for _, c := range of {
		k := condTree(c)
		switch k.op {
		case op:
			out.kids = append(out.kids, k.kids...)
		case empty:
		default:
			out.kids = append(out.kids, k)
		}
	}
	switch len(out.kids) {
	case 0:
		return leaf(empty)
	case 1:
		return out.kids[0]
	}
	return out
}

// subquery is the key of what stands for a query in another parser's reading.
const subquery = "subquery"

func dark(of []fence.Term) *tree { return &tree{op: "{}", kids: termTrees(of)} }

func termTrees(ts []fence.Term) []*tree {
	out := make([]*tree, len(ts))
	for i, t := range ts {
		out[i] = termTree(t)
	}
	return out
}

var fnNames = map[fence.Fn]string{fence.Coalesce: "coalesce", fence.Greatest: "greatest", fence.GreatestNull: "greatest", fence.Least: "least",
	fence.LeastNull: "least", fence.Add: "+", fence.Sub: "-", fence.NullIf: "nullif"}

func termTree(t fence.Term) *tree {
	switch t := t.(type) {
	case nil, fence.Null:
		return leaf("null")
	case fence.Stored:
		return leaf("col " + t.Column)
	case fence.Input:
		return leaf("$" + strings.TrimLeft(string(t.Arg), "$?"))
	case fence.Const:
		return leaf(fence.TermText(t))
	case fence.Lit:
		return leaf("'" + t.Text)
	case fence.Bool:
		return condTree(t.Of)
	case fence.Opaque:
		out := dark(t.Of)
		out.sub = t.Key == subquery
		return out
	case fence.Apply:
		if name := fnNames[t.Fn]; name != "" {
			return &tree{op: name, kids: termTrees(t.Args)}
		}
		return termTree(t.Args[0]) // a cast
	case fence.Case:
		out := &tree{op: "case"}
		for _, a := range t.Arms {
			out.kids = append(out.kids, condTree(a.When), termTree(a.Then))
		}
		out.kids = append(out.kids, termTree(t.Else))
		return out
	}
	return leaf("?")
}
