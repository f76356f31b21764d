package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// gripOfKey reads what a write does to a key of etcd that serves as a lock: a
// transaction puts it only while it is not there, and it goes with its lease, or is
// deleted.
func gripOfKey(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "etcd-kv" {
		return nil
	}
	switch {
	case s.Kind == "txn" && e.Recv != nil:
		return gripOfTxn(e.Recv)
	case s.Method == "Delete" && len(e.Args) > 1:
		return &flow.Grip{Kind: flow.Release, Lib: etcdKey, Row: unboxed(e.Args[1]), Key: wholeKey}
	}
	return nil
}

// etcdKey is the library that gives back the lease, too.
const etcdKey = "etcd-kv"

// wholeKey stands for the row where the lock is a key that has none.
var wholeKey = term.Shared(term.NewString("key"))

func gripOfTxn(chain *term.Term) *flow.Grip {
	comparisons, _ := comparisons(chain)
	ops, _ := operations(chain, "Then")
	for _, op := range ops {
		if op = unboxed(op); op.Kind == term.Call && lastPart(op.Str) == "OpDelete" && len(op.Args) > 0 {
			return &flow.Grip{Kind: flow.Release, Lib: etcdKey, Row: unboxed(op.Args[0]), Key: wholeKey}
		}
	}
	for _, c := range comparisons {
		key := missing(unboxed(c))
		if key == nil {
			continue
		}
		if i := slices.IndexFunc(ops, func(op *term.Term) bool { return puts(unboxed(op), key) }); i >= 0 {
			return takesKey(key, unboxed(ops[i]))
		}
	}
	return nil
}

// missing is the key of a comparison that holds only while there is no such key.
func missing(c *term.Term) *term.Term {
	if c.Kind != term.Call || len(c.Args) == 0 {
		return nil
	}
	if lastPart(c.Str) == "KeyMissing" {
		return unboxed(c.Args[0])
	}
	of := unboxed(c.Args[0])
	if lastPart(c.Str) != "Compare" || len(c.Args) != 3 || of.Kind != term.Call || len(of.Args) == 0 || !term.IsZero(unboxed(c.Args[2])) {
		return nil
	}
	switch op, _ := term.StringValue(c.Args[1]); {
	case op != "=":
	case slices.Contains([]string{"CreateRevision", "ModRevision", "Version"}, lastPart(of.Str)):
		return unboxed(of.Args[0])
	}
	return nil
}

// puts reports whether an operation puts a key.
func puts(op, key *term.Term) bool {
	return op.Kind == term.Call && lastPart(op.Str) == "OpPut" && len(op.Args) > 1 && unboxed(op.Args[0]).Equal(key)
}

// takesKey is the lock of a key that an operation puts. With a lease it is free for the
// next owner once that is over, and given back with it.
func takesKey(key, put *term.Term) *flow.Grip {
	g := &flow.Grip{Kind: flow.Acquire, Lib: etcdKey, Row: key, Key: wholeKey, Signs: flow.Plain}
	if namesLock(key) {
		g.Signs |= flow.Named
	}
	for _, a := range put.Args[2:] {
		a.Any(func(u *term.Term) bool {
			if u.Kind == term.Call && lastPart(u.Str) == "WithLease" && len(u.Args) == 1 {
				g.Signs = g.Signs&^flow.Plain | flow.Expires | flow.TakenOver
				g.With = unboxed(u.Args[0])
			}
			return false
		})
	}
	return g
}

// etcdClaimed judges a comparison with the key that a transaction has put as the lock: by
// the revision at which that was, or by what it has put there; false for another one.
func (j *judge) etcdClaimed(p *pair, of *term.Term, op string, value *bound) (decision, bool) {
	key, put := etcdClaim(p.acq)
	if key == nil || op != "=" || len(of.Args) == 0 || !unboxed(of.Args[0]).Equal(key) {
		return decision{}, false
	}
	d := decision{guard: "owner", guarded: true}
	switch what := lastPart(of.Str); {
	case (what == "CreateRevision" || what == "ModRevision") && revisionOf(value.term, p.acq):
		d.verdict, d.reason = proved, "the transaction happens only while the lock's key is the one that this acquisition has made"
		return j.rejection(p, d), true
	case what == "Value" && put.Equal(value.term):
		return j.signedBy(p, value, "value of the lock's key", d), true
	case what == "LeaseValue" && leaseOf(p.acq).Equal(unboxed(value.term)):
		d.verdict, d.reason = unproved, "the transaction happens only while the lease has the lock's key, which a later hold with that lease has too"
		return j.rejection(p, d), true
	}
	return decision{}, false
}

// leaseOf is the lease with which a transaction puts the key of a lock.
func leaseOf(acq *flow.Event) *term.Term {
	if with := gripOfTxn(acq.Recv).With; with != nil {
		return with
	}
	return term.NewUnknown("no lease")
}

// etcdClaim is the key that a transaction puts as a lock, and what it puts there; nil for
// another acquisition.
func etcdClaim(acq *flow.Event) (key, put *term.Term) {
	if acq.Recv == nil || !strings.HasSuffix(acq.Key, ".Txn.Commit") {
		return nil, nil
	}
	g := gripOfTxn(acq.Recv)
	if g == nil || g.Kind != flow.Acquire {
		return nil, nil
	}
	ops, _ := operations(acq.Recv, "Then")
	for _, op := range ops {
		if op = unboxed(op); puts(op, g.Row) {
			return g.Row, unboxed(op.Args[1])
		}
	}
	return nil, nil
}

// revisionOf reports whether a number is the revision that the store has given to the
// transaction of an acquisition.
func revisionOf(t *term.Term, acq *flow.Event) bool {
	for _, name := range []string{"Revision", "Header"} {
		if t = unboxed(t); t.Kind != term.Field || lastPart(t.Str) != name {
			return false
		}
		t = t.Args[0]
	}
	t = unboxed(t)
	return t.Kind == term.Call && !otherGrant(t, acq)
}
