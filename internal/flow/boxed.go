package flow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// boxed keeps the concrete type where methods can be called on it later.
func (f *fn) boxed(m *ssa.MakeInterface) *term.Term {
	x := withTags(f.value(m.X), m.X.Type())
	name := boxedName(m.X.Type())
	if f.fillsTemplate(m) {
		return term.NewUnknown("a record with parts that write themselves")
	}
	if b, ok := m.X.Type().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && x.Kind != term.Const && printedBy(m) {
		return term.NewIface(b.Name(), x) // it is written as digits
	}
	if !hasMethods(m.X.Type()) && !onlyTyped(m.X) && !f.record(m) || name == "" || x.Kind == term.Unknown && x.Str == "" {
		return x
	}
	t := term.NewIface(name, x)
	if said := f.said(m, x); said != nil {
		t.Args = append(t.Args, said)
	}
	return t
}

// boxedName is the name of a type; that of a list of records is said by the records.
func boxedName(t types.Type) string {
	if l, ok := deref(t).(*types.Slice); ok && namedOf(l.Elem()) != nil {
		return "[]" + strings.TrimPrefix(typeName(l.Elem()), "*")
	}
	return typeName(t)
}

// said is how a value writes itself that is handed to a function which prints it, nil if it
// has no method for that or nobody prints it.
func (f *fn) said(m *ssa.MakeInterface, x *term.Term) *term.Term {
	if !printedBy(m) {
		return nil
	}
	method := writesItself(m.X.Type())
	if method == "" {
		return nil
	}
	if t, ok := f.concrete(typeName(m.X.Type()), method, []*term.Term{x}); ok && t.sum != nil && len(t.sum.Results) == 1 && t.sum.Results[0] != nil {
		sub := &term.Subst{Params: []*term.Term{x}, Free: []*term.Term{}, Global: f.a.global, Call: f.calledOn}
		return sub.Apply(t.sum.Results[0])
	} else if ok {
		return term.NewCall(keyOr(t), "", 0, x)
	}
	return term.NewUnknown("what a value writes of itself")
}

// writesItself is the method by which values of a type are printed, "" for none.
func writesItself(t types.Type) string {
	if _, basic := t.(*types.Basic); basic {
		return ""
	}
	for _, name := range []string{"Format", "Error", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		m, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		sig := m.Signature()
		if name == "Format" && sig.Params().Len() == 2 || sig.Params().Len() == 0 && sig.Results().Len() == 1 {
			return name
		}
	}
	return ""
}

// printedBy reports whether a value is handed to a function of package fmt.
func printedBy(m *ssa.MakeInterface) bool {
	for _, r := range *m.Referrers() {
		if st, ok := r.(*ssa.Store); ok {
			if c := listedFor(st); c != nil && c.Call.StaticCallee() != nil {
				pkg := c.Call.StaticCallee().Pkg
				return pkg != nil && pkg.Pkg.Path() == "fmt"
			}
		}
	}
	return false
}

// fillsTemplate reports whether a record is filled into a template, and a part of it writes
// itself.
func (f *fn) fillsTemplate(m *ssa.MakeInterface) bool {
	if !slices.ContainsFunc(*m.Referrers(), executesTemplate) {
		return false
	}
	switch u := deref(m.X.Type()).Underlying().(type) {
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return writesItself(v.Type()) != "" })
	case *types.Map:
		return writesItself(u.Elem()) != ""
	}
	return false
}

func executesTemplate(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	return ok && strings.HasPrefix(callKey(c.Common()), "text/template.Template.Execute")
}

// record reports whether a value is a record that is handed to a library which tells by
// its type where it goes.
func (f *fn) record(m *ssa.MakeInterface) bool {
	t := m.X.Type()
	if l, ok := deref(t).(*types.Slice); ok {
		t = l.Elem()
	}
	obj := namedOf(t)
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

// withTags is a value of a struct type without a name, in which the fields have the names by
// which a statement knows them: the type is not at hand where that is read.
func withTags(x *term.Term, t types.Type) *term.Term {
	st, ok := deref(t).(*types.Struct)
	if !ok || x.Kind != term.Struct {
		return x
	}
	names := slices.Clone(x.Names)
	for i := range st.NumFields() {
		tag, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("db"), ",")
		if k := slices.Index(x.Names, fieldName(t, i)); k >= 0 && tag != "" {
			names[k] = "_." + tag
		}
	}
	out := term.NewStruct(x.Str, x.Site, names, x.Args)
	if out.Kind == term.Struct {
		out.Open = x.Open
	}
	return out
}
