package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxTold bounds what is told of a function that is handed an answer, in the blocks that are
// entered: a longer one looks at more than the answer.
const maxTold = 48

// signals says for each parameter by which a function can be told of a refusal what it
// returns then: of the object that knows the answer of a statement, and, where other
// packages may call the function, of an error and of a yes or no.
func (f *fn) signals() []ParamSignal {
	var out []ParamSignal
	for i, p := range f.f.Params {
		var of types.Type // of the elements of a list of answers
		if l, ok := p.Type().Underlying().(*types.Slice); ok && i == len(f.f.Params)-1 && f.f.Signature.Variadic() {
			of = l.Elem()
		}
		switch {
		case f.isResult(p.Type()):
			if returns, ok := f.told(f.refusedIn(p), nil); ok {
				out = append(out, ParamSignal{Param: i, Returns: returns})
			}
		case len(f.f.Blocks) > maxTold || !f.exported():
		case isError(p.Type()):
			out = f.signalsOf(out, i, abs{k: nonNil, sig: true})
		case isBoolean(p.Type()):
			out = f.signalsOf(f.signalsOf(out, i, boolean(false).signal()), i, boolean(true).signal())
		case errorInside(p.Type()):
			out = f.signalsOfRecord(out, i)
		case isAnything(p.Type()):
			out = f.signalsOf(f.signalsOf(out, i, abs{k: failure, sig: true}), i, boolean(false).signal())
		case of != nil && isAnything(of):
			out = f.signalsOfList(f.signalsOfList(out, i, abs{k: failure, sig: true}), i, boolean(false).signal())
		case of != nil && isError(of):
			out = f.signalsOfList(out, i, abs{k: nonNil, sig: true})
		case of != nil && isBoolean(of):
			out = f.signalsOfList(f.signalsOfList(out, i, boolean(false).signal()), i, boolean(true).signal())
		}
	}
	return out
}

// signalsOf adds what a function returns that is handed an answer, if that is more than its
// callers would say of a function that they do not know.
func (f *fn) signalsOf(out []ParamSignal, i int, answer abs) []ParamSignal {
	left := maxTold
	s := newState()
	s.set(f.f.Params[i], answer)
	returns, ok := f.told(s, &left)
	if !ok || len(returns) > maxEnds || !slices.ContainsFunc(returns, informs) && len(returns) > 0 {
		return out
	}
	return append(out, ParamSignal{Param: i, When: answer.letter(), Returns: returns})
}

// maxEnds is how many ways to end a call are followed one by one.
const maxEnds = 4

// informs reports whether a result tuple says something.
func informs(tuple string) bool { return strings.Trim(tuple, "?*") != "" }

// refusedIn is the state in which a parameter is the answer to a statement that was refused:
// no error came with it.
func (f *fn) refusedIn(p *ssa.Parameter) *state {
	s := newState()
	for _, q := range f.f.Params {
		if isError(q.Type()) {
			s.set(q, abs{k: isNil})
		}
	}
	s.set(p, abs{k: refused, sig: true})
	return s
}

// told explores the function from a state in which a parameter has a value. It fails where
// the walk has no end, or enters more blocks than are left.
func (f *fn) told(s *state, left *int) (returns []string, ok bool) {
	seen := make(map[string]bool)
	e := &explorer{f: f, left: left}
	t := &teller{f: f, walk: func(x *explorer) { x.fromEntry(grantedEntry(s)) }}
	e.ret = func(r *ssa.Return, tuple []abs, s *state) {
		if c := tupleCode(t.told(r, tuple, s)); !seen[c] {
			seen[c] = true
			returns = append(returns, c)
		}
	}
	e.fromEntry(s.clone())
	return returns, !e.capped
}

// isAnything reports whether a variable of a type may hold anything.
func isAnything(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// isResult reports whether values of the type say whether a statement was refused.
func (f *fn) isResult(t types.Type) bool {
	name := typeName(t)
	if name != "" && name[0] == '*' {
		name = name[1:]
	}
	for _, m := range []string{".RowsAffected", ".Scan", ".Next", ".IsError"} {
		if c := f.a.known.byKey(name + m); c != nil && c.Sink != nil && readers[c.Sink.Kind] != nil {
			return true
		}
	}
	return false
}
