package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What a field of a record holds that nobody has set.

// leftZero reports whether a field of a record of this function is one that nobody sets but
// a decoder, which leaves it out.
func (f *fn) leftZero(name string, base *term.Term) bool {
	if base.Kind != term.Struct || base.Site == "" {
		return false
	}
	for st := range f.storesKeeping() {
		if slices.Contains(st.keeps, name) && st.own != nil && samePlace(st.base, base) {
			return true
		}
	}
	return false
}

// emptyAtFirst is a field of a record that a function of this package made and put nothing
// there: a list is empty then. Of other values that is not said: others may set them.
func (f *fn) emptyAtFirst(base *term.Term, name string, plain *term.Term) *term.Term {
	if plain.Kind != term.Field || base.Kind != term.Struct || base.Open {
		return plain
	}
	switch made := f.madeAt(base.Site).(type) {
	case *ssa.Call:
	case *ssa.Alloc: // nobody else can set it
		if f.siteOf(made) != base.Site || token.IsExported(name[strings.LastIndexByte(name, '.')+1:]) {
			return plain
		}
	default:
		return plain
	}
	t := f.a.typeOf(base.Str)
	if t == nil {
		return plain
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if _, list := st.Field(i).Type().Underlying().(*types.Slice); list && fieldName(t, i) == name {
				return term.Nil
			}
		}
	}
	return plain
}

// filledUnseen reports whether a record of this function is open, and no write is known that
// fills it.
func (f *fn) filledUnseen(base *term.Term) bool {
	return base.Open && !slices.ContainsFunc(f.heap, func(st heapStore) bool { return st.field == wholeMark && samePlace(st.base, base) })
}
