package prove

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// A key that is kept in a table is the same for each attempt, unless the statement that
// hands it back has just put another one in its place.

// storedAnew is the key that a statement hands back which it stores over the one that was
// there; false for others.
func (j *judge) storedAnew(t *term.Term) (keyed, bool) {
	stmt, args := j.asked(t)
	if stmt == nil {
		return keyed{}, false
	}
	for _, s := range j.askedScripts(stmt) {
		for i := range s.Statements {
			if k := j.setAndReturned(&s.Statements[i], t, args); k.is == fleeting {
				return k, true
			}
		}
	}
	return keyed{}, false
}

// askedScripts are the forms of a statement that is in sight, as each dialect reads it.
func (j *judge) askedScripts(stmt *term.Term) []*fsql.Script {
	var out []*fsql.Script
	for _, x := range texts(j.widen(stmt)) {
		if x.none != "" {
			continue
		}
		for _, dialect := range j.dialectsOf(x.s) {
			out = append(out, j.parse(x.s, x.holes, dialect))
		}
	}
	return out
}

func (j *judge) setAndReturned(st *fsql.Statement, t, args *term.Term) keyed {
	if i := j.columnIn(t, st.Columns); i >= 0 && i < len(st.Columns) && drawnAnew.MatchString(st.Columns[i]) {
		return keyed{fleeting, "computed by the database anew for each query"}
	}
	i := j.columnIn(t, st.Returning)
	if i < 0 || i >= len(st.Returning) {
		return keyed{}
	}
	column := strings.ToLower(st.Returning[i])
	column = column[strings.LastIndexByte(column, '.')+1:]
	for _, m := range st.Mutations {
		if k := j.putOver(m.Assigned(column), column, args); k.is == fleeting {
			return k
		}
	}
	return keyed{}
}

// putOver says of a value that a statement stores in a column whether it is another one for
// each attempt, whatever was there. What stands behind the stored one in COALESCE counts only
// where there is none.
func (j *judge) putOver(v fence.Term, column string, args *term.Term) keyed {
	switch v := v.(type) {
	case fence.Input:
		if a := j.argument(v.Arg, args); a != nil {
			if k := j.stability(a); k.is == fleeting {
				k.why += ", and the statement stores it over the one that was there"
				return k
			}
		}
	case fence.Apply:
		if raises(column, v) {
			return keyed{fleeting, "a number that the statement raises at each attempt"}
		}
		for _, a := range v.Args {
			if v.Fn == fence.Coalesce && a == fence.Term(fence.Stored{Column: column}) {
				break
			}
			if k := j.putOver(a, column, args); k.is == fleeting {
				return k
			}
		}
	case fence.Opaque:
		if fence.Anew(v) {
			return keyed{fleeting, "made anew by the database, which stores it over the one that was there"}
		}
		if slices.Contains(v.Of, fence.Term(fence.Stored{Column: column})) { // it may be the one that was there
			return keyed{}
		}
		for _, a := range v.Of {
			if k := j.putOver(a, column, args); k.is == fleeting {
				return k
			}
		}
	}
	return keyed{}
}

// drawnAnew finds in a column of a query what is another value each time it is asked for.
var drawnAnew = pattern.New(`(?i)\b((now|clock_timestamp|statement_timestamp|transaction_timestamp|random|rand|uuid|newid|gen_random_uuid|uuid_generate_v[14]|sysdate|getdate|unix_timestamp|connection_id|pg_backend_pid)\s*\(\s*\)|nextval\s*\(|current_timestamp\b|localtimestamp\b)`)

// ofService reports whether a field belongs to a type that does things with others, and is
// no record: one of its fields is a client, a channel, a function or a mutex.
func (j *judge) ofService(field string) bool {
	i := strings.LastIndexByte(field, '.')
	if i < 0 {
		return false
	}
	st := j.structOf(field[:i])
	if st == nil {
		return false
	}
	for v := range st.Fields() {
		switch t := v.Type().Underlying().(type) {
		case *types.Chan, *types.Signature:
			return true
		case *types.Interface:
			if t.NumMethods() > 0 {
				return true
			}
		case *types.Pointer:
			if n, ok := types.Unalias(t.Elem()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg() != j.u.Pkg && n.Obj().Pkg().Path() != "time" && n.Obj().Pkg().Path() != "math/big" {
				return true
			}
		}
		if strings.HasPrefix(types.TypeString(v.Type(), nil), "sync.") {
			return true
		}
	}
	return false
}
