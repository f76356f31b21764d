package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Prepared is the text of the statements that the package prepares under a name, nil if
// it prepares none so.
func (a *Analysis) Prepared(name string) *term.Term {
	if a.prepared == nil {
		a.prepared = make(map[string][]*term.Term)
		for _, f := range a.indexed {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if c, ok := in.(*ssa.Call); ok && calledName(c.Common()) == "Prepare" {
						a.preparedBy(a.function(f), c)
					}
				}
			}
		}
	}
	if len(a.prepared[name]) == 0 {
		return nil
	}
	return term.NewAlt(a.prepared[name]...)
}

// preparedBy notes the statement that a call prepares under a constant name.
func (a *Analysis) preparedBy(f *fn, c *ssa.Call) {
	for _, t := range f.targets(c) {
		if t.call == nil || t.call.Sink == nil {
			continue
		}
		s := t.call.Sink
		if s.Kind != "prepare" || s.Dialect != "sql" || s.Key.Root != "arg" {
			continue
		}
		_, args := split(t)
		if s.Key.Index >= len(args) || s.Stmt >= len(args) {
			continue
		}
		if name, ok := term.StringValue(args[s.Key.Index]); ok {
			sub := &term.Subst{Params: []*term.Term{}, Free: []*term.Term{}}
			a.prepared[name] = append(a.prepared[name], sub.Apply(args[s.Stmt]))
		}
	}
}

// calledName is the name of the function or method that is called, "" if it is not known.
func calledName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if callee := c.StaticCallee(); callee != nil {
		return callee.Name()
	}
	return ""
}

// byPreparedName puts the text of a statement in place of the name under which this package
// prepares it: other packages do not see that.
func (f *fn) byPreparedName(e *Event, s *model.Sink) {
	if s.Dialect != "sql" || s.Kind == "prepare" || s.Stmt < 0 || s.Stmt >= len(e.Args) {
		return
	}
	name, ok := term.StringValue(e.Args[s.Stmt])
	if !ok || name == "" {
		return
	}
	if text := f.a.Prepared(name); text != nil {
		e.Args = slices.Clone(e.Args)
		e.Args[s.Stmt] = text
	}
}
