package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Some libraries build a command by a chain of calls, B().Set().Key(k).Value(v).Nx().Build(),
// and send it by one method.

// BuiltStep is a call in such a chain.
type BuiltStep struct {
	Recv, Name string // of the method
	Args       []*term.Term
}

// Word is the word of the command that a step stands for: the unit in which it takes a time
// is no part of it.
func (s BuiltStep) Word() string {
	word := strings.ToUpper(s.Name)
	for _, w := range []string{"EXAT", "PXAT", "EX", "PX"} {
		if strings.HasPrefix(word, w) {
			return w
		}
	}
	return word
}

// builders is in the names of packages whose methods are steps.
const builders = "/cmds."

// BuiltSteps lists the steps of a command, in order; nil if a value is no such command.
func BuiltSteps(t *term.Term) []BuiltStep {
	var out []BuiltStep
	for t = unbox(t); t.Kind == term.Call && strings.Contains(t.Str, builders) && len(t.Args) > 0; t = unbox(t.Args[0]) {
		typ, name, ok := strings.Cut(t.Str[strings.LastIndex(t.Str, builders)+len(builders):], ".")
		if !ok {
			return nil
		}
		out = append(out, BuiltStep{typ, name, t.Args[1:]})
	}
	slices.Reverse(out)
	return out
}

// builtEvents lists the events of entries about chains that the command of a call is.
func (f *fn) builtEvents(c ssa.CallInstruction, t target) []*Event {
	s := t.call.Sink
	if s == nil || s.Dialect != model.BuiltCommand || s.Input.Root != "arg" {
		return nil
	}
	_, args := split(t)
	if s.Input.Index >= len(args) {
		return nil
	}
	steps := BuiltSteps(args[s.Input.Index])
	var out []*Event
	for _, l := range f.a.Models.Kind("chain") {
		kind, ok := lockEvents[l.Role]
		if !ok || !isBuilt(l, t.key, steps) {
			continue
		}
		e := f.lockEvent(c, t, l, kind)
		if h := keyOf(steps); e.Hold != nil {
			e.Hold.Handle = h
		} else {
			e.Recv = h
		}
		out = append(out, e)
	}
	return out
}

// isBuilt reports whether a chain that ends in a call is the one of which the entry speaks.
func isBuilt(l *model.Lock, key string, steps []BuiltStep) bool {
	lib, _, ok := strings.Cut(l.Match.Pkgs[0], "/internal/")
	return ok && strings.HasPrefix(key, lib+".") && key[strings.LastIndexByte(key, '.'):] == l.Match.End[strings.LastIndexByte(l.Match.End, '.'):] &&
		slices.ContainsFunc(steps, func(s BuiltStep) bool { return s.Recv == l.Match.Recv && s.Name == l.Match.Name })
}

// keyOf is the handle by which the lock of a command is known.
func keyOf(steps []BuiltStep) *term.Term {
	for _, s := range steps {
		if s.Name == "Key" && len(s.Args) > 0 {
			return handlesOf(s.Args[0])
		}
	}
	return term.NewUnknown("a key that is not in sight")
}

// tellsByError reports whether a condition is about the error that an answer carries.
func tellsByError(c model.Cond, t types.Type) bool {
	return len(c.Path.Steps) == 1 && c.Path.Steps[0].Call && c.Value == "nil" && carriesError(t)
}

// carriesError reports whether an answer has a method that gives the error of its command.
func carriesError(t types.Type) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, "Error")
	fn, ok := m.(*types.Func)
	return ok && fn.Signature().Params().Len() == 0 && fn.Signature().Results().Len() == 1 && isError(fn.Signature().Results().At(0).Type())
}

// carriedReply runs a method of an answer that carries the error of its command: each method
// gives it, but one that leaves out what is no fault, such as a key that is taken.
func (s *state) carriedReply(c *ssa.Call) []abs {
	if len(c.Call.Args) == 0 || c.Call.StaticCallee() == nil || c.Call.Signature().Recv() == nil {
		return nil
	}
	a := s.of(c.Call.Args[0])
	if a.k != refused && a.k != granted || !carriesError(c.Call.Args[0].Type()) {
		return nil
	}
	res := c.Call.Signature().Results()
	out := make([]abs, res.Len())
	for i := range out {
		if !isError(res.At(i).Type()) {
			continue
		}
		out[i] = abs{k: isNil}
		if a.k == refused && !strings.HasPrefix(c.Call.StaticCallee().Name(), "Non") {
			out[i] = abs{k: nonNil, sig: a.sig}
		}
	}
	return out
}
