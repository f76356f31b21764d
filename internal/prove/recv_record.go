package prove

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// column is what a record keeps in a column of its table.
type column struct {
	name  string
	field string // name of the field in Go
	key   bool   // part of the primary key
	value *term.Term
}

// naming is how a library names the column of a field: "" for none. key tells whether
// the column is part of the primary key.
type naming func(field string, tag reflect.StructTag) (name string, key bool)

// columns are those of a record, each with what the record holds in it; false if its
// type is not in sight.
func (j *judge) columns(record *term.Term, n naming) ([]column, bool) {
	return j.columnsOf(recordType(record), term.Settle(unboxed(record)), n)
}

func (j *judge) columnsOf(typ string, record *term.Term, n naming) ([]column, bool) {
	st := j.structOf(typ)
	if st == nil {
		return nil, false
	}
	var out []column
	for i := range st.NumFields() {
		f := st.Field(i)
		value := term.Settle(term.NewField(typ+"."+f.Name(), record))
		if f.Embedded() && reflect.StructTag(st.Tag(i)) == "" {
			if inner, ok := j.columnsOf(types.TypeString(f.Type(), nil), value, n); ok {
				out = append(out, inner...)
			}
			continue
		}
		if name, key := n(f.Name(), reflect.StructTag(st.Tag(i))); name != "" && f.Exported() {
			out = append(out, column{name, f.Name(), key, value})
		}
	}
	return out, true
}

// recordType is the full name of the type of a record, or of the record behind a
// pointer: "" if it is not known.
func recordType(t *term.Term) string {
	for t.Kind == term.Iface {
		if t.Args[0].Kind != term.Iface {
			return strings.TrimPrefix(t.Str, "*")
		}
		t = t.Args[0]
	}
	if t.Kind == term.Struct {
		return t.Str
	}
	return ""
}

// listOf is put before the type of the records in a list.
const listOf = "[]"

// recordIn stands for the records that are handed over: each of a list whose records are seen,
// any of another one, or the only one.
func recordIn(t *term.Term) *term.Term {
	if each := oneOf(t); each != nil {
		return each
	}
	return anyOf(t)
}

// anyOf is a record of a list that is handed over as a whole; any other record is what it is.
func anyOf(t *term.Term) *term.Term {
	typ, ok := strings.CutPrefix(recordType(t), listOf)
	if !ok {
		return t
	}
	one := term.NewElem(unboxed(t), term.NewUnknown("one of the records"))
	return term.NewIface("*"+typ, one)
}

// structOf finds a struct type of this package or of one that it imports.
func (j *judge) structOf(typ string) *types.Struct {
	i := strings.LastIndexByte(typ, '.')
	if i < 0 {
		return nil
	}
	for _, p := range append([]*types.Package{j.u.Pkg}, j.u.Pkg.Imports()...) {
		if p.Path() != typ[:i] {
			continue
		}
		if obj := p.Scope().Lookup(typ[i+1:]); obj != nil {
			st, _ := obj.Type().Underlying().(*types.Struct)
			return st
		}
	}
	return j.a.Struct(typ)
}

// fieldTag is the tag that a struct type gives its field for a key; the field is
// "path.Type.Field". Types of packages that are not imported here have none.
func (j *judge) fieldTag(field, key string) string {
	i := strings.LastIndexByte(field, '.')
	if i < 0 {
		return ""
	}
	st := j.structOf(field[:i])
	if st == nil {
		return ""
	}
	for n := range st.NumFields() {
		if st.Field(n).Name() == field[i+1:] {
			return reflect.StructTag(st.Tag(n)).Get(key)
		}
	}
	return ""
}

// bsonName is the name under which MongoDB's driver stores a field.
func (j *judge) bsonName(field string) string {
	name, _, _ := strings.Cut(j.fieldTag(field, "bson"), ",")
	if name == "" {
		return strings.ToLower(lastPart(field))
	}
	return name
}

// gormColumn is the column in which gorm keeps a field.
func (j *judge) gormColumn(field string) string {
	for _, part := range strings.Split(j.fieldTag(field, "gorm"), ";") {
		if k, v, ok := strings.Cut(part, ":"); ok && strings.EqualFold(strings.TrimSpace(k), "column") {
			return strings.TrimSpace(v)
		}
	}
	return snake(lastPart(field))
}

// attributeName is the name under which DynamoDB's encoders store a field.
func (j *judge) attributeName(field string) string {
	for _, key := range []string{"dynamodbav", "json"} {
		if name, _, _ := strings.Cut(j.fieldTag(field, key), ","); name != "" {
			return name
		}
	}
	return lastPart(field)
}

// fieldNames are the full names of the exported fields of a struct type; nil if it is not
// in sight, or takes fields over from other types.
func (j *judge) fieldNames(typ string) []string {
	st := j.structOf(typ)
	if st == nil {
		return nil
	}
	var out []string
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Embedded() {
			return nil
		}
		if f.Exported() {
			out = append(out, typ+"."+f.Name())
		}
	}
	return out
}
