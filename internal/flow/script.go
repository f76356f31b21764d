package flow

import (
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// scriptRelease is the event of a script that gives a lock back, nil for any
// other script: what a script does is told by its text.
func (f *fn) scriptRelease(c ssa.CallInstruction, t target, s *model.Sink) *Event {
	if s.Kind != "script" {
		return nil
	}
	text, ok := f.scriptText(s, t.args)
	if !ok {
		return nil
	}
	for _, l := range t.call.Depends {
		if l.Match.Kind != "lua" || !f.a.matches(l.Match.ReleaseRE, text) || f.a.matches(l.Match.AcquireRE, text) {
			continue
		}
		recv, args := split(t)
		return &Event{Kind: Release, Key: t.key, Entry: scriptEntry, Lib: l.Lib, Recv: recv, Args: args, Site: f.siteOf(c), Chain: []Step{f.step(c)}}
	}
	return nil
}

const scriptEntry = "script"

// matches reports whether a pattern of the models is found in a text; no pattern
// is found nowhere.
func (a *Analysis) matches(pattern, text string) bool {
	if pattern == "" {
		return false
	}
	re, ok := a.patterns[pattern]
	if !ok {
		re, _ = regexp.Compile(pattern) // the loader has checked it
		a.patterns[pattern] = re
	}
	return re != nil && re.MatchString(text)
}

// ScriptText is the text of a script that a call runs: an argument, or what the
// receiver was made from. args begin with the receiver.
func ScriptText(s *model.Sink, args []*term.Term) (string, bool) {
	if s.Stmt >= 0 && s.Stmt+1 < len(args) {
		return term.StringValue(args[s.Stmt+1])
	}
	if len(args) == 0 {
		return "", false
	}
	text, _ := MadeScript(unbox(args[0]))
	if text == nil {
		return "", false
	}
	return term.StringValue(text)
}

// MadeScript is the text that a script was made of, nil if t is no script that was made,
// and how many of its arguments are keys, -1 where keys are given apart.
func MadeScript(t *term.Term) (text *term.Term, keys int) {
	if t.Kind != term.Call || len(t.Args) == 0 {
		return nil, -1
	}
	i := madeOf(t.Str, len(t.Args))
	if i < 0 {
		return nil, -1
	}
	if n, ok := term.IntValue(t.Args[0]); ok && i == 1 {
		return t.Args[1], int(n)
	}
	return t.Args[i], -1
}

// madeOf is the argument that a function makes a script of, -1 if it makes none: redigo
// puts the number of keys before it, rueidis and valkey have options behind it.
func madeOf(fn string, args int) int {
	switch name := fn[strings.LastIndexByte(fn, '.')+1:]; {
	case name == "NewScript":
		return args - 1
	case strings.HasPrefix(name, "NewLuaScript"):
		return 0
	}
	return -1
}

// NamesKey reports whether a script names a key that the acquisition named.
func NamesKey(r, a *Event) bool { return releasesKey(r, a) }

// releasesKey reports whether a script names a key that the acquisition named.
func releasesKey(r, a *Event) bool {
	for _, x := range keysOf(r) {
		for _, y := range keysOf(a) {
			if x.Equal(y) {
				return true
			}
		}
	}
	return false
}

// keysOf lists the elements of the lists among an event's arguments, and its texts.
func keysOf(e *Event) []*term.Term {
	var out []*term.Term
	for _, a := range e.Args {
		if a.Kind == term.List {
			out = append(out, a.Args...)
		} else if a.Kind != term.Param {
			out = append(out, a)
		}
	}
	return out
}
