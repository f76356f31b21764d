package lua

// parser reads the grammar of Lua 5.1. After a fault it stops: bad is set.
type parser struct {
	toks  []token
	at    int
	depth int
	bad   bool
	where int
}

// maxDepth bounds the nesting that is read.
const maxDepth = 100

func parse(src string) ([]stmt, *parser) {
	p := &parser{toks: scan(src)}
	b := p.block()
	if p.peek().kind != tEOF {
		p.fail()
	}
	return b, p
}

func (p *parser) peek() token { return p.toks[p.at] }

func (p *parser) take() token {
	t := p.toks[p.at]
	if t.kind != tEOF {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == tOp || t.kind == tWord) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail()
	}
}

func (p *parser) fail() {
	if !p.bad {
		p.bad, p.where = true, p.peek().pos
	}
	p.at = len(p.toks) - 1
}

func (p *parser) name() string {
	if p.peek().kind != tName {
		p.fail()
		return ""
	}
	return p.take().text
}

func (p *parser) block() []stmt {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail()
	}
	var out []stmt
	for !p.bad {
		for p.accept(";") {
		}
		t := p.peek()
		if t.kind == tEOF || p.is("end") || p.is("else") || p.is("elseif") || p.is("until") {
			break
		}
		s := p.statement()
		s.pos = t.pos
		out = append(out, s)
		if s.kind == "return" {
			for p.accept(";") {
			}
			break
		}
	}
	return out
}

var statements map[string]func(*parser) stmt

func init() { // the functions refer to the parser, which refers to the table
	statements = map[string]func(*parser) stmt{
		"local": (*parser).local, "if": (*parser).ifStmt, "return": (*parser).returnStmt,
		"while": (*parser).while, "repeat": (*parser).repeat, "for": (*parser).forStmt,
		"function": (*parser).function, "do": (*parser).do,
		"break": func(p *parser) stmt { return stmt{kind: "break"} },
	}
}

func (p *parser) statement() stmt {
	if t := p.peek(); t.kind == tWord {
		if f := statements[t.text]; f != nil {
			p.at++
			return f(p)
		}
	}
	first := p.suffixed()
	if first.kind == "call" || first.kind == "method" {
		if !p.is("=") && !p.is(",") {
			return stmt{kind: "call", exprs: []*expr{first}}
		}
	}
	s := stmt{kind: "assign", left: []*expr{first}}
	for p.accept(",") {
		s.left = append(s.left, p.suffixed())
	}
	p.expect("=")
	s.exprs = p.list()
	return s
}

func (p *parser) local() stmt {
	if p.accept("function") {
		s := p.function()
		s.local = true
		return s
	}
	s := stmt{kind: "local", names: []string{p.name()}}
	for p.accept(",") {
		s.names = append(s.names, p.name())
	}
	if p.accept("=") {
		s.exprs = p.list()
	}
	return s
}

func (p *parser) ifStmt() stmt {
	s := stmt{kind: "if"}
	for {
		s.exprs = append(s.exprs, p.expr(0))
		p.expect("then")
		s.arms = append(s.arms, p.block())
		if p.accept("elseif") {
			continue
		}
		if p.accept("else") {
			s.arms = append(s.arms, p.block())
		}
		p.expect("end")
		return s
	}
}

func (p *parser) returnStmt() stmt {
	s := stmt{kind: "return"}
	if p.peek().kind != tEOF && !p.is("end") && !p.is("else") && !p.is("elseif") && !p.is("until") && !p.is(";") {
		s.exprs = p.list()
	}
	return s
}

func (p *parser) while() stmt {
	s := stmt{kind: "loop", exprs: []*expr{p.expr(0)}}
	p.expect("do")
	s.arms = [][]stmt{p.block()}
	p.expect("end")
	return s
}

func (p *parser) repeat() stmt {
	s := stmt{kind: "repeat", arms: [][]stmt{p.block()}}
	p.expect("until")
	s.exprs = []*expr{p.expr(0)}
	return s
}

func (p *parser) forStmt() stmt {
	s := stmt{kind: "loop", names: []string{p.name()}}
	for p.accept(",") {
		s.names = append(s.names, p.name())
	}
	if !p.accept("in") {
		p.expect("=")
	}
	s.exprs = p.list()
	p.expect("do")
	s.arms = [][]stmt{p.block()}
	p.expect("end")
	return s
}

func (p *parser) do() stmt {
	s := stmt{kind: "do", arms: [][]stmt{p.block()}}
	p.expect("end")
	return s
}

// function reads a definition: its name and its body.
func (p *parser) function() stmt {
	s := stmt{kind: "function", names: []string{p.name()}}
	for p.accept(".") || p.accept(":") {
		p.name()
		s.names[0] = ""
	}
	e := p.body()
	s.exprs = []*expr{e}
	return s
}

func (p *parser) body() *expr {
	e := &expr{kind: "function", pos: p.peek().pos}
	p.expect("(")
	for !p.accept(")") && !p.bad {
		if p.accept("...") {
			e.variadic = true
		} else {
			e.params = append(e.params, p.name())
		}
		p.accept(",")
	}
	e.body = p.block()
	p.expect("end")
	return e
}

func (p *parser) list() []*expr {
	out := []*expr{p.expr(0)}
	for p.accept(",") {
		out = append(out, p.expr(0))
	}
	return out
}

// power has the left and right binding powers of the binary operators.
var power = map[string][2]int{
	"or": {1, 1}, "and": {2, 2},
	"<": {3, 3}, ">": {3, 3}, "<=": {3, 3}, ">=": {3, 3}, "~=": {3, 3}, "==": {3, 3},
	"..": {5, 4}, "+": {6, 6}, "-": {6, 6}, "*": {7, 7}, "/": {7, 7}, "%": {7, 7}, "^": {10, 9},
}

const unaryPower = 8

func (p *parser) expr(limit int) *expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth || p.bad {
		p.fail()
		return &expr{kind: "bad"}
	}
	left := p.unary()
	for !p.bad {
		t := p.peek()
		w, ok := power[t.text]
		if !ok || t.kind != tOp && t.kind != tWord || w[0] <= limit {
			break
		}
		p.at++
		right := p.expr(w[1])
		kind := "binary"
		if t.text == "and" || t.text == "or" {
			kind = t.text
		}
		left = &expr{kind: kind, text: t.text, args: []*expr{left, right}, pos: t.pos}
	}
	return left
}

func (p *parser) unary() *expr {
	t := p.peek()
	for _, op := range []string{"not", "-", "#"} {
		if p.accept(op) {
			return &expr{kind: "unary", text: op, args: []*expr{p.expr(unaryPower)}, pos: t.pos}
		}
	}
	return p.simple()
}

func (p *parser) simple() *expr {
	t := p.peek()
	switch {
	case t.kind == tNumber:
		p.at++
		return &expr{kind: "number", text: t.text, pos: t.pos}
	case t.kind == tString:
		p.at++
		return &expr{kind: "string", text: t.text, pos: t.pos}
	case p.accept("nil"), p.accept("true"), p.accept("false"):
		return &expr{kind: t.text, pos: t.pos}
	case p.accept("..."):
		return &expr{kind: "vararg", pos: t.pos}
	case p.accept("function"):
		return p.body()
	case p.is("{"):
		return p.table()
	}
	return p.suffixed()
}

func (p *parser) suffixed() *expr {
	t := p.peek()
	var e *expr
	switch {
	case t.kind == tName:
		p.at++
		e = &expr{kind: "name", text: t.text, pos: t.pos}
	case p.accept("("):
		e = &expr{kind: "paren", args: []*expr{p.expr(0)}, pos: t.pos}
		p.expect(")")
	default:
		p.fail()
		return &expr{kind: "bad"}
	}
	for !p.bad {
		switch t := p.peek(); {
		case p.accept("."):
			key := &expr{kind: "string", text: p.name(), pos: t.pos}
			e = &expr{kind: "index", args: []*expr{e, key}, pos: t.pos}
		case p.accept("["):
			key := p.expr(0)
			p.expect("]")
			e = &expr{kind: "index", args: []*expr{e, key}, pos: t.pos}
		case p.accept(":"):
			name := p.name()
			e = &expr{kind: "method", text: name, args: append([]*expr{e}, p.arguments()...), pos: t.pos}
		case p.is("("), p.is("{"), t.kind == tString:
			e = &expr{kind: "call", args: append([]*expr{e}, p.arguments()...), pos: t.pos}
		default:
			return e
		}
	}
	return e
}

func (p *parser) arguments() []*expr {
	t := p.peek()
	switch {
	case t.kind == tString:
		p.at++
		return []*expr{{kind: "string", text: t.text, pos: t.pos}}
	case p.is("{"):
		return []*expr{p.table()}
	}
	p.expect("(")
	if p.accept(")") {
		return nil
	}
	out := p.list()
	p.expect(")")
	return out
}

func (p *parser) table() *expr {
	e := &expr{kind: "table", pos: p.peek().pos}
	p.expect("{")
	for !p.accept("}") && !p.bad {
		var key *expr
		switch {
		case p.accept("["):
			key = p.expr(0)
			p.expect("]")
			p.expect("=")
		case p.peek().kind == tName && p.toks[p.at+1].kind == tOp && p.toks[p.at+1].text == "=":
			key = &expr{kind: "string", text: p.take().text}
			p.at++
		}
		e.keys = append(e.keys, key)
		e.args = append(e.args, p.expr(0))
		if !p.accept(",") && !p.accept(";") && !p.is("}") {
			p.fail()
		}
	}
	return e
}
