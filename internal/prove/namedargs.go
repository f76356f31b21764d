package prove

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
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
	switch begin, _ := elements(args); {
	case args.Kind == term.List, i < len(withoutOptions(begin)):
		if elems := withoutOptions(begin); i < len(elems) {
			return elems[i]
		}
	case args.Kind == term.Alt:
		var out []*term.Term
		for _, l := range args.Args {
			if flow.Grown(l) && begunWith(args, i) {
				continue // what a loop adds stands behind
			}
			out = append(out, j.argument(a, l))
		}
		return term.NewAlt(out...)
	case args.Symbolic():
		return term.NewElem(args, term.NewConst("int", strconv.Itoa(i)))
	}
	return term.NewUnknown("an argument list that is not followed")
}

// begunWith reports whether each list to which a loop adds has an element of a number before.
func begunWith(lists *term.Term, i int) bool {
	some := false
	for _, l := range lists.Args {
		switch {
		case flow.Grown(l):
		case l.Kind == term.List && len(withoutOptions(l.Args)) > i:
			some = true
		default:
			return false
		}
	}
	return some
}

// askedFor leaves of several argument lists those that have as many as a statement asks
// for: where text and arguments grow together, the driver refuses the other pairs.
func askedFor(script *fsql.Script, args *term.Term) *term.Term {
	if args == nil {
		return nil
	}
	n := asksFor(script)
	if script.Inserted && script.Behind > 0 {
		return aroundInserted(script, n, args)
	}
	if args.Kind != term.Alt {
		return args
	}
	var fit []*term.Term
	for _, l := range args.Args {
		if l.Kind != term.List || l.Open {
			return args
		}
		if len(withoutOptions(l.Args)) == n {
			fit = append(fit, l)
		}
	}
	if n == 0 || len(fit) == 0 {
		return args
	}
	return term.NewAlt(fit...)
}

// asksFor is the number of arguments for which the text of a statement asks.
func asksFor(script *fsql.Script) (n int) {
	for i := range script.Statements {
		for _, a := range script.Statements[i].Params {
			if k, ok := a.Position(); ok {
				n = max(n, k+1)
			}
		}
	}
	return n
}

// aroundInserted puts the arguments of a statement at the places that they have in its text,
// where text is inserted that may ask for others: those ahead of it count from the begin of
// the list, and those behind it from the end.
func aroundInserted(script *fsql.Script, n int, args *term.Term) *term.Term {
	var out []*term.Term
	for _, l := range term.Settle(args).Alternatives() {
		l = unboxed(l)
		begin, whole := elements(l)
		if begin = withoutOptions(begin); whole && len(begin) == n {
			out = append(out, l)
			continue
		}
		end, placed := lastOf(l), make([]*term.Term, n)
		for i := range placed {
			switch k := len(end) - (n - i); {
			case i < script.Ahead && i < len(begin):
				placed[i] = begin[i]
			case i >= n-script.Behind && k >= 0:
				placed[i] = end[k]
			default:
				placed[i] = term.NewUnknown("an argument list that is not followed")
			}
		}
		out = append(out, term.NewList(false, placed...))
	}
	return term.NewAlt(out...)
}

// lastOf are the elements at the end of a list that are in sight.
func lastOf(t *term.Term) []*term.Term {
	switch t = unboxed(t); {
	case t.Kind == term.List && !t.Open:
		return t.Args
	case t.Kind == term.Op && t.Str == "append" && len(t.Args) == 2 && t.Args[1].Kind == term.List && !t.Args[1].Open:
		return slices.Concat(lastOf(t.Args[0]), t.Args[1].Args)
	}
	return nil
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
	if v := j.fieldBound(typ, name, t); v != nil {
		return v
	}
	if field := fieldLike(t, name); field != "" {
		return term.NewField(field, t)
	}
	if t.Kind != term.Struct && t.Symbolic() {
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
		if strings.EqualFold(strings.ReplaceAll(lastPart(n), "_", ""), strings.ReplaceAll(name, "_", "")) {
			return n
		}
	}
	return ""
}

// fieldBound is what a struct has in the field whose tag, or name in small letters, is the
// name in a statement; nil if there is none. The fields of an embedded struct are its own.
func (j *judge) fieldBound(typ, name string, t *term.Term) *term.Term {
	if j.u == nil {
		return nil
	}
	st := j.structOf(typ)
	if st == nil {
		return nil
	}
	for k := range st.NumFields() {
		f := st.Field(k)
		value := term.NewField(typ+"."+f.Name(), t)
		bound, _, _ := strings.Cut(reflect.StructTag(st.Tag(k)).Get("db"), ",")
		switch {
		case bound == "" && f.Embedded():
			if v := j.fieldBound(strings.TrimPrefix(types.TypeString(f.Type(), nil), "*"), name, value); v != nil {
				return v
			}
		case bound == name, bound == "" && strings.ToLower(f.Name()) == name:
			return value
		}
	}
	return nil
}
