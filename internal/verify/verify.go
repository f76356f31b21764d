// Package verify compares models with the libraries that they speak about.
//
// What enters is a library of the table and a way to import packages; what
// leaves is a list of faults: functions that are gone, methods that another type
// declares, paths that lead nowhere. It must not know where packages come from.
package verify

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/spell"
	"github.com/fencelint/fencelint/model"
)

// Importer returns the type information of a package.
type Importer func(path string) (*types.Package, error)

// Fault is a row, or the head of a library, that does not fit a package.
type Fault struct {
	Pos     model.Pos
	Row     string // name of the row, "head" for what the library says of its types
	Package string
	Msg     string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s %s in %s: %s", f.Pos, f.Row, f.Package, f.Msg)
}

// Library compares a library with its packages. Import paths for which the
// importer returns nil and no error are left out; the second result says how
// many rows were compared.
func Library(l *model.Library, imp Importer) (faults []error, rows int) {
	for i, path := range l.Paths {
		if strings.ContainsAny(path, "*") || strings.HasSuffix(path, "...") {
			continue
		}
		pkg, err := imp(path)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %v", l.Name, err))
			continue
		}
		if pkg == nil {
			continue
		}
		v := &verifier{lib: l, pkg: pkg, imp: imp, old: i > 0}
		v.all()
		faults = append(faults, v.faults...)
		rows += v.rows
	}
	return faults, rows
}

type verifier struct {
	lib    *model.Library
	pkg    *types.Package
	imp    Importer
	old    bool // not the first, the current, import path
	pos    model.Pos
	row    string
	faults []error
	rows   int
}

func (v *verifier) faultf(format string, args ...any) {
	v.faults = append(v.faults, &Fault{v.pos, v.row, v.pkg.Path(), fmt.Sprintf(format, args...)})
}

func (v *verifier) all() {
	v.pos, v.row = v.lib.Pos, "head"
	for _, c := range v.lib.Carriers {
		v.typ(c.Field)
	}
	for _, r := range v.lib.Receivers {
		for _, t := range strings.Fields(r.Field + " " + r.Text) {
			v.typ(t)
		}
	}
	for _, n := range v.lib.Neutral {
		if v.old {
			break // what an old path does not have yet does no harm
		}
		if recv, name, ok := strings.Cut(n, "."); ok {
			v.fn(recv, name)
		} else if n != "*" {
			v.fn("", n)
		}
	}
	for _, e := range v.lib.Locks {
		v.pos, v.row = e.Pos, e.ID
		v.since(e.Since, func() { v.lock(e) })
	}
	for _, s := range v.lib.Sinks {
		v.pos, v.row = s.Pos, s.Recv+"."+s.Method
		v.since(s.Since, func() { v.sink(s) })
	}
}

// since runs a check. A row that is younger than an old import path may be
// absent there. One of a version to come ("after v1.2") must be absent.
func (v *verifier) since(version string, check func()) {
	v.rows++
	n := len(v.faults)
	check()
	switch {
	case strings.HasPrefix(version, "after "):
		if len(v.faults) == n {
			v.faultf("has appeared; say in which version")
		} else {
			v.faults = v.faults[:n]
		}
	case v.old && version != "":
		v.faults = v.faults[:n]
	}
}

// typ returns a declared type, nil with a fault if there is none.
func (v *verifier) typ(name string) types.Type {
	obj, ok := v.pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		v.faultf("no type %s%s", name, near(name, v.pkg.Scope().Names()))
		return nil
	}
	return obj.Type()
}

// fn returns the function or method that a row names, and checks that the type
// checker will know it by that name.
func (v *verifier) fn(recv, name string) *types.Func {
	if strings.Contains(recv+name, "*") {
		if !v.any(recv, name) {
			v.faultf("nothing is called %s", strings.TrimPrefix(recv+"."+name, "."))
		}
		return nil
	}
	if recv == "" {
		switch obj := v.pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			return obj
		case *types.TypeName:
			if sig, ok := obj.Type().Underlying().(*types.Signature); ok { // of a field that is called
				return types.NewFunc(obj.Pos(), v.pkg, name, sig)
			}
		}
		v.faultf("no function %s%s", name, near(name, v.pkg.Scope().Names()))
		return nil
	}
	t := v.typ(recv)
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, v.pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		v.faultf("no method %s of %s%s", name, recv, near(name, methods(t)))
		return nil
	}
	if got, want := model.Key(fn), v.pkg.Path()+"."+recv+"."+name; got != want {
		v.faultf("is known as %s, not as %s", got, want)
	}
	return fn
}

// any reports whether a function or method fits names with "*" in them.
func (v *verifier) any(recv, name string) bool {
	for _, n := range v.pkg.Scope().Names() {
		switch obj := v.pkg.Scope().Lookup(n).(type) {
		case *types.Func:
			if recv == "" && model.MatchName(name, n) {
				return true
			}
		case *types.TypeName:
			fits := func(m string) bool { return model.MatchName(name, m) }
			if recv != "" && model.MatchName(recv, n) && slices.ContainsFunc(methods(obj.Type()), fits) {
				return true
			}
		}
	}
	return false
}

// near names the known word that was probably meant.
func near(name string, known []string) string {
	if best := spell.Nearest(name, known); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// methods names those of a type and of the pointer to it.
func methods(t types.Type) []string {
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	var out []string
	for m := range types.NewMethodSet(t).Methods() {
		out = append(out, m.Obj().Name())
	}
	return out
}

func (v *verifier) lock(e *model.Lock) {
	m := &e.Match
	s := &scope{v: v, session: e.Session}
	switch m.Kind {
	case "call", "rediscmd", "lua", "chain", "opts":
		fn := v.fn(m.Recv, m.Name)
		if fn == nil {
			return
		}
		for _, t := range m.Types {
			v.fn(t, m.Name)
		}
		s.sig = fn.Signature()
	case "field", "funcfield":
		if s.value = v.field(m.Recv, m.Name); s.value == nil {
			return
		}
	case "const":
		if _, ok := v.pkg.Scope().Lookup(m.Name).(*types.Const); !ok {
			v.faultf("no constant %s", m.Name)
		}
		return
	case "type":
		v.typ(m.Name)
		return
	case "implements":
		fn := v.fn(m.Recv, m.Name)
		if fn == nil {
			return
		}
		s.callback = fn.Signature()
	}
	s.lock(e)
}

// newer reports that the model itself says that a method is younger than the
// library's old import paths.
func (v *verifier) newer(name string) bool {
	return slices.ContainsFunc(v.lib.Locks, func(e *model.Lock) bool { return e.Since != "" && e.Match.Name == name })
}

func (v *verifier) field(recv, name string) types.Type {
	t := v.typ(recv)
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, v.pkg, name)
	f, ok := obj.(*types.Var)
	if !ok {
		v.faultf("no field %s of %s", name, recv)
		return nil
	}
	return f.Type()
}

func (v *verifier) sink(row *model.Sink) {
	fn := v.fn(row.Recv, row.Method)
	if fn == nil {
		return
	}
	for _, t := range row.DeclaredOn {
		v.fn(t, row.Method)
	}
	s := &scope{v: v, sig: fn.Signature()}
	if row.Stmt >= 0 {
		s.text(row.Stmt)
	}
	for _, n := range []int{row.Args, row.Table, row.Version} {
		if n >= 0 {
			s.arg(n)
		}
	}
	s.setCallback(row.Callback)
	for _, p := range []model.Path{row.Gives, row.Input, row.Key, row.Value, row.Left, row.Op, row.Right} {
		s.path(p)
	}
}
