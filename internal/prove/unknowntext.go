package prove

import (
	"slices"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// intent is what the parts of a statement tell whose text is not known.
type intent uint8

const (
	noHint intent = iota
	reads
	writes
)

var (
	writeWords = pattern.New(`(?i)(^|[\s;(])(insert|update|delete|merge|upsert|truncate|call|copy|exec|execute)\s`)
	readWords  = pattern.New(`(?i)^[\s(]*(select|show|values|table|explain|describe|pragma)\b`)
)

// intentOf looks through what a text is made from: a builder says by its first step
// what it builds, a constant by its first word. One that may write outweighs all
// that may only read.
func (j *judge) intentOf(t *term.Term) intent {
	found := noHint
	t.Any(func(u *term.Term) bool {
		switch {
		case u.Kind == term.Call:
			found = max(found, j.buildsFor(u.Str))
		case u.Kind == term.Const && u.Typ == "string":
			found = max(found, wordsOf(u.Str))
		}
		return found == writes
	})
	return found
}

func wordsOf(s string) intent {
	switch {
	case writeWords.MatchString(s):
		return writes
	case readWords.MatchString(s):
		return reads
	}
	return noHint
}

// buildsFor says what a call of a query builder begins.
func (j *judge) buildsFor(key string) intent {
	c := j.models.FuncKey(key)
	if c == nil || c.Sink == nil || c.Sink.Kind != "builder_start" {
		return noHint
	}
	switch c.Sink.Term {
	case "select":
		return reads
	case "update", "insert", "delete", "merge", "replace", "truncate":
		return writes
	}
	return noHint
}

// onlyQueries reports whether the call that sends a statement is one for statements
// that hand back rows.
func onlyQueries(kind string) bool { return kind == "query" || kind == "query_row" }

// hiddenWrite judges a statement that only reads, as far as it says, and calls
// functions of the schema, whose text is not seen. One that reads no table, or
// whose rows are thrown away, is sent for what its functions do.
func (j *judge) hiddenWrite(p *pair, t text, st *fsql.Statement) decision {
	if len(st.Foreign) == 0 {
		return decision{}
	}
	what := "the function " + st.Foreign[0] + "()"
	if names := slices.Compact(slices.Sorted(slices.Values(st.Foreign))); len(names) > 1 {
		what = "one of the functions " + strings.Join(names, "(), ") + "()"
	}
	d := j.unread(t, what+", whose text is not seen, may write")
	if len(st.Tables) == 0 || !onlyQueries(j.models.FuncKey(p.w.Key).Sink.Kind) {
		return d
	}
	if slices.Contains(p.w.Holds, p.acq) {
		d.verdict, d.rule = unproved, ""
		j.record(p, d) // most such functions compute: the register tells of them, no finding does
	}
	return decision{}
}

// namesStatement reports whether a text is one word that is no statement: the name of one
// that was prepared on the connection.
func namesStatement(t text, s *fsql.Script) bool {
	return len(t.holes) == 0 && len(s.Statements) == 1 && s.Statements[0].Kind == "unknown" && oneWord.MatchString(t.s)
}

var oneWord = pattern.New(`^[A-Za-z_][\w.-]*$`)
