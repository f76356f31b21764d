package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Code gives back what it has, and why it has nothing, in one record: Result[T]. What is known
// of the fields of such a record travels with it.

// recordOf is a record of which something is known that tells of a refusal, or that there is
// no error; nothing is known of others.
func recordOf(st *types.Struct, fields []abs) abs {
	r := abs{k: record}
	tells := false
	for i := range fields {
		a := &fields[i]
		if strings.ContainsAny(a.name, "<>") && a.k != record {
			a.name = ""
		}
		r.sig = r.sig || a.sig && a.k != isNil
		tells = tells || a.sig || isError(st.Field(i).Type()) && a.k != top
	}
	if !tells {
		return abs{}
	}
	r.name = tupleCode(fields)
	return r
}

// fields are what is known of those of a record; nil for other values.
func (a abs) fields() []abs {
	if a.k != record {
		return nil
	}
	return parseTuple(a.name)
}

func (a abs) field(i int) (abs, bool) {
	fs := a.fields()
	if i >= len(fs) {
		return abs{}, false
	}
	return fs[i], true
}

// each changes the fields of a record of a type.
func (a abs) each(t types.Type, change func(abs, types.Type) abs) abs {
	st, ok := t.Underlying().(*types.Struct)
	fs := a.fields()
	if !ok || len(fs) != st.NumFields() {
		return abs{}
	}
	for i := range fs {
		fs[i] = change(fs[i], st.Field(i).Type())
	}
	return recordOf(st, fs)
}

// noted marks the errors in a record that is given back after a branch on a refusal.
func (a abs) noted(t types.Type) abs {
	return a.each(t, func(f abs, t types.Type) abs {
		if f.k == nonNil && isError(t) {
			f.sig = true
		}
		return f
	})
}

// failed reports whether a record of a type says that there was an error.
func (a abs) failed(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	fs := a.fields()
	for i := range fs {
		if ok && len(fs) == st.NumFields() && fs[i].k == nonNil && isError(st.Field(i).Type()) {
			return true
		}
	}
	return false
}

// packed is a record in a variable, from what is known of its fields.
func (s *state) packed(al *ssa.Alloc) abs {
	st, ok := deref(al.Type()).Underlying().(*types.Struct)
	if !ok || !slices.ContainsFunc(s.cells, func(p pair[abs]) bool { return isPartOf(p.of, al) }) {
		return abs{}
	}
	whole, stored := s.cells.get(al)
	fields := make([]abs, st.NumFields())
	set := make([]bool, st.NumFields())
	for _, r := range *al.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			set[r.Field] = set[r.Field] || isSet(r)
			if a, ok := s.cells.get(r); ok {
				fields[r.Field] = a
				set[r.Field] = true
			}
		case *ssa.Store:
			stored = true
		}
	}
	for i := range fields {
		switch f, ok := whole.field(i); {
		case fields[i] != (abs{}):
		case ok:
			fields[i] = f
		case !stored && !set[i]:
			fields[i] = zeroAbs(st.Field(i).Type())
		}
	}
	return recordOf(st, fields)
}

func isPartOf(v ssa.Value, al *ssa.Alloc) bool {
	fa, ok := v.(*ssa.FieldAddr)
	return v == al || ok && fa.X == al
}

func isSet(fa *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*fa.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == fa
	})
}

// zeroAbs is what is known of the zero value of a type.
func zeroAbs(t types.Type) abs {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		if _, open := types.Unalias(t).(*types.TypeParam); !open {
			return abs{k: isNil}
		}
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return boolean(false)
		case u.Info()&types.IsInteger != 0:
			return abs{k: isInt}
		}
	}
	return abs{}
}

// storeWhole notes a record that is put into a variable: what was known of its fields is over.
func (s *state) storeWhole(al ssa.Value, a abs) {
	s.cells.keep(func(v ssa.Value) bool {
		fa, ok := v.(*ssa.FieldAddr)
		return !ok || fa.X != al
	})
	if a == (abs{}) {
		s.cells.drop(al)
	} else {
		s.cells.put(al, a)
	}
}

// fieldOfRecord is what is known of a field of a record in a variable.
func (s *state) fieldOfRecord(fa *ssa.FieldAddr) (abs, bool) {
	al, ok := fa.X.(*ssa.Alloc)
	if !ok {
		return abs{}, false
	}
	whole, ok := s.cells.get(al)
	if !ok {
		return abs{}, false
	}
	return whole.field(fa.Field)
}

// fieldCell is what is known of a field of a local record.
func (s *state) fieldCell(fa *ssa.FieldAddr) (abs, bool) {
	if len(s.cells) == 0 {
		return abs{}, false
	}
	if at := localField(fa); at != nil {
		if a, ok := s.cells.get(at); ok {
			return a, true
		}
	}
	return s.fieldOfRecord(fa)
}

// goesAway notes the records that a call is given which is not followed.
func (s *state) goesAway(c *ssa.CallCommon) {
	if !prints(c) && anyArgument(c, func(v ssa.Value) bool {
		a, t := s.of(v), v.Type()
		if box, ok := v.(*ssa.MakeInterface); ok {
			t = box.X.Type()
		}
		return a.sig && (a.k == record || a.k == nonNil && isStruct(deref(t)) && !isErrorRecord(t))
	}) {
		s.flags |= observed
	}
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// errorFieldOf is the struct of a parameter that carries an error in one field, nil for
// others, and which it is.
func errorFieldOf(t types.Type) (*types.Struct, int) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil, 0
	}
	at := -1
	for i := range st.NumFields() {
		if isError(st.Field(i).Type()) {
			if at >= 0 {
				return nil, 0
			}
			at = i
		}
	}
	if at < 0 {
		return nil, 0
	}
	return st, at
}

func errorInside(t types.Type) bool {
	st, _ := errorFieldOf(t)
	return st != nil
}

// signalsOfRecord is signalsOf for a parameter that carries an error.
func (f *fn) signalsOfRecord(out []ParamSignal, i int) []ParamSignal {
	st, at := errorFieldOf(f.f.Params[i].Type())
	fields := make([]abs, st.NumFields())
	fields[at] = abs{k: nonNil, sig: true}
	return f.signalsOf(out, i, recordOf(st, fields))
}
