package flow

import "slices"

// believed finds the carriers of the package and summarises anew while there are more
// of them: what runs under one may set another.
func (a *Analysis) believed() {
	asked := a.asksLibraries()
	for range maxRounds {
		if !slices.ContainsFunc(a.tenures, a.tells) && !asked && !a.entered() && len(a.lockers()) == 0 && len(a.Imported.beliefs()) == 0 {
			return
		}
		if a.places == nil {
			a.places = newPlaces(a)
		}
		n := len(a.carriers)
		a.findCarriers()
		if len(a.carriers) == n && !asked {
			return
		}
		stale := a.askCarriers()
		if len(stale) == 0 {
			return
		}
		asked = false
		a.summariseAnew(stale)
	}
}

// maxRounds bounds how often a belief is handed on.
const maxRounds = 4

// entered reports whether a function of the package is run by a region.
func (a *Analysis) entered() bool {
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if len(e.entries) > 0 {
				return true
			}
		}
	}
	return false
}

// summariseAnew does so for functions that ask a carrier, and for those that took their
// summaries into theirs.
func (a *Analysis) summariseAnew(stale map[*fn]bool) {
	a.tenures = slices.DeleteFunc(a.tenures, func(t *tenure) bool { return stale[t.f] })
	for f := range stale {
		if f.cyclic || f.partial {
			f.reset() // they may lack what a function said that was under way
		} else {
			f.again()
		}
		f.cyclic, f.sum = false, nil
	}
	a.redo(stale)
	a.again(stale)
}

// withUsers adds to all the functions whose summaries have what those of some say, each
// with the literals in it and the function around it: they see each other's variables.
func withUsers(all map[*fn]bool, some []*fn) {
	for work := slices.Clone(some); len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if all[f] {
			continue
		}
		all[f] = true
		for u := range f.users {
			work = append(work, u)
		}
		if p := f.f.Parent(); p != nil {
			work = append(work, f.a.function(p))
		}
		for _, lit := range f.f.AnonFuncs {
			work = append(work, f.a.function(lit))
		}
	}
}
