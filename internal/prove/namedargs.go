package prove

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
)

// argument is the value that a statement's argument is bound to.
func (j *judge) argument(a fence.Arg, args *term.Term) *term.Term {
	if args == nil {
		return term.NewUnknown("not among the arguments")
	}
	i, ok := a.Position()
	if !ok {
		return j.namedArgument(a.Name(), args)
	}
	switch {
	case args.Kind == term.List:
		elems := withoutOptions(args.Args)
		if i < len(elems) {
			return elems[i]
		}
	case args.Kind == term.Alt:
		out := make([]*term.Term, len(args.Args))
		for k, l := range args.Args {
			out[k] = j.argument(a, l)
		}
		return term.NewAlt(out...)
	case args.Symbolic():
		return term.NewElem(args, term.NewConst("int", strconv.Itoa(i)))
	}
	return term.NewUnknown("an argument list that is not followed")
}

// queryOptions are the types that pgx takes out of the head of an argument list.
var queryOptions = []string{".QueryExecMode", ".QueryResultFormats", ".QueryResultFormatsByOID"}

func withoutOptions(args []*term.Term) []*term.Term {
	for len(args) > 0 && args[0].Kind == term.Iface && strings.HasPrefix(args[0].Str, "github.com/jackc/pgx/") {
		if !slices.ContainsFunc(queryOptions, func(o string) bool { return strings.HasSuffix(args[0].Str, o) }) {
			break
		}
		args = args[1:]
	}
	return args
}

// namedArgument is the value bound to a name: by sql.Named, by a map, or by the
// fields of a struct.
func (j *judge) namedArgument(name string, args *term.Term) *term.Term {
	if args.Kind == term.Alt {
		out := make([]*term.Term, len(args.Args))
		for i, a := range args.Args {
			out[i] = j.namedArgument(name, a)
		}
		return term.NewAlt(out...)
	}
	if args.Kind != term.List {
		return j.memberNamed(name, args)
	}
	if v := sqlNamed(name, args.Args); v != nil {
		return v
	}
	if elems := withoutOptions(args.Args); len(elems) > 0 {
		return j.memberNamed(name, elems[0])
	}
	return notNamed()
}

// sqlNamed is the value that sql.Named gave a name among the arguments, nil for none.
func sqlNamed(name string, args []*term.Term) *term.Term {
	for _, a := range args {
		if s := unboxed(a); s.Kind == term.Struct && s.Str == "database/sql.NamedArg" {
			if n, _ := term.StringValue(term.NewField("database/sql.NamedArg.Name", s)); n == name {
				return term.NewField("database/sql.NamedArg.Value", s)
			}
		}
	}
	return nil
}

func notNamed() *term.Term { return term.NewUnknown("a named argument that is not found") }

// memberNamed is the element of a map, or the field of a struct, that a name is
// bound to.
func (j *judge) memberNamed(name string, t *term.Term) *term.Term {
	typ := ""
	for t.Kind == term.Iface {
		typ, t = strings.TrimPrefix(t.Str, "*"), t.Args[0]
	}
	t = pointee(t)
	if t.Kind == term.Struct && t.Str == "map" {
		return term.NewElem(t, term.NewString(name))
	}
	if t.Kind == term.Struct {
		typ = t.Str
	}
	if field := j.fieldBound(typ, name); field != "" {
		return term.NewField(field, t)
	}
	if field := fieldLike(t, name); field != "" {
		return term.NewField(field, t)
	}
	if t.Symbolic() {
		return term.NewElem(t, term.NewString(name))
	}
	return notNamed()
}

// fieldLike is the field of a struct without a name that is called like a name in a
// statement; its tags are not at hand.
func fieldLike(t *term.Term, name string) string {
	if t.Kind != term.Struct {
		return ""
	}
	for _, n := range t.Names {
		if strings.EqualFold(lastPart(n), strings.ReplaceAll(name, "_", "")) {
			return n
		}
	}
	return ""
}

// fieldBound is the field of a struct type whose tag, or name in small letters,
// is the name in a statement; "" if there is none.
func (j *judge) fieldBound(typ, name string) string {
	i := strings.LastIndexByte(typ, '.')
	if i < 0 || j.u == nil {
		return ""
	}
	pkg := packageOf(j.u.Pkg, typ[:i])
	if pkg == nil {
		return ""
	}
	obj := pkg.Scope().Lookup(typ[i+1:])
	if obj == nil {
		return ""
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for k := range st.NumFields() {
		bound := strings.ToLower(st.Field(k).Name())
		if tag, _, _ := strings.Cut(reflect.StructTag(st.Tag(k)).Get("db"), ","); tag != "" {
			bound = tag
		}
		if bound == name && !st.Field(k).Embedded() {
			return typ + "." + st.Field(k).Name()
		}
	}
	return ""
}

func packageOf(p *types.Package, path string) *types.Package {
	if p.Path() == path {
		return p
	}
	for _, imp := range p.Imports() {
		if imp.Path() == path {
			return imp
		}
	}
	return nil
}
