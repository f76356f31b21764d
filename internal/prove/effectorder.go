package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// fencedLater looks for a guarded write of the same hold that comes after an
// effect without a key, and none before: the refusal comes too late.
func (j *judge) fencedLater(p *pair, d decision) decision {
	if p.acq.Entry == flow.Claim {
		return d // the claim was a guarded write already
	}
	for _, w := range p.w.After {
		if j.fenced(p, w) != nil {
			return d
		}
	}
	for _, w := range p.sum.Events {
		if w == p.w || !flow.Follows(p.w, w) {
			continue
		}
		if f := j.fenced(p, w); f != nil {
			d.rule = "effectbeforefence"
			shown := f.shown
			if strings.ContainsAny(shown, " ") && !strings.HasPrefix(shown, "the ") {
				shown = "`" + shown + "`"
			}
			d.reason += "; only " + shown + " (" + w.Chain[0].Place.String() + "), which comes later, would be refused"
			return d
		}
	}
	return d
}

// fenced is the decision about a write that refuses obsolete owners of this hold,
// nil if w is none.
func (j *judge) fenced(p *pair, w *flow.Event) *decision {
	if w.Kind != flow.Write || !slices.Contains(w.Holds, p.acq) || j.atOther(w) {
		return nil
	}
	if d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w}); d.verdict == proved {
		return &d
	}
	return nil
}

// againUnderOtherKey: an effect of the same kind failed before this one, which is a
// second attempt that the receiver takes for a new order.
func (j *judge) againUnderOtherKey(d decision, first *flow.Event) decision {
	d.verdict, d.rule, d.guard = refuted, "ambiguousoutcome", "none"
	d.reason = "it repeats " + j.callOf(first) + " (" + first.Chain[0].Place.String() + ") under another key, and an error there does not say that nothing happened"
	return d
}

// failedAttempt finds the keyed effect whose failure this one answers.
func (j *judge) failedAttempt(p *pair, key *term.Term) *flow.Event {
	for _, e := range p.sum.Events {
		if e == p.w || e.Key != p.w.Key || !slices.Contains(e.Holds, p.acq) || !flow.AfterFailure(e, p.w) {
			continue
		}
		first := e.Effect(flow.EffectKey)
		if first == nil || key == nil || first.Equal(key) || j.stability(first).is > supplied {
			continue
		}
		if sameTarget(e, p.w) {
			return e
		}
	}
	return nil
}

// sameTarget reports whether two requests go to one place; calls of a client go
// where their function says.
func sameTarget(a, b *flow.Event) bool {
	x, y := urlOf(a), urlOf(b)
	return x == nil && y == nil || x != nil && y != nil && x.Equal(y)
}

func urlOf(e *flow.Event) *term.Term {
	for _, a := range e.Args {
		if a.Kind == term.Call && strings.HasPrefix(a.Str, "net/http.NewRequest") && len(a.Args) > 2 {
			return a.Args[len(a.Args)-2]
		}
	}
	return nil
}

// recordsFailure looks for an effect whose unknown outcome this write records as
// "not done".
func (j *judge) recordsFailure(p *pair, d decision) decision {
	if p.w.Kind != flow.Write || j.atOther(p.w) || d.verdict == silent || d.verdict == waiting {
		return d
	}
	for _, e := range p.sum.Events {
		if e.Kind != flow.Write || !j.external(e) || !slices.Contains(e.Holds, p.acq) || !flow.AfterFailure(e, p.w) {
			continue
		}
		word := j.saysNotDone(p, e)
		if word == "" {
			continue
		}
		a := decision{verdict: refuted, rule: "ambiguousoutcome", guard: d.guard, receiver: d.receiver, shown: d.shown, resource: d.resource, guarded: d.guarded}
		a.reason = "when " + j.callOf(e) + " (" + e.Chain[0].Place.String() + ") ends in an error, it " + word + ", and an error does not say that nothing happened"
		return worse(d, a)
	}
	return d
}

// saysNotDone is what a write says of an effect that failed, "" if it does not say
// that nothing happened. To open the work again is right if the effect is known by
// its key.
func (j *judge) saysNotDone(p *pair, e *flow.Event) string {
	reopens := false
	switch d := j.decide(&pair{sum: p.sum, acq: p.acq, w: e}); d.verdict {
	case silent:
		return "" // it only reads
	case proved, waiting:
	default:
		reopens = true
	}
	for _, v := range j.said(p.w, e) {
		v = strings.ToLower(v)
		if failureWord(v) || reopens && slices.Contains(reopenWords, v) {
			return "records '" + v + "'"
		}
	}
	if reopens && j.removes(p.w) && !flow.Follows(p.w, e) {
		return "removes the record"
	}
	return ""
}

var stateColumn = pattern.New(`state|status|outcome|result|phase|stage`)

var (
	failures    = []string{"fail", "error", "declin", "reject", "abort", "cancel", "unpaid", "unsent", "not_", "not ", "undone"}
	reopenWords = []string{"open", "new", "todo", "ready", "due", "queued", "false"}
)

func failureWord(v string) bool {
	return len(v) < 40 && slices.ContainsFunc(failures, func(f string) bool { return strings.HasPrefix(v, f) })
}

// said lists the constants that a write stores when the effect e failed. Where a
// value may be one of several, the path decides.
func (j *judge) said(w, e *flow.Event) []string {
	fixed, several := j.recorded(w)
	told := flow.Told(e, w)
	for _, v := range several {
		if slices.Contains(told, v) {
			fixed = append(fixed, v)
		}
	}
	return fixed
}

// recorded lists the constants that a write stores: for certain, and as one of
// several.
func (j *judge) recorded(w *flow.Event) (fixed, several []string) {
	c := j.models.FuncKey(w.Key)
	if w.Decl != nil || c == nil || c.Sink == nil {
		return constants(w.Args)
	}
	if c.Sink.Dialect != "sql" {
		if v := j.at(c.Sink.Value, w); v != nil {
			return constants([]*term.Term{v})
		}
		return nil, nil
	}
	_, args := j.statement(w)
	for _, m := range j.mutations(w) {
		for _, s := range append(slices.Clone(m.Set), m.InsertRow...) {
			if m.Kind == fence.Insert && !stateColumn.MatchString(s.Column) {
				continue // a log may say that something failed
			}
			switch v := s.Value.(type) {
			case fence.Lit:
				fixed = append(fixed, strings.Trim(v.Text, "'"))
			case fence.Input:
				f, s := constants([]*term.Term{j.argument(v.Arg, args)})
				fixed, several = append(fixed, f...), append(several, s...)
			}
		}
	}
	return fixed, several
}

func (j *judge) removes(w *flow.Event) bool {
	return slices.ContainsFunc(j.mutations(w), func(m *fence.Mutation) bool { return m.Kind == fence.Delete })
}

// mutations lists what the statements of a write change.
func (j *judge) mutations(w *flow.Event) []*fence.Mutation {
	if w.Decl != nil {
		return nil
	}
	var out []*fence.Mutation
	for _, s := range j.statements(w) {
		for _, t := range texts(s.stmt) {
			if t.none != "" {
				continue
			}
			for _, st := range j.parse(t.s, t.holes, j.dialectsIn(w.Key, t.s)[0]).Statements {
				out = append(out, st.Mutations...)
			}
		}
	}
	return out
}

// constants lists the texts and truth values among terms: those that are certain,
// and those that are one of several.
func constants(ts []*term.Term) (fixed, several []string) {
	var visit func(t *term.Term, choice bool)
	visit = func(t *term.Term, choice bool) {
		if t.Kind == term.Const && (t.Typ == "string" || t.Typ == "bool") {
			if choice {
				several = append(several, t.Str)
			} else {
				fixed = append(fixed, t.Str)
			}
		}
		for _, a := range t.Args {
			visit(a, choice || t.Kind == term.Alt)
		}
	}
	for _, t := range ts {
		visit(t, false)
	}
	return fixed, several
}

// onceByKey judges an insert that only the first one of a key can make: the key
// must not be another one for each attempt, and must not be given free again.
func (j *judge) onceByKey(m *fence.Mutation, bs []bound) decision {
	for _, s := range m.InsertRow {
		if !slices.Contains(m.ConflictOn, s.Column) {
			continue
		}
		why := ""
		switch v := s.Value.(type) {
		case fence.Opaque:
			if fence.Anew(v) {
				why = "computed anew by the database"
			}
		case fence.Input:
			i := slices.IndexFunc(bs, func(b bound) bool { return b.arg == v.Arg })
			if i < 0 {
				continue
			}
			if k := j.stability(bs[i].term); k.is == fleeting {
				why = k.why
			}
		}
		if why != "" {
			return decision{verdict: refuted, rule: "unfencedwrite", guard: "none",
				reason: "only the first insert of each " + s.Column + " is accepted, and the " + s.Column + " is " + why}
		}
	}
	for _, column := range m.ConflictOn {
		if w := j.rekeys(m.Resource, column); w != nil {
			return decision{verdict: refuted, rule: "unfencedwrite", guard: "none",
				reason: "only the first insert of each " + column + " is accepted, but " + w.Chain[len(w.Chain)-1].Place.String() + " gives the row another " + column + ", and after that the old one is accepted anew"}
		}
	}
	return decision{verdict: proved, guard: "create-once", reason: "only the first insert of a key is accepted"}
}

// rekeys is a write in sight by which a row of a table gets another value in a column of
// its key, nil if there is none.
func (j *judge) rekeys(table, column string) *flow.Event {
	for _, sum := range j.a.Functions() {
		if sum.Test {
			continue
		}
		for _, w := range sum.Events {
			if c := j.models.FuncKey(w.Key); w.Kind != flow.Write || c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
				continue
			}
			if slices.ContainsFunc(j.mutations(w), func(m *fence.Mutation) bool {
				return m.Kind == fence.Update && m.Resource == table && sets(m, column)
			}) {
				return w
			}
		}
	}
	return nil
}

func sets(m *fence.Mutation, column string) bool {
	return slices.ContainsFunc(m.Set, func(s fence.Assign) bool { return s.Column == column })
}
