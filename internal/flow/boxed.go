package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// boxed keeps the concrete type where methods can be called on it later.
func (f *fn) boxed(m *ssa.MakeInterface) *term.Term {
	x := f.value(m.X)
	name := typeName(m.X.Type())
	if !hasMethods(m.X.Type()) && !onlyTyped(m.X) && !f.record(m) || name == "" || x.Kind == term.Unknown && x.Str == "" {
		return x
	}
	return term.NewIface(name, x)
}

// record reports whether a value is a record that is handed to a library which tells by
// its type where it goes.
func (f *fn) record(m *ssa.MakeInterface) bool {
	obj := namedOf(m.X.Type())
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	if _, ok := obj.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			return takesRecords(r)
		case *ssa.Store: // into a list of arguments
			if c := listedFor(r); c != nil {
				return takesRecords(c)
			}
		}
	}
	return false
}

// listedFor is the call for which a list of arguments is put together by a store.
func listedFor(st *ssa.Store) *ssa.Call {
	at, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	list, ok := at.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *list.Referrers() {
		if sl, ok := r.(*ssa.Slice); ok {
			for _, u := range *sl.Referrers() {
				if c, ok := u.(*ssa.Call); ok {
					return c
				}
			}
		}
	}
	return nil
}

// recordPackages are the libraries that keep records.
var recordPackages = set(
	"gorm.io/gorm", "github.com/jinzhu/gorm", "xorm.io/xorm", "github.com/go-xorm/xorm", "github.com/uptrace/bun", "github.com/go-pg/pg",
	"github.com/go-pg/pg/v9", "github.com/go-pg/pg/v10", "github.com/go-pg/pg/v10/orm", "github.com/go-pg/pg/v9/orm",
	"github.com/doug-martin/goqu/v9", "github.com/upper/db/v4",
)

func takesRecords(c *ssa.Call) bool {
	var pkg *types.Package
	if c.Call.IsInvoke() {
		pkg = c.Call.Method.Pkg()
	} else if callee := c.Call.StaticCallee(); callee != nil && callee.Object() != nil {
		pkg = callee.Object().Pkg()
	}
	return pkg != nil && recordPackages[pkg.Path()]
}

// onlyTyped reports whether the type of a value says what its content does not: of the
// nil pointer that stands for a table, and of a map with a meaning of its own.
func onlyTyped(v ssa.Value) bool {
	switch t := types.Unalias(v.Type()).(type) {
	case *types.Named:
		_, ok := t.Underlying().(*types.Map)
		return ok
	case *types.Pointer:
		c, isConst := v.(*ssa.Const)
		return isConst && c.IsNil()
	}
	return false
}

func hasMethods(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.NumMethods() > 0 {
			return true
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for i := range s.NumFields() {
			if s.Field(i).Embedded() {
				return true
			}
		}
	case *types.TypeParam:
		return false
	}
	return false
}
