package prove

import (
	"go/types"
	"reflect"
	"strings"
)

// fieldTag is the tag that a struct type gives its field for a key; the field is
// "path.Type.Field". Types of packages that are not imported here have none.
func (j *judge) fieldTag(field, key string) string {
	i := strings.LastIndexByte(field, '.')
	if i < 0 {
		return ""
	}
	k := strings.LastIndexByte(field[:i], '.')
	if k < 0 {
		return ""
	}
	path, typ, name := field[:k], field[k+1:i], field[i+1:]
	for _, p := range append([]*types.Package{j.u.Pkg}, j.u.Pkg.Imports()...) {
		if p.Path() != path {
			continue
		}
		obj := p.Scope().Lookup(typ)
		if obj == nil {
			return ""
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		for n := range st.NumFields() {
			if st.Field(n).Name() == name {
				return reflect.StructTag(st.Tag(n)).Get(key)
			}
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
