package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// handing hands on what the fact of an imported package says of functions, into the fact
// of this one. Nothing of it is looked at: strings, terms and places have other numbers
// there, and all else stays as it is. Drivers give a package the facts of its direct
// imports only, so that most of a fact is handed on, and to make summaries of it first cost
// more than what the package itself had to say.
type handing struct {
	r *reader
	w *writer
	// The numbers in the new fact by those in the old one; 0 for none yet. Places begin
	// at 0, and stand here one higher.
	strs, terms, places []int
	room, parts         room[int] // for what is read of functions, and of terms
}

// Summaries are those of the functions in the fact, with those that are handed on.
func (f *Fact) Summaries() []*Summary {
	out := slices.Clone(f.Funcs)
	done := make(map[string]bool)
	for queue := f.Handed; len(queue) > 0; queue = queue[1:] {
		s := f.imported.fn(queue[0])
		if s == nil || done[s.ID] {
			continue
		}
		done[s.ID] = true
		out = append(out, s)
		s.names(func(id string) { queue = append(queue, id) })
	}
	return out
}

// sizeHanded is about how many strings a fact has for the functions that are handed on: as
// many as the largest of those facts from which they come.
func (f *Fact) sizeHanded() int {
	n := 0
	for _, id := range f.Handed {
		if fn := f.imported.funcs[id]; fn != nil {
			n = max(n, len(fn.r.wire.Strings))
		}
	}
	return n
}

// hand writes the functions that the package hands on, and those that their terms name.
func (w *writer) hand(f *Fact) {
	if len(f.Handed) == 0 {
		return
	}
	from := make(map[*reader]*handing)
	done := make(map[string]bool)
	for queue := f.Handed; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		fn := f.imported.funcs[id]
		if fn == nil || done[id] {
			continue
		}
		done[id] = true
		h := from[fn.r]
		if h == nil {
			h = &handing{
				r: fn.r, w: w, strs: make([]int, len(fn.r.wire.Strings)), terms: make([]int, len(fn.r.terms)),
				places: make([]int, len(fn.r.places.Places)),
			}
			from[fn.r] = h
		}
		w.out.Funcs = append(w.out.Funcs, h.entry(fn.entry))
		queue = append(queue, w.named...)
		w.named = nil
	}
	slices.SortFunc(w.out.Funcs, func(a, b wireEntry) int { return cmp.Compare(w.textOf(a.ID), w.textOf(b.ID)) })
}

func (h *handing) entry(e *wireEntry) wireEntry {
	var f wireFunc
	c := coder{in: e.Text, reads: true, room: h.room, as: h}
	f.code(&c)
	h.room = c.room
	h.r.bad = h.r.bad || c.err != nil || len(c.in) > 0
	for i := range f.E {
		if f.E[i].K == Write {
			h.w.writes(&f.E[i])
		}
	}
	h.w.fnText.out = h.w.fnText.out[:0]
	f.code(&h.w.fnText)
	h.room.clear()
	h.parts.clear()
	return wireEntry{f.ID, e.Takes, string(h.w.fnText.out)}
}

func (h *handing) str(n int) int {
	if n <= 0 || n > len(h.strs) {
		return h.w.str(h.r.str(n))
	}
	if h.strs[n-1] == 0 {
		h.strs[n-1] = h.w.str(h.r.str(n))
	}
	return h.strs[n-1]
}

func (h *handing) place(n int) int {
	if n < 0 || n >= len(h.places) {
		return h.w.place(h.r.place(n))
	}
	if h.places[n] == 0 {
		h.places[n] = h.w.place(h.r.place(n)) + 1
	}
	return h.places[n] - 1
}

func (h *handing) term(n int) int {
	if n <= 0 || n > len(h.terms) {
		h.r.bad = h.r.bad || n != 0
		return 0
	}
	if h.terms[n-1] == 0 {
		h.terms[n-1] = h.newTerm(n)
	}
	return h.terms[n-1]
}

func (h *handing) newTerm(n int) int {
	var t wireTerm
	c := coder{in: h.r.wire.Terms[n-1], reads: true, room: h.parts}
	t.code(&c)
	h.parts = c.room
	if c.err != nil || len(c.in) > 0 || slices.ContainsFunc(t.A, func(part int) bool { return part >= n }) {
		h.r.bad = true
		return 0
	}
	t.S, t.T, t.C = h.str(t.S), h.str(t.T), h.str(t.C)
	for i, name := range t.F {
		t.F[i] = h.str(name)
	}
	for i, part := range t.A {
		t.A[i] = h.term(part)
	}
	w := h.w
	w.text.out = w.text.out[:0]
	t.code(&w.text)
	number := w.written()
	w.met(&t, number)
	return number
}

// met notes what a handed term names: functions, which are handed on as well, and records.
func (w *writer) met(t *wireTerm, number int) {
	var records []string
	switch t.K {
	case term.Func, term.Closure, term.Bound:
		w.named = append(w.named, w.textOf(t.S))
	case term.Iface, term.Struct:
		records = append(records, strings.TrimPrefix(w.textOf(t.S), "*"))
	}
	for _, part := range t.A {
		for _, name := range w.records[part] {
			if !slices.Contains(records, name) {
				records = append(records, name)
			}
		}
	}
	if len(records) == 0 {
		return
	}
	if w.records == nil {
		w.records = make(map[int][]string)
	}
	w.records[number] = records
}

// textOf is the string with a number.
func (w *writer) textOf(n int) string {
	if n == 0 {
		return ""
	}
	return w.out.Strings[n-1]
}

// writes notes the records that a handed event writes.
func (w *writer) writes(e *wireEvent) {
	for _, t := range append(slices.Clip(e.Args), e.Recv) {
		for _, name := range w.records[t] {
			if w.inWrites == nil {
				w.inWrites = make(map[string]bool)
			}
			w.inWrites[name] = true
		}
	}
}
