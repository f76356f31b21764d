package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// What can be created once only can be created once more when it was deleted, and a fence
// is forgotten with the row that it stood in. Where code in sight deletes it, an obsolete
// owner that comes after that is accepted, however well the delete itself is guarded. Rows
// that are deleted when they are old are left out, for a pause is shorter than that, and so
// is what the same hold deletes: it takes back what it did.

// givenFree is a decision about what is created where it is missing, if it may be deleted.
func (j *judge) givenFree(p *pair, d decision) decision {
	if d.verdict != proved || d.guard != "create-once" && !d.inserts {
		return d
	}
	w := j.deleter(p, d)
	if w == nil {
		return d
	}
	by := funcName(bottomStep(w).Func) + " (" + bottomStep(w).Place.String() + ") deletes"
	if d.inserts {
		d.verdict, d.rule, d.words = refuted, "nulladmitted", forgotten
		d.reason = by + " the row, and " + d.column + " with it; where there is no row, any epoch is accepted"
		return d
	}
	d.verdict, d.rule, d.guard, d.words = refuted, "unfencedwrite", "none", createdAnew
	d.reason += ", but " + by + " what was created, and after that it is accepted anew"
	return d
}

// deleter is a write in sight that deletes what another one creates, nil if there is none.
func (j *judge) deleter(p *pair, d decision) *flow.Event {
	made := j.target(p.w)
	own := make(map[*flow.Event]bool)
	for _, w := range p.sum.Events {
		if slices.Contains(w.Holds, p.acq) {
			own[rootEvent(w)] = true
		}
	}
	for _, sum := range j.a.Functions() {
		if sum.Test {
			continue
		}
		for _, w := range sum.Events {
			c := j.models.FuncKey(w.Key)
			if w.Kind != flow.Write || w.Source() != nil || own[w] || c == nil || c.Sink == nil || j.set.Enclosing(w.Chain[0].Pos, "admin") != nil {
				continue
			}
			if j.deletesRows(w, c.Sink, d.resource) || made.sameAs(j.target(w)) && removes(w, c.Sink) && !agedTerm(w.Args) {
				return w
			}
		}
	}
	return nil
}

// rowsGo reports whether code in sight deletes rows of a table, whatever their age. A lease
// that has just expired is not old: its owner may be paused at this very moment.
func (j *judge) rowsGo(table string) bool {
	return slices.ContainsFunc(j.a.Functions(), func(sum *flow.Summary) bool {
		return !sum.Test && slices.ContainsFunc(sum.Events, func(w *flow.Event) bool {
			c := j.models.FuncKey(w.Key)
			if w.Source() != nil || c == nil || c.Sink == nil || w.Kind != flow.Write && w.Kind != flow.Release {
				return false
			}
			return j.deletesRows(w, c.Sink, table) || j.deletes(w, c.Sink, table, (*lowered).justOver)
		})
	})
}

// deletesRows reports whether a statement deletes rows of a table, whatever their age.
func (j *judge) deletesRows(w *flow.Event, s *model.Sink, table string) bool {
	return j.deletes(w, s, table, func(l *lowered) bool { return !aged.MatchString(l.shown) && !j.agedText(w) && !agedTerm(w.Args) })
}

// deletes reports whether a statement deletes rows of a table in a way that is asked for.
func (j *judge) deletes(w *flow.Event, s *model.Sink, table string, how func(*lowered) bool) bool {
	if table == "" {
		return false
	}
	for _, l := range j.loweredForms(w, s) {
		if (l.mutation.Kind == fence.Delete || l.mutation.Kind == fence.Truncate) && l.written() == table && how(l) {
			return true
		}
	}
	return false
}

// aged are the words by which a statement tells how old what it deletes must be.
var aged = pattern.New(`(?i)\b(now|current_timestamp|interval|date_sub|datetime|sysdate|unixepoch|getdate)\b|(_at|_on|_until|\bexpir\w*|\buntil|\bexpiry)"?\s*<`)

func (j *judge) agedText(w *flow.Event) bool {
	stmt, _ := j.statement(w)
	for _, t := range texts(stmt) {
		if aged.MatchString(t.s) {
			return true
		}
	}
	return false
}

// agedNames are the names of fields that tell how old something is.
var agedNames = pattern.New(`(?i)^(created|updated|made|modified|expires?|expiry|until)(_?(at|on|time))?$`)

// agedTerm reports whether a filter, or what a request says, is about the age of something.
func agedTerm(args []*term.Term) bool {
	for _, a := range args {
		if a.Any(func(u *term.Term) bool {
			if s, ok := term.StringValue(u); ok && agedNames.MatchString(s) {
				return true
			}
			for _, n := range u.Names {
				if s, ok := term.KeyedString(n); ok && agedNames.MatchString(s) {
					return true
				}
			}
			return false
		}) {
			return true
		}
	}
	return false
}

// removes reports whether a call deletes what it names.
func removes(w *flow.Event, s *model.Sink) bool {
	for _, verb := range [...]string{"Delete", "Del", "Remove", "Unlink", "GetDel"} {
		if rest, ok := strings.CutPrefix(s.Method, verb); ok && (rest == "" || strings.HasPrefix(rest, "Object") || strings.HasPrefix(rest, "Blob") || strings.HasPrefix(rest, "With")) {
			return true
		}
	}
	return s.Method == "Commit" && w.Recv != nil && w.Recv.Any(func(u *term.Term) bool { return u.Kind == term.Call && lastPart(u.Str) == "OpDelete" })
}

// target is what a call writes, as far as its key begins with something that is known.
type target struct{ lib, within, begin string }

func (t target) sameAs(o target) bool {
	return t.lib != "" && t.lib == o.lib && t.within == o.within && (t.begin != "" && o.begin != "" || t.within != "") &&
		(strings.HasPrefix(t.begin, o.begin) || strings.HasPrefix(o.begin, t.begin))
}

// target is where a write goes in a store of objects or keys.
func (j *judge) target(w *flow.Event) target {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || w.Decl != nil {
		return target{}
	}
	t := target{lib: c.Sink.Lib}
	key := j.at(c.Sink.Key, w)
	if in := j.at(c.Sink.Input, w); in != nil {
		t.within = literal(unboxed(fieldNamed(unboxed(term.Settle(in)), "Bucket")))
	}
	if key == nil && c.Sink.Method == "Commit" {
		key = createdKey(w.Recv)
	}
	if key == nil {
		return target{}
	}
	key = term.Settle(key)
	if key.Kind == term.List && len(key.Args) == 1 {
		key = key.Args[0]
	}
	t.begin = beginning(pointee(key))
	return t
}

// createdKey is the key that the operations of a transaction write or delete, nil if there
// are several.
func createdKey(txn *term.Term) *term.Term {
	ops, known := operations(txn, "Then")
	if !known || len(ops) != 1 || ops[0].Kind != term.Call || len(ops[0].Args) == 0 {
		return nil
	}
	return ops[0].Args[0]
}

// beginning is what a text begins with that is known.
func beginning(t *term.Term) string {
	t = unboxed(t)
	if t.Kind == term.Concat && len(t.Args) > 0 {
		t = t.Args[0]
	}
	s, _ := term.StringValue(t)
	return s
}
