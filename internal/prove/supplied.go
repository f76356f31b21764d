package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// supplied judges a call of a function that a field holds, in a hold, by the
// functions which this package puts into that field. A literal is judged where it
// writes, a function or method value where it is put in.
func (j *judge) supplied(p *pair) bool {
	if p.w.Recv == nil || p.w.Recv.Kind != term.Field {
		return false
	}
	found := false
	for _, s := range j.a.Supplies(p.w.Recv.Str) {
		if s.Test {
			continue
		}
		for _, w := range j.a.Supplied(p.acq, p.w, s.Value) {
			found = true
			if w.Kind == flow.Write {
				j.judgeSupplied(p, w, s)
			}
		}
	}
	return found
}

func (j *judge) judgeSupplied(p *pair, w *flow.Event, s flow.Supply) {
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
	pos := s.Pos
	if own := w.Chain[len(p.w.Chain)]; s.Value.Kind == term.Closure && own.Pos.IsValid() {
		pos = own.Pos
	}
	j.reportAt(pos, q, d)
}
