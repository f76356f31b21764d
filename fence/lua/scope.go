package lua

import "strconv"

// scopes gives each local variable a name of its own, so that one that hides another is
// not taken for it: what a block calls by a name ends with the block.
type scopes struct {
	declared map[string]bool
}

// scope is a block with the locals that it has declared so far.
type scope struct {
	outer *scope
	names map[string]string
}

func (in *scope) inner() *scope { return &scope{outer: in, names: map[string]string{}} }

// declare makes a new variable; the first of a name keeps it.
func (r *scopes) declare(in *scope, name string) string {
	unique := name
	for n := 2; r.declared[unique]; n++ {
		unique = name + "'" + strconv.Itoa(n)
	}
	r.declared[unique], in.names[name] = true, unique
	return unique
}

func (in *scope) named(name string) string {
	for s := in; s != nil; s = s.outer {
		if unique, ok := s.names[name]; ok {
			return unique
		}
	}
	return name
}

func (r *scopes) block(b []stmt, in *scope) {
	for i := range b {
		r.statement(&b[i], in)
	}
}

func (r *scopes) statement(t *stmt, in *scope) {
	if t.kind == "function" { // it may call itself
		if t.local {
			t.names[0] = r.declare(in, t.names[0])
		} else {
			t.names[0] = in.named(t.names[0])
		}
	}
	r.exprs(t.left, in)
	body := in.inner()
	if t.kind == "repeat" { // whose condition sees what its body declares
		r.block(t.arms[0], body)
		r.exprs(t.exprs, body)
		return
	}
	r.exprs(t.exprs, in)
	switch t.kind {
	case "local":
		for k := range t.names {
			t.names[k] = r.declare(in, t.names[k])
		}
	case "loop":
		for k := range t.names {
			t.names[k] = r.declare(body, t.names[k])
		}
		r.block(t.arms[0], body)
	default:
		for _, a := range t.arms {
			r.block(a, in.inner())
		}
	}
}

func (r *scopes) exprs(es []*expr, in *scope) {
	for _, e := range es {
		switch {
		case e == nil:
		case e.kind == "name":
			e.text = in.named(e.text)
		case e.kind == "function":
			body := in.inner()
			for k := range e.params {
				e.params[k] = r.declare(body, e.params[k])
			}
			r.block(e.body, body)
		default:
			r.exprs(e.args, in)
			r.exprs(e.keys, in)
		}
	}
}
