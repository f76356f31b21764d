package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// modelEvents are the events of a call that a model knows.
func (f *fn) modelEvents(c ssa.CallInstruction, t target) []*Event {
	out := f.dependent(c, t)
	for _, l := range t.call.Locks {
		if kind, ok := lockKind(l); ok {
			e := f.lockEvent(c, t, l, kind)
			out = append(out, e)
			if l.Role == model.RoleRegion {
				out = append(out, f.region(c, t, l, e)...)
			}
		}
	}
	if s := t.call.Sink; s != nil {
		if e := f.sqlLock(c, t, s); e != nil {
			if e.Kind == Acquire && e.Recv != nil && f.throughAny(c) {
				e.Recv = term.NewIface(anyHandle, e.Recv)
			}
			return append(out, e)
		}
		if e := f.scriptRelease(c, t, s); e != nil {
			return append(out, e)
		}
		if e := f.sinkEvent(c, t, s); e != nil {
			f.byPreparedName(e, s)
			out = append(out, e)
		}
	}
	return out
}

var lockEvents = map[model.Role]EventKind{
	model.RoleAcquire: Acquire, model.RoleRegion: Acquire, model.RoleRelease: Release,
	model.RoleExtend: Extend, model.RoleLost: Signal, model.RoleCheck: Check, model.RoleCounter: Mint,
}

func (f *fn) lockEvent(c ssa.CallInstruction, t target, l *model.Lock, kind EventKind) *Event {
	recv, args := split(t)
	e := &Event{Kind: kind, Key: t.key, Entry: l.ID, Lib: l.Lib, Recv: recv, Args: args, Site: f.siteOf(c), Chain: []Step{f.step(c)}}
	switch kind {
	case Acquire:
		e.Hold = &Hold{Handle: f.pathTerm(l.Handle, c, t), Lib: l.Lib, Library: true, Region: l.Role == model.RoleRegion, Maybe: l.Maybe}
		if k := f.keyHandle(l, t); k != nil {
			e.Hold.Handle = k
		}
		if e.Hold.Handle == nil {
			e.Hold.Handle = recv
		}
		if e.Hold.Handle == nil {
			e.Hold.Handle = term.NewUnknown("a lock that the library keeps to itself")
		}
	case Release, Extend:
		if h := f.pathTerm(l.Handle, c, t); h != nil {
			e.Recv = h
		}
		if k := f.keyHandle(l, t); k != nil {
			e.Recv = k
		}
	}
	return e
}

func split(t target) (*term.Term, []*term.Term) {
	if t.sig != nil && t.sig.Recv() == nil || len(t.args) == 0 {
		return nil, t.args
	}
	return t.args[0], t.args[1:]
}

// region runs the function that a region call is given, held by the region.
func (f *fn) region(c ssa.CallInstruction, t target, l *model.Lock, held *Event) []*Event {
	cb := f.pathTerm(l.Callback, c, t)
	if cb == nil {
		cb = f.a.registeredCallback(l.Callback, t.key)
	}
	if cb == nil {
		return nil
	}
	var out []*Event
	for _, u := range f.applied(cb, nil, nil) {
		if u.sum != nil {
			u.args = libraryArgs(u.args, u.sum.Params, t, f.siteOf(c))
			held.entries = append(held.entries, u.id)
		}
		for _, e := range f.eventsOfTarget(c, u, 1) {
			e.Holds = append(e.Holds, held)
			out = append(out, e)
		}
	}
	return out
}

// effects lists the boundaries of the models that are effects.
var effects = set("store", "cache", "store|cache", "queue", "external", "queue|external", "store|local", "unknown")

func (f *fn) sinkEvent(c ssa.CallInstruction, t target, s *model.Sink) *Event {
	recv, args := split(t)
	e := &Event{Kind: Write, Key: t.key, Recv: recv, Args: args, Site: f.siteOf(c), Chain: []Step{f.step(c)}}
	switch {
	case s.Kind == "begin" || s.Kind == "conn":
		e.Kind = Begin
	case s.Kind == "commit":
		e.Kind, e.Entry, e.Lib = Commit, s.Kind, s.Lib
	case s.Kind == "rollback" || s.Kind == "close":
		e.Kind, e.Entry, e.Lib = Release, s.Kind, s.Lib
	case !effects[s.Boundary] || s.Report == "never" || toUser(s, recv, args):
		return nil
	}
	if e.Kind == Write && (s.Kind == "struct_input" || s.Kind == "kv_put" || s.Format == model.StatementRecord) && s.Input.Root == "arg" && s.Input.Index >= 0 && s.Input.Index < len(args) {
		e.Args = slices.Clone(args)
		e.Args[s.Input.Index] = f.allCompleted(args[s.Input.Index], c)
		args = e.Args
	}
	if e.Kind == Write && mapped(s) {
		f.withRecords(e, c)
		args = e.Args
	}
	if e.Kind == Write && guarded(s) {
		e.Args = f.withReads(args, recv, c)
	}
	if e.Kind == Write {
		e.Args = f.versionless(c, s, e.Args)
	}
	if e.Kind == Write && isEffect(s) {
		e.Args = append(slices.Clip(args), f.effect(c, t, s))
	}
	return e
}

// toUser reports whether a write goes to the standard output or the standard error of the
// process: what stands there is read, and overwrites nothing.
func toUser(s *model.Sink, recv *term.Term, args []*term.Term) bool {
	w := recv
	if s.Kind == "stream" && s.Input.Root == "arg" && s.Input.Index >= 0 && s.Input.Index < len(args) {
		w = args[s.Input.Index]
	}
	if w == nil || s.Kind != "stream" && s.Kind != "file" {
		return false
	}
	return !slices.ContainsFunc(w.Alternatives(), func(t *term.Term) bool {
		t = unbox(t)
		return t.Kind != term.Global || t.Str != "os.Stdout" && t.Str != "os.Stderr"
	})
}
