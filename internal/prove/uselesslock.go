package prove

import (
	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// uselessLocks reports lock directives at statements in which no lock is acquired or
// made: who wrote one believes that the writes behind it are checked, and they are not.
func (j *judge) uselessLocks(sums []*flow.Summary) {
	useful := map[*classify.Lock]bool{}
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind == flow.Write || len(e.Chain) == 0 {
				continue
			}
			useful[j.set.Stmt(e.Chain[0].Pos)] = true
			if e.Hold == nil {
				continue
			}
			for _, h := range e.Hold.Handle.Alternatives() {
				j.made(h, useful)
			}
		}
	}
	for _, l := range j.set.StmtLocks() {
		if !useful[l] && !l.Dir.Faulty() {
			const message = "no lock that fencelint knows is acquired or made in this statement, so the directive classifies nothing; " +
				"put //fencelint:acquires on the function that acquires it, or describe its library in fencelint.yaml"
			j.add(Finding{Rule: "fencedirective", Pos: l.Dir.Pos, End: l.Dir.End, Message: message, Key: "fencedirective|" + message})
		}
	}
}

// made notes the directives at the calls that made a handle.
func (j *judge) made(h *term.Term, useful map[*classify.Lock]bool) {
	for h.Kind == term.Iface {
		h = h.Args[0]
	}
	if n := flow.Name(h); n != nil {
		h = n
	}
	if h.Kind == term.Call {
		if pos, ok := j.a.SitePos(h.Site); ok {
			useful[j.set.Stmt(pos)] = true
		}
	}
}
