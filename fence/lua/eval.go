package lua

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

var evals map[string]func(*run, *expr, *state) []at

func init() { // the functions refer to the table
	evals = map[string]func(*run, *expr, *state) []at{
		"nil":    just(value{kind: vNil}),
		"true":   just(boolean(true)),
		"false":  just(boolean(false)),
		"number": func(r *run, e *expr, s *state) []at { return []at{{s, r.numberOf(e.text)}} },
		"string": func(r *run, e *expr, s *state) []at { return []at{{s, literal(e.text)}} },
		"name":   (*run).name, "index": (*run).index, "call": (*run).call, "method": (*run).other,
		"binary": (*run).binary, "unary": (*run).unary, "and": (*run).and, "or": (*run).or,
		"table": (*run).table, "paren": func(r *run, e *expr, s *state) []at { return r.eval(e.args[0], s) },
		"vararg": (*run).other, "function": defined,
	}
}

func just(v value) func(*run, *expr, *state) []at {
	return func(_ *run, _ *expr, s *state) []at { return []at{{s, v}} }
}

// eval gives the value of an expression on each path through it.
func (r *run) eval(e *expr, s *state) []at {
	r.steps++
	if r.steps > maxSteps {
		return []at{{s, r.opaque("steps")}}
	}
	if f := evals[e.kind]; f != nil {
		return f(r, e, s)
	}
	return r.other(e, s)
}

func (r *run) other(e *expr, s *state) []at {
	r.problem("an expression that is not followed: "+e.kind, e.pos)
	return []at{{s, r.opaque(e.kind)}}
}

func (r *run) numberOf(text string) value {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return number(n)
	}
	v := r.opaque(text)
	v.kind = vNum
	return v
}

func (r *run) name(e *expr, s *state) []at {
	if v, ok := s.vars[e.text]; ok {
		return []at{{s, v}}
	}
	return []at{{s, r.opaque(e.text)}}
}

// constant is a table key that is written out.
func constant(e *expr) (string, bool) {
	return e.text, e.kind == "string" || e.kind == "number"
}

func (r *run) index(e *expr, s *state) []at {
	key, ok := constant(e.args[1])
	if base := e.args[0]; base.kind == "name" && (base.text == "ARGV" || base.text == "KEYS") {
		if !ok {
			v := r.opaque(base.text)
			v.kind = vText
			return []at{{s, v}}
		}
		n := base.text + "[" + key + "]"
		return []at{{s, value{kind: vText, term: fence.Input{Arg: fence.Arg(n)}, name: n}}}
	}
	out := r.eval(e.args[0], s)
	for i := range out {
		out[i].v = r.member(out[i].v, key, ok)
	}
	return out
}

func (r *run) member(t value, key string, ok bool) value {
	if !ok {
		return r.opaque("member", append([]value{t}, t.items...)...)
	}
	for i := len(t.items) - 1; i >= 0; i-- {
		if t.keys[i] == key {
			return t.items[i]
		}
	}
	switch t.kind {
	case vDoc:
		return value{kind: vMember, term: fence.Stored{Column: t.name + "#" + key}}
	case vTable:
		return value{kind: vNil}
	}
	return r.opaque(key, t)
}

func (r *run) table(e *expr, s *state) []at {
	var out []at
	for _, l := range r.lists(e.args, s) {
		v := value{kind: vTable}
		n := 0
		for i, item := range l.vs {
			key, ok := "", true
			if k := e.keys[i]; k != nil {
				key, ok = constant(k)
			} else {
				n++
				key = strconv.Itoa(n)
			}
			if !ok || item.kind == vPack {
				v = r.opaque("table", l.vs...)
				break
			}
			v.items, v.keys = append(v.items, item), append(v.keys, key)
		}
		if v.kind == vTable && len(v.keys) > 0 && v.keys[0] == "err" {
			v.kind = vError
		}
		out = append(out, at{l.s, v})
	}
	return out
}

func (r *run) and(e *expr, s *state) []at { return r.shortcut(e, s, true) }
func (r *run) or(e *expr, s *state) []at  { return r.shortcut(e, s, false) }

// shortcut evaluates the right side on the paths where the left one does not decide.
func (r *run) shortcut(e *expr, s *state, onTrue bool) []at {
	var out []at
	for _, x := range r.eval(e.args[0], s) {
		if x.s.end != nil {
			out = append(out, x)
			continue
		}
		yes, no := r.split(x.s, x.v)
		for _, y := range yes {
			if onTrue {
				out = append(out, r.eval(e.args[1], y)...)
			} else {
				out = append(out, at{y, x.v.given()})
			}
		}
		for _, n := range no {
			if onTrue {
				out = append(out, at{n, x.v.absent()})
			} else {
				out = append(out, r.eval(e.args[1], n)...)
			}
		}
	}
	return out
}

// given is a value that is known to count as true; absent one that does not.
func (v value) given() value {
	switch v.kind {
	case vReply:
		v.kind = vText
	case vMaybe:
		v.kind = vNum
	case vBool:
		return boolean(true)
	}
	return v
}

func (v value) absent() value {
	if v.kind == vMaybe || v.kind == vNil || v.kind == vMember {
		return value{kind: vNil}
	}
	return boolean(false)
}

func (r *run) unary(e *expr, s *state) []at {
	out := r.eval(e.args[0], s)
	for i := range out {
		switch v := out[i].v; e.text {
		case "not":
			c, ok := v.truth()
			if !ok {
				c = fence.And{}
			}
			out[i].v = value{kind: vBool, cond: fence.Not{Of: c}}
		case "-":
			n := r.opaque("-", v)
			if c, ok := v.term.(fence.Const); ok && v.kind == vNum {
				n = number(-c.Int)
			}
			n.kind = vNum
			out[i].v = n
		default:
			n := r.opaque("#", v)
			n.kind = vNum
			out[i].v = n
		}
	}
	return out
}

func (r *run) binary(e *expr, s *state) []at {
	var out []at
	for _, l := range r.lists(e.args, s) {
		if l.s.end != nil {
			out = append(out, at{s: l.s})
			continue
		}
		out = append(out, r.operate(e, l.vs[0], l.vs[1], l.s))
	}
	return out
}

var ordered = map[string]fence.Op{"<": fence.LT, "<=": fence.LE, ">": fence.GT, ">=": fence.GE}

func (r *run) operate(e *expr, a, b value, s *state) at {
	if op, ok := ordered[e.text]; ok {
		return r.order(op, a, b, s)
	}
	switch e.text {
	case "==", "~=":
		c := equal(a, b)
		if e.text == "~=" {
			c = fence.Not{Of: c}
		}
		return at{s, value{kind: vBool, cond: c}}
	case "..":
		v := r.opaque("..", a, b)
		v.kind = vText
		if a.name != "" && b.name != "" {
			v.name = a.name + b.name
			v.term = fence.Opaque{Key: "text " + v.name, Of: v.term.(fence.Opaque).Of}
		}
		return at{s, v}
	case "+", "-":
		fn := fence.Add
		if e.text == "-" {
			fn = fence.Sub
		}
		if a, b := a.asNumber(), b.asNumber(); a.isNumber() && b.isNumber() {
			return at{s, value{kind: vNum, term: fence.Apply{Fn: fn, Args: []fence.Term{a.term, b.term}}}}
		}
	}
	v := r.opaque(e.text, a, b)
	v.kind = vNum
	return at{s, v}
}

// asNumber is what arithmetic makes of a value: texts become numbers.
func (v value) asNumber() value {
	switch v.kind {
	case vText, vMember:
		v.kind = vNum
	case vReply:
		v.kind = vMaybe
	}
	return v
}

// order compares two values by order, or ends the path with an error where Lua cannot.
func (r *run) order(op fence.Op, a, b value, s *state) at {
	if a.kind == vFlag || b.kind == vFlag {
		return at{s, value{kind: vBool, cond: flagOrder(op, a, b)}}
	}
	a, b = settled(a, b), settled(b, a)
	switch {
	case a.kind == vOpaque || b.kind == vOpaque || a.kind == vPack || b.kind == vPack:
		return at{s, value{kind: vBool, cond: atom(a, b)}}
	case a.isNumber() && b.isNumber():
		return at{s, value{kind: vBool, cond: fence.Cmp{Op: op, L: a.term, R: b.term}}}
	case a.isText() && b.isText():
		l, rr := fence.Apply{Fn: fence.CastText, Args: []fence.Term{a.term}}, fence.Apply{Fn: fence.CastText, Args: []fence.Term{b.term}}
		return at{s, value{kind: vBool, cond: fence.Cmp{Op: op, L: l, R: rr}}}
	}
	s.end = &value{kind: vError}
	return at{s: s}
}

// settled gives a member of a decoded table the type of what it meets.
func settled(v, other value) value {
	if v.kind != vMember {
		return v
	}
	v.kind = vMaybe
	if other.isText() {
		v.kind = vReply
	}
	return v
}

func flagOrder(op fence.Op, a, b value) fence.Cond {
	flag, other := a, b
	if b.kind == vFlag {
		flag, other = b, a
		op = map[fence.Op]fence.Op{fence.LT: fence.GT, fence.GT: fence.LT, fence.LE: fence.GE, fence.GE: fence.LE}[op]
	}
	c, ok := other.term.(fence.Const)
	if !ok {
		return atom(other)
	}
	holds := func(n int64) bool {
		return map[fence.Op]bool{fence.LT: n < c.Int, fence.LE: n <= c.Int, fence.GT: n > c.Int, fence.GE: n >= c.Int}[op]
	}
	return choose(flag.cond, holds(1), holds(0))
}

// choose is the condition that is one where c holds and zero where it does not.
func choose(c fence.Cond, one, zero bool) fence.Cond {
	switch {
	case one && zero:
		return fence.And{}
	case one:
		return c
	case zero:
		return fence.Not{Of: c}
	}
	return fence.Or{}
}

func equal(a, b value) fence.Cond {
	if b.kind == vFlag || a.kind == vNil || a.kind == vBool {
		a, b = b, a
	}
	switch {
	case a.kind == vFlag:
		if c, ok := b.term.(fence.Const); ok && b.kind == vNum {
			return choose(a.cond, c.Int == 1, c.Int == 0)
		}
		return fence.Or{}
	case b.kind == vNil:
		if a.kind == vMaybe || a.kind == vMember {
			return fence.IsNull{Of: a.term}
		}
		if a.kind == vOpaque || a.kind == vPack {
			return atom(a)
		}
		return boolean(a.kind == vNil).cond
	case b.kind == vBool:
		return equalBool(a, b)
	}
	a, b = settled(a, b), settled(b, a)
	switch {
	case a.kind == vOpaque || b.kind == vOpaque || a.kind == vPack || b.kind == vPack:
		return atom(a, b)
	case a.isNumber() && b.isNumber(), a.isText() && b.isText():
		return fence.Cmp{Op: fence.EQ, L: a.term, R: b.term}
	}
	return fence.Or{} // a number never equals a text
}

// equalBool compares with a condition: both hold, or neither does.
func equalBool(a, b value) fence.Cond {
	no := fence.Not{Of: b.cond}
	switch a.kind {
	case vReply: // false where nothing is stored, never true
		return both(fence.IsNull{Of: a.term}, no)
	case vBool:
		return fence.Or{Of: []fence.Cond{both(a.cond, b.cond), both(fence.Not{Of: a.cond}, no)}}
	case vOpaque, vPack:
		x := atom(a).(fence.Atom)
		x.Key += " is " + fence.Text(b.cond)
		return x
	}
	return fence.Or{}
}

// both joins two conditions, and leaves out what is true.
func both(a, b fence.Cond) fence.Cond {
	never := func(c fence.Cond) bool {
		n, ok := c.(fence.Not)
		return isFalse(c) || ok && isTrue(n.Of)
	}
	always := func(c fence.Cond) bool {
		n, ok := c.(fence.Not)
		return isTrue(c) || ok && isFalse(n.Of)
	}
	switch {
	case never(a) || never(b):
		return fence.Or{}
	case always(a):
		return b
	case always(b):
		return a
	}
	return fence.And{Of: []fence.Cond{a, b}}
}

func isTrue(c fence.Cond) bool {
	a, ok := c.(fence.And)
	return ok && len(a.Of) == 0
}

func isFalse(c fence.Cond) bool {
	o, ok := c.(fence.Or)
	return ok && len(o.Of) == 0
}

// dotted is the name of a function: "redis.call".
func dotted(e *expr) string {
	switch e.kind {
	case "name":
		return e.text
	case "index":
		if key, ok := constant(e.args[1]); ok {
			return dotted(e.args[0]) + "." + key
		}
	}
	return ""
}

func (r *run) call(e *expr, s *state) []at {
	var out []at
	name := strings.Replace(dotted(e.args[0]), "server.", "redis.", 1)
	for _, l := range r.lists(e.args[1:], s) {
		if l.s.end != nil {
			out = append(out, at{s: l.s})
			continue
		}
		if name == "redis.call" || name == "redis.pcall" {
			out = append(out, r.command(l.vs, l.s, e.pos)...)
			continue
		}
		if f := l.s.vars[name]; f.kind == vFunc {
			out = append(out, r.invoke(f.fn, l.vs, l.s)...)
			continue
		}
		if name == "assert" {
			out = append(out, r.asserted(l.s, l.vs)...)
			continue
		}
		if slices.ContainsFunc(l.vs, func(v value) bool { return v.kind == vFunc }) {
			r.problem("a function that is handed to "+name, e.pos)
		}
		f := functions[name]
		if f == nil {
			r.problem("the function "+name+" is not followed", e.pos)
			f = func(r *run, s *state, vs []value) value { return r.opaque(name, vs...) }
		}
		out = append(out, at{l.s, f(r, l.s, l.vs)})
	}
	return out
}
