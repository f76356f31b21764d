package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// A program may turn one type into an interface in many places, for many users of it. What
// a hold expects of the interface is one cause: it is said where the code that holds the
// lock is put together, and if that is nowhere to be seen, in one place.

// madeFor keeps, of the conversions of each type, those in functions that deal with the
// code that has the obligation; if there are none, those in the function of the first.
func (j *judge) madeFor(o *flow.Obligation, cs []flow.Conversion) []flow.Conversion {
	if len(cs) < 2 {
		return cs
	}
	user := holderOf(o.Call.Chain[0].Func)
	first, dealt := make(map[string]*ast.FuncDecl), make(map[string]bool)
	for _, c := range cs {
		if _, ok := first[c.Type]; !ok {
			first[c.Type] = j.funcAt(c.Pos)
		}
		dealt[c.Type] = dealt[c.Type] || j.dealsWith(j.funcAt(c.Pos), user)
	}
	return slices.DeleteFunc(slices.Clone(cs), func(c flow.Conversion) bool {
		if f := j.funcAt(c.Pos); dealt[c.Type] {
			return !j.dealsWith(f, user)
		} else {
			return f != first[c.Type]
		}
	})
}

// holderOf is the type whose method has the obligation, or the function: "path.T", "path.F".
func holderOf(id string) string {
	id, _, _ = strings.Cut(id, "$")
	name := plainName(id)
	if strings.HasPrefix(id, "(") {
		return name[:strings.LastIndexByte(name, '.')]
	}
	return name
}

// funcAt is the function declaration around a position of this package, nil if none is.
func (j *judge) funcAt(pos token.Pos) *ast.FuncDecl {
	if !pos.IsValid() {
		return nil
	}
	for _, f := range j.u.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= pos && pos <= fd.End() {
				return fd
			}
		}
	}
	return nil
}

// dealsWith reports whether a function has a value of a type, or calls a function.
func (j *judge) dealsWith(fd *ast.FuncDecl, user string) bool {
	if fd == nil {
		return false
	}
	if j.dealings == nil {
		j.dealings = make(map[*ast.FuncDecl]map[string]bool)
	}
	names := j.dealings[fd]
	if names == nil {
		names = make(map[string]bool)
		j.dealings[fd] = names
		ast.Inspect(fd, func(n ast.Node) bool {
			j.noteDealing(n, names)
			return true
		})
	}
	return names[user]
}

func (j *judge) noteDealing(n ast.Node, names map[string]bool) {
	e, ok := n.(ast.Expr)
	if !ok {
		return
	}
	if id, ok := e.(*ast.Ident); ok {
		if f, ok := j.u.Info.Uses[id].(*types.Func); ok {
			names[plainName(f.FullName())] = true
		}
	}
	t := j.u.Info.TypeOf(e)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		names[named.Obj().Pkg().Path()+"."+named.Obj().Name()] = true
	}
}
