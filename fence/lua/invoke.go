package lua

import "slices"

// maxCalls bounds how deep functions of a script call each other.
const maxCalls = 8

// defined is a function that a script makes.
func defined(_ *run, e *expr, s *state) []at {
	return []at{{s, value{kind: vFunc, fn: e}}}
}

// invoke runs a function of the script on a path, and gives what it returns on each way
// through. One that calls itself is not followed.
func (r *run) invoke(f *expr, vs []value, s *state) []at {
	if slices.Contains(r.active, f) || len(r.active) >= maxCalls || f.variadic {
		r.problem("a function that calls itself or takes any number of values", f.pos)
		return one(s, r.opaque("function", vs...))
	}
	r.active = append(r.active, f)
	defer func() { r.active = r.active[:len(r.active)-1] }()
	for i, p := range f.params {
		s.vars[p] = nth(vs, i)
	}
	var out []at
	for _, s := range r.block(f.body, []*state{s}) {
		v := value{kind: vNil}
		if s.end != nil && !s.raised {
			v, s.end = *s.end, nil
		}
		out = append(out, at{s, v})
	}
	return out
}

// asserted goes on where a value counts as true, and ends the script where it does not.
func (r *run) asserted(s *state, vs []value) []at {
	yes, no := r.split(s, nth(vs, 0))
	var out []at
	for _, y := range yes {
		out = append(out, at{y, nth(vs, 0).given()})
	}
	for _, n := range no {
		raise(r, n, nil)
		out = append(out, at{s: n})
	}
	return out
}
