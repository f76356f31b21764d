package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A guard may stand behind the writes that it guards, as long as nothing is committed
// without it. What is followed here is the way from a write to the commits of its
// transaction, and, for a caller that commits, to the returns without an error.

// maxSealed bounds the writes of a function that are followed.
const maxSealed = 40

// seal finds, for each write, the writes that every way to a commit meets.
func (f *fn) seal(sum *Summary) {
	sl := &sealer{fn: f, walks: make(map[walkKey]destinations)}
	var ws []*Event
	for _, e := range sum.Events {
		switch {
		case e.site.call == nil:
		case e.Kind == Commit:
			sl.commits = append(sl.commits, e)
		case e.Kind == Write && f.carried(e):
			ws = append(ws, e)
		}
	}
	if len(ws) > maxSealed {
		ws = nil
	}
	for _, e := range sum.Events {
		if e.Kind == Dyn && e.site.call != nil {
			sl.dyn(e)
		}
	}
	type found struct{ sealed, settled []*Event }
	all := make([]found, len(ws))
	for i, w := range ws {
		all[i].sealed, all[i].settled = sl.of(w, ws)
	}
	for _, e := range sum.Events {
		if e.Kind == Write {
			e.Committed = e.Committed || len(sl.followers(e)) > 0
			e.Sealed, e.Settled = sl.kept(e), nil
		}
	}
	for i, w := range ws {
		w.Sealed, w.Settled = all[i].sealed, all[i].settled
	}
}

// carried leaves out writes that go through a pool, each on its own.
func (f *fn) carried(e *Event) bool {
	c := f.a.known.byKey(e.Key)
	if c == nil || c.Sink == nil || !strings.Contains(c.Sink.Boundary, "store") || e.Recv == nil || e.Detached {
		return false
	}
	return c.Sink.Carrier != "pool" || poolsToo[c.Sink.Lib]
}

// poolsToo are the libraries whose type for a pool is that for a transaction.
var poolsToo = set("gorm", "gorm-v1", "upper-db")

type sealer struct {
	*fn
	commits []*Event
	walks   map[walkKey]destinations
}

type walkKey struct {
	from, past ssa.Instruction
	unit       string
	how        int
}

// destinations says where the ways from a call lead.
type destinations struct{ commits, succeeds bool }

// kept is what was found for a write in the called function, where no commit of this
// one comes after it.
func (sl *sealer) kept(e *Event) []*Event {
	if len(sl.followers(e)) > 0 {
		return nil
	}
	return e.Sealed
}

// followers lists the calls of this function behind a write that may commit it.
func (sl *sealer) followers(w *Event) []*site {
	var out []*site
	for _, c := range sl.commits {
		if c.site != w.site && mayFollow(w, c) && mayBeOne(c.Recv, w.Recv) && !slices.Contains(out, c.site) {
			out = append(out, c.site)
		}
	}
	return out
}

// mayBeOne reports whether two terms may stand for one transaction: they do not if
// they were begun by two calls.
func mayBeOne(a, b *term.Term) bool {
	if a == nil || b == nil {
		return true
	}
	a, b = unbox(a), unbox(b)
	return a.Kind != term.Call || b.Kind != term.Call || a.Any(b.Equal) || b.Any(a.Equal)
}

// of finds the writes behind w without which nothing is committed, and those without
// which the function returns an error.
func (sl *sealer) of(w *Event, ws []*Event) (sealed, settled []*Event) {
	if _, ok := w.site.call.(*ssa.Call); !ok || w.Async {
		return nil, nil
	}
	ends := sl.followers(w)
	if len(ends) == 0 {
		sealed = w.Sealed
	}
	for _, g := range ws {
		c, r := sl.between(w, g, ends)
		if c && len(ends) > 0 && (!w.Committed || hasEvent(w.Sealed, g)) {
			sealed = append(sealed, g)
		}
		if r {
			settled = append(settled, g)
		}
	}
	return sealed, settled
}

// between reports whether every way from w to a commit, and to a success, meets g.
func (sl *sealer) between(w, g *Event, ends []*site) (commit, success bool) {
	call, ok := g.site.call.(*ssa.Call)
	if !ok || g == w || g.Async {
		return false, false
	}
	if g.site == w.site {
		if !hasEvent(w.Settled, g) {
			return false, false
		}
		fail := sl.failing(call, w, ends)
		return !fail.commits, !fail.succeeds
	}
	if !g.certain() || !comesAfter(w.site.call, call) {
		return false, false
	}
	past := sl.walk(walkKey{from: w.site.call, past: call, unit: sl.unitKey(w, ends)}, knownAt(w.site.call), w, ends)
	if past.commits && past.succeeds {
		return false, false
	}
	fail := destinations{}
	if g.src != nil || errorTuple(call.Common().Signature()) != nil { // else the answer carries the error, as it does the refusal
		fail = sl.failing(call, w, ends)
	}
	refused := sl.refused(g, w, ends)
	return !past.commits && !fail.commits && !refused.commits, !past.succeeds && !fail.succeeds && !refused.succeeds
}

// unitKey tells walks apart that look for the commits of different transactions.
func (sl *sealer) unitKey(w *Event, ends []*site) string {
	key := ""
	if w.Recv != nil {
		key = w.Recv.Key()
	}
	for _, s := range ends {
		key += "|" + sl.siteOf(s.call)
	}
	return key
}

// knownAt is what the branches say that every way to a call has taken.
func knownAt(call ssa.CallInstruction) *state {
	s := newState()
	b := call.Block()
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for i, want := range []bool{true, false} {
			if next := d.Succs[i]; len(next.Preds) == 1 && next.Dominates(b) {
				s.learn(cond.Cond, want)
			}
		}
	}
	return s
}

// failing follows the error of a call.
func (sl *sealer) failing(call *ssa.Call, w *Event, ends []*site) destinations {
	t := errorTuple(call.Common().Signature())
	if t == nil {
		return destinations{true, true}
	}
	s := newState()
	s.result(call, t)
	return sl.walk(walkKey{from: call, unit: sl.unitKey(w, ends), how: 1}, s, w, ends)
}

func errorTuple(sig *types.Signature) []abs {
	n := sig.Results().Len()
	if n == 0 || !isError(sig.Results().At(n-1).Type()) {
		return nil
	}
	t := make([]abs, n)
	t[n-1] = abs{k: nonNil, sig: true}
	return t
}

// refused follows the refusals of a write.
func (sl *sealer) refused(g, w *Event, ends []*site) destinations {
	starts := sl.starts(g)
	if len(starts) == 0 {
		return destinations{true, true}
	}
	out := destinations{}
	call := g.site.call.(*ssa.Call)
	for i, st := range starts {
		s := newState()
		s.flags = st.flags
		if len(st.tuple) == call.Common().Signature().Results().Len() {
			s.result(call, st.tuple)
		}
		got := sl.walk(walkKey{from: call, unit: sl.unitKey(w, ends) + "|" + g.Key + tupleCode(st.tuple), how: 2 + i}, s, w, ends)
		out.commits, out.succeeds = out.commits || got.commits, out.succeeds || got.succeeds
	}
	return out
}

// walk follows the ways on from a call: to the commits among ends, and to the returns
// without an error. It stops at the call past, and where the transaction is begun anew.
func (sl *sealer) walk(k walkKey, s *state, w *Event, ends []*site) destinations {
	if got, ok := sl.walks[k]; ok {
		return got
	}
	out := destinations{}
	x := &explorer{f: sl.fn}
	x.visit = func(c ssa.CallInstruction, _ *state) bool {
		if c == k.past || sl.begins(c, w) {
			return false
		}
		if slices.Contains(ends, sl.bySite[c]) {
			if _, later := c.(*ssa.Defer); !later {
				out.commits, x.done = true, out.succeeds
				return false
			}
		}
		return true
	}
	x.leaves = func(at *ssa.RunDefers, s *state) {
		for _, e := range ends {
			if d, ok := e.call.(*ssa.Defer); ok && !out.commits {
				out.commits = sl.commitsAtEnd(x, d, at, s)
			}
		}
	}
	x.ret = func(_ *ssa.Return, tuple []abs, _ *state) {
		n := len(tuple)
		if n == 0 || !isError(sl.f.Signature.Results().At(n-1).Type()) || tuple[n-1].k != nonNil {
			out.succeeds, x.done = true, out.commits || len(ends) == 0
		}
	}
	x.after(k.from, s)
	if x.capped {
		out = destinations{true, true}
	}
	sl.walks[k] = out
	return out
}

// begins reports whether a call begins the transaction of w.
func (sl *sealer) begins(c ssa.CallInstruction, w *Event) bool {
	s := sl.bySite[c]
	if s == nil || w.Recv == nil || !slices.ContainsFunc(s.events, func(e *Event) bool { return e.Kind == Begin }) {
		return false
	}
	site := sl.siteOf(c)
	return w.Recv.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.Site == site })
}

// commitsAtEnd reports whether a deferred function commits in a state.
func (sl *sealer) commitsAtEnd(x *explorer, d *ssa.Defer, at *ssa.RunDefers, s *state) bool {
	if !d.Block().Dominates(at.Block()) && !comesAfter(d, at) {
		return false
	}
	entry := newState()
	var body *ssa.Function
	hand := func(to, from ssa.Value) {
		if a, ok := s.cells.get(from); ok {
			entry.cells.put(to, a)
		} else {
			entry.set(to, s.of(from))
		}
	}
	switch v := d.Call.Value.(type) {
	case *ssa.MakeClosure:
		body, _ = v.Fn.(*ssa.Function)
		for i, b := range v.Bindings {
			hand(body.FreeVars[i], b)
		}
	case *ssa.Function:
		body = origin(v)
	}
	if body == nil || body.Blocks == nil || x.depth >= maxDepth {
		return true
	}
	inner := sl.a.function(body)
	if inner.bySite == nil {
		return true
	}
	for i, a := range d.Call.Args {
		if i < len(body.Params) {
			hand(body.Params[i], a)
		}
	}
	found := false
	y := &explorer{f: inner, depth: x.depth + 1}
	y.visit = func(c ssa.CallInstruction, _ *state) bool {
		if site := inner.bySite[c]; site != nil && slices.ContainsFunc(site.events, func(e *Event) bool { return e.Kind == Commit }) {
			found = true
		}
		return !found
	}
	y.fromEntry(entry)
	return found || y.capped
}

// dyn notes of a call without a known target what becomes of the error that it
// returns.
func (sl *sealer) dyn(d *Event) {
	call, ok := d.site.call.(*ssa.Call)
	var ends []*site
	for _, c := range sl.commits {
		if c.site != d.site && mayFollow(d, c) && !slices.Contains(ends, c.site) {
			ends = append(ends, c.site)
		}
	}
	halts, fails := !d.Committed || d.Halts, d.src == nil || d.Fails
	d.Committed = d.Committed || len(ends) > 0
	d.Halts, d.Fails = false, false
	if !ok || d.Async {
		return
	}
	fail := sl.failing(call, anyEvent, ends)
	d.Halts, d.Fails = halts && !fail.commits, fails && !fail.succeeds
}

// anyEvent stands for one that has a part in no transaction.
var anyEvent = new(Event)

// placed carries over what is known of a write in the function d calls to the one
// that calls it.
func (e *Event) placed(d *Event) {
	if d.Committed {
		sealed := e.Settled
		if e.Committed {
			sealed = slices.DeleteFunc(slices.Clone(sealed), func(g *Event) bool { return !hasEvent(e.Sealed, g) })
		}
		e.Sealed, e.Committed = nil, true
		if d.Halts {
			e.Sealed = sealed
		}
	}
	if !d.Fails {
		e.Settled = nil
	}
}

// begun is the same for a library that runs a function in a transaction, and commits
// where it returns no error.
func (e *Event) begun(commits bool) {
	if !commits {
		e.Settled = nil
		return
	}
	if !e.Committed {
		e.Sealed, e.Committed = e.Settled, true
	}
}
