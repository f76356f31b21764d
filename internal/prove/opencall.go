package prove

import "github.com/fencelint/fencelint/internal/flow"

// underOpen notes what happens while a lock is held that is open.
func (j *judge) underOpen(p *pair) {
	switch {
	case p.w.Kind == flow.Write && !j.mints(p):
		if d := j.decide(p); d.verdict != silent {
			j.record(p, d)
		}
	case p.w.Kind == flow.Dyn && p.w.Dyn.Iface != "" && !endsSomething(p.w):
		j.openCall(p)
	}
}

// openCall notes what a call through an interface does, under a lock that is open, for the
// types that are known.
func (j *judge) openCall(p *pair) {
	same := j.ofTransaction(p)
	if same && ends[p.w.Dyn.Method] {
		return
	}
	types := j.typesOf(p.w)
	for _, c := range types {
		j.implemented(&flow.Obligation{Hold: p.acq, Call: p.w}, c, func(q *pair, d decision) {
			if same {
				d = carriedAlong(d)
			}
			j.record(q, d)
		})
	}
	if len(types) > 0 || !mayWrite(p.w) {
		return
	}
	d := j.unimplemented(p)
	if same {
		d = carriedAlong(d)
	}
	j.record(p, d)
}

// ends are the ways in which a transaction ends, and its locks with it.
var ends = map[string]bool{"Commit": true, "Rollback": true}

// ofTransaction reports whether a call is made on the very value through which the lock was
// taken, and that is a transaction by its form: its interface can commit and roll back.
func (j *judge) ofTransaction(p *pair) bool {
	if p.acq.Dyn == nil || p.w.Recv == nil || p.acq.Recv == nil || vague(unboxed(p.acq.Recv)) || !unboxed(p.w.Recv).Equal(unboxed(p.acq.Recv)) {
		return false
	}
	for name := range ends {
		if !j.ending(p.acq, func(n string) bool { return n == name }) {
			return false
		}
	}
	return true
}

// carriedAlong is the decision about what goes through the transaction that took the lock.
// That it is one transaction of the database is not seen.
func carriedAlong(d decision) decision {
	if d.verdict == proved {
		return d
	}
	d.verdict, d.guard, d.rule = unproved, "session", ""
	d.reason = "the transaction that took the lock carries the write, and what it is at the database is not in sight"
	return d
}
