package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Record is a struct type that stands in what a function writes, and that packages which
// call the function need not see: its fields, with the tags that name columns.
type Record struct {
	Type   string // "path.Type"
	Fields []RecordField
}

// RecordField is a field of a Record. Embedded is the type of one without a name of its own.
type RecordField struct {
	Name, Tag, Embedded string
}

// Struct is the struct type of this name in a package that is not imported, or in a
// function; nil if nothing is known of it.
func (a *Analysis) Struct(name string) *types.Struct {
	if st := a.localRecords[name]; st != nil {
		return st
	}
	if a.Imported == nil {
		return nil
	}
	if r := a.Imported.records[name]; r != nil {
		return r.structType()
	}
	return nil
}

// structType is the record as a type whose fields have no types of their own.
func (r *Record) structType() *types.Struct {
	var fields []*types.Var
	var tags []string
	for _, f := range r.Fields {
		t := types.Type(types.Typ[types.Invalid])
		if i := strings.LastIndexByte(f.Embedded, '.'); i >= 0 {
			pkg := types.NewPackage(f.Embedded[:i], "")
			t = types.NewNamed(types.NewTypeName(token.NoPos, pkg, f.Embedded[i+1:], nil), types.NewStruct(nil, nil), nil)
		}
		fields = append(fields, types.NewField(token.NoPos, nil, f.Name, t, f.Embedded != ""))
		tags = append(tags, f.Tag)
	}
	return types.NewStruct(fields, tags)
}

// localRecord notes a type that is declared in a function: no scope of the package has it.
func (a *Analysis) localRecord(t types.Type) {
	obj := namedOf(t)
	if obj == nil || obj.Pkg() != a.Pkg || obj.Parent() == a.Pkg.Scope() {
		return
	}
	if st, ok := obj.Type().Underlying().(*types.Struct); ok {
		a.localRecords[strings.TrimPrefix(typeName(obj.Type()), "*")] = st
	}
}

// recordsIn lists the records that events of the package write, or are among others, and
// that its importers may not see: those of other packages, and those that are not exported.
func (a *Analysis) recordsIn(sums []*Summary, others []string) []Record {
	found := make(map[string]*Record)
	visit := func(t *term.Term) bool {
		if t.Kind == term.Iface || t.Kind == term.Struct {
			a.addRecord(strings.TrimPrefix(t.Str, "*"), found)
		}
		return false
	}
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind != Write {
				continue
			}
			e.eachTerm(func(t *term.Term) { t.Any(visit) })
		}
	}
	for _, name := range others {
		a.addRecord(name, found)
	}
	var out []Record
	for _, k := range sortedKeys(found) {
		if found[k] != nil {
			out = append(out, *found[k])
		}
	}
	return out
}

func (a *Analysis) addRecord(name string, found map[string]*Record) {
	i := strings.LastIndexByte(name, '.')
	if _, done := found[name]; done || i <= 0 {
		return
	}
	found[name] = nil
	own := name[:i] == a.Pkg.Path()
	if own && token.IsExported(name[i+1:]) && a.localRecords[name] == nil {
		return
	}
	r := a.recordOf(name)
	if r == nil {
		return
	}
	found[name] = r
	for _, f := range r.Fields {
		a.addRecord(f.Embedded, found)
	}
}

// recordOf is the record of a type that has tags, or embeds other ones.
func (a *Analysis) recordOf(name string) *Record {
	if a.Imported != nil && a.Imported.records[name] != nil {
		return a.Imported.records[name]
	}
	st := a.localRecords[name]
	if t := a.typeOf(name); st == nil && t != nil {
		st, _ = t.Underlying().(*types.Struct)
	}
	if st == nil {
		return nil
	}
	r, tagged := &Record{Type: name}, false
	for i := range st.NumFields() {
		f := RecordField{Name: st.Field(i).Name(), Tag: st.Tag(i)}
		if st.Field(i).Embedded() {
			f.Embedded = strings.TrimPrefix(typeName(st.Field(i).Type()), "*")
		}
		tagged = tagged || f.Tag != "" || f.Embedded != ""
		r.Fields = append(r.Fields, f)
	}
	if !tagged {
		return nil
	}
	return r
}

// keptWithin is what a field holds that nobody outside the package can set, if the package
// puts one thing there which says what is sent: a text, or a statement that was prepared.
func (a *Analysis) keptWithin(field *term.Term) *term.Term {
	name := field.Str[strings.LastIndexByte(field.Str, '.')+1:]
	vals := a.fields[field.Str]
	if token.IsExported(name) || len(vals) != 1 {
		return nil
	}
	v := vals[0]
	if v.Kind == term.Struct && a.mapChanged(field.Str) {
		return nil
	}
	if saysTexts(v) {
		if a.MayLack(field.Str, v) {
			return nil
		}
		return v
	}
	if v.Kind != term.Call || v.Size() > maxResult {
		return nil
	}
	if c := a.Models.FuncKey(v.Str); c != nil && c.Sink != nil && c.Sink.Kind == "prepare" {
		return v
	}
	return nil
}

// saysTexts reports whether a value is a text with nothing unknown in it, or a map of such.
func saysTexts(t *term.Term) bool {
	switch {
	case t.Kind == term.Struct && t.Str == "map":
		return !t.Open && len(t.Args) > 0 && !slices.ContainsFunc(t.Args, func(a *term.Term) bool { return !saysTexts(a) })
	case t.Kind == term.Const:
		return t.Typ == "string" && t.Str != ""
	}
	return false
}

// mapChanged reports whether code of the package puts something into the map in a field.
func (a *Analysis) mapChanged(field string) bool {
	for _, f := range a.indexed {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				u, ok := in.(*ssa.MapUpdate)
				if !ok {
					continue
				}
				if load, ok := u.Map.(*ssa.UnOp); ok {
					if fa, ok := load.X.(*ssa.FieldAddr); ok && fieldName(fa.X.Type(), fa.Field) == field {
						return true
					}
				}
			}
		}
	}
	return false
}
