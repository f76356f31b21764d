package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// cqlForms lowers a statement of Cassandra that compares, for what it does to a lock: WHERE
// chooses the row of which IF tells who has it.
func (j *judge) cqlForms(e *flow.Event) []*lowered {
	if e.Recv == nil {
		return nil
	}
	var out []*lowered
	lists, _ := chains(e.Recv, pathOf(e.Key))
	for _, steps := range lists {
		text, args := cqlQuery(steps)
		if text == nil {
			continue
		}
		for _, t := range texts(j.widen(text)) {
			sql := cqlAsLock(t.s)
			if t.none != "" || sql == "" {
				continue
			}
			expires := cqlTTL.Regexp().MatchString(t.s)
			for _, st := range j.parse(sql, t.holes, fsql.Postgres).Statements {
				for _, m := range st.Mutations {
					out = append(out, &lowered{mutation: m, expires: expires, value: func(a fence.Arg) *term.Term { return j.argument(a, args) }})
				}
			}
		}
	}
	return out
}

// cqlQuery is the text of a chain, and what is bound to it.
func cqlQuery(steps []step) (text, args *term.Term) {
	args = term.NewList(false)
	for _, s := range steps {
		switch {
		case s.name == "Query" && len(s.args) > 0:
			text = s.args[0]
			if len(s.args) > 1 {
				args = orList(s.args[1])
			}
		case s.name == "Bind" && len(s.args) > 0:
			args = orList(s.args[0])
		}
	}
	return text, args
}

// cqlAsLock writes a conditional statement of CQL as one of SQL with all that it compares;
// "" if it has no condition.
func cqlAsLock(s string) string {
	if strings.Contains(s, "'") {
		return ""
	}
	s = cqlUsing.Regexp().ReplaceAllString(numbered(s), "")
	if cqlAbsent.Regexp().MatchString(s) {
		return cqlAbsent.Regexp().ReplaceAllString(s, " ON CONFLICT DO NOTHING")
	}
	where, cond := cqlWhere.Regexp().FindStringIndex(s), cqlIf.Regexp().FindStringIndex(s)
	if where == nil || cond == nil || cond[0] < where[0] || cqlPresent.Regexp().MatchString(s) {
		return ""
	}
	return s[:cond[0]] + " AND " + cqlNull.Regexp().ReplaceAllString(s[cond[1]:], "IS NULL")
}
