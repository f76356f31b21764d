package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// lockConversions judges the holds of locks that are acquired through an interface,
// where the type whose method acquires is converted to it.
func (j *judge) lockConversions(own []*flow.Summary) {
	if len(j.a.Conversions) == 0 {
		return
	}
	all := slices.Clone(own)
	for _, id := range sortedIDs(j.a.Imported.Funcs) {
		all = append(all, j.a.Imported.Funcs[id])
	}
	for _, s := range all {
		for _, d := range s.Events {
			if d.Kind == flow.Dyn && d.Dyn.Method != "" && len(d.Chain) == 1 {
				j.acquiredThrough(s, d)
			}
		}
	}
}

func sortedIDs(m map[string]*flow.Summary) []string {
	out := make([]string, 0, len(m))
	for id := range m {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

func (j *judge) acquiredThrough(s *flow.Summary, d *flow.Event) {
	for _, c := range j.conversionsTo(d.Dyn.Iface) {
		for _, got := range j.a.Acquires(s, d, c) {
			if got.Acq.Hold.Lock == nil {
				got.Acq.Hold.Lock = classWithin(got.Acq)
			}
			j.interfaceRow(d, got)
			for _, w := range got.Writes {
				j.underInterface(s, c, got.Acq, w)
			}
		}
	}
}

// interfaceRow notes the acquisition in the register, at the call.
func (j *judge) interfaceRow(d *flow.Event, got flow.Acquired) {
	row := &Row{Place: d.Chain[0].Place, Library: got.Acq.Hold.Lib, Idiom: "interface", Signal: "unknown", Role: "acquisition"}
	if l := got.Acq.Hold.Lock; l != nil {
		row.Class, row.Contract = l.Class, l.Contract
	}
	j.rows[got.Acq] = row
	j.order = append(j.order, got.Acq)
}

func (j *judge) underInterface(s *flow.Summary, c flow.Conversion, acq, w *flow.Event) {
	p := &pair{sum: s, acq: acq, w: w}
	w.Holds = append(w.Holds, acq)
	if w.Kind == flow.Dyn {
		if w.Dyn.Iface == "" || endsWith(w.Dyn.Method) {
			return
		}
		o := &flow.Obligation{
			ID: strings.Join([]string{plainName(s.ID), acq.Key, w.Key, w.Site}, "|"), Hold: acq, Call: w,
		}
		if w.Recv.Kind == term.Iface { // a method of the lease itself, most of the time
			here := flow.Conversion{Type: w.Recv.Str, Iface: w.Dyn.Iface, Pos: c.Pos, Place: c.Place, Value: w.Recv.Args[0]}
			j.discharge(o, here, func(q *pair, d decision) { j.reportAt(c.Pos, q, d) })
			return
		}
		j.duties = append(j.duties, o)
		j.late = append(j.late, o)
		return
	}
	if w.Kind != flow.Write || j.mints(p) {
		return
	}
	d := j.decide(p)
	if d.verdict == silent {
		return
	}
	j.record(p, d)
	if d.rule != "" && d.verdict != waiting && p.class().Class == "correctness" {
		j.reportAt(c.Pos, p, d)
	}
}

// endsWith reports whether a method gives a lock back rather than writes.
func endsWith(method string) bool {
	m := strings.ToLower(method)
	for _, w := range []string{"release", "unlock", "resign", "close"} {
		if strings.Contains(m, w) {
			return true
		}
	}
	return false
}
