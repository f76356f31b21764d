package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Outlives reports whether an event that runs beside its function, in the hold of
// an acquisition of the function with this id, can still run when the lock has
// been given back; and where it is started, NoPos if that is in another function.
func (a *Analysis) Outlives(id string, w, acq *Event) (token.Pos, bool) {
	f := a.byID[id]
	if f == nil || w.site == nil || w.site.call == nil || acq.site == nil || !w.Async {
		return token.NoPos, false
	}
	if w.src != nil && w.src.Async && a.joinedBelow(w.src) {
		return token.NoPos, false
	}
	start := a.starter(w)
	if acq.Async && a.starter(acq) == start {
		return token.NoPos, false // what is started takes the lock itself
	}
	if acq.site == w.site {
		if !a.regionReleases(acq) || start != nil && a.joins(start) {
			return token.NoPos, false
		}
	} else if !f.releaseFollows(w.site.call, acq) {
		return token.NoPos, false
	}
	if start != nil && outermost(start.Parent()) == outermost(f.f) {
		return a.startPos(start), true
	}
	return token.NoPos, true
}

// startPos is where a reader sees that something is started.
func (a *Analysis) startPos(c ssa.CallInstruction) token.Pos {
	if g, ok := c.(*ssa.Go); ok {
		return g.Pos()
	}
	return a.callPos(c)
}

// starter is the instruction that starts what runs beside, nil if it is not seen.
func (a *Analysis) starter(w *Event) ssa.CallInstruction {
	for w.src != nil && w.src.Async {
		w = w.src
	}
	if w.site == nil {
		return nil
	}
	return w.site.call
}

// joinedBelow reports whether a called function waits for what it started.
func (a *Analysis) joinedBelow(w *Event) bool {
	for ; w != nil && w.Async; w = w.src {
		if w.Joined {
			return true
		}
	}
	return false
}

// regionReleases reports whether the called function gives the lock back before
// it returns.
func (a *Analysis) regionReleases(acq *Event) bool {
	if acq.src != nil {
		return acq.src.Hold != nil && !acq.src.Hold.Escapes
	}
	f := a.function(acq.site.call.Parent())
	l := f.lockEntry(acq)
	if l == nil || l.Role != model.RoleRegion {
		return false
	}
	if l.Lib != "leaderelection" {
		return true
	}
	config := l.Callback // the lease is given up only where the configuration says so
	config.Steps = []model.Step{{Name: "ReleaseOnCancel"}}
	given := f.pathOf(config, acq)
	return given != nil && given.Kind == term.Const && given.Str == "true"
}

// markJoined notes which of the events that run beside the function have ended
// when it returns.
func (f *fn) markJoined() {
	done := make(map[ssa.CallInstruction]bool)
	for _, s := range f.sites {
		for _, e := range s.events {
			if !e.Async || e.Detached || s.call == nil {
				continue
			}
			if e.awaited {
				e.Joined = true
				continue
			}
			j, known := done[s.call]
			if !known {
				j = f.a.joins(s.call)
				done[s.call] = j
			}
			e.Joined = j
		}
	}
}

// joins reports whether every way from a start to a return waits for it.
func (a *Analysis) joins(c ssa.CallInstruction) bool {
	f := a.function(c.Parent())
	if f.deferredJoin(c, nil) {
		return true
	}
	return !f.leads(c, func(in ssa.Instruction) bool { _, ok := in.(*ssa.Return); return ok }, f.waitsFor(c))
}

// waitsFor tells of instructions whether they wait for what was started at c. A loop that
// takes an answer in each round does where it begins: it has as many rounds as the loop
// that starts.
func (f *fn) waitsFor(c ssa.CallInstruction) func(ssa.Instruction) bool {
	heads := make(map[*ssa.BasicBlock]bool)
	if inLoop(c.Block()) {
		for _, b := range f.f.Blocks {
			for _, in := range b.Instrs {
				if u, ok := in.(*ssa.UnOp); ok && u.Op == token.ARROW && f.joinOf(in, c) {
					if h := loopHead(b); h != nil && !h.Dominates(c.Block()) {
						heads[h] = true
					}
				}
			}
		}
	}
	return func(in ssa.Instruction) bool { return heads[in.Block()] || f.joinOf(in, c) }
}

// loopHead is the first block of the innermost loop that a block is in, nil if it is in
// none.
func loopHead(b *ssa.BasicBlock) *ssa.BasicBlock {
	for h := b; h != nil; h = h.Idom() {
		for _, p := range h.Preds {
			if h.Dominates(p) && (b == p || reaches(b, p)) {
				return h
			}
		}
	}
	return nil
}

// releaseFollows reports whether some way leads from a start to a release of the
// lock without a wait.
func (f *fn) releaseFollows(c ssa.CallInstruction, acq *Event) bool {
	deferred := f.deferredRelease(acq)
	if deferred != nil && f.deferredJoin(c, deferred) {
		deferred = nil
	}
	waits := f.waitsFor(c)
	return f.leads(c, func(in ssa.Instruction) bool {
		if _, ok := in.(*ssa.Return); ok {
			return deferred != nil
		}
		call, ok := in.(*ssa.Call)
		return ok && f.releasesAt(call, acq)
	}, func(in ssa.Instruction) bool { return waits(in) || in == acq.site.call })
}

func (f *fn) releasesAt(c ssa.CallInstruction, acq *Event) bool {
	st := f.bySite[c]
	if st == nil {
		return false
	}
	for _, r := range st.events {
		if r.Kind == Release && !r.Async && releases(r, acq) {
			return true
		}
	}
	return false
}

// deferredRelease is the deferred call that gives the lock back.
func (f *fn) deferredRelease(acq *Event) *ssa.Defer {
	for _, s := range f.sites {
		if d, ok := s.call.(*ssa.Defer); ok && f.releasesAt(d, acq) {
			return d
		}
	}
	return nil
}

// deferredJoin reports whether a deferred call waits for the start: before the
// deferred release, which is to be registered earlier, if that is given.
func (f *fn) deferredJoin(c ssa.CallInstruction, release *ssa.Defer) bool {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok || release != nil && !f.before(release, d) || !f.before(d, c) && !f.before(c, d) {
				continue
			}
			if f.joinOf(d, c) {
				return true
			}
		}
	}
	return false
}

// leads reports whether a way from an instruction meets a goal and no stop before it.
func (f *fn) leads(from ssa.Instruction, goal, stop func(ssa.Instruction) bool) bool {
	seen := newBlocks(from.Parent())
	var visit func(b *ssa.BasicBlock, i int) bool
	visit = func(b *ssa.BasicBlock, i int) bool {
		for ; i < len(b.Instrs); i++ {
			in := b.Instrs[i]
			if stop(in) {
				return false
			}
			if goal(in) {
				return true
			}
		}
		for _, s := range b.Succs {
			if seen.add(s) && visit(s, 0) {
				return true
			}
		}
		return false
	}
	b := from.Block()
	for i, in := range b.Instrs {
		if in == from {
			return visit(b, i+1)
		}
	}
	return false
}

// waiters are the calls that wait for all that was started.
var waiters = set("sync.WaitGroup.Wait", "golang.org/x/sync/errgroup.Group.Wait", "github.com/sourcegraph/conc.WaitGroup.Wait",
	"time.Timer.Stop")

// joinOf reports whether an instruction waits for what was started at c.
func (f *fn) joinOf(in ssa.Instruction, c ssa.CallInstruction) bool {
	switch in := in.(type) {
	case ssa.CallInstruction:
		return f.waitCall(in, 0) || f.receivesIn(in, c) || f.awaitsDone(in, c)
	case *ssa.UnOp:
		return in.Op == token.ARROW && (f.enough(in, in.X, c) || f.awaitsDone(in, c))
	case *ssa.If:
		return false
	case *ssa.Extract:
		return f.selected(in, c)
	}
	return false
}

func (f *fn) waitCall(c ssa.CallInstruction, depth int) bool {
	if _, ok := c.(*ssa.Go); ok {
		return false
	}
	key := f.a.known.called(c.Common()).key
	if waiters[key] {
		return true
	}
	callee := c.Common().StaticCallee()
	if callee == nil || depth >= maxTell || f.a.byID[f.a.known.id(callee)] == nil {
		return strings.HasSuffix(key, ".Wait")
	}
	callee = origin(callee)
	for _, b := range callee.Blocks {
		for _, in := range b.Instrs {
			if k, ok := in.(ssa.CallInstruction); ok && f.waitCall(k, depth+1) {
				return true
			}
		}
	}
	return false
}

// receivesIn reports whether a called literal receives from a channel of the start.
func (f *fn) receivesIn(c ssa.CallInstruction, start ssa.CallInstruction) bool {
	if _, ok := c.(*ssa.Go); ok {
		return false
	}
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Parent() == nil {
		return false
	}
	for _, b := range callee.Blocks {
		for _, in := range b.Instrs {
			if u, ok := in.(*ssa.UnOp); ok && u.Op == token.ARROW && f.enough(u, u.X, start) {
				return true
			}
		}
	}
	return false
}

// selected reports whether the value taken from a select is that of a receive
// from a channel of the start; it is read in that case's own code.
func (f *fn) selected(x *ssa.Extract, c ssa.CallInstruction) bool {
	sel, ok := x.Tuple.(*ssa.Select)
	if !ok || x.Index < 2 {
		return false
	}
	n := 2
	for _, st := range sel.States {
		if st.Send != nil {
			continue
		}
		if n == x.Index {
			return f.enough(x, st.Chan, c)
		}
		n++
	}
	return false
}

// enough reports whether a channel is one on which each goroutine that was
// started sends, and there are as many receives as goroutines.
func (f *fn) enough(in ssa.Instruction, ch ssa.Value, c ssa.CallInstruction) bool {
	root := source(ch)
	if !f.sendsOn(c, root) {
		return false
	}
	starts, many := 0, false
	f.everyStart(func(s ssa.CallInstruction) {
		if f.sendsOn(s, root) {
			starts++
			many = many || inLoop(s.Block())
		}
	})
	receives := 0
	for _, b := range in.Parent().Blocks {
		for _, r := range b.Instrs {
			if u, ok := r.(*ssa.UnOp); ok && u.Op == token.ARROW && source(u.X) == root {
				if inLoop(b) {
					return true
				}
				receives++
			}
			if x, ok := r.(*ssa.Extract); ok && x == in {
				receives++
			}
		}
	}
	return !many && receives >= starts || f.closes(c, root)
}

func (f *fn) everyStart(visit func(ssa.CallInstruction)) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			if g, ok := in.(*ssa.Go); ok {
				visit(g)
			}
		}
	}
}

// sendsOn reports whether what is started sends on, or closes, the channel.
func (f *fn) sendsOn(c ssa.CallInstruction, root ssa.Value) bool {
	return f.inStarted(c, func(in ssa.Instruction) bool {
		s, ok := in.(*ssa.Send)
		return ok && handed(c, source(s.Chan)) == root
	}) || f.closes(c, root)
}

func (f *fn) closes(c ssa.CallInstruction, root ssa.Value) bool {
	return f.inStarted(c, func(in ssa.Instruction) bool {
		k, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		b, ok := k.Common().Value.(*ssa.Builtin)
		return ok && b.Name() == "close" && handed(c, source(k.Common().Args[0])) == root
	})
}

// handed is the argument that a parameter of what is started stands for.
func handed(c ssa.CallInstruction, v ssa.Value) ssa.Value {
	p, ok := v.(*ssa.Parameter)
	callee := c.Common().StaticCallee()
	if !ok || callee == nil || p.Parent() != callee && p.Parent() != origin(callee) {
		return v
	}
	for i, q := range p.Parent().Params {
		if q == p && i < len(c.Common().Args) {
			return source(c.Common().Args[i])
		}
	}
	return v
}

// inStarted looks through the body of what is started.
func (f *fn) inStarted(c ssa.CallInstruction, pred func(ssa.Instruction) bool) bool {
	fn := c.Common().StaticCallee()
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if pred(in) {
				return true
			}
		}
	}
	return false
}

// AfterRelease lists the writes and commits of the function with this id that can
// follow a release of the lock without it being acquired anew.
func (a *Analysis) AfterRelease(id string, acq *Event) []*Event {
	f := a.byID[id]
	if f == nil || acq.site == nil || acq.site.call == nil {
		return nil
	}
	late := make(map[*site]bool)
	follow := func(from ssa.Instruction) {
		f.leads(from, func(in ssa.Instruction) bool {
			if c, ok := in.(*ssa.Call); ok {
				if st := f.bySite[c]; st != nil {
					late[st] = true
				}
			}
			return false
		}, func(in ssa.Instruction) bool { return in == acq.site.call || f.acquiresAt(in) })
	}
	given := false
	for _, s := range f.sites {
		c, ok := s.call.(*ssa.Call)
		if ok && s != acq.site && f.releasesAt(c, acq) && f.afterAcquire(c, acq) {
			follow(c)
			given = true
		}
	}
	if _, ok := acq.site.call.(*ssa.Call); ok && acq.src != nil && a.regionReleases(acq) {
		follow(acq.site.call)
		given = true
	}
	f.deferredLate(acq, given, late)
	return f.writesAt(late, acq)
}

// afterAcquire reports whether a way leads from the acquisition to c.
func (f *fn) afterAcquire(c ssa.Instruction, acq *Event) bool {
	return f.leads(acq.site.call, func(in ssa.Instruction) bool { return in == c }, func(ssa.Instruction) bool { return false })
}

func (f *fn) acquiresAt(in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if st := f.bySite[c]; st != nil {
		for _, e := range st.events {
			if e.Kind == Acquire && !e.Hold.Maybe {
				return true
			}
		}
	}
	return false
}

// deferredLate adds the deferred calls that run after the release: those that
// were registered before a deferred release, or all if the release is not deferred.
func (f *fn) deferredLate(acq *Event, given bool, late map[*site]bool) {
	release := f.deferredRelease(acq)
	for _, s := range f.sites {
		d, ok := s.call.(*ssa.Defer)
		if !ok || d == release {
			continue
		}
		if release != nil && f.before(d, release) || release == nil && given {
			late[s] = true
		}
	}
}

func (f *fn) writesAt(late map[*site]bool, acq *Event) []*Event {
	var out []*Event
	for _, s := range f.sites {
		if !late[s] {
			continue
		}
		for _, e := range s.events {
			if (e.Kind == Write || e.Kind == Commit) && !e.Async && !s.freed(e, acq) {
				out = append(out, e)
			}
		}
	}
	return out
}
