package flow

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// GivenBy finds the call in whose result a term lies, and the fields on the way there;
// the getters of generated messages count as the fields that they get.
func GivenBy(t *term.Term) (call *term.Term, names []string) {
	for {
		name := t.Str[strings.LastIndexByte(t.Str, '.')+1:]
		switch {
		case t.Kind == term.Field:
		case t.Kind == term.Call && len(t.Args) == 1 && strings.HasPrefix(name, "Get") && givenIn(t.Args[0]):
			name = strings.TrimPrefix(name, "Get")
		case t.Kind == term.Call:
			slices.Reverse(names)
			return t, names
		default:
			return nil, nil
		}
		names, t = append(names, name), t.Args[0]
	}
}

// givenIn reports whether a term is the result of a call, or lies in one.
func givenIn(t *term.Term) bool {
	return t.Kind == term.Call || t.Kind == term.Field && givenIn(t.Args[0])
}

// EndsIn reports whether a path ends in the given fields.
func EndsIn(p model.Path, names []string) bool {
	return slices.EqualFunc(p.Steps, names, func(s model.Step, name string) bool { return s.Name == name && !s.Call })
}

// isEpoch reports whether a term is the number of a grant.
func (a *Analysis) isEpoch(t *term.Term) bool {
	call, names := GivenBy(t)
	if call == nil {
		return false
	}
	c := a.known.byKey(call.Str)
	return c != nil && slices.ContainsFunc(c.Locks, func(l *model.Lock) bool {
		at := l.Token.At
		return l.Token.Class == model.ClassEpoch && at.Root == "ret" && at.Index == call.N && EndsIn(at, names)
	})
}
