package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Where values come from that are the fields of records.

// structOrigin sees through named and nullable arguments. One that is not said to be valid
// is NULL.
func structOrigin(j *judge, t *term.Term, d int) []origin {
	k, ok := nullables[t.Str]
	if !ok {
		return one(origin{class: unknownFrom, reason: "it is a value of type " + t.Str, text: t.String()})
	}
	value := setField(t, k.value)
	out := j.origin(value, d+1)
	if k.valid == "" {
		return out
	}
	for _, v := range setField(t, k.valid).Alternatives() {
		if v.Kind == term.Op && (v.Str == "!=" || v.Str == ">") && v.Args[0].Equal(value) && term.IsZero(v.Args[1]) {
			continue // it is valid unless it is zero, of which its own origin tells
		}
		if v.Kind != term.Const || v.Str != "true" {
			return append(slices.Clip(out), origin{class: zero, text: "NULL", reason: mayBeNull})
		}
	}
	return out
}

const mayBeNull = "which is NULL where it is not valid"

// nullable says in which fields a type keeps a value, and whether there is one.
type nullable struct{ value, valid string }

var nullables = map[string]nullable{
	"database/sql.NamedArg":               {"Value", ""},
	"database/sql.Null":                   {"V", "Valid"},
	"database/sql.NullInt64":              {"Int64", "Valid"},
	"database/sql.NullInt32":              {"Int32", "Valid"},
	"database/sql.NullString":             {"String", "Valid"},
	"github.com/jackc/pgx/v5/pgtype.Int8": {"Int64", "Valid"},
	"github.com/jackc/pgx/v5/pgtype.Int4": {"Int32", "Valid"},
	"github.com/jackc/pgx/v5/pgtype.Text": {"String", "Valid"},
	"github.com/jackc/pgx/v5/pgtype.UUID": {"Bytes", "Valid"},
}

// ofNullable reports whether a field is the value of a nullable type: what that was read from is
// named by what has the value.
func ofNullable(field string) bool {
	i := strings.LastIndexByte(field, '.')
	return i > 0 && nullables[field[:i]].value == field[i+1:]
}

// setField is what a field of a struct was given, by its bare name.
func setField(t *term.Term, name string) *term.Term {
	return term.Settle(term.NewField(t.Str+"."+name, t))
}

// fieldOrigin: a field of what a lock gives out, or any field of the program.
func fieldOrigin(j *judge, t *term.Term, d int) []origin {
	if o, ok := j.token(t); ok {
		return one(o)
	}
	if o, ok := j.modelField(t); ok {
		return one(o)
	}
	if o, ok := j.claimedTerm(t); ok {
		return one(o)
	}
	if o, ok := j.claimedAttribute(t); ok {
		return one(o)
	}
	if j.countsUp(t) {
		return one(origin{class: local, text: t.String()})
	}
	if k, ok := nullables[t.Str[:max(0, strings.LastIndexByte(t.Str, '.'))]]; ok && lastPart(t.Str) == k.value && t.Args[0].Kind == term.Call {
		return j.origin(t.Args[0], d+1) // what was read into it
	}
	if out := j.returning(t, d); out != nil {
		return out
	}
	if filled := t.Args[0]; filled.Kind == term.Call && filled.N >= flow.OutParam {
		if base := j.origin(filled, d+1); base[0].class == stored || base[0].class == untrusted {
			return base // whatever the program stores in other values of the type
		}
	}
	if j.leftOut(t) {
		return one(origin{class: zero, text: t.String(), reason: neverSet})
	}
	if vals := j.a.FieldValues(t.Str); len(vals) > 0 {
		return j.ofField(t.Str, vals, d)
	}
	base := j.origin(t.Args[0], d+1)
	if flow.IsAtomic(t.Str) {
		return base
	}
	if t.Str == storeRevision {
		return one(origin{class: unbound, text: t.String()})
	}
	if len(base) > 0 && base[0].class == handedIn {
		return one(origin{class: handedIn, text: t.String()})
	}
	if len(base) > 0 && (base[0].class == stored || base[0].class == untrusted) {
		return one(base[0])
	}
	return one(origin{class: unknownFrom, reason: "nobody is seen to set " + t.String(), text: t.String()})
}

// ofField are the origins of what is stored in a field. One that is filled from itself, or in
// a round, is so by what comes from elsewhere.
func (j *judge) ofField(name string, vals []*term.Term, d int) []origin {
	if j.filling[name] {
		return nil
	}
	if j.filling == nil {
		j.filling = make(map[string]bool)
	}
	j.filling[name] = true
	defer delete(j.filling, name)
	var out []origin
	for _, v := range vals {
		out = append(out, j.origin(v, d+1)...)
	}
	if len(out) == 0 && len(j.filling) == 1 {
		return one(origin{class: unknownFrom, reason: "nobody is seen to set " + name, text: name})
	}
	return out
}

// storeRevision is the field in which each answer of etcd has the revision of the whole store.
const storeRevision = "go.etcd.io/etcd/api/v3/etcdserverpb.ResponseHeader.Revision"

func (j *judge) modelField(t *term.Term) (origin, bool) {
	for _, l := range j.fieldLocks(t) {
		if l.Role == model.RoleToken {
			o := tokenOrigin(l, t.Args[0], t)
			if o.record = t.Args[0]; o.class == epochReread {
				o.handle = nil // whose it is the record shows, or the key under which it was read
			}
			return o, true
		}
	}
	return origin{}, false
}

// fieldLocks are the entries of the models about the field that a term takes.
func (j *judge) fieldLocks(t *term.Term) []*model.Lock {
	i := strings.LastIndexByte(t.Str, '.')
	if t.Kind != term.Field || i < 0 {
		return nil
	}
	k := strings.LastIndexByte(t.Str[:i], '.')
	if k < 0 {
		return nil
	}
	return j.models.Field(t.Str[:k], t.Str[k+1:i], t.Str[i+1:])
}
