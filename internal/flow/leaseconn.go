package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A lock of a database session stays when its connection goes back to the pool.

// HandedBack lists the calls by which the function with this id gives the
// connection of a session lock back without having unlocked on it.
func (a *Analysis) HandedBack(id string, acq *Event) []*Event {
	f := a.byID[id]
	if f == nil || acq.site == nil || acq.site.call == nil {
		return nil
	}
	var out []*Event
	add := func(e *Event) {
		if e != nil && !hasEvent(out, e) {
			out = append(out, e)
		}
	}
	x := &explorer{f: f}
	x.visit = func(c ssa.CallInstruction, s *state) bool {
		_, deferred := c.(*ssa.Defer)
		switch {
		case c == acq.site.call:
			return false
		case f.unlocks(c, acq) && deferred:
			s.flags |= atReturn
		case f.unlocks(c, acq):
			return false
		case !deferred:
			if e := f.handsBack(c, acq); e != nil {
				add(e)
				return false
			}
		}
		return true
	}
	x.ret = func(r *ssa.Return, _ []abs, s *state) {
		if s.flags&atReturn != 0 {
			return
		}
		for _, d := range f.deferredBefore(r) {
			add(f.handsBack(d.(*ssa.Defer), acq))
		}
	}
	x.after(acq.site.call, f.granted(acq))
	if x.capped {
		return nil
	}
	return out
}

// unlocks reports whether a call unlocks on the connection, or ends its session.
func (f *fn) unlocks(c ssa.CallInstruction, acq *Event) bool {
	if st := f.bySite[c]; st != nil {
		for _, e := range st.events {
			if e.Kind == Release && !closes[e.Entry] && releases(e, acq) {
				return true
			}
		}
	}
	return f.endsSession(c)
}

var closes = set("close", "rollback")

// endsSession reports whether a call makes the pool drop the connection.
func (f *fn) endsSession(c ssa.CallInstruction) bool {
	if ends(callKey(c.Common())) {
		return true
	}
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Parent() == nil {
		return false
	}
	found := false
	f.a.function(origin(callee)).everyCall(func(_ *fn, k ssa.CallInstruction) { found = found || ends(callKey(k.Common())) })
	return found
}

func ends(key string) bool {
	return strings.HasSuffix(key, "sql.Conn.Raw") || strings.HasSuffix(key, "/pgxpool.Conn.Hijack") || strings.HasSuffix(key, "/pgx/v5.Conn.Close")
}

// handsBack is the event by which a call gives the connection back, nil if it does not.
func (f *fn) handsBack(c ssa.CallInstruction, acq *Event) *Event {
	st := f.bySite[c]
	if st == nil || f.endsSession(c) {
		return nil
	}
	for _, e := range st.events {
		if e.Kind == Release && e.Entry == "close" && e.Recv != nil && unbox(e.Recv).Equal(unbox(acq.Hold.Handle)) {
			return e
		}
	}
	return nil
}

// statementGranted is the state after a statement that took a lock: no error, or a
// row that is there and says yes.
func (f *fn) statementGranted(a *Event, tuple []abs) []abs {
	c := f.a.known.byKey(a.Key)
	if a.src != nil || c == nil || c.Sink == nil {
		return tuple
	}
	if c.Sink.Kind == "query_row" && len(tuple) == 1 {
		tuple[0] = abs{k: granted}
	}
	if n := len(tuple); n > 0 && isError(a.site.call.Common().Signature().Results().At(n-1).Type()) {
		tuple[n-1] = abs{k: isNil}
	}
	return tuple
}

// throughPool reports whether a statement goes through a pool of connections.
func throughPool(e *Event) bool {
	return e.Lib == "sql" && (strings.Contains(e.Key, "/sql.DB.") || strings.Contains(e.Key, "/pgxpool.Pool.") || strings.Contains(e.Key, "/sqlx.DB."))
}
