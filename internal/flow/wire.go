package flow

import "github.com/fencelint/fencelint/internal/term"

// The wire forms: terms, steps and events are numbered, so that what is shared
// is written once and nothing depends on pointers.
type (
	wireFact struct {
		Terms       []string // each a wireTerm that is read when it is asked for
		Strings     []string
		Funcs       []wireEntry
		Globals     []wireGlobal
		Decls       []Decl
		Obligations []wireObligation
		Touches     []wireTouch
		Mays        []wireMays
		Conversions []wireConversion
		Carriers    []wireCarrier
		Reported    []wireReported
		Records     []wireRecord
	}
	wireRecord struct {
		T int
		F [][3]int // name, tag, embedded type
	}
	wireReported struct {
		R    int
		L, A [2]int
	}
	// wireEntry is a summary with what is asked of all of them; the rest of it is read
	// when somebody asks for this one.
	wireEntry struct {
		ID    int
		Takes int    // bits of locking
		Text  string // a wireFunc
	}
	wireConversion struct {
		T, I, V int
		L       bool
		P       []wirePromoted
	}
	wirePromoted struct {
		M, ID int
		Path  []int
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
		Yes, No []wireCond
		G       []wireGiven
	}
	wireGiven struct {
		When []wireCond
		R    []int
	}
	wireCond struct {
		T  int
		W  bool
		N  bool
		At int
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
		Cases []wireCase
	}
	wireCase struct {
		When  []wireCond
		Never bool
		After []int
		Recv  int
		Args  []int
		Out   []wireOutcome
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
		No      bool
	}
	wireCarrier struct {
		Name, Yes, No string
		Told          bool
		Acqs          []wireEvent
	}
	wireTouch struct {
		H, R int
		Cols []int
		C    [2]int // step
	}
	wirePlace struct {
		P, F int // package and file, among Names
		L, C int
		B    int // line on which the statement begins
	}
	wirePlaces struct {
		Names  []string
		Places []wirePlace
		Mays   []string // each the places of what the other half has as text
	}
	// wireMays are functions of one package that may acquire locks. The text is a fact of
	// its own, which has them all.
	wireMays struct {
		Text  string
		Funcs []wirePending
	}
	wirePending struct {
		ID, At, Events int
		Locks          []wireLock
	}
	wireLock struct {
		I     int
		C     bool
		Done  []string
		Asked string
	}
)

// writer numbers what it meets.
type writer struct {
	out     wireFact
	strings map[string]int
	terms   map[string]int     // by their wire form: equal terms have equal ones
	known   map[*term.Term]int // those of terms that were met already
	events  map[*Event]int
	names   map[string]int
	seen    map[Place]int
	places  wirePlaces
	nums    []int       // the numbers in the terms that are being written
	text    coder       // of one term
	fnText  coder       // of one summary
	fold    *term.Subst // of what events are given, nil for none
	ints    room[int]
	steps   room[[2]int]

	// Of what is handed on: the functions that its terms name, the records in them, and
	// the records that it writes.
	named    []string
	records  map[int][]string
	inWrites map[string]bool
}

// newWriter makes a writer with room for about so many strings, and as many terms.
func newWriter(size int) *writer {
	return &writer{
		strings: make(map[string]int, size), terms: make(map[string]int, size), known: make(map[*term.Term]int), names: make(map[string]int),
		seen: make(map[Place]int),
	}
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
	at := len(w.nums)
	for _, name := range t.Names {
		w.nums = append(w.nums, w.str(name))
	}
	for _, a := range t.Args {
		n := w.term(a)
		w.nums = append(w.nums, n)
	}
	args := at + len(t.Names)
	wt := wireTerm{
		K: t.Kind, S: w.str(t.Str), T: w.str(t.Typ), C: w.str(t.Site), N: t.N, O: t.Open, F: w.nums[at:args], A: w.nums[args:],
	}
	w.text.out = w.text.out[:0]
	wt.code(&w.text)
	w.nums = w.nums[:at]
	n := w.written()
	w.known[t] = n
	return n
}

// written numbers the term that has just been written.
func (w *writer) written() int {
	n, ok := w.terms[string(w.text.out)]
	if !ok {
		text := string(w.text.out)
		w.out.Terms = append(w.out.Terms, text)
		n = len(w.out.Terms)
		w.terms[text] = n
	}
	return n
}

func (w *writer) termList(ts []*term.Term) []int {
	out := w.ints.cut(len(ts))
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
func (w *writer) step(s Step) [2]int { return [2]int{w.place(s.Place), w.str(s.Func)} }

func (w *writer) place(p Place) int {
	n, ok := w.seen[p]
	if !ok {
		n = len(w.places.Places)
		w.places.Places = append(w.places.Places, wirePlace{w.name(p.Pkg), w.name(p.File), p.Line, p.Col, p.From})
		w.seen[p] = n
	}
	return n
}

func (w *writer) fact(f *Fact) *wireFact {
	if f.within != nil {
		w.fold = &term.Subst{Field: func(name string, base *term.Term) *term.Term {
			t := term.NewField(name, base)
			if t.Kind == term.Field {
				if r := f.within(t); r != nil {
					return r
				}
			}
			return t
		}}
	}
	w.out.Funcs = make([]wireEntry, 0, len(f.Funcs))
	for _, s := range f.Funcs {
		w.out.Funcs = append(w.out.Funcs, w.entry(s))
	}
	w.hand(f)
	for _, g := range f.Globals {
		w.out.Globals = append(w.out.Globals, wireGlobal{w.str(g.Name), w.term(g.Value)})
	}
	w.out.Decls = f.Decls
	for _, o := range f.Obligations {
		w.events = map[*Event]int{o.Hold: 0, o.Call: 1}
		w.out.Obligations = append(w.out.Obligations, wireObligation{o.ID, w.event(o.Hold), w.event(o.Call), o.Accepts, o.Done, o.Harmless})
	}
	for _, t := range f.Touches {
		x := wireTouch{H: int(t.How), R: w.str(t.Resource), C: w.step(t.Step)}
		for _, c := range t.Columns {
			x.Cols = append(x.Cols, w.str(c))
		}
		w.out.Touches = append(w.out.Touches, x)
	}
	if f.recordsOf != nil {
		f.Records = f.recordsOf(sortedKeys(w.inWrites))
	}
	for _, r := range f.Records {
		x := wireRecord{T: w.str(r.Type)}
		for _, d := range r.Fields {
			x.F = append(x.F, [3]int{w.str(d.Name), w.str(d.Tag), w.str(d.Embedded)})
		}
		w.out.Records = append(w.out.Records, x)
	}
	for _, s := range f.Reported {
		w.out.Reported = append(w.out.Reported, wireReported{w.str(s.Rule), w.step(s.Lock), w.step(s.At)})
	}
	w.mays(f)
	for _, c := range f.Conversions {
		x := wireConversion{T: w.str(c.Type), I: w.str(c.Iface), V: w.term(c.Value), L: c.Lock}
		for _, p := range c.Promoted {
			y := wirePromoted{M: w.str(p.Method), ID: w.str(p.ID)}
			for _, field := range p.Path {
				y.Path = append(y.Path, w.str(field))
			}
			x.P = append(x.P, y)
		}
		w.out.Conversions = append(w.out.Conversions, x)
	}
	for _, c := range f.Carriers {
		w.events = nil
		x := wireCarrier{Name: c.Name, Yes: c.Yes, No: c.No, Told: c.told}
		for _, e := range c.Acqs {
			x.Acqs = append(x.Acqs, w.event(e))
		}
		w.out.Carriers = append(w.out.Carriers, x)
	}
	return &w.out
}

// textSize is about what the terms, the strings and the summaries take.
func (w *wireFact) textSize() int {
	n := 0
	for _, s := range w.Terms {
		n += len(s) + 1
	}
	for _, s := range w.Strings {
		n += len(s) + 2
	}
	for i := range w.Funcs {
		n += len(w.Funcs[i].Text) + 8
	}
	for i := range w.Mays {
		n += len(w.Mays[i].Text) + 16*len(w.Mays[i].Funcs)
	}
	return n + n/8
}

// textSize is about what the places take.
func (w *wirePlaces) textSize() int {
	n := 8 * len(w.Places)
	for _, s := range w.Mays {
		n += len(s) + 4
	}
	return n
}

// entry writes a summary. What it takes to do so is used again for the next one.
func (w *writer) entry(s *Summary) wireEntry {
	f := w.fn(s)
	w.fnText.out = w.fnText.out[:0]
	f.code(&w.fnText)
	w.ints.clear()
	w.steps.clear()
	return wireEntry{f.ID, s.takes(), string(w.fnText.out)}
}

func (w *writer) fn(s *Summary) wireFunc {
	w.events = make(map[*Event]int, len(s.Events))
	for i, e := range s.Events {
		w.events[e] = i
	}
	out := wireFunc{ID: w.str(s.ID), P: s.Params, Test: s.Test, R: w.termList(s.Results), Signals: s.Signals, Post: w.conds(s.Post), Yes: w.conds(s.Yes), No: w.conds(s.No)}
	out.E = make([]wireEvent, len(s.Events))
	for i, e := range s.Events {
		out.E[i] = w.event(e)
	}
	for _, g := range s.Given {
		out.G = append(out.G, wireGiven{w.conds(g.When), w.termList(g.Results)})
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
	recv, args := w.given(e.Kind, e.Recv, e.Args)
	out := wireEvent{
		K: e.Kind, Key: w.str(e.Key), Entry: w.str(e.Entry), Lib: w.str(e.Lib), Recv: recv, Args: args,
		Site: w.str(e.Site), Dyn: e.Dyn, Decl: e.Decl, Conds: w.conds(smallConds(e.Conds)),
		Holds: w.ids(e.Holds), Under: w.ids(e.Under), Open: w.ids(e.openFor()),
		After: w.ids(e.After), Past: w.ids(e.Earlier), Seal: [2][]int{w.ids(e.Sealed), w.ids(e.Settled)},
		Flags: bits(e.Must, e.Async, e.Deferred, e.Detached, e.Joined, e.Committed, e.Halts, e.Fails, e.Told, e.Task, e.Tasked),
	}
	if e.Belief != nil {
		out.Asks = w.steps.cut(1)
		out.Asks[0] = w.step(*e.Belief)
	}
	out.Chain = w.steps.cut(len(e.Chain))
	for i, s := range e.Chain {
		out.Chain[i] = w.step(s)
	}
	out.Out = w.outcomes(e.Outcomes)
	for i := range e.Cases {
		c := &e.Cases[i]
		recv, args := w.given(e.Kind, c.Recv, c.Args)
		out.Cases = append(out.Cases, wireCase{w.conds(c.When), c.Never, w.ids(c.After), recv, args, w.outcomes(c.Outcomes)})
	}
	if h := e.Hold; h != nil {
		out.Hold = &wireHold{w.term(h.Handle), h.Lock, h.Lib, h.Success, bits(h.Library, h.Escapes, h.Region, h.Maybe, h.Given, h.Works, h.Asked, h.Claimed, h.Forwarded, h.Package), h.Done, int(h.Signs)}
	}
	return out
}

// given writes on what an event is called, with what only the package itself knows.
func (w *writer) given(k EventKind, recv *term.Term, args []*term.Term) (r int, as []int) {
	if w.fold == nil || k != Write {
		return w.term(recv), w.termList(args)
	}
	as = w.ints.cut(len(args))
	for i, t := range args {
		as[i] = w.term(w.fold.Apply(t))
	}
	if recv == nil {
		return 0, as
	}
	return w.term(w.fold.Apply(recv)), as
}

func (w *writer) outcomes(list []Outcome) []wireOutcome {
	var out []wireOutcome
	for _, o := range list {
		out = append(out, wireOutcome{o.Scenario, o.Returns, bits(o.Answered, o.Observed, o.Unsure) | o.toldTo<<3, w.ids(o.Reaches)})
	}
	return out
}

func (w *writer) conds(cs []Cond) []wireCond {
	var out []wireCond
	for _, c := range cs {
		out = append(out, wireCond{w.term(c.Term), c.Want, c.Null, w.str(c.At)})
	}
	return out
}

func (w *writer) ids(es []*Event) []int {
	out := w.ints.cut(len(es))[:0]
	for _, e := range es {
		if n, ok := w.events[e]; ok {
			out = append(out, n)
		}
	}
	return out
}
