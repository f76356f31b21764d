package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/lua"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// scriptLease is a key of Redis that a script prolongs.
const scriptLease = "redis-script"

// gripOfScript reads a script that changes nothing but times to live: it prolongs the locks
// whose keys it is given.
func (j *judge) gripOfScript(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Kind != "script" {
		return nil
	}
	if script := j.scriptOf(e); script == nil || script.Mutation == nil || !renewsOnly(script) {
		return nil
	}
	return &flow.Grip{Kind: flow.Extend, Lib: scriptLease, Handle: e.Recv}
}

// scriptOf is the script that a call runs, nil if its text is not known.
func (j *judge) scriptOf(e *flow.Event) *lua.Script {
	c := j.models.FuncKey(e.Key)
	if c == nil || c.Sink == nil || e.Recv == nil {
		return nil
	}
	text, ok := flow.ScriptText(c.Sink, append([]*term.Term{e.Recv}, e.Args...))
	if !ok {
		return nil
	}
	return lua.Parse(text)
}

// Verbs of functions of the schema by which a lock is taken, given back and prolonged.
var (
	takingFunc  = pattern.New(`^(try_?)?(acquire|obtain|take|get|grab|claim)_?`)
	givingFunc  = pattern.New(`^(release|drop|free|return|give_?back|un)_?`)
	keepingFunc = pattern.New(`^(renew|extend|refresh|prolong|keep)_?`)
)

// gripOfFunction reads what a statement does to a lock that functions of the schema keep:
// their text is not seen, but one that takes a lock and one that gives it back say so.
func (j *judge) gripOfFunction(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Dialect != "sql" || s.Stmt < 0 {
		return nil
	}
	for _, st := range j.statements(e) {
		for _, t := range texts(st.stmt) {
			if t.none != "" {
				continue
			}
			for _, dialect := range j.dialectsIn(e.Key, t.s) {
				for _, one := range j.parse(t.s, t.holes, dialect).Statements {
					if g := j.gripOfCalls(one.Own, st.args); g != nil {
						return g
					}
				}
			}
		}
	}
	return nil
}

func (j *judge) gripOfCalls(calls []fsql.FuncCall, args *term.Term) *flow.Grip {
	for _, c := range calls {
		if !lockFunc.MatchString(c.Name) {
			continue
		}
		for _, v := range []struct {
			verb *pattern.Pattern
			kind flow.EventKind
		}{{takingFunc, flow.Acquire}, {givingFunc, flow.Release}, {keepingFunc, flow.Extend}} {
			verb := v.verb.Regexp().FindString(c.Name)
			if verb == "" {
				continue
			}
			row := strings.TrimPrefix(c.Name, verb)
			g := &flow.Grip{Kind: v.kind, Lib: "sql-lease", Row: term.NewString("functions of " + row), Signs: flow.Named}
			if len(c.Args) > 0 {
				g.Key = (&lowered{value: func(a fence.Arg) *term.Term { return j.argument(a, args) }}).key(&columns{key: c.Args[0]})
			}
			return g
		}
	}
	return nil
}

// lockFunc finds the functions that are called after a lock: a clock and a block are none.
var lockFunc = pattern.New(`(^|[^bc])(lock|lease|mutex|leader(ship)?)s?$`)
