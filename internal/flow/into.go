package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// maxDepth bounds how deep a refusal is followed into functions that examine it.
const maxDepth = 5

// own follows a refusal into a function of the package that is handed it.
func (e *explorer) own(c *ssa.Call, s *state) ([]*state, bool) {
	common := c.Common()
	callee := common.StaticCallee()
	if callee == nil || e.depth >= maxDepth {
		return nil, false
	}
	callee = origin(callee)
	if callee.Blocks == nil {
		return e.imported(c, s, callee)
	}
	if e.f.a.funcs[callee] == nil && callee.Parent() == nil && e.f.a.byID[e.f.a.known.id(callee)] == nil {
		return nil, false
	}
	entry := newState()
	entry.flags = s.flags & texts
	for i, a := range common.Args {
		if i < len(callee.Params) {
			s.hand(entry, callee.Params[i], a)
		}
	}
	var ends []string
	seen := map[string]*state{}
	inner := &explorer{f: e.f.a.function(callee), depth: e.depth + 1, grant: e.grant, left: e.left}
	t := &teller{f: inner.f, walk: func(x *explorer) {
		x.depth = inner.depth
		x.fromEntry(grantedEntry(entry))
	}}
	inner.instr = t.note
	inner.ret = func(r *ssa.Return, tuple []abs, in *state) {
		out := s.clone()
		out.flags |= in.flags & (observed | answered | branched | unsure)
		tuple = t.told(r, tuple, in)
		out.result(c, tuple)
		key := tupleCode(tuple) + string(rune('a'+in.flags))
		if seen[key] == nil {
			seen[key] = out
			ends = append(ends, key)
		}
	}
	inner.fromEntry(entry.clone())
	if inner.capped || len(ends) > 8 {
		return nil, false
	}
	if len(ends) == 1 {
		*s = *seen[ends[0]]
	}
	out := make([]*state, len(ends))
	for i, k := range ends {
		out[i] = seen[k]
	}
	return out, true
}

// grantedEntry is the state at the begin of a function that is handed a grant in place of
// a refusal.
func grantedEntry(refusal *state) *state {
	s := newState()
	s.flags = refusal.flags
	for _, v := range refusal.vals {
		s.set(v.of, v.is.instead(v.of.Type()))
	}
	for _, l := range refusal.tups {
		if list, ok := l.of.Type().Underlying().(*types.Slice); ok {
			elems := make([]abs, len(l.is))
			for i, a := range l.is {
				elems[i] = a.instead(list.Elem())
			}
			s.tups.put(l.of, elems)
		}
	}
	return s
}

// imported uses what the summary of an imported function says of a refusal that
// it is handed. One that does not return when it is told does not, whatever else it is told.
func (e *explorer) imported(c *ssa.Call, s *state, callee *ssa.Function) ([]*state, bool) {
	sum := e.f.a.byName(e.f.a.known.id(callee))
	if sum == nil {
		return nil, false
	}
	var heard *ParamSignal
	for i := range sum.Signals {
		ps := &sum.Signals[i]
		if ps.Param >= len(c.Call.Args) || !ps.hears(s.given(c.Call.Args[ps.Param])) && !slices.ContainsFunc(s.elements(c.Call.Args[ps.Param]), ps.hears) {
			continue
		}
		if len(ps.Returns) == 0 {
			return nil, true
		}
		if heard == nil {
			heard = ps
		}
	}
	if heard == nil {
		return []*state{s}, s.givenBack(c, sum)
	}
	var out []*state
	for _, r := range heard.Returns {
		fs := s.clone()
		fs.result(c, heard.results(r))
		out = append(out, fs)
	}
	if len(out) == 1 {
		*s = *out[0]
	}
	return out, true
}

// givenBack sets the results of a call that gives back what it is handed; false if it does
// not.
func (s *state) givenBack(c *ssa.Call, sum *Summary) bool {
	r := make([]abs, len(sum.Results))
	found := false
	for i, t := range sum.Results {
		r[i] = abs{sig: true}
		if t != nil && t.Kind == term.Param && t.N < len(c.Call.Args) {
			r[i], found = s.of(c.Call.Args[t.N]), true
		}
	}
	if found {
		s.result(c, r)
	}
	return found
}

// hears reports whether an argument is what the signal is about.
func (ps *ParamSignal) hears(a abs) bool {
	if ps.When == 0 {
		return a.k == refused || a.sig
	}
	return a.sig && a.letter() == ps.When
}

// results are those of one of the ways to return. What is not known of one that was told
// of an answer may come from it.
func (ps *ParamSignal) results(tuple string) []abs {
	out := parseTuple(tuple)
	for i := range out {
		if ps.When != 0 && out[i] == (abs{}) {
			out[i].sig = true
		}
	}
	return out
}
