package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// question is an instruction that asks a carrier.
type question struct {
	at      ssa.Instruction
	yes, no []abs      // the results of the instruction when the lock is held, and when not
	index   int        // of the channel in a select
	name    bool       // the answer is the name of the holder
	task    bool       // what the call is given runs while the lock is held
	below   bool       // of a task: it is a called function that gives it
	of      *term.Term // the lock that a library is asked about, nil if that is not known
}

// maxQuestions bounds the questions of one function.
const maxQuestions = 12

// questions adds an acquisition for each place where the function asks a carrier: from
// there on it acts as if it had acquired the lock itself.
func (f *fn) questions() {
	if len(f.a.carriers) == 0 && len(f.a.acquired) == 0 {
		return
	}
	n := 0
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			q, c := f.question(in)
			if c == nil {
				continue
			}
			if n++; n > maxQuestions {
				return
			}
			for _, acq := range c.Acqs {
				e := f.belief(in, acq)
				e.Told, e.Task = c.told, q.task
				s := &site{events: []*Event{e}, asks: q}
				e.site = s
				f.sites = append(f.sites, s)
			}
		}
	}
}

// askCarriers lists the functions of the package that ask a carrier, or did, and those
// that rest on them.
func (a *Analysis) askCarriers() map[*fn]bool {
	stale := make(map[*fn]bool)
	for _, f := range a.order {
		if slices.ContainsFunc(f.sites, func(s *site) bool { return s.asks != nil }) || f.asksNow() {
			withUsers(stale, []*fn{f})
		}
	}
	for n := 0; n < len(stale); {
		n = len(stale)
		for _, f := range a.order {
			if !stale[f] && f.callsKept(stale) {
				withUsers(stale, []*fn{f})
			}
		}
	}
	return stale
}

func (f *fn) asksNow() bool {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if _, c := f.question(in); c != nil {
				return true
			}
		}
	}
	return false
}

// callsKept reports whether the function calls a value that may be one of some functions:
// those may ask a carrier for it.
func (f *fn) callsKept(some map[*fn]bool) bool {
	for _, c := range f.byValue() {
		if slices.ContainsFunc(f.keptFuncs(c), func(id string) bool { return some[f.a.byID[id]] }) {
			return true
		}
	}
	return false
}

// belief is an acquisition in which the code from an instruction on believes.
func (f *fn) belief(in ssa.Instruction, acq *Event) *Event {
	pos := in.Pos()
	if c, ok := in.(ssa.CallInstruction); ok {
		pos = f.a.callPos(c)
	}
	if !pos.IsValid() {
		pos = f.f.Pos()
	}
	origin := acq.Chain[0]
	if acq.Belief != nil {
		origin = *acq.Belief
	}
	foreign := f.seenFrom(acq)
	e := &Event{
		Kind: acq.Kind, Dyn: acq.Dyn, Key: acq.Key, Entry: acq.Entry, Lib: acq.Lib, Recv: foreign(acq.Recv), Site: f.siteOf(in),
		Chain: []Step{{Pos: pos, Place: f.a.place(pos), Func: f.id}}, Belief: &origin,
	}
	for _, t := range acq.Args {
		e.Args = append(e.Args, foreign(t))
	}
	e.Hold = &Hold{Handle: foreign(acq.Hold.Handle), Lock: acq.Hold.Lock, Lib: acq.Hold.Lib, Library: acq.Kind == May}
	return e
}

// seenFrom says what the terms of an acquisition are here: those of a function literal of
// this function speak of what it has captured, those of other functions say nothing.
func (f *fn) seenFrom(acq *Event) func(*term.Term) *term.Term {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok && f.a.known.id(m.Fn.(*ssa.Function)) == acq.Chain[0].Func {
				sub := &term.Subst{Params: []*term.Term{}, Free: f.bindings(m)}
				return func(t *term.Term) *term.Term {
					if t == nil {
						return nil
					}
					return sub.Apply(t)
				}
			}
		}
	}
	return foreign
}

// question finds the carrier that an instruction asks.
func (f *fn) question(in ssa.Instruction) (*question, *Carrier) {
	switch in := in.(type) {
	case *ssa.UnOp:
		c := f.a.carrierOf(in.X)
		if c == nil {
			return nil, nil
		}
		if _, isChan := in.X.Type().Underlying().(*types.Chan); isChan {
			return c.received(in), c
		}
		if !isMarkable(in.Type()) {
			return nil, nil
		}
		return c.loaded(in), c
	case *ssa.Lookup:
		if c := f.entryCarrier(in.X); c != nil {
			return c.kept(in), c
		}
	case *ssa.Next:
		if c := f.rangedCarrier(in); c != nil {
			return &question{at: in, index: -1, yes: []abs{boolean(true), {}, {k: nonNil}}, no: []abs{boolean(false), {}, {}}}, c
		}
	case *ssa.Field:
		if c := f.a.carrierOf(in); c != nil && isMarkable(in.Type()) {
			return c.loaded(in), c
		}
	case *ssa.Call:
		common := in.Common()
		if atomicVerb(f.a.known.called(common).key) == "load" && len(common.Args) > 0 {
			if c := f.a.carrierOf(common.Args[0]); c != nil {
				return c.loaded(in), c
			}
		}
		if c := f.syncMapAsked(common); c != nil {
			return &question{at: in, index: -1, yes: []abs{{k: nonNil}, boolean(true)}, no: []abs{{k: isNil}, boolean(false)}}, c
		}
		if c := f.scheduled(in); c != nil {
			return &question{at: in, index: -1, task: true}, c
		}
		if c := f.scheduledBelow(in); c != nil {
			return &question{at: in, index: -1, task: true, below: true}, c
		}
		return f.askedByCall(in)
	case *ssa.Select:
		for i, st := range in.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if c := f.a.carrierOf(st.Chan); c != nil {
				return c.selected(in, i), c
			}
		}
	}
	return nil, nil
}

// walked is what is met on the ways from a question.
type walked struct {
	sites   map[*site]bool
	order   []*site
	tenure  *tenure
	returns []string
}

// believe marks what runs only where the answer to a question is yes.
func (f *fn) believe(a *Event) {
	if q := a.site.asks; q != nil && q.task {
		if st := f.bySite[q.at]; st != nil && q.below {
			(&site{events: st.tasks()}).hold(a)
		} else if st != nil {
			st.hold(a)
		}
		a.Hold.Escapes = false
		return
	}
	if v := f.holderName(a); v != nil {
		f.believeName(a, v)
		return
	}
	f.believeAnswer(a, a.site.asks)
}

func (f *fn) believeAnswer(a *Event, q *question) {
	yes, no := f.answers(a, q)
	for _, st := range yes.order {
		if !no.sites[st] {
			st.hold(a)
		}
	}
	for in := range no.tenure.seen {
		delete(yes.tenure.seen, in)
	}
	f.a.tenures = append(f.a.tenures, yes.tenure)
	a.Hold.Success, a.Hold.Escapes = separating(yes.returns, no.returns)
}

// hold puts the events of a site under a belief, unless they are under that lock already.
func (st *site) hold(a *Event) {
	if a.Kind == May {
		st.holdPerhaps(a)
		return
	}
	for _, ev := range st.events {
		if ev == a || ev.Kind == Release || ev.Kind == Commit {
			continue
		}
		if !slices.ContainsFunc(ev.Holds, func(h *Event) bool { return h.origin() == a.origin() || a.asksAgain(h) }) {
			ev.Holds = append(ev.Holds, a)
		}
	}
}

// asksAgain reports whether a belief is about the very lock that the code itself acquired
// before, and asked: there is one hold, that of the acquisition.
func (e *Event) asksAgain(h *Event) bool {
	if h.Belief != nil || h.Lib != e.Lib || e.site.asks == nil {
		return false
	}
	if h.Key == e.Key {
		return true
	}
	return e.site.asks.of != nil && h.Hold.Handle != nil && h.Hold.Handle.Equal(e.site.asks.of)
}

// holdPerhaps does the same for a lock that may have been acquired through an interface.
func (st *site) holdPerhaps(a *Event) {
	for _, ev := range st.events {
		if ev.Kind != Write && ev.Kind != Dyn || ev.Site == a.Site {
			continue
		}
		if !slices.ContainsFunc(ev.Under, func(h *Event) bool { return h.origin() == a.origin() }) {
			ev.Under = append(ev.Under, a)
		}
	}
}

// answers walks on from a question, or from the call of a function that asks one, with
// each of the answers.
func (f *fn) answers(a *Event, q *question) (yes, no *walked) {
	yes, no = f.newWalked(a, q), f.newWalked(a, q)
	if q != nil {
		y := newState()
		q.set(y, q.yes)
		f.walkOn(yes, y)
		if len(q.no) > 0 {
			n := newState()
			q.set(n, q.no)
			f.walkOn(no, n)
		}
		for _, s := range q.elsewhere(newState()) {
			f.walkOn(no, s)
		}
		return yes, no
	}
	call := a.site.call.(*ssa.Call)
	denied := make([]abs, call.Common().Signature().Results().Len())
	known := false
	for i, v := range parseTuple(a.success()) {
		if d, ok := contrary(v); ok && i < len(denied) {
			denied[i], known = d, true
		}
	}
	f.walkOn(yes, f.believed(a))
	if known {
		s := newState()
		s.result(call, denied)
		f.walkOn(no, s)
	}
	return yes, no
}

// success is what a call returns when it found the lock held.
func (e *Event) success() string {
	if e.src == nil {
		return "t" // of a question through an interface
	}
	return e.src.Hold.Success
}

// believed is the state after the call of a function that found the lock held.
func (f *fn) believed(a *Event) *state {
	s := newState()
	call := a.site.call.(*ssa.Call)
	tuple := make([]abs, call.Common().Signature().Results().Len())
	for i, v := range parseTuple(a.success()) {
		if i < len(tuple) {
			tuple[i] = abs{k: v.k, n: v.n}
		}
	}
	s.result(call, tuple)
	return s
}

func (f *fn) newWalked(a *Event, q *question) *walked {
	t := f.newTenure(a)
	t.asks = q
	return &walked{sites: make(map[*site]bool), tenure: t}
}

func (f *fn) walkOn(w *walked, s *state) {
	a, q := w.tenure.acq, w.tenure.asks
	e := &explorer{f: f}
	if q != nil {
		e.until, e.again = q.at, q.elsewhere
	}
	e.visit = func(c ssa.CallInstruction, s *state) bool {
		if c == a.site.call {
			return false
		}
		st := f.bySite[c]
		if st != nil {
			if _, plain := c.(*ssa.Call); plain && st.frees(a) {
				return false
			}
			if !w.sites[st] {
				w.sites[st] = true
				w.order = append(w.order, st)
			}
		}
		w.tenure.note(c, s)
		return true
	}
	e.instr = func(in ssa.Instruction, s *state) {
		w.tenure.note(in, s)
		if st := f.bySite[in]; st != nil && !w.sites[st] {
			w.sites[st] = true
			w.order = append(w.order, st)
		}
	}
	e.ret = func(_ *ssa.Return, tuple []abs, _ *state) {
		w.returns = append(w.returns, tupleCode(tuple))
	}
	e.after(w.tenure.start(), s)
}

// frees reports whether a call gives the lock back in which a belief is.
func (st *site) frees(a *Event) bool {
	for _, ev := range st.events {
		if a.Kind == May && !ev.Async && givesBack(ev, a) {
			return true
		}
		if ev.Kind == Release && !ev.Async && a.Hold.Handle.Kind != term.Unknown && releases(ev, a) {
			return true
		}
	}
	return false
}

// contrary is the opposite of a value that was tested.
func contrary(v abs) (abs, bool) {
	switch v.k {
	case isNil:
		return abs{k: nonNil}, true
	case nonNil:
		return abs{k: isNil}, true
	case isBool:
		return boolean(v.n == 0), true
	case positive, above:
		return abs{k: isInt}, true
	}
	return abs{}, false
}

// separating finds the results by which a function tells its caller that the answer was
// yes: those that are always the same, and not what yes always gives, when it is no. The
// second result is false if there are none.
func separating(yes, no []string) (string, bool) {
	if len(yes) == 0 {
		return "", false
	}
	if len(no) == 0 {
		return weakest(yes), true
	}
	y, n := parseTuple(weakest(yes)), parseTuple(weakest(no))
	found := false
	for i := range y {
		v, ok := abs{}, false
		if i < len(n) {
			v, ok = contrary(n[i])
		}
		if y[i].sig, y[i].name = false, ""; !ok || y[i].k == n[i].k && y[i].n == n[i].n {
			y[i] = abs{}
			continue
		}
		y[i], found = v, true
	}
	return tupleCode(y), found
}

func weakest(codes []string) string {
	out := codes[0]
	for _, c := range codes[1:] {
		out = weaker(out, c)
	}
	return out
}
