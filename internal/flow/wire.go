package flow

import (
	"errors"

	"github.com/fencelint/fencelint/internal/term"
)

// The wire forms: terms, steps and events are numbered, so that what is shared
// is written once and nothing depends on pointers.
type (
	wireFact struct {
		Terms       []wireTerm
		Strings     []string
		Funcs       []wireFunc
		Globals     []wireGlobal
		Decls       []Decl
		Obligations []wireObligation
		Touches     []wireTouch
		Mays        []wireFunc
		Conversions []wireConversion
		Carriers    []wireCarrier
		Reported    []wireReported
	}
	wireReported struct {
		R    int
		L, A [2]int
	}
	wireConversion struct {
		T, I, V int
		L       bool
	}
	wireTerm struct {
		K term.Kind
		S int
		T int
		C int
		N int
		O bool
		F []int
		A []int
	}
	wireFunc struct {
		ID      int
		P       int
		Test    bool
		E       []wireEvent
		R       []int
		St      [][3]int
		Signals []ParamSignal
		Post    []wireCond
	}
	wireCond struct {
		T int
		W bool
	}
	wireEvent struct {
		K     EventKind
		Key   int
		Entry int
		Lib   int
		Recv  int
		Args  []int
		Site  int
		Chain [][2]int
		Holds []int
		After []int
		Past  []int
		Seal  [2][]int
		Open  []int
		Flags int
		Out   []wireOutcome
		Hold  *wireHold
		Dyn   *DynCall
		Decl  *Declared
		Conds []wireCond
		Under []int
		Asks  [][2]int // steps: none or one
	}
	wireOutcome struct {
		S string
		R string
		F int
		E []int
	}
	wireHold struct {
		H     int
		Lock  *LockClass
		Lib   string
		OK    string
		Flags int
		Done  []string
		Signs int
	}
	wireGlobal     struct{ N, V int }
	wireObligation struct {
		ID      string
		Hold    wireEvent
		Call    wireEvent
		Accepts []Accept
		Done    []string
	}
	wireCarrier struct {
		Name, Yes, No string
		Acqs          []wireEvent
	}
	wireTouch struct {
		R string
		G bool
		C [2]int // step
	}
	wirePlace struct {
		P, F int // package and file, among Names
		L, C int
		B    int // line on which the statement begins
	}
	wirePlaces struct {
		Names  []string
		Places []wirePlace
	}
)

// writer numbers what it meets.
type writer struct {
	out     wireFact
	strings map[string]int
	terms   map[string]int
	known   map[*term.Term]int // those of terms that were met already
	events  map[*Event]int
	names   map[string]int
	seen    map[Place]int
	places  wirePlaces
}

func newWriter() *writer {
	return &writer{strings: map[string]int{}, terms: map[string]int{}, known: map[*term.Term]int{}, names: map[string]int{}, seen: map[Place]int{}}
}

// str numbers a string; 0 is the empty one.
func (w *writer) str(s string) int {
	if s == "" {
		return 0
	}
	n, ok := w.strings[s]
	if !ok {
		w.out.Strings = append(w.out.Strings, s)
		n = len(w.out.Strings)
		w.strings[s] = n
	}
	return n
}

// term numbers a term; 0 is none.
func (w *writer) term(t *term.Term) int {
	if t == nil {
		return 0
	}
	if n, ok := w.known[t]; ok {
		return n
	}
	if n, ok := w.terms[t.Key()]; ok {
		w.known[t] = n
		return n
	}
	wt := wireTerm{K: t.Kind, S: w.str(t.Str), T: w.str(t.Typ), C: w.str(t.Site), N: t.N, O: t.Open}
	for _, n := range t.Names {
		wt.F = append(wt.F, w.str(n))
	}
	wt.A = w.termList(t.Args)
	w.out.Terms = append(w.out.Terms, wt)
	n := len(w.out.Terms)
	w.terms[t.Key()], w.known[t] = n, n
	return n
}

func (w *writer) termList(ts []*term.Term) []int {
	if len(ts) == 0 {
		return nil
	}
	out := make([]int, len(ts))
	for i, t := range ts {
		out[i] = w.term(t)
	}
	return out
}

func (w *writer) name(s string) int {
	n, ok := w.names[s]
	if !ok {
		n = len(w.places.Names)
		w.places.Names = append(w.places.Names, s)
		w.names[s] = n
	}
	return n
}

// step numbers a place in the half of positions; the function stays in the other.
func (w *writer) step(s Step) [2]int {
	n, ok := w.seen[s.Place]
	if !ok {
		n = len(w.places.Places)
		w.places.Places = append(w.places.Places, wirePlace{w.name(s.Place.Pkg), w.name(s.Place.File), s.Place.Line, s.Place.Col, s.Place.From})
		w.seen[s.Place] = n
	}
	return [2]int{n, w.str(s.Func)}
}

func (w *writer) fact(f *Fact) *wireFact {
	for _, s := range f.Funcs {
		w.out.Funcs = append(w.out.Funcs, w.fn(s))
	}
	for _, g := range f.Globals {
		w.out.Globals = append(w.out.Globals, wireGlobal{w.str(g.Name), w.term(g.Value)})
	}
	w.out.Decls = f.Decls
	for _, o := range f.Obligations {
		w.events = map[*Event]int{o.Hold: 0, o.Call: 1}
		w.out.Obligations = append(w.out.Obligations, wireObligation{o.ID, w.event(o.Hold), w.event(o.Call), o.Accepts, o.Done})
	}
	for _, t := range f.Touches {
		w.out.Touches = append(w.out.Touches, wireTouch{t.Resource, t.Guarded, w.step(t.Step)})
	}
	for _, s := range f.Reported {
		w.out.Reported = append(w.out.Reported, wireReported{w.str(s.Rule), w.step(s.Lock), w.step(s.At)})
	}
	for _, s := range f.Mays {
		w.out.Mays = append(w.out.Mays, w.fn(s))
	}
	for _, c := range f.Conversions {
		w.out.Conversions = append(w.out.Conversions, wireConversion{w.str(c.Type), w.str(c.Iface), w.term(c.Value), c.Lock})
	}
	for _, c := range f.Carriers {
		w.events = nil
		x := wireCarrier{Name: c.Name, Yes: c.Yes, No: c.No}
		for _, e := range c.Acqs {
			x.Acqs = append(x.Acqs, w.event(e))
		}
		w.out.Carriers = append(w.out.Carriers, x)
	}
	return &w.out
}

func (w *writer) fn(s *Summary) wireFunc {
	w.events = make(map[*Event]int, len(s.Events))
	for i, e := range s.Events {
		w.events[e] = i
	}
	out := wireFunc{ID: w.str(s.ID), P: s.Params, Test: s.Test, R: w.termList(s.Results), Signals: s.Signals, Post: w.conds(s.Post)}
	out.E = make([]wireEvent, len(s.Events))
	for i, e := range s.Events {
		out.E[i] = w.event(e)
	}
	for _, st := range s.Stores {
		out.St = append(out.St, [3]int{w.term(st.To), w.term(st.Value), bits(st.Perhaps)})
	}
	return out
}

// bits packs flags, the first one lowest.
func bits(flags ...bool) int {
	n := 0
	for i, f := range flags {
		if f {
			n |= 1 << i
		}
	}
	return n
}

func (w *writer) event(e *Event) wireEvent {
	out := wireEvent{
		K: e.Kind, Key: w.str(e.Key), Entry: w.str(e.Entry), Lib: w.str(e.Lib), Recv: w.term(e.Recv), Args: w.termList(e.Args),
		Site: w.str(e.Site), Dyn: e.Dyn, Decl: e.Decl, Conds: w.conds(smallConds(e.Conds)),
		Holds: w.ids(e.Holds), Under: w.ids(e.Under), Open: w.ids(e.openFor()),
		After: w.ids(e.After), Past: w.ids(e.Earlier), Seal: [2][]int{w.ids(e.Sealed), w.ids(e.Settled)},
		Flags: bits(e.Must, e.Async, e.Deferred, e.Detached, e.Joined, e.Committed, e.Halts, e.Fails),
	}
	if e.Belief != nil {
		out.Asks = [][2]int{w.step(*e.Belief)}
	}
	out.Chain = make([][2]int, len(e.Chain))
	for i, s := range e.Chain {
		out.Chain[i] = w.step(s)
	}
	for _, o := range e.Outcomes {
		out.Out = append(out.Out, wireOutcome{o.Scenario, o.Returns, bits(o.Answered, o.Observed, o.Unsure), w.ids(o.Reaches)})
	}
	if h := e.Hold; h != nil {
		out.Hold = &wireHold{w.term(h.Handle), h.Lock, h.Lib, h.Success, bits(h.Library, h.Escapes, h.Region, h.Maybe, h.Given, h.Works, h.Asked, h.Claimed), h.Done, int(h.Signs)}
	}
	return out
}

func (w *writer) conds(cs []Cond) []wireCond {
	var out []wireCond
	for _, c := range cs {
		out = append(out, wireCond{w.term(c.Term), c.Want})
	}
	return out
}

func (w *writer) ids(es []*Event) []int {
	var out []int
	for _, e := range es {
		if n, ok := w.events[e]; ok {
			out = append(out, n)
		}
	}
	return out
}

// reader turns numbers back into what they stand for. Numbers out of range make
// the fact unreadable.
type reader struct {
	wire   *wireFact
	places wirePlaces
	terms  []*term.Term
	events []*Event
	bad    bool
}

func (r *reader) str(n int) string {
	if n <= 0 || n > len(r.wire.Strings) {
		r.bad = r.bad || n != 0
		return ""
	}
	return r.wire.Strings[n-1]
}

func (r *reader) term(n int) *term.Term {
	if n <= 0 || n > len(r.terms) {
		r.bad = r.bad || n != 0
		return nil
	}
	return r.terms[n-1]
}

func (r *reader) termList(ns []int) []*term.Term {
	out := make([]*term.Term, len(ns))
	for i, n := range ns {
		if out[i] = r.term(n); out[i] == nil {
			out[i] = term.NewUnknown("")
		}
	}
	return out
}

func (r *reader) fact() (*Fact, error) {
	r.allTerms()
	f := &Fact{Decls: r.wire.Decls, Funcs: make([]*Summary, 0, len(r.wire.Funcs))}
	for i := range r.wire.Funcs {
		f.Funcs = append(f.Funcs, r.fn(&r.wire.Funcs[i]))
	}
	for _, g := range r.wire.Globals {
		f.Globals = append(f.Globals, Global{r.str(g.N), r.term(g.V)})
	}
	for i := range r.wire.Obligations {
		o := &r.wire.Obligations[i]
		r.events = []*Event{{}, {}}
		r.fill(&o.Hold, r.events[0])
		r.fill(&o.Call, r.events[1])
		f.Obligations = append(f.Obligations, &Obligation{ID: o.ID, Hold: r.events[0], Call: r.events[1], Accepts: o.Accepts, Done: o.Done})
	}
	for _, t := range r.wire.Touches {
		f.Touches = append(f.Touches, Touch{t.R, t.G, r.step(t.C)})
	}
	for _, s := range r.wire.Reported {
		f.Reported = append(f.Reported, Reported{r.str(s.R), r.step(s.L), r.step(s.A)})
	}
	for i := range r.wire.Mays {
		f.Mays = append(f.Mays, r.fn(&r.wire.Mays[i]))
	}
	for _, c := range r.wire.Conversions {
		f.Conversions = append(f.Conversions, Conversion{Type: r.str(c.T), Iface: r.str(c.I), Value: r.term(c.V), Lock: c.L})
	}
	for i := range r.wire.Carriers {
		f.Carriers = append(f.Carriers, r.carrier(&r.wire.Carriers[i]))
	}
	if r.bad {
		return nil, errors.New("damaged: a number is out of range")
	}
	return f, nil
}

// allTerms makes the terms, in one piece: they are many. One stands behind its parts.
func (r *reader) allTerms() {
	terms := make([]term.Term, len(r.wire.Terms))
	r.terms = make([]*term.Term, 0, len(terms))
	for i := range terms {
		wt, t := &r.wire.Terms[i], &terms[i]
		*t = term.Term{Kind: wt.K, Str: r.str(wt.S), Typ: r.str(wt.T), Site: r.str(wt.C), N: wt.N, Open: wt.O}
		for _, n := range wt.F {
			t.Names = append(t.Names, r.str(n))
		}
		if len(wt.A) > 0 {
			t.Args = r.termList(wt.A)
		}
		r.terms = append(r.terms, t)
	}
}

func (r *reader) fn(w *wireFunc) *Summary {
	s := &Summary{ID: r.str(w.ID), Params: w.P, Test: w.Test, Results: r.termList(w.R), Signals: w.Signals, Post: r.conds(w.Post)}
	events := make([]Event, len(w.E))
	r.events = make([]*Event, len(w.E))
	for i := range r.events {
		r.events[i] = &events[i]
	}
	for i := range w.E {
		r.fill(&w.E[i], r.events[i])
	}
	s.Events = r.events
	for _, st := range w.St {
		s.Stores = append(s.Stores, Store{To: r.term(st[0]), Value: r.term(st[1]), Perhaps: st[2] != 0})
	}
	return s
}

// carrier reads a carrier; one without an acquisition cannot be meant.
func (r *reader) carrier(w *wireCarrier) *Carrier {
	c := &Carrier{Name: w.Name, Yes: w.Yes, No: w.No}
	r.events = nil
	for i := range w.Acqs {
		e := new(Event)
		r.fill(&w.Acqs[i], e)
		r.bad = r.bad || e.Hold == nil || len(e.Chain) == 0
		c.Acqs = append(c.Acqs, e)
	}
	return c
}

func (r *reader) fill(w *wireEvent, e *Event) {
	*e = Event{
		Kind: w.K, Key: r.str(w.Key), Entry: r.str(w.Entry), Lib: r.str(w.Lib), Recv: r.term(w.Recv), Args: r.termList(w.Args),
		Site: r.str(w.Site), Dyn: w.Dyn, Decl: w.Decl, Conds: r.conds(w.Conds),
		Holds: r.list(w.Holds), Under: r.list(w.Under), Open: r.list(w.Open),
		After: r.list(w.After), Earlier: r.list(w.Past), Sealed: r.list(w.Seal[0]), Settled: r.list(w.Seal[1]),
		Must: w.Flags&1 != 0, Async: w.Flags&2 != 0, Deferred: w.Flags&4 != 0, Detached: w.Flags&8 != 0, Joined: w.Flags&16 != 0,
		Committed: w.Flags&32 != 0, Halts: w.Flags&64 != 0, Fails: w.Flags&128 != 0,
	}
	if len(w.Asks) > 0 {
		at := r.step(w.Asks[0])
		e.Belief = &at
	}
	e.Chain = make([]Step, len(w.Chain))
	for i, s := range w.Chain {
		e.Chain[i] = r.step(s)
	}
	for _, o := range w.Out {
		e.Outcomes = append(e.Outcomes, Outcome{o.S, o.R, o.F&1 != 0, o.F&2 != 0, o.F&4 != 0, r.list(o.E)})
	}
	if h := w.Hold; h != nil {
		e.Hold = &Hold{
			Handle: r.term(h.H), Lock: h.Lock, Lib: h.Lib, Success: h.OK,
			Done: h.Done, Library: h.Flags&1 != 0, Escapes: h.Flags&2 != 0, Region: h.Flags&4 != 0, Maybe: h.Flags&8 != 0,
			Given: h.Flags&16 != 0, Works: h.Flags&32 != 0, Asked: h.Flags&64 != 0, Claimed: h.Flags&128 != 0,
			Signs: Signs(h.Signs),
		}
		if e.Hold.Handle == nil {
			e.Hold.Handle = term.NewUnknown("")
		}
	}
}

func (r *reader) conds(cs []wireCond) []Cond {
	var out []Cond
	for _, c := range cs {
		if t := r.term(c.T); t != nil {
			out = append(out, Cond{t, c.W})
		}
	}
	return out
}

func (r *reader) list(ids []int) []*Event {
	if len(ids) == 0 {
		return nil
	}
	out := make([]*Event, 0, len(ids))
	for _, i := range ids {
		if i < 0 || i >= len(r.events) {
			r.bad = true
			continue
		}
		out = append(out, r.events[i])
	}
	return out
}

func (r *reader) step(s [2]int) Step {
	if s[0] < 0 || s[0] >= len(r.places.Places) {
		r.bad = true
		return Step{}
	}
	p := r.places.Places[s[0]]
	if p.P < 0 || p.F < 0 || p.P >= len(r.places.Names) || p.F >= len(r.places.Names) {
		r.bad = true
		return Step{}
	}
	return Step{Place: Place{r.places.Names[p.P], r.places.Names[p.F], p.L, p.C, p.B}, Func: r.str(s[1])}
}
