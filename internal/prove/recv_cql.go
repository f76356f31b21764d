package prove

import (
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { byLibrary["gocql"] = cqlDecision }

// cqlDecision judges a statement of Cassandra. Its WHERE only finds the row, and is no
// condition: an update inserts what it does not find. What compares is IF.
func cqlDecision(j *judge, p *pair, s *model.Sink) (decision, bool) {
	if s.Kind == "batch_queue" && p.w.Recv != nil {
		return j.cqlQueued(p), true
	}
	if s.Kind != "builder_terminal" || p.w.Recv == nil {
		return decision{}, false
	}
	lists, roots := chains(p.w.Recv, pathOf(p.w.Key))
	if len(lists) == 0 {
		return unreadable("table:?", j.callName(p.w), roots[0].Str, false), true
	}
	d := decision{}
	for i, steps := range lists {
		d = worse(d, j.cqlForm(p, steps, roots[i]))
	}
	return d, true
}

// cqlForm judges one form of the chain Query(text, args…).Bind(…).
func (j *judge) cqlForm(p *pair, steps []step, root *term.Term) decision {
	var text, args *term.Term
	for _, s := range steps {
		switch {
		case s.name == "Query" && len(s.args) > 0:
			text = s.args[0]
			args = term.NewList(false)
			if len(s.args) > 1 {
				args = orList(s.args[1])
			}
		case s.name == "Bind" && text != nil && len(s.args) > 0:
			args = orList(s.args[0])
		case cqlSteps[s.name]:
		default:
			return unreadable("table:?", j.callName(p.w), "the step "+s.name+" of the query is not followed", false)
		}
	}
	if text == nil {
		return unreadable("table:?", j.callName(p.w), outOfSight, root != nil && root.Symbolic())
	}
	d := decision{}
	for _, t := range texts(j.widen(text)) {
		d = worse(d, j.cqlText(p, t, args))
	}
	return d
}

// orList is an argument list, empty for none.
func orList(t *term.Term) *term.Term {
	if t.Kind == term.Const {
		return term.NewList(false)
	}
	return t
}

var cqlSteps = func() map[string]bool {
	m := make(map[string]bool)
	for _, s := range strings.Fields(`WithContext Consistency SerialConsistency Idempotent PageSize RetryPolicy Trace RoutingKey DefaultTimestamp
		NewQuery Observer CustomPayload Prefetch SetSpeculativeExecutionPolicy PageState NoSkipMetadata SetHostID SetKeyspace WithNowInSeconds`) {
		m[s] = true
	}
	return m
}()

// Parts of a statement in CQL.
var (
	cqlUsing   = pattern.New(`(?i)\s+USING\s+(TTL|TIMESTAMP)\s+\S+(\s+AND\s+(TTL|TIMESTAMP)\s+\S+)*`)
	cqlTTL     = pattern.New(`(?i)\s+USING\s+(TIMESTAMP\s+\S+\s+AND\s+)?TTL\s`)
	cqlAbsent  = pattern.New(`(?i)\s+IF\s+NOT\s+EXISTS\s*;?\s*$`)
	cqlPresent = pattern.New(`(?i)\s+IF\s+EXISTS\s*;?\s*$`)
	cqlIf      = pattern.New(`(?i)\s+IF\s+`)
	cqlWhere   = pattern.New(`(?i)\s+WHERE\s+`)
	cqlNull    = pattern.New(`(?i)=\s*NULL\b`)
	cqlVerb    = pattern.New(`(?i)^\s*(UPDATE|INSERT|DELETE\s+FROM|SELECT)\s`)
)

// cqlToSQL writes a statement of CQL as one of SQL that is accepted under the same
// conditions; reason says why it cannot.
func cqlToSQL(s string) (sql, reason string) {
	verb := strings.ToUpper(cqlVerb.Regexp().FindString(s))
	switch {
	case verb == "":
		return "", "a statement of another kind than is followed"
	case strings.Contains(s, "'") && cqlIf.Regexp().MatchString(s) && strings.Count(s[:cqlIf.Regexp().FindStringIndex(s)[0]], "'")%2 == 1:
		return "", "a text within the statement"
	}
	s = numbered(s)
	s = cqlUsing.Regexp().ReplaceAllString(s, "")
	if cqlAbsent.Regexp().MatchString(s) {
		return cqlAbsent.Regexp().ReplaceAllString(s, " ON CONFLICT DO NOTHING"), ""
	}
	s = strings.TrimRight(cqlPresent.Regexp().ReplaceAllString(s, ""), "; \t\n")
	where, cond := cqlWhere.Regexp().FindStringIndex(s), cqlIf.Regexp().FindStringIndex(s)
	switch {
	case strings.Contains(verb, "SELECT"):
		return s, ""
	case strings.Contains(verb, "INSERT"): // overwrites what is there
		return s + " ON CONFLICT (key) DO UPDATE SET id = excluded.id", ""
	case where == nil:
		return "", "a statement without a key"
	case cond == nil || cond[0] < where[0]:
		return s[:where[0]], ""
	}
	return s[:where[0]] + " WHERE " + cqlNull.Regexp().ReplaceAllString(s[cond[1]:], "IS NULL"), ""
}

// numbered gives the placeholders numbers, so that they keep their arguments when a
// part of the statement goes.
func numbered(s string) string {
	var b strings.Builder
	n, quoted := 0, false
	for _, r := range s {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == '?' && !quoted:
			n++
			b.WriteString("$" + strconv.Itoa(n))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
