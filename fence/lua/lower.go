package lua

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

func itoa(n int) string { return strconv.Itoa(n) }

// script puts the paths together.
func (r *run) script() *Script {
	out := &Script{Keys: r.keys, Expires: len(r.expires) > 0, Problems: r.problems}
	m := &fence.Mutation{
		Kind: fence.Update, Resource: strings.Join(r.keys, ","), Semantics: fence.MissingRaises,
		InsertPath: r.insertion(), Problems: r.problems,
		Notes: []string{"numbers stay below 2^53, where Lua counts exactly"},
	}
	var guard fence.Or
	var writers []*state
	for _, s := range r.done {
		a := Answer{Text: answer(*s.end), Args: argsOf(s.conds)}
		if !s.wrote {
			out.Refusals = append(out.Refusals, a)
			continue
		}
		out.Accepts = append(out.Accepts, a)
		guard.Of = append(guard.Of, r.conjunction(s.conds[:s.first]))
		writers = append(writers, s)
	}
	if len(writers) == 0 {
		return out
	}
	m.Guard = guard
	for _, col := range r.columns {
		m.Set = append(m.Set, fence.Assign{Column: col, Value: r.assignment(col, writers)})
	}
	out.Mutation = m
	return out
}

// insertion: a record that is not there is made, unless it also goes away by itself.
func (r *run) insertion() fence.Path {
	for _, k := range r.expires {
		if slices.Contains(r.read, k) {
			return fence.Closed
		}
	}
	return fence.Open
}

func argsOf(conds []fence.Cond) []fence.Arg {
	var out []fence.Arg
	for _, c := range conds {
		out = append(out, fence.CondArgs(c)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *run) conjunction(conds []fence.Cond) fence.Cond {
	out := fence.And{}
	for _, c := range conds {
		out.Of = append(out.Of, r.keyed(c))
	}
	return out
}

// keyed reads the existence of a key that has fields as that of the record.
func (r *run) keyed(c fence.Cond) fence.Cond {
	switch c := c.(type) {
	case fence.Not:
		return fence.Not{Of: r.keyed(c.Of)}
	case fence.IsNull:
		s, ok := c.Of.(fence.Stored)
		if !ok || strings.ContainsAny(s.Column, ".#") || !r.hash(s.Column) {
			return c
		}
		if len(r.read) == 1 {
			return fence.NoRow{}
		}
		return fence.Atom{Key: "exists " + s.Column}
	}
	return c
}

// hash reports whether fields of the key, or members of its document, are written.
func (r *run) hash(key string) bool {
	return slices.ContainsFunc(r.columns, func(c string) bool {
		return strings.HasPrefix(c, key+".") || strings.HasPrefix(c, key+"#")
	})
}

// assignment is what the script leaves in a column: one value, or one for each path.
func (r *run) assignment(col string, writers []*state) fence.Term {
	var values []fence.Term
	same := true
	for _, s := range writers {
		v := r.left(col, s)
		values = append(values, v)
		same = same && termKey(v) == termKey(values[0])
	}
	if same {
		return values[0]
	}
	c := fence.Case{Else: fence.Stored{Column: col}}
	for i, s := range writers {
		c.Arms = append(c.Arms, fence.Arm{When: r.conjunction(s.conds), Then: values[i]})
	}
	return c
}

// left is the content of a column at the end of a path.
func (r *run) left(col string, s *state) fence.Term {
	if v, ok := s.cells[col]; ok && v.term != nil {
		return v.term
	}
	if key, _, ok := strings.Cut(col, "."); ok {
		switch v, whole := s.cells[key]; {
		case whole && v.kind == vText && !v.lit: // what was put over it may have fields
			return v.term
		case whole:
			return fence.Null{}
		}
	}
	return fence.Stored{Column: col}
}

// answer is what a client receives.
func answer(v value) string {
	switch v.kind {
	case vNil:
		return "nil"
	case vError:
		return "error"
	case vBool:
		if isTrue(v.cond) {
			return "1"
		}
		if o, ok := v.cond.(fence.Or); ok && len(o.Of) == 0 {
			return "nil"
		}
	case vNum, vText:
		if c, ok := v.term.(fence.Const); ok {
			return itoa(int(c.Int))
		}
		if v.lit {
			return v.name
		}
		if v.kind == vNum {
			return "+"
		}
	case vMaybe:
		return "+"
	}
	return "?"
}
