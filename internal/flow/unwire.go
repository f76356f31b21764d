package flow

import (
	"errors"
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// reader turns numbers back into what they stand for. Numbers out of range make
// the fact unreadable.
type reader struct {
	wire   *wireFact
	places wirePlaces
	terms  []*term.Term // nil as long as nobody asked
	made   []term.Term  // room for those to come: they are many
	events []*Event
	room   room[int]
	bad    bool
}

func (r *reader) str(n int) string {
	if n <= 0 || n > len(r.wire.Strings) {
		r.bad = r.bad || n != 0
		return ""
	}
	return r.wire.Strings[n-1]
}

// term reads a term that was not asked for before. It stands behind its parts.
func (r *reader) term(n int) *term.Term {
	if n <= 0 || n > len(r.terms) {
		r.bad = r.bad || n != 0
		return nil
	}
	if r.terms[n-1] == nil {
		r.terms[n-1] = r.newTerm(n)
	}
	return r.terms[n-1]
}

// termsAtOnce is how many terms get room together.
const termsAtOnce = 64

func (r *reader) newTerm(n int) *term.Term {
	var wt wireTerm
	r.read(r.wire.Terms[n-1], &wt)
	if len(r.made) == 0 {
		r.made = make([]term.Term, min(termsAtOnce, len(r.terms)))
	}
	t := &r.made[0]
	r.made = r.made[1:]
	*t = term.Term{Kind: wt.K, Str: r.str(wt.S), Typ: r.str(wt.T), Site: r.str(wt.C), N: wt.N, Open: wt.O}
	if len(wt.F) > 0 {
		t.Names = make([]string, len(wt.F))
		for i, name := range wt.F {
			t.Names[i] = r.str(name)
		}
	}
	if slices.ContainsFunc(wt.A, func(part int) bool { return part >= n }) {
		r.bad = true
		return t
	}
	if len(wt.A) > 0 {
		t.Args = r.termList(wt.A)
	}
	return t
}

// read reads a piece of the fact that was left as it is.
func (r *reader) read(text string, into wire) {
	c := coder{in: text, reads: true, room: r.room}
	into.code(&c)
	r.room = c.room
	r.bad = r.bad || c.err != nil || len(c.in) > 0
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

// fact reads all but the summaries and the values of variables.
func (r *reader) fact() *Fact {
	r.terms = make([]*term.Term, len(r.wire.Terms))
	f := &Fact{Decls: r.wire.Decls}
	for i := range r.wire.Obligations {
		o := &r.wire.Obligations[i]
		r.events = []*Event{{}, {}}
		r.fill(&o.Hold, r.events[0])
		r.fill(&o.Call, r.events[1])
		f.Obligations = append(f.Obligations, &Obligation{ID: o.ID, Hold: r.events[0], Call: r.events[1], Accepts: o.Accepts, Done: o.Done, Harmless: o.No})
	}
	for _, t := range r.wire.Touches {
		x := Touch{How: Touching(t.H), Resource: r.str(t.R), Step: r.step(t.C)}
		for _, c := range t.Cols {
			x.Columns = append(x.Columns, r.str(c))
		}
		f.Touches = append(f.Touches, x)
	}
	for _, s := range r.wire.Reported {
		f.Reported = append(f.Reported, Reported{r.str(s.R), r.step(s.L), r.step(s.A)})
	}
	for _, x := range r.wire.Records {
		rec := Record{Type: r.str(x.T)}
		for _, d := range x.F {
			rec.Fields = append(rec.Fields, RecordField{r.str(d[0]), r.str(d[1]), r.str(d[2])})
		}
		f.Records = append(f.Records, rec)
	}
	f.Pending = r.pending()
	for _, c := range r.wire.Conversions {
		x := Conversion{Type: r.str(c.T), Iface: r.str(c.I), Value: r.term(c.V), Lock: c.L}
		for _, p := range c.P {
			y := Promoted{Method: r.str(p.M), ID: r.str(p.ID)}
			for _, field := range p.Path {
				y.Path = append(y.Path, r.str(field))
			}
			x.Promoted = append(x.Promoted, y)
		}
		f.Conversions = append(f.Conversions, x)
	}
	for i := range r.wire.Carriers {
		f.Carriers = append(f.Carriers, r.carrier(&r.wire.Carriers[i]))
	}
	return f
}

// entry reads a summary.
func (r *reader) entry(e *wireEntry) *Summary {
	var w wireFunc
	r.read(e.Text, &w)
	return r.fn(&w)
}

// err tells whether anything that was read up to now is damaged.
func (r *reader) err() error {
	if r.bad {
		return errors.New("damaged: a number is out of range")
	}
	return nil
}

func (r *reader) fn(w *wireFunc) *Summary {
	s := &Summary{ID: r.str(w.ID), Params: w.P, Test: w.Test, Results: r.termList(w.R), Signals: w.Signals, Post: r.conds(w.Post), Yes: r.conds(w.Yes), No: r.conds(w.No)}
	events := make([]Event, len(w.E))
	r.events = make([]*Event, len(w.E))
	for i := range r.events {
		r.events[i] = &events[i]
	}
	for i := range w.E {
		r.fill(&w.E[i], r.events[i])
	}
	s.Events = r.events
	for _, g := range w.G {
		s.Given = append(s.Given, Given{r.conds(g.When), r.termList(g.R)})
	}
	for _, st := range w.St {
		s.Stores = append(s.Stores, Store{To: r.term(st[0]), Value: r.term(st[1]), Perhaps: st[2] != 0})
	}
	return s
}

// carrier reads a carrier; one without an acquisition cannot be meant.
func (r *reader) carrier(w *wireCarrier) *Carrier {
	c := &Carrier{Name: w.Name, Yes: w.Yes, No: w.No, told: w.Told}
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
		Told: w.Flags&256 != 0, Task: w.Flags&512 != 0, Tasked: w.Flags&1024 != 0,
	}
	if len(w.Asks) > 0 {
		at := r.step(w.Asks[0])
		e.Belief = &at
	}
	e.Chain = make([]Step, len(w.Chain))
	for i, s := range w.Chain {
		e.Chain[i] = r.step(s)
	}
	e.Outcomes = r.outcomes(w.Out)
	for _, c := range w.Cases {
		e.Cases = append(e.Cases, Case{r.conds(c.When), c.Never, r.list(c.After), r.term(c.Recv), r.termList(c.Args), r.outcomes(c.Out), nil})
	}
	if h := w.Hold; h != nil {
		e.Hold = &Hold{
			Handle: r.term(h.H), Lock: h.Lock, Lib: h.Lib, Success: h.OK,
			Done: h.Done, Library: h.Flags&1 != 0, Escapes: h.Flags&2 != 0, Region: h.Flags&4 != 0, Maybe: h.Flags&8 != 0,
			Given: h.Flags&16 != 0, Works: h.Flags&32 != 0, Asked: h.Flags&64 != 0, Claimed: h.Flags&128 != 0,
			Forwarded: h.Flags&256 != 0, Package: h.Flags&512 != 0,
			Signs: Signs(h.Signs),
		}
		if e.Hold.Handle == nil {
			e.Hold.Handle = term.NewUnknown("")
		}
	}
}

func (r *reader) outcomes(list []wireOutcome) []Outcome {
	var out []Outcome
	for _, o := range list {
		out = append(out, Outcome{o.S, o.R, o.F&1 != 0, o.F&2 != 0, o.F&4 != 0, r.list(o.E), nil, o.F >> 3})
	}
	return out
}

func (r *reader) conds(cs []wireCond) []Cond {
	var out []Cond
	for _, c := range cs {
		if t := r.term(c.T); t != nil {
			out = append(out, Cond{t, c.W, c.N, r.str(c.At)})
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

func (r *reader) step(s [2]int) Step { return Step{Place: r.place(s[0]), Func: r.str(s[1])} }

func (r *reader) place(n int) Place {
	if n < 0 || n >= len(r.places.Places) {
		r.bad = true
		return Place{}
	}
	p := r.places.Places[n]
	if p.P < 0 || p.F < 0 || p.P >= len(r.places.Names) || p.F >= len(r.places.Names) {
		r.bad = true
		return Place{}
	}
	return Place{r.places.Names[p.P], r.places.Names[p.F], p.L, p.C, p.B}
}
