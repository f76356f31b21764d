package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Lists to which a loop adds elements. With one round and with two all is seen that more of
// them can do to a text which is joined from the list.

// grown is a list that a loop has grown.
type grown struct {
	added []*term.Term // in one round
	tail  []*term.Term // behind the loop
}

// grownList takes such a list apart; nil for other lists.
func grownList(t *term.Term) *grown {
	var tail []*term.Term
	for t.Kind == term.Op && t.Str == "append" && len(t.Args) == 2 && t.Args[1].Kind == term.List && !t.Args[1].Open {
		if fromItself(t.Args[0]) {
			return &grown{t.Args[1].Args, tail}
		}
		tail = append(slices.Clone(t.Args[1].Args), tail...)
		t = t.Args[0]
	}
	return nil
}

// Grown reports whether a term is a list to which a loop has added elements.
func Grown(t *term.Term) bool { return isGrown(t) }

func isGrown(t *term.Term) bool { return grownList(t) != nil }

// unbegun reports whether a list that a loop grows was found on the way to what it is before
// the loop, and lacks that: it is found anew when somebody asks who is not on that way.
func (f *fn) unbegun(v ssa.Value, t *term.Term) bool {
	if t.Kind != term.Op && t.Kind != term.Unknown && t.Kind != term.Alt {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Slice); !ok || f.anew[v] == maxAsked {
		return false
	}
	for _, a := range t.Alternatives() {
		if !fromItself(a) && !isGrown(a) {
			return false
		}
	}
	if f.anew == nil {
		f.anew = make(map[ssa.Value]int)
	}
	f.anew[v]++
	return true
}

// before is a list without what is added behind the loop; nil if it does not end in that.
func (g *grown) before(l *term.Term) []*term.Term {
	n := len(l.Args) - len(g.tail)
	if l.Kind != term.List || l.Open || n < 0 || !slices.EqualFunc(l.Args[n:], g.tail, (*term.Term).Equal) {
		return nil
	}
	return append([]*term.Term{}, l.Args[:n]...)
}

// joinedInLoop joins a list to which a loop adds, of which it is known what it is before. It is
// nil for other lists.
func joinedInLoop(lists []*term.Term, sep *term.Term) *term.Term {
	var out []*term.Term
	add := func(parts ...[]*term.Term) bool {
		t := foldJoin([]*term.Term{term.NewList(false, slices.Concat(parts...)...), sep}, 0)
		out = append(out, t)
		return t != nil
	}
	for _, l := range lists {
		g := grownList(l)
		switch {
		case g != nil:
			begun := false
			for _, b := range lists {
				if b.Equal(term.Nil) && len(g.tail) == 0 {
					b = term.NewList(false)
				}
				first := g.before(b)
				if first == nil {
					continue
				}
				if begun = true; !add(first, g.added, g.tail) {
					return nil
				}
				for _, then := range lists { // another round may add something else
					if h := grownList(then); h != nil && !add(first, g.added, h.added, g.tail) {
						return nil
					}
				}
			}
			if !begun {
				return nil
			}
		case l.Equal(term.Nil):
			out = append(out, term.NewString(""))
		case l.Kind != term.List || l.Open || !add(l.Args):
			return nil
		}
	}
	return term.NewAlt(out...)
}
