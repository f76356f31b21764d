package prove

import (
	"slices"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// Knowledge is how much is known of what a boundary sends.
type Knowledge string

// The degrees of knowledge; "" is for a receiver that is sent no statement.
const (
	known     Knowledge = "known"   // every part of it, names and numbers put in apart
	partly    Knowledge = "partly"  // all but the values of some holes
	notKnown  Knowledge = "unknown" // nothing that decides
	openCall  Knowledge = "open"    // it is a call of which it is not known what it does
	noMessage Knowledge = ""
)

// knows tells how much is known of the statement, the filter or the request that a
// boundary sends, and why no more.
func (j *judge) knows(p *pair, d decision) (Knowledge, string) {
	c := j.models.FuncKey(p.w.Key)
	switch {
	case p.w.Decl != nil:
		return known, ""
	case p.w.Kind == flow.Dyn:
		return openCall, d.reason
	case c == nil || c.Sink == nil:
		return notKnown, d.reason
	case d.hidden != "":
		return notKnown, d.hidden
	case c.Sink.Dialect == "sql":
		stmt, _ := j.statement(p.w)
		return knownText(stmt)
	case c.Sink.Dialect == "" && c.Sink.Profile == nil && byLibrary[c.Sink.Lib] == nil && builders[c.Sink.Lib] == nil:
		return noMessage, ""
	case d.part != "":
		return partly, d.part
	}
	return known, ""
}

// knownText tells how much is known of a text in its least known form.
func knownText(t *term.Term) (Knowledge, string) {
	k, why := known, ""
	for _, x := range texts(t) {
		switch {
		case x.none != "":
			return notKnown, x.none
		case k == known:
			if i := slices.IndexFunc(x.holes, func(h fsql.Hole) bool { return !h.Ident }); i >= 0 {
				k, why = partly, x.holes[i].Reason
			}
		}
	}
	return k, why
}

// notSeen is the verdict on a request that is put together where it is not followed.
func notSeen(reason string) decision {
	return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: reason, hidden: reason}
}
