package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// notGuard reports whether an entry says more of what a callback does than that it
// runs: one like NewSTM only repeats it.
func notGuard(l *model.Lock) bool { return !isGuard(l) }

func isGuard(l *model.Lock) bool { return l.Role == model.RoleGuard }

// callbacks follows function values that are handed to code which is not seen:
// it is taken to call them, with arguments of which nothing is known.
func (f *fn) callbacks(c ssa.CallInstruction, t target, depth int) []*Event {
	if depth >= maxExpand || t.call != nil && slices.ContainsFunc(t.call.Locks, notGuard) {
		return nil
	}
	var out []*Event
	for _, a := range t.args {
		for _, v := range a.Alternatives() {
			if v.Kind != term.Closure && v.Kind != term.Bound && v.Kind != term.Func {
				continue
			}
			for _, u := range f.applied(v, nil, nil) {
				if u.sum == nil {
					continue
				}
				u.args = libraryArgs(u.args, u.sum.Params, t, f.siteOf(c))
				for _, e := range f.eventsOfTarget(c, u, depth+1) {
					e.Async, e.perhaps = e.Async || startsGoroutine[keyOr(t)], e.perhaps || !begins(t) || a.Kind == term.Alt
					e.begun(begins(t))
					out = append(out, e)
				}
			}
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
	if t.call != nil && slices.ContainsFunc(t.call.Locks, isGuard) {
		recv = append(recv[:len(recv):len(recv)], guardArgs(t)...)
	}
	for i := len(args); i < n; i++ {
		args = append(args, term.NewCall(suppliesBefore+keyOr(t)+suppliesAfter, site, i, recv...))
	}
	return args
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
