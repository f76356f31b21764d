package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// isolation says what a transaction that is run again on conflict compares when it
// commits. The numbers are those of the library.
type isolation int64

const (
	snapshot      isolation = iota // what was read, and what is written since the first read
	serializable                   // what was read
	repeatable                     // what was read
	readCommitted                  // nothing
	unknownLevel  isolation = -1
)

// etcdSTM judges a write within a software transaction of etcd: it is a
// compare-and-set if the transaction compares its key. A conflict runs the function
// again, so a refusal cannot be missed.
func etcdSTM(j *judge, p *pair) decision {
	if p.w.Recv == nil || slices.ContainsFunc(p.w.Recv.Alternatives(), isHanded) {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller supplies the transaction"}
	}
	level, ahead := stmOptions(p.w.Recv)
	blind := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the transaction compares only what it has read, and it has read nothing before"}
	cas := casWorth(p.class().Contract, decision{guard: "cas"}, false)
	reads := append(slices.Clone(p.w.GuardReads()), usedReads(p.w)...)
	key := j.at(j.models.FuncKey(p.w.Key).Sink.Key, p.w)
	switch {
	case level == unknownLevel:
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: "the isolation level of the transaction is not known"}
	case level == readCommitted:
		blind.reason = "a transaction at the level ReadCommitted compares nothing"
		return blind
	}
	if p.class().Contract != "cas" {
		if d, ok := j.stmFence(p); ok {
			return d
		}
	}
	switch {
	case len(reads) == 0 && !ahead:
		return blind
	case level == snapshot, key != nil && slices.ContainsFunc(reads, func(r *term.Term) bool { return readsKey(r, key) }):
		return cas
	}
	return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: "at its isolation level the transaction compares what it has read, and it has not read this key"}
}

// stmFence judges by a comparison of the epoch with what the transaction has read: at every
// level but the lowest it happens only if that is still there.
func (j *judge) stmFence(p *pair) (decision, bool) {
	for _, c := range p.w.Conds {
		var compared *term.Term
		op := j.passesBy(p, c, func(t *term.Term) bool {
			compared = t
			return len(readsIn(t, p.w.Recv)) > 0 && !j.maybeUnread(t)
		})
		switch {
		case op == "<" || op == "<=":
			return decision{verdict: refuted, rule: "staleadmitted", guard: "fence", column: "the stored epoch", compared: &c,
				reason: "an owner whose epoch is below the one that was read goes on"}, true
		case stopsBelow[op] && j.stmStores(p, readsIn(compared, p.w.Recv), j.placeRead(compared)):
			return j.refusedHere(p, c, decision{verdict: proved, guard: "fence", guarded: true,
				reason: "the epoch is read and compared in the same transaction, which happens only if that is still there"}), true
		}
	}
	return decision{}, false
}

// stmStores reports whether the transaction stores the epoch where it was read.
func (j *judge) stmStores(p *pair, reads []*term.Term, name string) bool {
	return slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		if e.Kind != flow.Write || e.Recv == nil || !e.Recv.Equal(p.w.Recv) || lastPart(e.Key) != "Put" || len(e.Args) == 0 {
			return false
		}
		return slices.ContainsFunc(reads, func(r *term.Term) bool { return readsKey(r, e.Args[0]) }) && j.sendsEpoch(&pair{sum: p.sum, acq: p.acq, w: e}, name)
	})
}

// isHanded reports whether a value comes as it is from a caller that is not seen.
func isHanded(t *term.Term) bool {
	for t.Kind == term.Iface || t.Kind == term.Field {
		t = t.Args[0]
	}
	return t.Kind == term.Param || t.Kind == term.Free
}

// stmOptions finds the isolation level of a transaction, and whether keys are read
// ahead of its function.
func stmOptions(stm *term.Term) (level isolation, ahead bool) {
	for _, a := range stm.Alternatives() {
		a = unboxed(a)
		name, ok := strings.CutSuffix(a.Str, " supplies")
		if a.Kind != term.Call || !ok {
			return unknownLevel, false
		}
		switch lastPart(name) {
		case "NewSTMRepeatable":
			level = max(level, repeatable)
			continue
		case "NewSTMSerializable":
			level = max(level, serializable)
			continue
		case "NewSTMReadCommitted":
			return readCommitted, false
		}
		l, h := optionsOf(a.Args[min(1, len(a.Args)):])
		if l == unknownLevel {
			return l, false
		}
		level, ahead = max(level, l), h
	}
	return level, ahead
}

func optionsOf(lists []*term.Term) (level isolation, ahead bool) {
	for _, l := range lists {
		if l.Kind != term.List || l.Open {
			return unknownLevel, false
		}
		for _, o := range l.Args {
			switch lastPart(o.Str) {
			case "WithIsolation":
				n, ok := term.IntValue(o.Args[0])
				if !ok {
					return unknownLevel, false
				}
				level = isolation(n)
			case "WithPrefetch":
				ahead = true
			case "WithAbortContext":
			default:
				return unknownLevel, false
			}
		}
	}
	return level, ahead
}

// usedReads lists the reads of the same transaction on which the value written, or
// a decision before it, rests in every form.
func usedReads(w *flow.Event) []*term.Term {
	var out []*term.Term
	for _, a := range w.Args {
		out = append(out, readsIn(a, w.Recv)...)
	}
	for _, c := range w.Conds {
		out = append(out, readsIn(c.Term, w.Recv)...)
	}
	return out
}

func readsIn(t, stm *term.Term) []*term.Term {
	if t.Kind == term.Call && len(t.Args) > 0 && t.Args[0].Equal(stm) {
		return []*term.Term{t}
	}
	var out []*term.Term
	for _, a := range t.Args {
		found := readsIn(a, stm)
		if t.Kind == term.Alt && len(found) == 0 {
			return nil
		}
		out = append(out, found...)
	}
	return out
}

// readsKey reports whether a read is one of the key.
func readsKey(read, key *term.Term) bool {
	return slices.ContainsFunc(read.Args[1:], func(a *term.Term) bool {
		return a.Equal(key) || a.Kind == term.List && slices.ContainsFunc(a.Args, key.Equal)
	})
}
