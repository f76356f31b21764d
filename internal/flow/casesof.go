package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// answering are what a caller may say to the questions of a function, with the ways that are
// taken then.
type answering struct {
	when  []Cond
	taken map[edge]bool
}

// maxCased bounds the writes of a function that are looked at for each answer: one that makes
// more is the program, and its callers ask nothing.
const maxCased = 8

// maxCasedBlocks bounds the functions that are looked at: one that asks its caller what to send
// is short.
const maxCasedBlocks = 48

// maxBesides bounds what else happens in the calls that make the writes: all of it is found
// anew for each answer.
const maxBesides = 24

// madeBeside counts what happens in the calls that make some writes.
func madeBeside(ws []*Event) int {
	n := 0
	for i, w := range ws {
		if !slices.ContainsFunc(ws[:i], func(o *Event) bool { return o.site == w.site }) {
			n += len(w.site.events)
		}
	}
	return n
}

// findCases notes for the writes of the function what they are in each case. A case that it
// does not look at is none: what becomes of its refusal would be missing.
func (f *fn) findCases(sum *Summary) {
	var ws []*Event
	for _, e := range sum.Events {
		if e.Kind == Write && !e.Detached && e.site.call != nil && !e.isLost() && !f.takesAll(e) {
			ws = append(ws, e)
		} else {
			e.Cases = nil
		}
	}
	if len(ws) == 0 {
		return
	}
	if len(ws) > maxCased || len(f.f.Blocks) > maxCasedBlocks || madeBeside(ws) > maxBesides || f.cyclic || f.partial { // of what calls itself not all is known
		for _, w := range ws {
			w.Cases = nil
		}
		return
	}
	asked := f.questionsAbout(ws)
	if len(asked) > 0 {
		asked = f.thatMatter(asked, ws)
	}
	if len(asked) == 0 && !slices.ContainsFunc(ws, func(e *Event) bool { return len(e.Cases) > 0 }) {
		return
	}
	var all []answering
	f.eachAnswer(asked, nil, func(a answering) { all = append(all, a) })
	for i, found := range f.inCases(all, ws) {
		if ws[i].Cases = found; len(found) == 1 {
			ws[i].Cases = nil
		}
	}
}

// questionsAbout finds the questions that may decide about some writes: which of several
// values one is given, whether one comes first, whether it is made at all, and who is told of
// its refusal.
func (f *fn) questionsAbout(ws []*Event) map[*ssa.BasicBlock]*term.Term {
	asked := f.questionsIn()
	if len(asked) == 0 || len(ws) > 1 || ws[0].oneOfSeveral() {
		return asked
	}
	for b := range asked {
		if at := ws[0].site.call.Block(); b != at && !flowsTo(b, at) && !flowsTo(at, b) { // it is asked where there is none
			delete(asked, b)
		}
	}
	return asked
}

// takesAll reports whether a write goes to something that can refuse none, whatever it is
// given, or gives another system the same in all cases: most writes of most programs are to
// files, streams and servers.
func (f *fn) takesAll(e *Event) bool {
	c := f.a.known.byKey(e.Key)
	if e.Decl != nil || c == nil || c.Sink == nil || len(e.Cases) > 0 {
		return false
	}
	if isEffect(c.Sink) {
		return !e.keyedBySeveral()
	}
	return c.Sink.Profile != nil && c.Sink.Profile.OrderOps == "none" && (strings.Contains(c.Sink.Boundary, "local") || c.Sink.Boundary == "unknown")
}

// keyedBySeveral reports whether the key by which its receiver knows an effect, or the
// condition that it is sent with, is one of several values.
func (e *Event) keyedBySeveral() bool {
	return slices.ContainsFunc([]string{EffectKey, EffectMatch, EffectNone}, func(part string) bool {
		t := e.Effect(part)
		return t != nil && t.Any(isAlt)
	})
}

// oneOfSeveral reports whether an event is given one of several values.
func (e *Event) oneOfSeveral() bool {
	return e.Recv != nil && e.Recv.Any(isAlt) || slices.ContainsFunc(e.Args, func(t *term.Term) bool { return t != nil && t.Any(isAlt) })
}

// thatMatter keeps the questions whose answer changes a write.
func (f *fn) thatMatter(asked map[*ssa.BasicBlock]*term.Term, ws []*Event) map[*ssa.BasicBlock]*term.Term {
	out := make(map[*ssa.BasicBlock]*term.Term)
	seen := make(map[string]bool) // whether it matters, by the question
	for _, b := range f.f.Blocks {
		q := asked[b]
		if q == nil {
			continue
		}
		matters, known := seen[q.Key()]
		if !known && len(seen) < maxQuestioned {
			matters = f.changes(asked, q, ws)
			seen[q.Key()] = matters
		}
		if matters {
			out[b] = q
		}
	}
	return out
}

func (f *fn) changes(asked map[*ssa.BasicBlock]*term.Term, q *term.Term, ws []*Event) bool {
	one := make(map[*ssa.BasicBlock]*term.Term)
	for b, t := range asked {
		if t.Equal(q) {
			one[b] = t
		}
	}
	var all []answering
	f.eachAnswer(one, nil, func(a answering) { all = append(all, a) })
	for _, cases := range f.inCases(all, ws) {
		for _, c := range cases[1:] {
			if !c.says(&cases[0]) {
				return true
			}
		}
	}
	return false
}

// says reports whether two cases are the same but for the answers.
func (c *Case) says(o *Case) bool {
	return c.Never == o.Never && slices.Equal(c.After, o.After) && (c.Recv == nil) == (o.Recv == nil) && (c.Recv == nil || c.Recv.Equal(o.Recv)) &&
		slices.EqualFunc(c.Args, o.Args, (*term.Term).Equal) && slices.EqualFunc(c.Outcomes, o.Outcomes, sameOutcome)
}

// eachAnswer goes through the answers to the questions that are met, one after the other.
func (f *fn) eachAnswer(asked map[*ssa.BasicBlock]*term.Term, when []Cond, visit func(answering)) {
	taken, open := f.waysBy(func(b *ssa.BasicBlock) (first, decided bool) {
		for _, c := range when {
			if q := asked[b]; q != nil && q.Equal(c.Term) {
				return c.Want, true
			}
		}
		return false, false
	}, asked)
	if open == nil || len(when) == maxAnswers {
		visit(answering{when, taken})
		return
	}
	for _, want := range []bool{true, false} {
		f.eachAnswer(asked, append(slices.Clip(when), Cond{Term: open, Want: want}), visit)
	}
}

// waysBy lists the ways that are taken where some branches are decided, and gives the first
// question on them that is not.
func (f *fn) waysBy(decide func(*ssa.BasicBlock) (first, decided bool), asked map[*ssa.BasicBlock]*term.Term) (taken map[edge]bool, open *term.Term) {
	taken = make(map[edge]bool)
	seen := newBlocks(f.f)
	work := []*ssa.BasicBlock{f.f.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		if work = work[1:]; !seen.add(b) {
			continue
		}
		next := b.Succs
		switch first, ok := decide(b); {
		case ok && first:
			next = next[:1]
		case ok:
			next = next[1:]
		case open == nil:
			open = asked[b]
		}
		for _, s := range next {
			taken[edge{b, s}] = true
			work = append(work, s)
		}
	}
	return taken, open
}

// inCases finds what writes are in each case.
func (f *fn) inCases(all []answering, ws []*Event) [][]Case {
	out := make([][]Case, len(ws))
	for _, a := range all {
		f.inCaseOf(a, func() {
			causes := make(map[*site][]*Event)
			r := refusals{fn: f, walks: make(map[*site][]refusal)}
			now := make([][]Case, len(ws))
			for i, w := range ws {
				now[i] = f.inCase(a, w, causes, r)
			}
			for i := range ws {
				f.orderCases(now, ws, i)
				out[i] = append(out[i], now[i]...)
			}
		})
	}
	return out
}

// inCase is what a write is in one case, or in those that what is called has beside.
func (f *fn) inCase(a answering, w *Event, causes map[*site][]*Event, r refusals) []Case {
	if !f.mayRun(w.site.call) {
		return []Case{{When: a.when, Never: true, Recv: w.Recv, Args: w.Args}}
	}
	e := w
	if len(a.when) > 0 {
		e = f.causedIn(w, causes)
	}
	if len(e.Cases) == 0 || len(e.Cases)*(1<<len(a.when)) > maxCases {
		return []Case{f.caseOf(a, e, w, r)}
	}
	var all []Case
	for _, c := range e.Cases {
		n := *e
		n.Recv, n.Args, n.seeds = c.Recv, c.Args, c.seeds
		one := f.caseOf(answering{when: append(slices.Clip(a.when), c.When...)}, &n, w, r)
		one.Never, one.After = one.Never || c.Never, c.After
		all = append(all, one)
	}
	return all
}

// causedIn is the event that a write is where some ways are taken: itself, if it is put
// together otherwise than by its call.
func (f *fn) causedIn(w *Event, causes map[*site][]*Event) *Event {
	if _, done := causes[w.site]; !done {
		causes[w.site] = f.eventsOf(w.site.call)
		for _, e := range causes[w.site] {
			e.site = w.site
		}
	}
	if e := sameIn(causes[w.site], w); e != nil {
		return e
	}
	return w
}

// caseOf is a write that is e in a case.
func (f *fn) caseOf(a answering, e, w *Event, r refusals) Case {
	c := Case{When: a.when, Never: e.Kind != Write, Recv: e.Recv, Args: e.Args, Outcomes: w.Outcomes}
	if starts := f.starts(e); len(starts) > 0 && !e.effect() {
		c.Outcomes = nil
		for _, st := range starts {
			c.Outcomes = addOutcomes(c.Outcomes, r.follow(w, st))
		}
	}
	if e == w {
		c.After = slices.DeleteFunc(slices.Clone(w.After), func(v *Event) bool { return v.site != w.site })
	}
	for _, v := range e.After {
		if o := slices.IndexFunc(w.site.events, func(o *Event) bool { return e != w && sameIn([]*Event{v}, o) != nil }); o >= 0 {
			c.After = append(c.After, w.site.events[o])
		}
	}
	return c
}

// orderCases adds, to the cases of a write, the writes of the function that come before it.
func (f *fn) orderCases(now [][]Case, ws []*Event, i int) {
	if len(ws) > maxOrdered {
		return
	}
	for j, w := range ws {
		var refused []Outcome
		never := false
		for _, c := range now[j] {
			refused, never = append(refused, c.Outcomes...), never || c.Never
		}
		if never || !f.precedes(w, ws[i], refused) {
			continue
		}
		for k := range now[i] {
			now[i][k].After = append(now[i][k].After, w)
		}
	}
}

// sameIn finds the event among those of a call that a write was before.
func sameIn(events []*Event, w *Event) *Event {
	for _, e := range events {
		if e.src == w.src && e.Key == w.Key && e.Site == w.Site && e.Entry == w.Entry && len(e.Chain) == len(w.Chain) {
			return e
		}
	}
	return nil
}

// onlyWay is the block that follows another one, where answers to questions leave but one;
// nil if they do not.
func (f *fn) onlyWay(b *ssa.BasicBlock) *ssa.BasicBlock {
	if f.taken == nil {
		return nil
	}
	first, second := f.taken[edge{b, b.Succs[0]}], f.taken[edge{b, b.Succs[1]}]
	switch {
	case first && !second:
		return b.Succs[0]
	case second && !first:
		return b.Succs[1]
	}
	return nil
}

// mayRun reports whether an instruction runs where answers to questions leave some ways.
func (f *fn) mayRun(in ssa.Instruction) bool {
	b := in.Block()
	return f.taken == nil || b.Parent() != f.f || b.Index == 0 || reachedBy(b, f.taken)
}

// comesFirst reports whether a is on each path to b that is taken.
func (f *fn) comesFirst(a, b ssa.Instruction) bool {
	if f.taken == nil || a.Block() == b.Block() || a.Parent() != f.f || b.Parent() != f.f {
		return f.before(a, b)
	}
	return f.onTaken(a.Block(), b.Block())
}
