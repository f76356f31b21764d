package flow

import (
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A function may ask its caller whether to do something: a flag, an option, a mode decides
// which statement is sent, and with what. What a write is where the answer is yes, and where
// it is no, is kept beside what it is in general, until a caller is met that answers.

// Case is what a write is where questions have some answers that a caller gives.
type Case struct {
	When     []Cond
	Never    bool     // it does not happen then
	After    []*Event // writes that always come before it then, and stop it when they are refused
	Recv     *term.Term
	Args     []*term.Term
	Outcomes []Outcome
	seeds    []Outcome // what the call that causes it gives back when it is refused then
}

// maxAnswers bounds the questions of a function of which all answers are looked at.
const maxAnswers = 3

// maxQuestioned bounds those of which it is found out whether the answer matters.
const maxQuestioned = 8

// maxCases bounds the cases of one write.
const maxCases = 1 << maxAnswers

// questionsIn finds the branches that are decided by what a caller gives.
func (f *fn) questionsIn() map[*ssa.BasicBlock]*term.Term {
	var out map[*ssa.BasicBlock]*term.Term
	for _, b := range f.f.Blocks {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !mayBeQuestion(in.Cond) {
			continue
		}
		if t := f.value(in.Cond); isQuestion(t) && t.Symbolic() && !t.Any(f.mayMove) {
			if out == nil {
				out = make(map[*ssa.BasicBlock]*term.Term)
			}
			out[b] = t
		}
	}
	return out
}

// mayMove reports whether a term is a captured variable that may get another value after it
// was captured.
func (f *fn) mayMove(t *term.Term) bool {
	return t.Kind == term.Free && !(t.N < len(f.f.FreeVars) && stays(f.f.FreeVars[t.N]))
}

// stays reports whether a captured variable is given a value once, before it is captured.
func stays(v *ssa.FreeVar) bool {
	lit := v.Parent()
	if lit.Parent() == nil || !onlyRead(v) {
		return false
	}
	i := slices.Index(lit.FreeVars, v)
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			m, ok := in.(*ssa.MakeClosure)
			if !ok || m.Fn != lit {
				continue
			}
			switch from := m.Bindings[i].(type) {
			case *ssa.FreeVar:
				if !stays(from) {
					return false
				}
			case *ssa.Alloc:
				if !onlyRead(from) {
					return false
				}
			}
		}
	}
	return true
}

// onlyRead reports whether nothing is done with a variable but to read it, and with one of the
// function itself, to set it once.
func onlyRead(v ssa.Value) bool {
	stores := 0
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			_, own := v.(*ssa.Alloc)
			if stores++; r.Addr != v || stores > 1 || !own {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyRead(r) {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == v && !onlyRead(r.Fn.(*ssa.Function).FreeVars[i]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// mayBeQuestion reports whether a condition has the form of a question, before its term is
// found.
func mayBeQuestion(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.Field:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL || v.Op == token.NOT && mayBeQuestion(v.X)
	case *ssa.BinOp:
		if !questionOps[v.Op.String()] {
			return false
		}
		_, x := v.X.(*ssa.Const)
		_, y := v.Y.(*ssa.Const)
		return x != y && !isNilConst(v.X) && !isNilConst(v.Y)
	}
	return false
}

// isQuestion reports whether a term is made of what callers give and constants alone.
func isQuestion(t *term.Term) bool {
	switch t.Kind {
	case term.Const, term.Param, term.Free:
		return true
	case term.Field, term.Convert:
		return isQuestion(t.Args[0])
	case term.Op:
		return (questionOps[t.Str] || t.Str == "len") && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !isQuestion(a) })
	case term.Call:
		return t.Str == optionsCall && t.Args[0].Kind == term.Struct
	}
	return false
}

var questionOps = set("!", "==", "!=", "&", "<", ">", "<=", ">=")

// answerTo is the answer to a question, if it is known.
func (a *Analysis) answerTo(t *term.Term) (yes, known bool) {
	switch {
	case t.Kind == term.Const && t.Typ == "bool":
		return t.Str == "true", true
	case t.Kind == term.Const && saysNothing(t):
		return false, true
	case t.Kind == term.Alt:
		return agreeing(len(t.Args), func(i int) (bool, bool) { return a.answerTo(t.Args[i]) })
	case t.Kind != term.Op || !questionOps[t.Str]:
		return false, false
	case t.Str == "!":
		yes, known = a.answerTo(t.Args[0])
		return !yes, known
	case len(t.Args) == 2:
		x, y := t.Args[0].Alternatives(), t.Args[1].Alternatives()
		return agreeing(len(x)*len(y), func(i int) (bool, bool) { return a.comparison(t.Str, x[i/len(y)], y[i%len(y)]) })
	}
	return false, false
}

// agreeing is the answer of n cases, known only if it is the same in all.
func agreeing(n int, answer func(i int) (yes, known bool)) (yes, known bool) {
	for i := range n {
		y, k := answer(i)
		if !k || i > 0 && y != yes {
			return false, false
		}
		yes = y
	}
	return yes, n > 0
}

// comparison is the outcome of comparing two values, if it is known. The number that a
// coordinator gives with a grant is greater than zero.
func (a *Analysis) comparison(op string, x, y *term.Term) (yes, known bool) {
	x, y = bitsOf(x), bitsOf(y)
	if m, n := a.numberOf(x), a.numberOf(y); m.k != top && n.k != top {
		return compareInts(operators[op], m, n)
	}
	if x.Kind != term.Const || y.Kind != term.Const || op != "==" && op != "!=" {
		return false, false
	}
	same := x.Equal(y) || saysNothing(x) && saysNothing(y)
	return same == (op == "=="), true
}

// numberOf is what is known of a number.
func (a *Analysis) numberOf(t *term.Term) abs {
	if n, ok := term.IntValue(t); ok {
		return abs{k: isInt, n: n}
	}
	switch {
	case t.Kind == term.Op && t.Str == "len":
		return lengthOf(t.Args[0])
	case a.isEpoch(t):
		return abs{k: positive}
	}
	return abs{}
}

// lengthOf is what is known of the length of a list or of a text.
func lengthOf(t *term.Term) abs {
	s, isText := term.StringValue(t)
	switch {
	case t.Kind == term.List && !t.Open:
		return abs{k: isInt, n: int64(len(t.Args))}
	case t.Kind == term.List && len(t.Args) > 0, t.Kind == term.Op && t.Str == "append" && lengthOf(t.Args[1]).k != top && lengthOf(t.Args[1]) != abs{k: isInt}:
		return abs{k: positive}
	case t.Equal(term.Nil):
		return abs{k: isInt}
	case isText && t.Typ == "string":
		return abs{k: isInt, n: int64(len(s))}
	}
	return abs{}
}

var operators = map[string]token.Token{
	"==": token.EQL, "!=": token.NEQ, "<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

func saysNothing(t *term.Term) bool {
	return term.IsZero(t) || t.Typ == "string" && t.Str == "" || t.Typ == "bool" && t.Str == "false"
}

// bitsOf is a value without conversions; the outcome of a test for bits is a number.
func bitsOf(t *term.Term) *term.Term {
	for t.Kind == term.Convert {
		t = t.Args[0]
	}
	if t.Kind == term.Op && t.Str == "&" {
		x, ok := term.IntValue(t.Args[0])
		y, ok2 := term.IntValue(t.Args[1])
		if ok && ok2 {
			return term.NewConst("int", strconv.FormatInt(x&y, 10))
		}
	}
	return t
}

// eachTerm visits what an event is called on and given, in each of its cases.
func (e *Event) eachTerm(visit func(*term.Term)) {
	each := func(recv *term.Term, args []*term.Term) {
		if recv != nil {
			visit(recv)
		}
		for _, t := range args {
			visit(t)
		}
	}
	each(e.Recv, e.Args)
	for i := range e.Cases {
		each(e.Cases[i].Recv, e.Cases[i].Args)
	}
}

// decideCases keeps, in a copy of an event, the cases that the answers of a caller leave, and
// gives the arguments that are left, in the terms of the event.
func (a *Analysis) decideCases(n, e *Event, sub *term.Subst) []*term.Term {
	n.Cases, n.before = nil, e.After
	var left []Case
	open := true // somebody may answer what is left
	for _, c := range e.Cases {
		if when, more, possible := a.left(c.When, sub); possible {
			c.When, open = when, open && more
			left = append(left, c)
		}
	}
	if len(left) == 0 || !open && len(left) == len(e.Cases) {
		return e.Args
	}
	args := e.Args
	if len(left) < len(e.Cases) {
		args = n.asIn(left, e)
	}
	if open && len(left) > 1 && n.Kind != Resolved {
		for _, c := range left {
			c.seeds, c.Outcomes = c.Outcomes, nil
			if c.Recv != nil {
				c.Recv = sub.Apply(c.Recv)
			}
			c.Args = applyAll(sub, c.Args)
			n.Cases = append(n.Cases, c)
		}
	}
	return args
}

// left are the questions that a caller leaves open, and whether those can be answered at all.
func (a *Analysis) left(when []Cond, sub *term.Subst) (rest []Cond, open, possible bool) {
	open = true
	for _, q := range when {
		t := sub.Apply(q.Term)
		switch yes, known := a.answerTo(t); {
		case !known:
			rest, open = append(rest, Cond{Term: t, Want: q.Want}), open && t.Symbolic() && isQuestion(t)
		case yes != q.Want:
			return nil, false, false
		}
	}
	return rest, open, true
}

// asIn makes an event what it is in one of some cases.
func (n *Event) asIn(left []Case, e *Event) []*term.Term {
	left = slices.DeleteFunc(slices.Clone(left), func(c Case) bool { return c.Never })
	if len(left) == 0 {
		n.Kind = Resolved
		return e.Args
	}
	n.Recv, n.seeds, n.before = left[0].Recv, left[0].Outcomes, slices.Clip(left[0].After)
	args := slices.Clone(left[0].Args)
	for _, c := range left[1:] {
		n.seeds = addOutcomes(slices.Clone(n.seeds), c.Outcomes)
		n.before = slices.DeleteFunc(slices.Clone(n.before), func(w *Event) bool { return !hasEvent(c.After, w) })
		if c.Recv != nil && n.Recv != nil {
			n.Recv = term.NewAlt(n.Recv, c.Recv)
		}
		for i := range args {
			if i < len(c.Args) {
				args[i] = term.NewAlt(args[i], c.Args[i])
			}
		}
	}
	return args
}

func applyAll(sub *term.Subst, ts []*term.Term) []*term.Term {
	out := make([]*term.Term, len(ts))
	for i, t := range ts {
		out[i] = sub.Apply(t)
	}
	return out
}

// beforeOf lists what comes before the event that n is a copy of.
func (n *Event) beforeOf(e *Event) []*Event {
	if len(e.Cases) > 0 {
		return n.before
	}
	return e.After
}
