package prove

import (
	"regexp"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Keys and objects as what a lock protects: their names take the place of a table.

// guardedKeys names the keys that a guarded write changes, as far as they are literal.
func (j *judge) guardedKeys(p *pair, d decision) []string {
	c := j.models.FuncKey(p.w.Key)
	switch {
	case d.resource != "":
		return []string{d.resource}
	case p.w.Decl != nil || c == nil || c.Sink == nil:
		return nil
	case c.Sink.Kind == "txn" && c.Sink.CondStep == "If":
		return j.operatedKeys(p.w, c.Sink)
	case c.Sink.Kind == "script":
		return onlyKey(c.Sink, j.at(c.Sink.Key, p.w))
	}
	if r := j.writtenResource(p, d); r != "" {
		return []string{r}
	}
	return nil
}

// operatedKeys names the keys that the operations of a transaction put or delete.
func (j *judge) operatedKeys(w *flow.Event, s *model.Sink) []string {
	var out []string
	ops, _ := operations(w.Recv, "Then")
	for _, op := range ops {
		op = unboxed(op)
		c := j.models.FuncKey(op.Str)
		if op.Kind != term.Call || len(op.Args) == 0 || c == nil || c.Sink == nil || c.Sink.Term != "put" && c.Sink.Term != "delete" {
			continue
		}
		if key := literal(op.Args[0]); key != "" {
			out = append(out, s.Lib+":"+key)
		}
	}
	return out
}

// onlyKey names the key of a script that has one.
func onlyKey(s *model.Sink, keys *term.Term) []string {
	if keys == nil {
		return nil
	}
	if keys = unboxed(keys); keys.Kind != term.List || keys.Open || len(keys.Args) != 1 {
		return nil
	}
	if key := literal(keys.Args[0]); key != "" {
		return []string{s.Lib + ":" + key}
	}
	return nil
}

// plainKey names the key that a write changes whatever is there; "" if the receiver can
// refuse it, or if it only adds to what is there.
func (j *judge) plainKey(w *flow.Event, s *model.Sink) string {
	if s.Kind != "kv_put" || s.Profile == nil || s.Profile.Rejection.Signal != "cannot_reject" || adds.MatchString(lastPart(w.Key)) {
		return ""
	}
	return strings.TrimPrefix(j.writtenResource(&pair{w: w}, decision{}), "table:")
}

// adds matches the commands that add to what is there, or say how long it stays.
var adds = regexp.MustCompile(`(?i)push|add|incr|decr|append|expire|persist|touch|publish|tagging|acl|insert`)
