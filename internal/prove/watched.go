package prove

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// An optimistic transaction watches keys, and what is queued in it happens only where nobody
// has changed them since: the keys are read, the program decides, and EXEC refuses if what it
// decided on is no longer there (research/writes.md, Redis). With a comparison of the epoch
// among the decisions that is a fence; without one it is a compare-and-set.

// watch is the transaction in which a command is queued.
type watch struct {
	site  string       // where the keys come to be watched
	on    *term.Term   // the client
	keys  []*term.Term // those keys
	whole bool         // there are no others
}

// watchOf is the transaction in which a write is queued; nil if that watches nothing.
func watchOf(recv *term.Term) *watch {
	if recv == nil {
		return nil
	}
	var w *watch
	queued := false
	recv.Any(func(u *term.Term) bool {
		switch {
		case u.Kind != term.Call:
		case strings.HasSuffix(u.Str, ".Watch supplies") && len(u.Args) > 1:
			w = &watch{site: u.Site, on: u.Args[0]}
			w.keys, w.whole = elements(u.Args[1])
		case strings.HasSuffix(u.Str, ".TxPipelined supplies"), strings.HasSuffix(u.Str, ".TxPipeline"):
			queued = true
		}
		return false
	})
	if !queued {
		return nil
	}
	return w
}

// watched judges a command that is queued in an optimistic transaction on keys.
func (j *judge) watched(p *pair, s *model.Sink) (decision, bool) {
	w := watchOf(p.w.Recv)
	if w == nil || s.Kind == "batch_flush" {
		return decision{}, false
	}
	d := decision{receiver: j.keyOf(p.w, s), shown: j.callName(p.w)}
	if reason := j.unwatched(p, s, w); reason != "" {
		d.verdict, d.rule, d.guard, d.reason = refuted, "checkthenact", "none", reason
		return d, true
	}
	if f, ok := j.watchedFence(p, s, w, d); ok {
		return f, true
	}
	return j.casVerdict(p, d, false), true
}

// unwatched says on which read a write in a watching transaction, or its value, rests that this
// does not protect; "" if it watches one of them, or not all is known.
func (j *judge) unwatched(p *pair, s *model.Sink, w *watch) string {
	var reads []keyRead
	for _, c := range p.w.Conds {
		reads = append(reads, j.keysRead(c.Term, s.Lib)...)
	}
	for _, a := range p.w.Args {
		reads = append(reads, j.keysRead(a, s.Lib)...)
	}
	constant := w.whole && !slices.ContainsFunc(w.keys, func(k *term.Term) bool { return unboxed(k).Kind != term.Const })
	out := ""
	for _, r := range reads {
		among := slices.ContainsFunc(w.keys, r.key.Equal)
		name := texts(r.key)
		switch {
		case among && !w.early(r), !among && (!constant || len(name) != 1 || name[0].none != "" || len(name[0].holes) > 0):
			return ""
		case among:
			out = "the decision rests on a read of " + j.quotedKey(r.key) + " that was made before the transaction watched it"
		default:
			out = "the decision rests on a read of " + j.quotedKey(r.key) + " that the transaction does not watch"
		}
	}
	return out
}

func (j *judge) quotedKey(key *term.Term) string { return strconv.Quote(j.keyName(key)) }

// early reports whether a read was made before the keys came to be watched.
func (w *watch) early(r keyRead) bool { return flow.SiteBefore(r.site, w.site) }

// covers reports whether what was read cannot have changed when the transaction happens.
func (w *watch) covers(r keyRead) bool {
	return slices.ContainsFunc(w.keys, r.key.Equal) && !w.early(r) && w.ofServer(r)
}

// ofServer reports whether a read asks the server that watches, by the transaction or its client.
func (w *watch) ofServer(r keyRead) bool {
	return r.recv.Equal(w.on) || r.recv.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.Site == w.site })
}

// watchedFence judges by a comparison of the epoch with a number that is read from a watched
// key; false if there is none.
func (j *judge) watchedFence(p *pair, s *model.Sink, w *watch, d decision) (decision, bool) {
	for _, c := range p.w.Conds {
		var read *keyRead
		op := j.passesBy(p, c, func(t *term.Term) bool {
			reads := j.keysRead(t, s.Lib)
			if len(reads) != 1 || !w.covers(reads[0]) || j.maybeUnread(t) {
				return false
			}
			read = &reads[0]
			return true
		})
		if op == "" || op == "!=" {
			continue
		}
		d.guard, d.column, d.compared = "fence", j.keyName(read.key), &c
		if !stopsBelow[op] {
			d.verdict, d.rule, d.reason = refuted, "staleadmitted", "an owner whose epoch is below "+d.column+" goes on"
			return d, true
		}
		switch stored := j.storesUnder(p, s, read); {
		case stored == nil && !j.storedByOthers(p, s, read):
			d.verdict, d.rule, d.reason = refuted, "fencenotadvanced", "the watched key is compared, but no code in sight stores a newer epoch in it"
			return d, true
		case stored != nil && j.expires(p, stored, s, read):
			d.verdict, d.rule, d.words, d.reason = refuted, "nulladmitted", outlived, d.column+" is given a time to live"
			return d, true
		}
		if heard, how := j.heard(p); !heard {
			d.verdict, d.rule, d.reason = refuted, "rejectionignored", how
			return d, true
		}
		d.verdict, d.guarded, d.reason = proved, true, "the epoch is compared with a watched key, and the write happens only if nobody has changed that since"
		return j.refusedHere(p, c, d), true
	}
	return decision{}, false
}

// storesUnder is the write of this hold that stores the epoch where it was read, nil if there
// is none.
func (j *judge) storesUnder(p *pair, s *model.Sink, read *keyRead) *flow.Event {
	for _, e := range p.sum.Events {
		if slices.Contains(e.Holds, p.acq) && j.writesKey(e, s, read.key) && j.storesEpoch(p, e, read) {
			return e
		}
	}
	return nil
}

// storesEpoch reports whether a write has the epoch of this lock among what it stores: behind
// the name of the field, where one was read.
func (j *judge) storesEpoch(p *pair, e *flow.Event, read *keyRead) bool {
	if read.field == nil || len(e.Args) < 3 {
		return slices.ContainsFunc(e.Args, func(a *term.Term) bool { return j.carriesEpoch(p, a) })
	}
	pairs, whole := elements(e.Args[2])
	if !whole || len(pairs) < 2 {
		return j.carriesEpoch(p, e.Args[len(e.Args)-1])
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if unboxed(pairs[i]).Equal(unboxed(read.field)) && j.carriesEpoch(p, pairs[i+1]) {
			return true
		}
	}
	return false
}

// writesKey reports whether an event is a write under a key of the same store.
func (j *judge) writesKey(e *flow.Event, s *model.Sink, key *term.Term) bool {
	kind, other := j.kindOf(e)
	if kind != "kv_put" || other.Lib != s.Lib {
		return false
	}
	k := j.at(other.Key, e)
	return k != nil && k.Equal(key)
}

// carriesEpoch reports whether an argument is the epoch of this lock, or a list or a record
// with it.
func (j *judge) carriesEpoch(p *pair, a *term.Term) bool {
	a = unboxed(a)
	switch a.Kind {
	case term.List, term.Struct:
		return slices.ContainsFunc(a.Args, func(x *term.Term) bool { return j.carriesEpoch(p, x) })
	}
	b := j.presented(p, a)
	return j.ownEpoch(p, &b)
}

// storedByOthers reports whether code in sight, outside of this hold, may store something where
// the epoch was read.
func (j *judge) storedByOthers(p *pair, s *model.Sink, read *keyRead) bool {
	name := j.keyName(read.key)
	own := make(map[*flow.Event]bool)
	for _, e := range p.sum.Events {
		own[rootEvent(e)] = own[rootEvent(e)] || slices.Contains(e.Holds, p.acq)
	}
	for _, sum := range j.a.Functions() {
		for _, e := range sum.Events {
			kind, other := j.kindOf(e)
			switch {
			case own[rootEvent(e)]:
			case (kind == "script" || kind == "kv_dynamic") && other.Lib == s.Lib:
				return true
			case kind == "kv_put" && other.Lib == s.Lib:
				at := j.at(other.Key, e)
				if at != nil && at.Any(func(u *term.Term) bool { return u.Kind == term.Free }) {
					continue // the function around the literal has it, too
				}
				if k := j.keyName(at); strings.HasPrefix(k, name) || strings.HasPrefix(name, k) || k == "?" {
					return true
				}
			}
		}
	}
	return false
}

// expires reports whether the key that holds the epoch is given a time to live, by the command
// that stores it or by another one of this hold.
func (j *judge) expires(p *pair, stored *flow.Event, s *model.Sink, read *keyRead) bool {
	switch lastPart(stored.Key) {
	case "SetEx", "SetEX":
		return true
	case "Set":
		if last := unboxed(stored.Args[len(stored.Args)-1]); len(stored.Args) > 3 && last.Kind == term.Const && last.Str != "0" && last.Str != "-1" {
			return true
		}
	}
	return slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		return strings.Contains(lastPart(e.Key), "Expire") && slices.Contains(e.Holds, p.acq) && j.writesKey(e, s, read.key)
	})
}

// keyRead is the key of a read, and where that is made.
type keyRead struct {
	recv  *term.Term
	key   *term.Term
	field *term.Term // of the key, nil if all of it is read
	site  string
}

// keysRead lists the reads of a store that are in a value.
func (j *judge) keysRead(t *term.Term, lib string) []keyRead {
	var out []keyRead
	t.Any(func(u *term.Term) bool {
		if u.Kind != term.Call {
			return false
		}
		m := j.models.FuncKey(u.Str)
		if m == nil || m.Sink == nil || m.Sink.Boundary != "read" || m.Sink.Lib != lib {
			return false
		}
		if i := m.Sink.Key.Index + 1; m.Sink.Key.Root == "arg" && i < len(u.Args) { // behind the receiver
			r := keyRead{recv: u.Args[0], key: u.Args[i], site: u.Site}
			if lastPart(u.Str) == "HGet" && i+1 < len(u.Args) {
				r.field = u.Args[i+1]
			}
			out = append(out, r)
		}
		return false
	})
	return out
}
