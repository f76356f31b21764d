package flow

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// statementOf finds what was prepared as the statement on which a call is made: its text,
// and the connection, transaction or pool through which it runs. A program often prepares
// its statements when it starts, and keeps them in fields.
func (a *Analysis) statementOf(stmt *term.Term, depth int) (recv *term.Term, text string) {
	if stmt == nil || depth > maxBuilt {
		return nil, ""
	}
	switch t := unbox(stmt); t.Kind {
	case term.Alt:
		for _, x := range t.Args {
			if recv, text = a.statementOf(x, depth+1); text != "" {
				return recv, text
			}
		}
	case term.Field:
		for _, x := range a.registrations(t.Str, t.Str) {
			if recv, text = a.statementOf(foreign(x.fn.value(x.val)), depth+1); text != "" {
				return recv, text
			}
		}
	case term.Call:
		return a.statementMade(t, depth)
	}
	return nil, ""
}

// statementMade is the same for what a call prepares, or binds to a transaction.
func (a *Analysis) statementMade(t *term.Term, depth int) (recv *term.Term, text string) {
	c := a.known.byKey(t.Str)
	if c == nil || c.Sink == nil || len(t.Args) == 0 {
		return nil, ""
	}
	args := t.Args[1:]
	switch i := inputOf(c.Sink); {
	case i < 0 || i >= len(args):
		return nil, ""
	case c.Sink.Kind == "prepare" && wholeStatement(c.Sink.Dialect):
		return typed(t), constantText(args[i])
	case c.Sink.Kind == "stmt":
		_, text = a.statementOf(args[i], depth+1)
		return typed(t), text
	}
	return nil, ""
}

// typed is the receiver of a call with the type that has the method: a pool, a connection
// or a transaction.
func typed(call *term.Term) *term.Term {
	return term.NewIface("*"+call.Str[:strings.LastIndexByte(call.Str, '.')], call.Args[0])
}

// inputOf is the argument that a call takes a statement from.
func inputOf(s *model.Sink) int {
	if s.Kind == "stmt" && s.Input.Root == "arg" {
		return s.Input.Index
	}
	return s.Stmt
}
