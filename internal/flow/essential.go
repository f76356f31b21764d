package flow

import (
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// ways is how many ways to one boundary a caller gets to see one by one. More are
// seen as one whose differing terms are unknown: else each function that calls
// another twice would double what its callers must look at.
const ways = 4

// maxAcquired is the same for acquisitions, which are not joined.
const maxAcquired = 8

// essential gives the events that callers need: without the calls whose targets
// were found, without repetitions, and with many ways to one boundary joined.
func (s *Summary) essential() []*Event {
	if s.kept == nil {
		s.kept = essential(s.Events)
	}
	return s.kept
}

func essential(es []*Event) []*Event {
	if len(es) == 0 || len(es) == 1 && es[0].Kind != Resolved {
		return es
	}
	groups := make(map[boundary][]*Event)
	seen := make(map[boundary][]*Event)
	same := make(map[*Event]*Event)
	var order []boundary
	for _, e := range es {
		if e.Kind == Resolved {
			continue
		}
		k := e.boundary()
		if first := e.repeats(k, seen); first != nil {
			same[e] = first
			continue
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], e)
	}
	out := make([]*Event, 0, len(es))
	for _, k := range order {
		switch g := groups[k]; {
		case g[0].Kind == Acquire || g[0].Kind == May:
			out = append(out, g[:min(len(g), maxAcquired)]...)
		case len(g) > ways:
			n := joinWays(g)
			for _, e := range g {
				same[e] = n
			}
			out = append(out, n)
		default:
			out = append(out, g...)
		}
	}
	standIn(es, same)
	return out
}

// repeats gives the event outside all holds that was there already, with the same
// terms; nil if there is none.
func (e *Event) repeats(b boundary, seen map[boundary][]*Event) *Event {
	if e.Kind == Acquire || e.Kind == May || len(e.Holds)+len(e.Under) > 0 {
		return nil
	}
	for _, first := range seen[b] {
		if e.says(first) {
			return first
		}
	}
	seen[b] = append(seen[b], e)
	return nil
}

// says reports whether two events at one boundary have the same terms and outcomes.
func (e *Event) says(o *Event) bool {
	return (e.Recv == nil) == (o.Recv == nil) && (e.Recv == nil || e.Recv.Equal(o.Recv)) && slices.EqualFunc(e.Args, o.Args, (*term.Term).Equal) &&
		slices.EqualFunc(e.Outcomes, o.Outcomes, func(a, b Outcome) bool { return a.Scenario == b.Scenario && a.Returns == b.Returns }) &&
		slices.EqualFunc(e.Cases, o.Cases, func(a, b Case) bool { return slices.EqualFunc(a.When, b.When, sameCond) && a.says(&b) })
}

// boundary names what an event does and the line on which that is in the end.
type boundary struct {
	kind                              EventKind
	key, entry, file                  string
	line                              int
	async, deferred, detached, tasked bool
	hold, under                       *Event
}

func (e *Event) boundary() boundary {
	last := Place{}
	if n := len(e.Chain); n > 0 {
		last = e.Chain[n-1].Place
	}
	return boundary{
		kind: e.Kind, key: e.Key, entry: e.Entry, file: last.File, line: last.Line,
		async: e.Async, deferred: e.Deferred, detached: e.Detached, tasked: e.Tasked, hold: firstEvent(e.Holds), under: firstEvent(e.Under),
	}
}

func firstEvent(es []*Event) *Event {
	if len(es) == 0 {
		return nil
	}
	return es[0]
}

// joinWays makes one event of many ways to a boundary: what they agree on stays.
func joinWays(g []*Event) *Event {
	n := *g[0]
	n.joined, n.Sealed, n.Settled, n.Cases = g, nil, nil, nil
	for _, e := range g[1:] {
		n.Recv = agreed(n.Recv, e.Recv)
		n.Must = n.Must && e.Must
		n.Outcomes = addOutcomes(slices.Clone(n.Outcomes), e.Outcomes)
		n.After = slices.DeleteFunc(slices.Clone(n.After), func(a *Event) bool { return !hasEvent(e.After, a) })
		n.behind = slices.DeleteFunc(slices.Clone(n.behind), func(a *Event) bool { return !hasEvent(e.behind, a) })
		n.Conds = sharedConds(n.Conds, e.Conds)
		n.Committed = n.Committed || e.Committed
		n.Halts, n.Fails = n.Halts && e.Halts, n.Fails && e.Fails
	}
	n.Args = make([]*term.Term, len(g[0].Args))
	for i, a := range g[0].Args {
		for _, e := range g[1:] {
			if i < len(e.Args) {
				a = agreed(a, e.Args[i])
			}
		}
		n.Args[i] = a
	}
	return &n
}

// maxWays bounds the ways to one boundary that are told apart for readers.
const maxWays = 24

// Ways are the ways from the function to what happens: one unless many were joined, of
// which the chain of e is the first.
func (e *Event) Ways() [][]Step {
	if len(e.joined) > 0 {
		var out [][]Step
		for _, g := range e.joined {
			out = append(out, g.Ways()...)
			if len(out) > maxWays {
				return out[:maxWays]
			}
		}
		return out
	}
	lead := 0
	if e.src != nil {
		lead = len(e.Chain) - len(e.src.Chain)
	}
	if lead <= 0 || len(e.src.joined) == 0 && e.src.src == nil {
		return [][]Step{e.Chain}
	}
	below := e.src.Ways()
	out := make([][]Step, len(below))
	for i, w := range below {
		out[i] = append(slices.Clip(e.Chain[:lead]), w...)
	}
	return out
}

// agreed is a term if the other is the same; lists agree element by element.
func agreed(a, b *term.Term) *term.Term {
	switch {
	case a == nil || b == nil:
		return nil
	case a.Equal(b):
		return a
	case a.Kind == term.List && b.Kind == term.List && len(a.Args) == len(b.Args) && a.Open == b.Open:
		out := make([]*term.Term, len(a.Args))
		for i := range out {
			out[i] = agreed(a.Args[i], b.Args[i])
		}
		return term.NewList(a.Open, out...)
	}
	return term.NewUnknown("one of many that lead here")
}

// OpenFor reports whether the verdict on e in the hold of an acquisition waits for
// the caller's terms.
func (e *Event) OpenFor(acq *Event) bool {
	if len(e.joined) > 0 {
		return slices.ContainsFunc(e.joined, func(o *Event) bool { return len(o.Open) > 0 })
	}
	return hasEvent(e.Open, acq)
}

// openFor lists the acquisitions for which the verdict on e waits.
func (e *Event) openFor() []*Event {
	if len(e.joined) == 0 {
		return e.Open
	}
	if slices.ContainsFunc(e.joined, func(o *Event) bool { return len(o.Open) > 0 }) {
		return e.Holds
	}
	return nil
}
