package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// commandIs are the words of a command that is given word by word, if it is the one
// of which the entry speaks; else nil.
func commandIs(l *model.Lock, t target) []*term.Term {
	_, args := split(t)
	if l.Match.Args < 0 || l.Match.Args >= len(args) {
		return nil
	}
	words := flatten(args[l.Match.Args:])
	if len(words) < 2 || !strings.EqualFold(word(words[0]), l.Match.Cmd) {
		return nil
	}
	for _, need := range l.Match.Needs {
		if !slices.ContainsFunc(words[1:], func(w *term.Term) bool { return strings.EqualFold(word(w), need) }) {
			return nil
		}
	}
	return words
}

// flatten puts the elements of lists in their place.
func flatten(ts []*term.Term) []*term.Term {
	var out []*term.Term
	for _, t := range ts {
		if t = unbox(t); t.Kind == term.List {
			out = append(out, flatten(t.Args)...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

func word(t *term.Term) string {
	s, _ := term.StringValue(unbox(t))
	return s
}

// commandEvent is the lock event of a command: the lock is known by the key.
func (f *fn) commandEvent(c ssa.CallInstruction, t target, l *model.Lock, kind EventKind, words []*term.Term) *Event {
	e := f.lockEvent(c, t, l, kind)
	h := handlesOf(words[1])
	if kind == Release {
		h = handlesOf(term.NewList(false, words[1:]...))
	}
	if e.Hold != nil {
		e.Hold.Handle = h
	} else {
		e.Recv = h
	}
	return e
}

// scriptAcquire is the event of a script that takes a lock, nil for any other. The
// lock is known by the first key that the script is given.
func (f *fn) scriptAcquire(c ssa.CallInstruction, t target, l *model.Lock) *Event {
	s := t.call.Sink
	if s == nil || s.Kind != "script" {
		return nil
	}
	text, ok := f.scriptText(s, t.args)
	if !ok || !f.a.matches(l.Match.AcquireRE, text) || f.a.matches(l.Match.ReleaseRE, text) {
		return nil
	}
	e := f.lockEvent(c, t, l, Acquire)
	e.zeroIsNo = zeroIsNo.MatchString(text)
	_, args := split(t)
	if l.Key.Root == "arg" && l.Key.Index >= 0 && l.Key.Index < len(args) {
		if keys := flatten(args[l.Key.Index : l.Key.Index+1]); len(keys) > 0 {
			e.Hold.Handle = handlesOf(keys[0])
		}
	}
	return e
}

// zeroIsNo finds the scripts that answer 0 where a key that is set only if it is not there was
// there: before they do anything, or at their end when the other branch answered otherwise.
var zeroIsNo = pattern.New(`(?is)if\s+not\s+redis\.call\([^)]*nx[^)]*\)\s*then\s+return\s+0\b` +
	`|if\s+redis\.call\([^)]*nx[^)]*\)\s*(?:==\s*1\s*)?then\b.*?\breturn\s+[^0\s].*\breturn\s+0\s*(?:end)?\s*;?\s*$`)

// scriptText is the text of a script; one that a field holds is looked for where
// the package stores into that field.
func (f *fn) scriptText(s *model.Sink, args []*term.Term) (string, bool) {
	if text, ok := ScriptText(s, args); ok || s.Stmt >= 0 || len(args) == 0 {
		return text, ok
	}
	recv := unbox(args[0])
	if recv.Kind != term.Field {
		return "", false
	}
	return f.a.scriptIn(recv.Str)
}

// scriptIn is the text of the one script that the package stores in a field.
func (a *Analysis) scriptIn(field string) (string, bool) {
	found := ""
	for _, f := range a.funcs {
		for _, b := range f.f.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok || fieldName(fa.X.Type(), fa.Field) != field {
					continue
				}
				text := constantScript(st.Val)
				if text == "" || found != "" && found != text {
					return "", false
				}
				found = text
			}
		}
	}
	return found, found != ""
}

// constantScript is the constant text that a script was made of.
func constantScript(v ssa.Value) string {
	c, ok := v.(*ssa.Call)
	if !ok || len(c.Call.Args) == 0 {
		return ""
	}
	i := madeOf(callKey(&c.Call), len(c.Call.Args))
	if i < 0 {
		return ""
	}
	k, ok := c.Call.Args[i].(*ssa.Const)
	if !ok {
		return ""
	}
	s, _ := term.StringValue(constTerm(k))
	return s
}
