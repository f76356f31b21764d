package prove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
)

// bound is an argument of a statement with what is known of its value.
type bound struct {
	arg     fence.Arg
	term    *term.Term
	origins []origin
}

// worth is the class of an argument: that of all its origins, or the worst.
func (b *bound) worth() class {
	c := class("")
	for _, o := range b.origins {
		if c == "" || classRank(o.class) > classRank(c) {
			c = o.class
		}
	}
	return c
}

// classRank orders classes from the best to the worst; what a caller supplies
// comes last, since nothing can be said before it is known.
func classRank(c class) int {
	order := []class{epoch, epochReread, constant, stored, volatile, unbound, opaque, clock, local, untrusted, zero, unknownFrom, handedIn}
	return slices.Index(order, c)
}

// bind gives the arguments of a mutation their values.
func (j *judge) bind(params []fence.Arg, args *term.Term) []bound {
	var out []bound
	for _, a := range params {
		t := j.argument(a, args)
		out = append(out, bound{arg: a, term: t, origins: j.origins(t)})
	}
	return out
}

func unboxed(t *term.Term) *term.Term {
	for t.Kind == term.Iface {
		t = t.Args[0]
	}
	return t
}

// mutationArgs lists the arguments that guard and assignments mention.
func mutationArgs(m *fence.Mutation) []fence.Arg {
	out := fence.CondArgs(m.Guard)
	for _, s := range m.Set {
		out = append(out, fence.Args(s.Value)...)
	}
	for _, s := range m.InsertRow {
		out = append(out, fence.Args(s.Value)...)
	}
	for _, g := range fence.Gates(m) {
		out = append(out, mutationArgs(g)...)
	}
	slices.SortFunc(out, byNumber)
	return slices.Compact(out)
}

// byNumber orders arguments by their names, and $2 before $10.
func byNumber(a, b fence.Arg) int {
	x, y := strings.TrimRight(string(a), "0123456789"), strings.TrimRight(string(b), "0123456789")
	return cmp.Or(strings.Compare(x, y), cmp.Compare(len(a), len(b)), strings.Compare(string(a), string(b)))
}
