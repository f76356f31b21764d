package prove

import (
	"cmp"
	"go/token"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// supplied judges a call, in a hold, of a function that a variable, a field, a map, a
// list or a channel keeps, by the functions which this package puts there. A literal
// is judged where it writes, a function or method value where it is put in.
func (j *judge) supplied(p *pair) bool {
	found := false
	list, open := j.a.Supplies(p.w)
	for _, s := range list {
		if s.Test {
			continue
		}
		if unseen(s.Value) {
			found = j.unknownFunction(p, open) || found
			continue
		}
		found = true
		j.runs(p, p.w, s.Value, s, 0)
	}
	if !found && p.w.Dyn.Results != flow.Cancels && lostTrack(p.w.Recv) {
		return j.lostFunction(p)
	}
	return found
}

// maxRuns bounds the functions that functions call which are supplied to them.
const maxRuns = 3

// runs judges what a function value does where it is called, and what the functions
// do that it calls in turn.
func (j *judge) runs(p *pair, call *flow.Event, v *term.Term, s flow.Supply, depth int) {
	for _, w := range j.a.Supplied(p.acq, call, v) {
		switch {
		case w.Kind == flow.Write:
			j.judgeSupplied(p, w, j.putAt(call, w, v, s))
		case w.Kind == flow.Dyn && w.Dyn.Method == "" && w.Recv != nil && depth < maxRuns && !unseen(w.Recv):
			j.runs(p, w, w.Recv, s, depth+1)
		}
	}
}

// lostTrack reports whether the track of a function value was lost, or of the
// function that returned it.
func lostTrack(v *term.Term) bool {
	if v == nil {
		return false
	}
	return v.Lost() || v.Kind == term.Call && strings.HasPrefix(v.Str, flow.DynPrefix) && len(v.Args) > 0 && v.Args[0].Lost()
}

// unseen reports whether a function value may be one of the program's own that is
// not known. What a library returns is its own business.
func unseen(v *term.Term) bool {
	for _, a := range v.Alternatives() {
		switch a.Kind {
		case term.Func, term.Closure, term.Bound, term.Const, term.Call:
		default:
			return true
		}
	}
	return false
}

// unknownFunction reports a call of a function that is not known, in a program that
// nothing else can complete.
func (j *judge) unknownFunction(p *pair, open bool) bool {
	if open || !j.closes() {
		return false
	}
	return j.lostFunction(p)
}

func (j *judge) lostFunction(p *pair) bool {
	if p.class().Class != "correctness" {
		return false
	}
	d := decision{
		verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "?",
		reason: "which function is called is not known", shown: "the call of " + cmp.Or(j.exprAt(p.w.Chain[len(p.w.Chain)-1], p.w.Key), "a function value"),
	}
	j.record(p, d)
	j.report(p, d)
	return true
}

func (j *judge) judgeSupplied(p *pair, w *flow.Event, pos token.Pos) {
	if j.supply == nil {
		j.supply = make(map[*flow.Event]bool)
	}
	j.supply[rootEvent(w)] = true
	q := &pair{sum: p.sum, acq: p.acq, w: w}
	if j.mints(q) {
		return
	}
	d := j.inContext(q, j.decide(q))
	if d.verdict == silent {
		return
	}
	d = j.effects(q, d)
	j.record(q, d)
	if d.rule == "" || d.verdict == waiting || q.class().Class != "correctness" {
		return
	}
	j.reportAt(pos, q, d)
}

// putAt is where a write of a supplied function is reported: in the literal that is
// called, or where the function is put in.
func (j *judge) putAt(call, w *flow.Event, v *term.Term, s flow.Supply) token.Pos {
	if at := len(call.Chain); isLiteral(v) && at < len(w.Chain) && w.Chain[at].Pos.IsValid() {
		return w.Chain[at].Pos
	}
	return s.Pos
}

func isLiteral(v *term.Term) bool {
	return v.Kind == term.Closure || v.Kind == term.Func && strings.Contains(v.Str, "$")
}
