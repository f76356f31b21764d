package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// notGuard reports whether an entry says more of what a callback does than that it
// runs: one like NewSTM only repeats it, and a task runs when its scheduler wants.
func notGuard(l *model.Lock) bool { return !isGuard(l) && l.Role != model.RoleTask }

func isGuard(l *model.Lock) bool { return l.Role == model.RoleGuard }

// callbacks follows functions that are handed to code which is not seen: it is taken
// to call them, with arguments of which nothing is known. A value with methods counts
// as what the code is given it for.
func (f *fn) callbacks(c ssa.CallInstruction, t target, depth int) []*Event {
	if depth >= maxExpand || t.call != nil && slices.ContainsFunc(t.call.Locks, notGuard) {
		return nil
	}
	var out []*Event
	for i, a := range t.args {
		for _, u := range f.handedBy(a, t.param(i), t.std(), 0) {
			events := f.handedEvents(c, t, u, depth, a.Kind == term.Alt)
			if calledLater(a, u.sum) {
				for _, e := range events {
					e.later = true
				}
			}
			out = append(out, events...)
		}
	}
	if depth == 0 {
		out = append(out, f.passedOn(c, t)...)
	}
	return out
}

// calledLater reports whether a function is rather registered than called: it is handed over
// in a record or as a handler, or is given what it is to handle and answers nothing. A lock
// that it takes and keeps is not its registrar's.
func calledLater(a *term.Term, sum *Summary) bool {
	if sum != nil && sum.Params > 0 && len(sum.Results) == 0 {
		return true
	}
	for _, v := range a.Alternatives() {
		if v.Kind == term.List {
			v = term.NewAlt(v.Args...)
		}
		if !slices.ContainsFunc(v.Alternatives(), func(x *term.Term) bool {
			return x.Kind == term.Closure || x.Kind == term.Bound || x.Kind == term.Func
		}) {
			return true
		}
	}
	return false
}

func (f *fn) handedEvents(c ssa.CallInstruction, t, u target, depth int, some bool) []*Event {
	if u.sum != nil {
		u.args = libraryArgs(u.args, u.sum.Params, t, f.siteOf(c))
	}
	var out []*Event
	for _, e := range f.eventsOfTarget(c, u, depth+1) {
		if u.sum == nil && e.Kind != Write {
			continue // what a library's method does to a lock is not known to happen
		}
		e.Async, e.perhaps = e.Async || startsGoroutine[keyOr(t)], e.perhaps || !begins(t) || some
		e.Tasked = e.Tasked || givesTask(t.call)
		if e.begun(begins(t)); begins(t) {
			f.a.endsWithTx(e, t)
			e.seeds = asError(e.seeds, c.Common().Signature().Results().Len())
		}
		out = append(out, e)
	}
	return out
}

// asError is what a call with n results gives back that returns the error of the function
// that it runs.
func asError(of []Outcome, n int) []Outcome {
	out := slices.Clone(of)
	for i, o := range out {
		if tuple := parseTuple(o.Returns); len(tuple) == 1 && n > 1 && o.Returns != ended {
			all := make([]abs, n)
			all[n-1] = tuple[0]
			out[i].Returns = tupleCode(all)
		}
	}
	return out
}

// begins reports whether a call begins a transaction, and runs what it is given in it.
func begins(t target) bool {
	return t.call != nil && t.call.Sink != nil && t.call.Sink.Kind == "begin"
}

// libraryArgs stand for what a library hands to a function that it calls: nothing
// is known of them but that they are the same throughout one call.
func libraryArgs(args []*term.Term, n int, t target, site string) []*term.Term {
	var recv []*term.Term
	if len(t.args) > 0 {
		recv = t.args[:1] // what is supplied belongs to what was called
	}
	if begins(t) && t.sig != nil && t.sig.Recv() == nil && len(t.args) > 1 {
		recv = t.args[:2] // or to what stands behind the context
	}
	if t.call != nil && slices.ContainsFunc(t.call.Locks, isGuard) {
		recv = append(recv[:len(recv):len(recv)], guardArgs(t)...)
	}
	recv = append(recv[:len(recv):len(recv)], watchedKeys(t)...)
	for i := len(args); i < n; i++ {
		args = append(args, term.NewCall(suppliesBefore+keyOr(t)+suppliesAfter, site, i, recv...))
	}
	return args
}

// watchedKeys is the argument that names what a transaction watches whose body is a function:
// what the body reads of other keys may change before it writes.
func watchedKeys(t target) []*term.Term {
	if t.call == nil || t.call.Sink == nil || t.call.Sink.Kind != "txn" || t.call.Sink.Condition != "closure" {
		return nil
	}
	if k := t.call.Sink.Key; k.Root == "arg" && k.Index >= 0 && k.Index+1 < len(t.args) {
		return t.args[k.Index+1:]
	}
	return nil
}

const suppliesBefore, suppliesAfter = "what ", " supplies"

// SuppliedBy is the key of the library function that hands a value to a function which
// it was given to call; "" for other values.
func SuppliedBy(t *term.Term) string {
	key, ok := strings.CutPrefix(t.Str, suppliesBefore)
	if t.Kind != term.Call || !ok {
		return ""
	}
	return strings.TrimSuffix(key, suppliesAfter)
}

// startsGoroutine lists library functions that run what they are given beside
// their caller.
var startsGoroutine = set("golang.org/x/sync/errgroup.Group.Go", "golang.org/x/sync/errgroup.Group.TryGo",
	"time.AfterFunc", "sync.WaitGroup.Go", "context.AfterFunc")
