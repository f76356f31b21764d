package dynamo

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// update reads the clauses SET, REMOVE, ADD and DELETE.
func (p *parser) update() {
	for p.at < len(p.toks) {
		clause := strings.ToUpper(p.take())
		f := map[string]func(*parser){"SET": (*parser).set, "REMOVE": (*parser).remove, "ADD": (*parser).add, "DELETE": (*parser).subtract}[clause]
		if f == nil {
			p.problem("an update that is not understood", clause)
			return
		}
		f(p)
		for p.accept(",") {
			f(p)
		}
	}
}

func (p *parser) column() string {
	s, _ := p.operand().(fence.Stored)
	return s.Column
}

func (p *parser) assign(column string, v fence.Term) {
	p.m.Set = append(p.m.Set, fence.Assign{Column: column, Value: v})
}

func (p *parser) set() {
	col := p.column()
	p.expect("=")
	v := p.value()
	for p.peek() == "+" || p.peek() == "-" {
		fn := fence.Add
		if p.take() == "-" {
			fn = fence.Sub
		}
		v = fence.Apply{Fn: fn, Args: []fence.Term{v, p.value()}}
	}
	p.assign(col, v)
}

func (p *parser) value() fence.Term {
	switch {
	case p.accept("("):
		v := p.value()
		p.expect(")")
		return v
	case p.accept("if_not_exists"):
		p.expect("(")
		l := p.operand()
		p.expect(",")
		r := p.value()
		p.expect(")")
		return fence.Apply{Fn: fence.Coalesce, Args: []fence.Term{l, r}}
	case p.accept("list_append"):
		p.expect("(")
		l := p.value()
		p.expect(",")
		r := p.value()
		p.expect(")")
		return fence.Opaque{Key: "list_append", Of: []fence.Term{l, r}}
	}
	return p.operand()
}

func (p *parser) remove() { p.assign(p.column(), fence.Null{}) }

func (p *parser) add() {
	col := p.column()
	old := fence.Apply{Fn: fence.Coalesce, Args: []fence.Term{fence.Stored{Column: col}, fence.Const{}}}
	p.assign(col, fence.Apply{Fn: fence.Add, Args: []fence.Term{old, p.operand()}})
}

func (p *parser) subtract() {
	col := p.column()
	p.assign(col, fence.Opaque{Key: "delete", Of: []fence.Term{p.operand()}})
}

// put stores an item: what it has no attribute for is gone.
func (p *parser) put() {
	for _, a := range p.in.Item {
		p.assign(a, fence.Input{Arg: fence.Arg("item." + a)})
	}
	var gone []string
	fence.WalkCond(p.m.Guard, func(fence.Cond) {}, func(t fence.Term) {
		fence.WalkTerm(t, func(t fence.Term) {
			if s, ok := t.(fence.Stored); ok && !slices.Contains(p.in.Item, s.Column) && !slices.Contains(gone, s.Column) {
				gone = append(gone, s.Column)
			}
		})
	})
	for _, c := range gone {
		p.assign(c, fence.Null{})
	}
}
