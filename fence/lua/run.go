package lua

import (
	"fmt"
	"slices"

	"github.com/fencelint/fencelint/fence"
)

// Script is what a script does.
type Script struct {
	// Mutation is the write, nil if the script writes nothing. Its columns are
	// "KEYS[1]" for a plain key and "KEYS[1].field" for a field.
	Mutation *fence.Mutation
	// Keys are the keys that are written, in the order of the text.
	Keys []string
	// Refusals are the answers of the runs that write nothing, Accepts those of
	// the runs that write.
	Refusals []Answer
	Accepts  []Answer
	// Expires: the script gives a key a time to live.
	Expires  bool
	Problems []fence.Problem
}

// Answer is what a script sends back at the end of one path.
type Answer struct {
	// Text is "nil" (false and nil), "error", "+" for a number that is computed or was
	// stored, "?" if nothing is known, else the number or the text.
	Text string
	Args []fence.Arg // that the conditions on the path mention
}

// maxPaths and maxSteps bound what is followed of one script.
const (
	maxPaths = 256
	maxSteps = 20000
)

// Parse reads a script.
func Parse(src string) *Script {
	body, p := parse(src)
	r := &run{}
	if p.bad {
		r.problem("the script is no Lua that is understood", p.where)
		return &Script{Problems: r.problems}
	}
	(&scopes{declared: map[string]bool{}}).block(body, (*scope)(nil).inner())
	for _, s := range r.block(body, []*state{{vars: map[string]value{}, cells: map[string]value{}}}) {
		if s.end == nil {
			s.end = &value{kind: vNil}
		}
		r.done = append(r.done, s)
	}
	return r.script()
}

// run follows all paths of a script.
type run struct {
	done     []*state
	problems []fence.Problem
	fresh    int
	steps    int
	columns  []string // written, in order
	keys     []string // written, in order
	expires  []string // keys that are given a time to live
	read     []string // keys whose content is read
	active   []*expr  // functions of the script that are being followed
}

func (r *run) problem(reason string, pos int) {
	for _, p := range r.problems {
		if p.Reason == reason {
			return
		}
	}
	r.problems = append(r.problems, fence.Problem{Reason: reason, Offset: pos})
}

// state is one path up to a place.
type state struct {
	vars  map[string]value
	cells map[string]value // columns that this path has written
	conds []fence.Cond
	known map[string]bool // truth of the conditions, by their text
	first int             // number of conditions before the first write, -1 if the first comes without
	wrote bool
	end   *value // what the path returns, nil while it goes on

	raised bool // it ended in an error, not in a return
}

func (s *state) clone() *state {
	c := *s
	c.vars, c.cells, c.known = copied(s.vars), copied(s.cells), copied(s.known)
	c.conds = slices.Clone(s.conds)
	return &c
}

func copied[V any](m map[string]V) map[string]V {
	out := make(map[string]V, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// assume adds a condition; false if it contradicts what the path has decided.
func (s *state) assume(c fence.Cond, want bool) bool {
	switch k := c.(type) {
	case fence.And:
		if len(k.Of) == 0 {
			return want
		}
	case fence.Or:
		if len(k.Of) == 0 {
			return !want
		}
	case fence.Not:
		return s.assume(k.Of, !want)
	case fence.IsNull:
		if _, ok := k.Of.(fence.Stored); !ok {
			if _, ok := k.Of.(fence.Opaque); !ok {
				return !want // an argument or a literal
			}
		}
	}
	key := condKey(c)
	if was, ok := s.known[key]; ok {
		return was == want
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[key] = want
	if !want {
		c = fence.Not{Of: c}
	}
	s.conds = append(s.conds, c)
	return true
}

func condKey(c fence.Cond) string { return fmt.Sprintf("%T%+v", c, c) }
func termKey(t fence.Term) string { return fmt.Sprintf("%T%+v", t, t) }

// split gives the paths on which a value is true and those on which it is false.
func (r *run) split(s *state, v value) (yes, no []*state) {
	c, ok := v.truth()
	if !ok {
		return []*state{s}, nil
	}
	return r.splitOn(s, c)
}

func (r *run) splitOn(s *state, c fence.Cond) (yes, no []*state) {
	a, b := s.clone(), s
	if a.assume(c, true) {
		yes = []*state{a}
	}
	if b.assume(c, false) {
		no = []*state{b}
	}
	return yes, no
}

// block runs statements on each path; paths that have ended stay as they are.
func (r *run) block(b []stmt, in []*state) []*state {
	for i := range b {
		var out []*state
		for _, s := range in {
			if s.end != nil {
				out = append(out, s)
				continue
			}
			out = append(out, r.statement(&b[i], s)...)
		}
		if len(out) > maxPaths || r.steps > maxSteps {
			r.problem("the script has more ways through than are followed", b[i].pos)
			return out[:min(len(out), maxPaths)]
		}
		in = out
	}
	return in
}

var runs map[string]func(*run, *stmt, *state) []*state

func init() { // the functions refer to the table
	runs = map[string]func(*run, *stmt, *state) []*state{
		"local": (*run).assignNames, "assign": (*run).assign, "call": (*run).callStmt,
		"return": (*run).returned, "if": (*run).branch, "loop": (*run).loop, "repeat": (*run).loop,
		"do":    func(r *run, t *stmt, s *state) []*state { return r.block(t.arms[0], []*state{s}) },
		"break": func(r *run, t *stmt, s *state) []*state { return []*state{s} },
		"function": func(r *run, t *stmt, s *state) []*state {
			s.vars[t.names[0]] = value{kind: vFunc, fn: t.exprs[0]}
			return []*state{s}
		},
	}
}

func (r *run) statement(t *stmt, s *state) []*state {
	r.steps++
	if f := runs[t.kind]; f != nil {
		return f(r, t, s)
	}
	r.problem("a statement that is not followed", t.pos)
	return []*state{s}
}

func (r *run) assignNames(t *stmt, s *state) []*state {
	return r.eachList(t.exprs, s, func(s *state, vs []value) {
		for i, n := range t.names {
			s.vars[n] = nth(vs, i)
		}
	})
}

func nth(vs []value, i int) value {
	if i < len(vs) {
		return vs[i]
	}
	if n := len(vs); n > 0 && vs[n-1].kind == vPack {
		return vs[n-1]
	}
	return value{kind: vNil}
}

func (r *run) assign(t *stmt, s *state) []*state {
	return r.eachList(t.exprs, s, func(s *state, vs []value) {
		for i, l := range t.left {
			r.store(l, nth(vs, i), s)
		}
	})
}

// store puts a value into a variable or a member of a table.
func (r *run) store(to *expr, v value, s *state) {
	switch {
	case to.kind == "name":
		s.vars[to.text] = v
	case to.kind == "index" && to.args[0].kind == "name":
		t := s.vars[to.args[0].text]
		key, ok := constant(to.args[1])
		if (t.kind != vTable && t.kind != vDoc) || !ok {
			s.vars[to.args[0].text] = r.opaque("table", t, v)
			return
		}
		t.items, t.keys = append(slices.Clone(t.items), v), append(slices.Clone(t.keys), key)
		s.vars[to.args[0].text] = t
	default:
		r.problem("an assignment that is not followed", to.pos)
	}
}

func (r *run) callStmt(t *stmt, s *state) []*state {
	return r.eachList(t.exprs, s, func(*state, []value) {})
}

func (r *run) returned(t *stmt, s *state) []*state {
	return r.eachList(t.exprs, s, func(s *state, vs []value) {
		v := nth(vs, 0)
		s.end = &v
	})
}

func (r *run) branch(t *stmt, s *state) []*state {
	var out []*state
	open := []*state{s}
	for i, cond := range t.exprs {
		var next []*state
		for _, s := range open {
			for _, x := range r.eval(cond, s) {
				if x.s.end != nil {
					out = append(out, x.s)
					continue
				}
				yes, no := r.split(x.s, x.v)
				out = append(out, r.block(t.arms[i], yes)...)
				next = append(next, no...)
			}
		}
		open = next
	}
	if len(t.arms) > len(t.exprs) {
		open = r.block(t.arms[len(t.arms)-1], open)
	}
	return append(out, open...)
}

// loop runs its body once or not at all, with everything that it assigns unknown. What
// decides about a round may itself write.
func (r *run) loop(t *stmt, s *state) []*state {
	for _, n := range append(assigned(t.arms[0]), t.names...) {
		s.vars[n] = r.opaque(n, s.vars[n])
	}
	var out []*state
	for _, l := range r.lists(t.exprs, s) {
		out = append(out, l.s)
		if l.s.end == nil {
			out = append(out, r.block(t.arms[0], []*state{l.s.clone()})...)
		}
	}
	return out
}

// assigned lists the variables that statements assign.
func assigned(b []stmt) []string {
	var out []string
	for i := range b {
		for _, l := range b[i].left {
			for l.kind == "index" {
				l = l.args[0]
			}
			out = append(out, l.text)
		}
		for _, a := range b[i].arms {
			out = append(out, assigned(a)...)
		}
	}
	return out
}

// at is a value on a path.
type at struct {
	s *state
	v value
}

// eachList evaluates expressions from the left and hands each path its values.
func (r *run) eachList(es []*expr, s *state, then func(*state, []value)) []*state {
	var out []*state
	for _, l := range r.lists(es, s) {
		if l.s.end == nil {
			then(l.s, l.vs)
		}
		out = append(out, l.s)
	}
	return out
}

type listAt struct {
	s  *state
	vs []value
}

func (r *run) lists(es []*expr, s *state) []listAt {
	in := []listAt{{s: s}}
	for _, e := range es {
		var out []listAt
		for _, l := range in {
			if l.s.end != nil {
				out = append(out, l)
				continue
			}
			for _, x := range r.eval(e, l.s) {
				out = append(out, listAt{x.s, append(slices.Clone(l.vs), x.v)})
			}
		}
		in = out
	}
	return in
}
