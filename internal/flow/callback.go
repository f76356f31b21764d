package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// registeredCallback is what the package puts into the library's field from which a
// region takes its callback, where it is not seen which of the library's objects runs.
func (a *Analysis) registeredCallback(p model.Path, key string) *term.Term {
	if len(p.Steps) == 0 {
		return nil
	}
	name := p.Steps[len(p.Steps)-1].Name
	lib := key[:strings.LastIndexByte(key, '/')+1]
	rest, _, _ := strings.Cut(key[len(lib):], ".")
	var found []*term.Term
	for _, x := range a.registrations(lib+rest+".", "."+name) {
		found = append(found, foreign(x.fn.value(x.val)))
	}
	if len(found) == 0 {
		return nil
	}
	return term.NewAlt(found...)
}

// registration is a value that code stores in a field of another package's type.
type registration struct {
	fn  *fn
	val ssa.Value
}

func (a *Analysis) registrations(prefix, suffix string) []registration {
	var out []registration
	var visit func(*ssa.Function)
	visit = func(f *ssa.Function) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if n := fieldName(fa.X.Type(), fa.Field); strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
					out = append(out, registration{a.function(f), st.Val})
				}
			}
		}
		for _, lit := range f.AnonFuncs {
			visit(lit)
		}
	}
	for _, f := range a.roots {
		if !a.function(f).inTest() {
			visit(f)
		}
	}
	return out
}
