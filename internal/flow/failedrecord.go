package flow

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// A record that carries an error says nothing in its other fields, as a function that returns
// an error says nothing beside it.

// withoutFailed leaves out of the records that a field is read from those that leave it unset
// beside an error, if there are others.
func (a *Analysis) withoutFailed(name string, records *term.Term) []*term.Term {
	unset := func(r *term.Term) bool {
		return r.Kind == term.Struct && r.Site == "" && !r.Open && len(r.Names) > 0 && !slices.Contains(r.Names, name)
	}
	if !slices.ContainsFunc(records.Args, unset) {
		return records.Args
	}
	carries := a.errorField(name[:max(0, strings.LastIndexByte(name, '.'))])
	if carries == "" || carries == name {
		return records.Args
	}
	rest := slices.DeleteFunc(slices.Clone(records.Args), func(r *term.Term) bool {
		i := slices.Index(r.Names, carries)
		return i >= 0 && unset(r) && !term.IsZero(r.Args[i])
	})
	if len(rest) == 0 {
		return records.Args
	}
	return rest
}

// errorField is the field with an error of a record, "" if it has none.
func (a *Analysis) errorField(typ string) string {
	t := a.typeOf(typ)
	if t == nil {
		return ""
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for i := range st.NumFields() {
		if isError(st.Field(i).Type()) {
			return fieldName(t, i)
		}
	}
	return ""
}
