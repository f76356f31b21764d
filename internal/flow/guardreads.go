package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A transaction that is run again on conflict compares what its function read. So
// that it can be told what that was, a write in it carries the reads before it.

// guardReads is the function of the term that lists them, the last argument of the
// write.
const guardReads = "reads before"

// GuardReads lists the reads of the same transaction that come before a write in it
// on each path, as calls.
func (e *Event) GuardReads() []*term.Term {
	if n := len(e.Args); n > 0 && e.Args[n-1].Kind == term.Call && e.Args[n-1].Str == guardReads {
		return e.Args[n-1].Args
	}
	return nil
}

// guarded reports whether a call writes in a transaction that compares what its
// function read.
func guarded(s *model.Sink) bool { return s.Kind == "kv_put" && s.Condition == "closure" }

func (f *fn) guardedKey(key string) bool {
	m := f.a.known.byKey(key)
	return m != nil && m.Sink != nil && guarded(m.Sink)
}

// withReads adds the reads on a receiver that are made before a call on each path.
func (f *fn) withReads(args []*term.Term, recv *term.Term, c ssa.CallInstruction) []*term.Term {
	n := len(args)
	var reads []*term.Term
	if n > 0 && args[n-1].Kind == term.Call && args[n-1].Str == guardReads {
		reads, args = args[n-1].Args, args[:n-1]
	}
	if c != nil && f.f != nil {
		reads = append(reads[:len(reads):len(reads)], f.readsBefore(recv, c)...)
	}
	return append(args[:len(args):len(args)], term.NewCall(guardReads, "", 0, reads...))
}

func (f *fn) readsBefore(recv *term.Term, c ssa.CallInstruction) []*term.Term {
	var out []*term.Term
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*ssa.Call)
			if !ok || !r.Call.IsInvoke() || !f.before(r, c) {
				continue
			}
			m := f.a.known.of(r.Call.Method).call
			if m != nil && m.Sink != nil && m.Sink.Boundary == "read" && f.value(r.Call.Value).Equal(recv) {
				out = append(out, f.value(r))
			}
		}
	}
	return out
}

// guardArgs are what a function that repeats a transaction is given behind the
// function to repeat: they say what is compared.
func guardArgs(t target) []*term.Term {
	for _, l := range t.call.Locks {
		if i := l.Callback.Index + 1; isGuard(l) && l.Callback.Root == "arg" && i < len(t.args) {
			return slices.DeleteFunc(slices.Clone(t.args[i:]), term.Nil.Equal)
		}
	}
	return nil
}
