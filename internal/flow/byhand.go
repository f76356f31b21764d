package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// Signs are what speaks for it that a write takes a lock for which there is no
// library: a row, an item, a key or an object that says who may work. The same
// write may be a mark, a cooldown or data, so that one sign is never enough.
type Signs uint16

// The signs.
const (
	Named     Signs = 1 << iota // the key, table or column says so
	Spoken                      // the function, or the type of its receiver, says so
	Owned                       // it stores who has it
	Expires                     // it stores until when it is had
	TakenOver                   // it lets the next owner in once that time is over
	GivenBack                   // the program gives it back
	Renewed                     // the program prolongs it
	Retried                     // while another has it, the program waits and tries again
	Plain                       // data is written in the same way, and refused in the same way
	Verbal                      // the function is named for taking a lock: TryLock, GrabLease
)

// ByHand is the entry of a lock that is kept without a library.
const ByHand = "by hand"

// Grip is what a write does to a lock that is kept by hand.
type Grip struct {
	Kind  EventKind  // Acquire, Release or Extend
	Lib   string     // how the lock is kept, e.g. "sql-lease"
	Row   *term.Term // the table or the like
	Key   *term.Term // which of its rows, nil if that cannot be told
	Signs Signs
	// Handle is what the lock lives with, if that is no row.
	Handle *term.Term
	// With is what ends the lock beside the row, such as a lease on a key.
	With *term.Term
}

// held wraps table and key of a lock that is kept by hand.
const held = "held"

func (g *Grip) handle() *term.Term {
	if g.Handle != nil {
		return g.Handle
	}
	key := g.Key
	if key == nil {
		key = term.NewUnknown("a key that is not seen")
	}
	row := term.NewOp(held, g.Row, unbox(key))
	if g.With != nil {
		return term.NewAlt(row, g.With)
	}
	return row
}

// HeldIn is the table or the like of a lock that is kept by hand, nil for others.
func HeldIn(handle *term.Term) *term.Term {
	if handle.Kind == term.Op && handle.Str == held {
		return handle.Args[0]
	}
	return nil
}

// toldLocks adds to the writes of called functions, which are told here what to run, the
// locks of the database server that this takes or gives back.
func (f *fn) toldLocks() {
	for _, s := range f.sites {
		if s.call == nil {
			continue
		}
		for _, e := range slices.Clone(s.events) {
			if e.Kind != Write || e.Detached || e.src == nil || e.within() || !f.toldText(e) {
				continue
			}
			if l := f.lockOfText(e); l != nil {
				s.events = append(s.events, l)
			}
		}
	}
}

// byHand adds to the writes of the function what they do to locks that are kept by
// hand.
func (f *fn) byHand() {
	if f.a.Grips == nil {
		return
	}
	for _, s := range f.sites {
		if s.call == nil {
			continue
		}
		for _, e := range slices.Clone(s.events) {
			if e.Kind != Write || e.Detached || e.within() || e.src != nil && !f.toldHere(e) {
				continue
			}
			if g := f.leaseObject(e, s.call); g != nil {
				s.events = append(s.events, f.gripped(s, e, g))
				continue
			}
			for _, g := range f.a.Grips(f.a, e) {
				s.events = append(s.events, f.gripped(s, e, &g))
			}
		}
	}
}

// toldHere reports whether this function tells a called one the statement to run, or
// a literal what to run it on.
func (f *fn) toldHere(e *Event) bool {
	if e.Recv != nil && len(e.Chain) == len(e.src.Chain) {
		named := func(free, now *term.Term) bool { return free.Kind == term.Free && now.Kind == term.Call }
		if named(e.src.Recv, e.Recv) {
			return true
		}
		for i, a := range e.Args {
			if i < len(e.src.Args) && named(e.src.Args[i], a) {
				return true
			}
		}
	}
	return f.toldText(e) || f.toldMode(e)
}

// toldMode reports whether this function tells a called one in which way to make a node of
// ZooKeeper.
func (f *fn) toldMode(e *Event) bool {
	c := f.a.known.byKey(e.Key)
	if c == nil || c.Sink == nil || c.Sink.Lib != "zk" || c.Sink.Method != "Create" || len(e.Args) < 3 || len(e.src.Args) < 3 {
		return false
	}
	return e.src.Args[2].Symbolic() && !e.Args[2].Symbolic()
}

func (f *fn) toldText(e *Event) bool {
	c := f.a.known.byKey(e.Key)
	if c == nil || c.Sink == nil || !wholeStatement(c.Sink.Dialect) {
		return false
	}
	i := c.Sink.Stmt
	if i < 0 || i >= len(e.Args) || i >= len(e.src.Args) || e.src.site != nil && e.src.within() {
		return false
	}
	told, now := e.src.Args[i], e.Args[i]
	return told.Symbolic() && (!now.Symbolic() || hasWords(now) && !hasWords(told))
}

// hasWords reports whether some of a statement's text is written out.
func hasWords(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		return u.Kind == term.Const && u.Typ == "string" && strings.Contains(u.Str, " ")
	})
}

// lockOfText is the event of a statement that takes or gives back a lock of the
// database server through a function that is told what to run.
func (f *fn) lockOfText(w *Event) *Event {
	c := f.a.known.byKey(w.Key)
	e := f.serverLock(f.a.runs(w.Key, w.Recv, w.Args, c.Sink))
	if e != nil {
		e.Site, e.Chain, e.site, e.Async, e.Deferred = w.Site, w.Chain, w.site, w.Async, w.Deferred
	}
	return e
}

// within reports whether the event belongs to a lock that is known already, by a model
// or in the function that is called.
func (e *Event) within() bool {
	for _, o := range e.site.events {
		if o.Site == e.Site && o.Key == e.Key && (o.Kind == Acquire || o.Kind == Release) {
			return true
		}
	}
	return false
}

// gripped is the event of a grip beside the write that it is.
func (f *fn) gripped(s *site, w *Event, g *Grip) *Event {
	n := *w
	n.Kind, n.Entry, n.Lib, n.site, n.src, n.seeds = g.Kind, ByHand, g.Lib, s, nil, nil
	n.Recv = g.handle()
	if g.Kind == Acquire {
		n.Recv = w.Recv
		n.Hold = &Hold{Handle: g.handle(), Lib: g.Lib, Library: true, Maybe: true, Signs: g.Signs}
	}
	return &n
}

// spoken adds to the acquisitions that may be none what the code around them tells.
func (f *fn) spoken() {
	for _, s := range f.sites {
		for _, e := range s.events {
			if e.Kind != Acquire || e.Hold == nil || !e.Hold.Maybe || s.call == nil {
				continue
			}
			if f.saysLock() {
				e.Hold.Signs |= Spoken
			}
			if NamedForTaking(outermost(f.f).Name()) {
				e.Hold.Signs |= Verbal
			}
			if f.retries(s.call) {
				e.Hold.Signs |= Retried
			}
		}
	}
}

// saysLock reports whether the name of the function, or of its receiver's type,
// speaks of a lock.
func (f *fn) saysLock() bool {
	fn := outermost(f.f)
	if SpeaksOfLock(fn.Name()) || claimsVerb.MatchString(fn.Name()) {
		return true
	}
	r := fn.Signature.Recv()
	if r == nil {
		return false
	}
	name := typeName(r.Type())
	return SpeaksOfLock(name[lastDot(name):]) && takesVerb.MatchString(fn.Name())
}

// lockingVerb finds the functions that are named for taking a lock and nothing else.
var lockingVerb = pattern.New(`(?i)^(must|do|_)*(try|acquire|obtain|grab|take|get)?_?(dist(ributed)?|global|db|row|task|job)?_?(lock|lease|mutex|leadership)(with(context|timeout|ttl))?$`)

// NamedForTaking reports whether a function is named for taking a lock and nothing else.
func NamedForTaking(function string) bool { return lockingVerb.MatchString(function) }

// claimsVerb finds the functions that are named for taking what others want, too.
var claimsVerb = pattern.New(`^(try|must|do)?_?(?i:claim|campaign)(?:[A-Z_]|$)|^(Try|Must|Do)?(Claim|Campaign)([A-Z_]|$)`)

// takesVerb finds the methods by which a type that is a lock is acquired.
var takesVerb = pattern.New(`(?i)^(try|must|do|wait)?(acquire|obtain|take|get|grab|claim|hold|become|campaign|enter|start|register|create)`)

// retries reports whether a call is repeated after a wait.
func (f *fn) retries(c ssa.CallInstruction) bool {
	around := reachable(c.Block())
	if !around[c.Block()] {
		return false
	}
	for b := range around {
		if !reachable(b)[c.Block()] {
			continue
		}
		for _, in := range b.Instrs {
			if k, ok := in.(ssa.CallInstruction); ok && waits[callKey(k.Common())] {
				return true
			}
		}
	}
	return false
}

var waits = set("time.Sleep", "time.After", "time.NewTimer", "time.NewTicker", "time.Timer.Reset", "time.Tick")

// reachable lists the blocks to which a way leads from b.
func reachable(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := make(map[*ssa.BasicBlock]bool)
	todo := slices.Clone(b.Succs)
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[x] {
			seen[x] = true
			todo = append(todo, x.Succs...)
		}
	}
	return seen
}

// sameRow reports whether two handles of locks kept by hand mean the same lock. A
// key that cannot be told is taken for the same.
func sameRow(x, y *term.Term) bool {
	if HeldIn(x) == nil || HeldIn(y) == nil {
		return false
	}
	return mayEqual(x.Args[0], y.Args[0]) && (x.Args[1].Kind == term.Unknown || y.Args[1].Kind == term.Unknown || mayEqual(x.Args[1], y.Args[1]))
}

func mayEqual(x, y *term.Term) bool {
	for _, a := range x.Alternatives() {
		for _, b := range y.Alternatives() {
			if unbox(a).Equal(unbox(b)) {
				return true
			}
		}
	}
	return false
}

// ReleasedNames lists the handles of the locks that a release or renewal names.
func ReleasedNames(r *Event) []*term.Term {
	if r.Entry == scriptEntry {
		var out []*term.Term
		for _, k := range keysOf(r) {
			out = append(out, term.NewOp(keyed, unbox(k)))
		}
		return out
	}
	if r.Recv == nil {
		return nil
	}
	return r.Recv.Alternatives()
}
