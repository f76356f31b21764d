package dynamo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// Input is one write.
type Input struct {
	Kind      fence.Kind // Update, Replace (put) or Delete
	Table     string
	Condition string            // "" for none
	Update    string            // of an Update
	Names     map[string]string // "#f" to the attribute
	Keys      []string          // attributes of the key, as far as they are known
	Item      []string          // attributes of the item that is put
	// Text says of a value that it is a string: such are compared byte by byte.
	Text func(fence.Arg) bool
}

// Lower gives the mutation that a write performs.
func Lower(in Input) *fence.Mutation {
	m := &fence.Mutation{Kind: fence.Update, Resource: in.Table, Semantics: fence.MissingFalse, InsertPath: fence.Open}
	if in.Kind == fence.Delete {
		m.Kind, m.InsertPath = fence.Delete, fence.Closed
	}
	p := &parser{in: &in, m: m}
	if strings.TrimSpace(in.Condition) != "" {
		p.start(in.Condition)
		m.Guard = p.or()
		p.finish()
	}
	if in.Kind != fence.Delete && createsOnly(m.Guard) {
		m.InsertPath, m.OnConflict, m.ConflictOn = fence.Only, "nothing", p.absent
	}
	switch in.Kind {
	case fence.Update:
		p.start(in.Update)
		p.update()
		p.finish()
	case fence.Replace:
		p.put()
		if m.InsertPath == fence.Only {
			m.InsertRow = m.Set
		}
	}
	return m
}

// createsOnly reports whether a condition demands that the item is not there yet.
func createsOnly(c fence.Cond) bool {
	switch c := c.(type) {
	case fence.NoRow:
		return true
	case fence.And:
		return slices.ContainsFunc(c.Of, createsOnly)
	}
	return false
}

type parser struct {
	in     *Input
	m      *fence.Mutation
	toks   []string
	at     int
	depth  int
	absent []string // attributes that the condition demands not to be there
}

func (p *parser) problem(reason, text string) {
	p.m.Problems = append(p.m.Problems, fence.Problem{Reason: reason, Text: text})
	p.at = len(p.toks)
}

func (p *parser) start(text string) { p.toks, p.at = scan(text), 0 }

func (p *parser) finish() {
	if p.at < len(p.toks) {
		p.problem("an expression that is not understood", p.toks[p.at])
	}
}

// scan cuts an expression into names, values, numbers and signs.
func scan(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
			continue
		case strings.HasPrefix(s[i:], "<>") || strings.HasPrefix(s[i:], "<=") || strings.HasPrefix(s[i:], ">="):
			out = append(out, s[i:i+2])
			i += 2
			continue
		}
		j := i
		for j < len(s) && word(s[j]) {
			j++
		}
		if j == i {
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}

// word reports whether a byte belongs to a name, path or value. Runes that stand
// for unknown text do not, so that they are not understood.
func word(c byte) bool {
	return c == '_' || c == '#' || c == ':' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *parser) peek() string {
	if p.at < len(p.toks) {
		return p.toks[p.at]
	}
	return ""
}

func (p *parser) take() string {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) accept(word string) bool {
	if strings.EqualFold(p.peek(), word) && p.peek() != "" {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(sign string) {
	if !p.accept(sign) {
		p.problem("an expression that is not understood", p.peek())
	}
}

// maxDepth bounds the nesting that is read.
const maxDepth = 50

func (p *parser) or() fence.Cond {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.problem("an expression that is nested too deep", "")
		return fence.Atom{Key: "deep"}
	}
	of := []fence.Cond{p.and()}
	for p.accept("OR") {
		of = append(of, p.and())
	}
	if len(of) == 1 {
		return of[0]
	}
	return fence.Or{Of: of}
}

func (p *parser) and() fence.Cond {
	of := []fence.Cond{p.not()}
	for p.accept("AND") {
		of = append(of, p.not())
	}
	if len(of) == 1 {
		return of[0]
	}
	return fence.And{Of: of}
}

func (p *parser) not() fence.Cond {
	if p.accept("NOT") {
		p.depth++
		defer func() { p.depth-- }()
		if p.depth > maxDepth {
			p.problem("an expression that is nested too deep", "")
			return fence.Atom{Key: "deep"}
		}
		return fence.Not{Of: p.not()}
	}
	if p.accept("(") {
		c := p.or()
		p.expect(")")
		return c
	}
	if p.at+1 < len(p.toks) && p.toks[p.at+1] == "(" && !strings.EqualFold(p.peek(), "size") {
		return p.function()
	}
	return p.comparison()
}

func (p *parser) function() fence.Cond {
	name := strings.ToLower(p.take())
	p.expect("(")
	path := p.operand()
	var more []fence.Term
	for p.accept(",") {
		more = append(more, p.operand())
	}
	p.expect(")")
	switch name {
	case "attribute_exists":
		return fence.Not{Of: p.missing(path)}
	case "attribute_not_exists":
		return p.missing(path)
	}
	return fence.Atom{Key: name + fmt.Sprintf("%+v", path), Of: append(more, path)}
}

// missing: the attribute is not there. Of one that each item has, the item is not.
func (p *parser) missing(t fence.Term) fence.Cond {
	if s, ok := t.(fence.Stored); ok && p.always(s.Column) {
		p.absent = append(p.absent, s.Column)
		return fence.NoRow{}
	}
	return fence.IsNull{Of: t}
}

// always reports whether each item has the attribute: those of the key have it,
// and what this write itself puts into each item without comparing it.
func (p *parser) always(column string) bool {
	if slices.Contains(p.in.Keys, column) {
		return true
	}
	return slices.Contains(p.in.Item, column) && !p.compares(column)
}

// compares reports whether the condition compares the attribute with anything.
func (p *parser) compares(column string) bool {
	for i, t := range p.toks {
		if p.name(t) != column {
			continue
		}
		if i+1 < len(p.toks) && operators[p.toks[i+1]] != nil || i > 0 && operators[p.toks[i-1]] != nil {
			return true
		}
		if i+1 < len(p.toks) && (strings.EqualFold(p.toks[i+1], "BETWEEN") || strings.EqualFold(p.toks[i+1], "IN")) {
			return true
		}
	}
	return false
}

func op(o fence.Op) *fence.Op { return &o }

var operators = map[string]*fence.Op{
	"=": op(fence.EQ), "<>": op(fence.NE), "<": op(fence.LT), "<=": op(fence.LE), ">": op(fence.GT), ">=": op(fence.GE),
}

func (p *parser) comparison() fence.Cond {
	l := p.operand()
	t := p.take()
	switch o := operators[t]; {
	case o != nil:
		return p.cmp(*o, l, p.operand())
	case strings.EqualFold(t, "BETWEEN"):
		low := p.operand()
		p.expect("AND")
		return fence.And{Of: []fence.Cond{p.cmp(fence.GE, l, low), p.cmp(fence.LE, l, p.operand())}}
	case strings.EqualFold(t, "IN"):
		p.expect("(")
		var or fence.Or
		for {
			or.Of = append(or.Of, p.cmp(fence.EQ, l, p.operand()))
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		return or
	}
	p.problem("an expression that is not understood", t)
	return fence.Atom{Key: t}
}

// cmp compares two values; strings are compared byte by byte.
func (p *parser) cmp(o fence.Op, l, r fence.Term) fence.Cond {
	if o.Ordered() && (p.text(l) || p.text(r)) {
		l, r = fence.Apply{Fn: fence.CastText, Args: []fence.Term{l}}, fence.Apply{Fn: fence.CastText, Args: []fence.Term{r}}
	}
	return fence.Cmp{Op: o, L: l, R: r}
}

func (p *parser) text(t fence.Term) bool {
	in, ok := t.(fence.Input)
	return ok && p.in.Text != nil && p.in.Text(in.Arg)
}

// name is the attribute that a path names, "" for other tokens.
func (p *parser) name(t string) string {
	if t == "" || !word(t[0]) || t[0] == ':' {
		return ""
	}
	parts := strings.Split(t, ".")
	for i, x := range parts {
		if strings.HasPrefix(x, "#") {
			n, ok := p.in.Names[x]
			if !ok {
				return ""
			}
			parts[i] = n
		}
	}
	return strings.Join(parts, ".")
}

func (p *parser) operand() fence.Term {
	t := p.take()
	if strings.EqualFold(t, "size") && p.accept("(") {
		inner := p.operand()
		p.expect(")")
		return fence.Opaque{Key: "size", Of: []fence.Term{inner}}
	}
	if strings.HasPrefix(t, ":") && len(t) > 1 {
		return fence.Input{Arg: fence.Arg(t)}
	}
	name := p.name(t)
	if name == "" {
		p.problem("a name that is not understood", t)
		return fence.Opaque{Key: t}
	}
	for p.accept("[") {
		name += "[" + p.take() + "]"
		p.expect("]")
	}
	if _, err := strconv.Atoi(name); err == nil {
		p.problem("a name that is not understood", t)
	}
	return fence.Stored{Column: name}
}
