package prove

import "github.com/fencelint/fencelint/internal/flow"

func init() { leaseChecks = append(leaseChecks, lossSignal) }

// lossSignal reports a hold that does not listen to the end of its lock, though
// nothing stops its writes.
func lossSignal(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if a.Source() != nil && !a.Hold.Library && !a.Source().Hold.Passes() {
			continue
		}
		loss := j.a.Loss(sum.ID, a)
		if !loss.Dropped && !loss.Unasked {
			continue
		}
		if row := j.rows[a]; row != nil {
			row.Signal = "no"
		}
		if !j.open(sum, a) {
			continue
		}
		how := "nothing in the loop under the lock asks for it"
		if loss.Dropped {
			how = "it is thrown away here"
		}
		j.say("losssignal", sum, a.Chain[0], a,
			"{func} is not told when it loses {lock}: the signal is {what}, and {how}. "+
				"When the lock service cannot be reached any more another process acquires the lock, and {func} works on beside it for as long as it runs, since its writes are not refused. "+
				"End the work when the signal comes, and let the receiver refuse what comes after.",
			"{what}", loss.What, "{how}", how)
	}
}

// open reports whether a boundary in the hold is not proved.
func (j *judge) open(sum *flow.Summary, a *flow.Event) bool {
	for _, w := range sum.Events {
		if w.Kind != flow.Write || !holds(w, a) {
			continue
		}
		switch j.decide(&pair{sum: sum, acq: a, w: w}).verdict {
		case refuted, unproved:
			return true
		}
	}
	return false
}

func holds(w, a *flow.Event) bool {
	for _, h := range w.Holds {
		if h == a {
			return true
		}
	}
	return false
}
