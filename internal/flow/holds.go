package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// findHolds walks from each acquisition's success and marks what runs before the
// release.
func (f *fn) findHolds() {
	for _, s := range f.sites {
		for _, a := range s.events {
			switch {
			case a.Kind != Acquire:
			case a.Belief != nil && (a.site.asks != nil || f.startsHold(a)):
				f.believe(a)
			case f.startsHold(a):
				f.hold(a)
			case len(f.behindWaits(a)) > 0:
				f.hold(a)
			case a.src != nil || a.Hold.Region:
				a.Hold.Escapes = false // kept below, or by a goroutine
			}
			if a.Kind == Acquire {
				a.Hold.Given = f.runsParameter(a)
				a.Hold.Region = a.Hold.Given || a.Hold.Region && (a.src == nil || a.src.Hold.Given || a.Hold.Library)
				a.Hold.Forwarded = f.forwards(a)
			}
		}
	}
}

// startsHold reports whether the hold goes on in this function: it acquired by
// the library itself, or was handed the lock by what it called.
func (f *fn) startsHold(a *Event) bool {
	if _, ok := a.site.call.(*ssa.Call); !ok || a.Detached || a.later || a.Async && !a.awaited {
		return false
	}
	if a.src == nil || a.src.Hold == nil {
		return !a.Hold.Region && !f.a.toldByChannel(a.site.call.(*ssa.Call))
	}
	return a.src.Hold.Escapes
}

func (f *fn) hold(a *Event) {
	h := a.Hold
	h.Escapes, h.Success = false, ""
	e := &explorer{f: f}
	t := f.newTenure(a)
	f.a.tenures = append(f.a.tenures, t)
	e.instr = t.note
	e.visit = func(c ssa.CallInstruction, s *state) bool {
		if c == a.site.call {
			return false // acquired anew
		}
		t.note(c, s)
		st := f.bySite[c]
		if st == nil {
			return true
		}
		return f.held(a, st, s)
	}
	e.ret = func(r *ssa.Return, tuple []abs, s *state) {
		if s.flags&atReturn != 0 || f.failing(tuple) || f.undoneAt(e, a, r, s) {
			return
		}
		code := tupleCode(tuple)
		if !h.Escapes {
			h.Escapes, h.Success = true, code
		} else if h.Success != code {
			h.Success = weaker(h.Success, code)
		}
	}
	from := func(in ssa.Instruction, s *state) {
		if f.knowsStates() {
			s.flags |= texts
		}
		if f.releasedEarlier(a) {
			s.flags |= atReturn
		}
		e.after(in, s)
	}
	if f.startsHold(a) {
		from(a.site.call, f.granted(a))
		return
	}
	for _, wait := range f.behindWaits(a) {
		from(wait, f.joinedState(a, wait))
	}
}

// held marks the events of a site as belonging to the hold of a; false if the
// hold ends there.
func (f *fn) held(a *Event, st *site, s *state) bool {
	if a.Kind == May {
		return f.under(a, st, s)
	}
	ends := false
	for _, ev := range st.events {
		if a.endedBy(ev) {
			switch {
			case ev.depends(), ev.Detached: // perhaps, or by whoever is given the function that does
			case s.flags&oneGiven == 0 && f.a.givesOneOfSeveral(a, ev):
				s.flags |= oneGiven
			case ev.Deferred:
				s.flags |= atReturn
			case !ev.Async:
				ends = true
			}
			continue
		}
		if ev != a && !hasEvent(ev.Holds, a) && !st.freed(ev, a) && !f.sends(ev, a) && !ofOtherTypes(ev, a) {
			a.Hold.Works = a.Hold.Works || ev.Kind == Write
			ev.Holds = append(ev.Holds, a)
		}
	}
	return !ends
}

// sends reports whether a call sends the very command that acquires: it was queued before.
func (f *fn) sends(ev, a *Event) bool {
	return ev.Kind == Write && ev.Recv != nil && a.Recv != nil && ev.Key != a.Key && f.sinkKind(ev) == "batch_flush" && SameBatch(ev.Recv, a.Recv)
}

func hasEvent(es []*Event, e *Event) bool {
	for _, x := range es {
		if x == e {
			return true
		}
	}
	return false
}

// failing reports whether a return tuple says that there is no lock.
func (f *fn) failing(tuple []abs) bool {
	n := len(tuple)
	if n == 0 {
		return false
	}
	last := f.f.Signature.Results().At(n - 1).Type()
	return isError(last) && tuple[n-1].k == nonNil || tuple[n-1].failed(last)
}

// weaker joins two result tuples: what they do not share is unknown.
func weaker(a, b string) string {
	x, y := parseTuple(a), parseTuple(b)
	for i := range x {
		if i >= len(y) || x[i].k != y[i].k || x[i].n != y[i].n || (x[i].k == wording || x[i].k == record) && x[i].name != y[i].name {
			x[i] = abs{}
		}
		x[i].sig = false
	}
	return tupleCode(x)
}

// granted is the state in which the acquisition succeeded.
func (f *fn) granted(a *Event) *state {
	s := newState()
	call, ok := a.site.call.(*ssa.Call)
	if !ok {
		return s
	}
	n := call.Common().Signature().Results().Len()
	if n == 0 {
		return s
	}
	tuple := make([]abs, n)
	if a.Kind == May && a.src == nil {
		tuple = likelyGrant(call.Common().Signature())
	} else if a.Entry == Claim || a.Entry == ByHand && a.src == nil {
		tuple = f.claimGranted(a, call)
	} else if a.src != nil {
		for i, v := range parseTuple(a.src.Hold.Success) {
			if i < n {
				v.sig = false
				tuple[i] = v
			}
		}
	} else if l := f.lockEntry(a); l != nil {
		for _, c := range l.OK {
			if c.Path.Root == "ret" && c.Path.Index >= 0 && c.Path.Index < n && len(c.Path.Steps) == 0 {
				tuple[c.Path.Index] = condAbs(c)
			}
		}
		if ans := answerOf(l, call.Common().Signature()); ans != nil {
			tuple = ans.granted
		}
	} else {
		tuple = f.statementGranted(a, tuple)
	}
	s.result(call, tuple)
	return s
}

func (f *fn) lockEntry(a *Event) *model.Lock {
	return f.a.Models.Entry(f.a.known.byKey(a.Key), a.Entry)
}

func condAbs(c model.Cond) abs {
	switch {
	case c.Value == "nil" && c.Op == "==":
		return abs{k: isNil}
	case c.Value == "nil":
		return abs{k: nonNil}
	case c.Value == "true" || c.Value == "false":
		return boolean((c.Value == "true") == (c.Op == "=="))
	}
	return abs{}
}

// releases reports whether the release ends the hold of a: it names the same
// lock or the session that the lock lives in. A release of which it is not known
// what it releases counts if the library is the same.
func releases(r, a *Event) bool {
	if throughPool(r) && !throughPool(a) {
		return false // an unlock on any connection frees nothing on the pinned one
	}
	if r.Entry == scriptEntry {
		return releasesKey(r, a)
	}
	h := a.Hold.Handle
	if r.Entry == ByHand || h != nil && HeldIn(h) != nil {
		return h != nil && r.Recv != nil && slices.ContainsFunc(h.Alternatives(), func(y *term.Term) bool { return sameRow(r.Recv, y) })
	}
	if r.Recv == nil || h == nil {
		return r.Lib == a.Hold.Lib
	}
	for _, x := range r.Recv.Alternatives() {
		x = unbox(x)
		for _, y := range h.Alternatives() {
			y = unbox(y)
			if x.Equal(y) || r.Lib == "sql" && sameSession(x, y) || y.Any(func(u *term.Term) bool { return u.Equal(x) && u.Kind != term.Const }) {
				return true
			}
		}
	}
	return r.Lib == a.Hold.Lib && r.Kind == Release && (unknown(r.Recv) || unknown(h))
}

// sameSession reports whether a transaction was begun on the connection that has a lock of its
// session.
func sameSession(tx, conn *term.Term) bool {
	return tx.Kind == term.Call && len(tx.Args) > 0 && strings.Contains(tx.Str, "Conn.Begin") && unbox(tx.Args[0]).Equal(conn)
}

func unknown(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool { return u.Kind == term.Unknown })
}

// releasedEarlier reports whether a deferred release was registered before the
// acquisition.
func (f *fn) releasedEarlier(a *Event) bool {
	for _, s := range f.sites {
		d, ok := s.call.(*ssa.Defer)
		if !ok || !f.before(d, a.site.call) {
			continue
		}
		for _, ev := range s.events {
			if ev.Kind == Release && releases(ev, a) && !ev.depends() {
				return true
			}
		}
	}
	return false
}

// suppliedByCall reports whether a function value comes with the call: by a parameter
// or in one, but not in the receiver, which was supplied when the object was made, and
// not what a function made of a parameter.
func (f *fn) suppliedByCall(t *term.Term) bool {
	switch t.Kind {
	case term.Free:
		return true
	case term.Param:
		return t.N > 0 || f.f == nil || f.f.Signature.Recv() == nil
	case term.Call:
		return false
	case term.Field:
		if f.ofObject(t.Args[0]) {
			return false
		}
	}
	return slices.ContainsFunc(t.Args, f.suppliedByCall)
}

// ofObject reports whether what the caller hands over is an object with methods of its
// own, and no bundle of settings for the call: its functions came with it.
func (f *fn) ofObject(t *term.Term) bool {
	if f.f == nil {
		return false
	}
	var typ types.Type
	switch {
	case t.Kind == term.Param && t.N < len(f.f.Params):
		typ = f.f.Params[t.N].Type()
	case t.Kind == term.Free && t.N < len(f.f.FreeVars):
		typ = f.f.FreeVars[t.N].Type()
	default:
		return false
	}
	for {
		p, ok := typ.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		typ = p.Elem()
	}
	is, ok := f.a.objects[typ]
	if !ok {
		_, isStruct := typ.Underlying().(*types.Struct)
		is = isStruct && types.NewMethodSet(types.NewPointer(typ)).Len() > 0
		f.a.objects[typ] = is
	}
	return is
}

// isTask reports whether what is called is an object that the caller hands over only to
// have it run: its interface has no other method.
func isTask(c ssa.CallInstruction, e *Event) bool {
	if c == nil || !c.Common().IsInvoke() || e.src != nil || e.Recv == nil || e.Recv.Kind != term.Param {
		return false
	}
	iface, ok := c.Common().Value.Type().Underlying().(*types.Interface)
	return ok && iface.NumMethods() == 1 && taskWords.MatchString(e.Dyn.Method)
}

// taskWords are the names of methods that run a task.
var taskWords = pattern.New(`^(Run|Do|Exec|Execute|Call|Process|Perform|Handle|Invoke|Work|Start|Apply)`)

// runsParameter reports whether a function that the caller supplied runs in the
// hold of a.
func (f *fn) runsParameter(a *Event) bool {
	for _, s := range f.sites {
		for _, ev := range s.events {
			if ev.Kind == Dyn && (ev.Dyn.Method == "" || isTask(s.call, ev)) && (hasEvent(ev.Holds, a) || hasEvent(ev.Under, a)) && f.suppliedByCall(ev.Recv) {
				return true
			}
		}
	}
	return false
}
