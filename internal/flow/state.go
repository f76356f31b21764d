package flow

import (
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// state is what is known on one path.
type state struct {
	vals  bindings[abs]   // of single values
	tups  bindings[[]abs] // of the results of calls
	cells bindings[abs]   // of the content of variables whose address is taken
	flags flags
	// toldTo is a parameter, counted from 1, that is a function which was told of the refusal.
	toldTo int
}

type flags uint16

const (
	branched    flags = 1 << iota // a branch was decided by the refusal
	answered                      // the peer was told no
	observed                      // the refusal was sent or stored
	unsure                        // a branch on the refusal could not be decided
	atReturn                      // a deferred release waits
	oneGiven                      // of several locks taken by one statement, one was given back
	texts                         // constant texts are followed too
	lists                         // the elements of a list are followed too
	decidedHere                   // a branch of the function itself was decided by the refusal
)

// bindings is what is known of some values. They are few, so that to look through them
// is faster than a map is, and to copy them much faster.
type bindings[T any] []pair[T]

type pair[T any] struct {
	of ssa.Value
	is T
}

func (b bindings[T]) get(v ssa.Value) (is T, ok bool) {
	for i := range b {
		if b[i].of == v {
			return b[i].is, true
		}
	}
	return is, false
}

func (b *bindings[T]) put(v ssa.Value, is T) {
	for i := range *b {
		if (*b)[i].of == v {
			(*b)[i].is = is
			return
		}
	}
	*b = append(*b, pair[T]{v, is})
}

func (b *bindings[T]) drop(v ssa.Value) {
	b.keep(func(of ssa.Value) bool { return of != v })
}

func (b *bindings[T]) keep(alive func(ssa.Value) bool) {
	*b = slices.DeleteFunc(*b, func(x pair[T]) bool { return !alive(x.of) })
}

func newState() *state { return new(state) }

func (s *state) clone() *state {
	return &state{vals: slices.Clone(s.vals), tups: slices.Clone(s.tups), cells: slices.Clone(s.cells), flags: s.flags, toldTo: s.toldTo}
}

func (s *state) set(v ssa.Value, a abs) {
	if a == (abs{}) {
		s.vals.drop(v)
		return
	}
	s.vals.put(v, a)
}

// setCell passes what is known of a loaded value on to the variable.
func (s *state) setCell(v ssa.Value, a abs) {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		if al, ok := u.X.(*ssa.Alloc); ok {
			s.cells.put(al, a)
		}
	}
}

// enter computes the phis of a block and forgets what is dead in it.
func (s *state) enter(b, pred *ssa.BasicBlock, l *liveness) {
	if pred != nil {
		s.phis(b, pred)
	}
	s.vals.keep(func(v ssa.Value) bool { return l.at(v, b) || definedIn(v, b) })
	s.tups.keep(func(v ssa.Value) bool { return l.at(v, b) })
}

func (s *state) phis(b, pred *ssa.BasicBlock) {
	i := slices.Index(b.Preds, pred)
	var news bindings[abs]
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		news = append(news, pair[abs]{phi, s.of(phi.Edges[i])})
	}
	for _, n := range news {
		s.set(n.of, n.is)
	}
}

func definedIn(v ssa.Value, b *ssa.BasicBlock) bool {
	in, ok := v.(*ssa.Phi)
	return ok && in.Block() == b
}

// tuple is what a return gives back. A function with one result of tuple type
// (return g()) has it spread already by SSA.
func (s *state) tuple(r *ssa.Return) []abs {
	out := make([]abs, len(r.Results))
	for i, v := range r.Results {
		out[i] = s.of(v)
	}
	return out
}

// numbering tells the values of one function apart by numbers.
type numbering map[ssa.Value]int

func (n numbering) of(v ssa.Value) int {
	i, ok := n[v]
	if !ok {
		i = len(n)
		n[v] = i
	}
	return i
}

// key tells states at the begin of blocks apart; it is added to buf.
func (s *state) key(buf []byte, b *ssa.BasicBlock, n numbering) []byte {
	buf = strconv.AppendInt(buf, int64(b.Index), 10)
	buf = append(buf, ':', byte(s.flags), byte(s.flags>>8), byte(s.toldTo))
	buf = appendKey(buf, '=', s.vals, n, abs.appendCode)
	buf = appendKey(buf, ':', s.tups, n, appendTuple)
	return appendKey(buf, '*', s.cells, n, abs.appendCode)
}

func appendKey[T any](buf []byte, sign byte, b bindings[T], n numbering, code func(T, []byte) []byte) []byte {
	type numbered struct{ number, at int }
	var few [16]numbered
	order := few[:0]
	for i := range b {
		order = append(order, numbered{n.of(b[i].of), i})
	}
	slices.SortFunc(order, func(x, y numbered) int { return x.number - y.number })
	for _, o := range order {
		buf = strconv.AppendInt(append(buf, ';'), int64(o.number), 10)
		buf = code(b[o.at].is, append(buf, sign))
	}
	return buf
}
