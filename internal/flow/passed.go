package flow

import (
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// Pending is a function of an imported package that may acquire locks through interfaces.
// What it does in their holds is read once a type turns up for one of them: on most ways
// from the function to the program's main none does, and the packages in between hand on
// what they have not read.
type Pending struct {
	ID    string
	Locks []PendingLock // in the order of the events

	from   *passed
	at     int // among the functions of from
	events int
	sum    *Summary // nil as long as nobody asked
}

// PendingLock is one of those acquisitions.
type PendingLock struct {
	Iface   string
	Classed bool     // a directive says what the lock is for
	Done    []string // the types for which its hold was judged
	Asked   string   // see DynCall
}

// passed is what one package says of such functions: a fact of its own with their
// summaries, in two halves.
type passed struct {
	text, places string
	im           *Imported
	path         string // of the package from whose fact it came
	r            *reader
}

// Summary reads the function.
func (p *Pending) Summary() *Summary {
	if p.sum == nil {
		p.sum = p.from.summary(p.at)
		mays := p.sum.mays()
		for i := range min(len(mays), len(p.Locks)) {
			mays[i].Hold.Done = p.Locks[i].Done
		}
	}
	return p.sum
}

// done are the types for which the hold of lock i has been judged by now.
func (p *Pending) done(i int) []string {
	if p.sum != nil {
		if mays := p.sum.mays(); i < len(mays) {
			return mays[i].Hold.Done
		}
	}
	return p.Locks[i].Done
}

// mays lists the possible acquisitions.
func (s *Summary) mays() []*Event {
	var out []*Event
	for _, e := range s.Events {
		if e.Kind == May && e.Hold != nil {
			out = append(out, e)
		}
	}
	return out
}

func (p *passed) summary(at int) *Summary {
	if p.r == nil {
		p.r = &reader{wire: new(wireFact)}
		if p.im != nil {
			p.im.readers = append(p.im.readers, importedFact{p.path, p.r})
		}
		p.r.bad = decodeValue(p.text, p.r.wire) != nil || decodeValue(p.places, &p.r.places) != nil
		p.r.terms = make([]*term.Term, len(p.r.wire.Terms))
	}
	if at < 0 || at >= len(p.r.wire.Funcs) {
		p.r.bad = true
		return &Summary{}
	}
	return p.r.entry(&p.r.wire.Funcs[at])
}

// addPending keeps one copy of a function's possible acquisitions; what was judged on
// either way up here is judged.
func (im *Imported) addPending(path string, p *Pending) {
	key := [2]string{p.from.text, p.from.places}
	if same := im.passed[key]; same != nil {
		p.from = same
	} else {
		p.from.im, p.from.path = im, path
		im.passed[key] = p.from
	}
	old := im.Pending[p.ID]
	if old == nil || old.events != p.events || len(old.Locks) != len(p.Locks) {
		im.Pending[p.ID] = p
		return
	}
	for i := range p.Locks {
		old.Locks[i].Done = merge(old.Locks[i].Done, p.Locks[i].Done)
	}
}

// mays writes the functions of a fact that may acquire locks: those of its package into a
// fact of their own, the others as they came.
func (w *writer) mays(f *Fact) {
	if len(f.Mays) > 0 {
		in := newWriter(0)
		sem := in.fact(&Fact{Funcs: f.Mays})
		x := wireMays{Text: string(appendValue(nil, sem))}
		for i, s := range f.Mays {
			x.Funcs = append(x.Funcs, w.pendingOf(s, i))
		}
		w.out.Mays = append(w.out.Mays, x)
		w.places.Mays = append(w.places.Mays, string(appendValue(nil, &in.places)))
	}
	at := make(map[*passed]int)
	for _, p := range f.Pending {
		i, ok := at[p.from]
		if !ok {
			i = len(w.out.Mays)
			at[p.from] = i
			w.out.Mays = append(w.out.Mays, wireMays{Text: p.from.text})
			w.places.Mays = append(w.places.Mays, p.from.places)
		}
		w.out.Mays[i].Funcs = append(w.out.Mays[i].Funcs, w.pending(p))
	}
}

func (w *writer) pendingOf(s *Summary, at int) wirePending {
	out := wirePending{ID: w.str(s.ID), At: at, Events: len(s.Events)}
	for _, m := range s.mays() {
		out.Locks = append(out.Locks, wireLock{w.str(m.Dyn.Iface), m.Hold.Lock != nil, m.Hold.Done, m.Dyn.Asked})
	}
	return out
}

func (w *writer) pending(p *Pending) wirePending {
	out := wirePending{ID: w.str(p.ID), At: p.at, Events: p.events}
	for i, l := range p.Locks {
		out.Locks = append(out.Locks, wireLock{w.str(l.Iface), l.Classed, p.done(i), l.Asked})
	}
	return out
}

// pending lists the functions of a fact that may acquire locks.
func (r *reader) pending() []*Pending {
	if len(r.wire.Mays) != len(r.places.Mays) {
		r.bad = true
		return nil
	}
	var out []*Pending
	for i, m := range r.wire.Mays {
		from := &passed{text: m.Text, places: r.places.Mays[i]}
		for _, f := range m.Funcs {
			p := &Pending{ID: r.str(f.ID), from: from, at: f.At, events: f.Events}
			for _, l := range f.Locks {
				p.Locks = append(p.Locks, PendingLock{r.str(l.I), l.C, l.Done, l.Asked})
			}
			out = append(out, p)
		}
	}
	return out
}

// PendingFuncs lists the functions in the order of their names.
func (im *Imported) PendingFuncs() []*Pending {
	out := make([]*Pending, 0, len(im.Pending))
	for _, id := range sortedKeys(im.Pending) {
		out = append(out, im.Pending[id])
	}
	return out
}

// AnyLock reports whether one of the acquisitions is as asked.
func (p *Pending) AnyLock(is func(PendingLock) bool) bool { return slices.ContainsFunc(p.Locks, is) }
