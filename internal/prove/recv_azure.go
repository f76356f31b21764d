package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["az.match"] = azureMatch
	profiles["az.length"] = azureAppend
	profiles["az.page"] = azurePages
	profiles["az.etag"] = tagged
	profiles["az.actions"] = tableActions
	profiles["az.create"] = func(*judge, *pair) decision {
		return createdOnce(nil, "only the first one creates the item")
	}
	profiles["az.batch"] = func(*judge, *pair) decision { return notSeen("the operations of the batch are not read") }
}

// azureMatch judges a write of a blob: by the lease that it names, or by the ETag.
func azureMatch(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	cond := in
	if in.Kind == term.Struct && !strings.HasSuffix(in.Str, "AccessConditions") {
		cond = unboxed(fieldNamed(in, "AccessConditions"))
	}
	if cond.Kind != term.Struct || cond.Open {
		return j.azureEtag(p, cond)
	}
	if l := unboxed(fieldNamed(cond, "LeaseAccessConditions")); l.Kind == term.Struct {
		if id := pointee(fieldNamed(l, "LeaseID")); !term.IsZero(id) {
			return j.leased(p, id)
		}
	}
	return j.azureEtag(p, unboxed(fieldNamed(cond, "ModifiedAccessConditions")))
}

// azureEtag judges the version of a blob that a write demands.
func (j *judge) azureEtag(p *pair, m *term.Term) decision {
	switch {
	case term.IsZero(m):
		return j.oneTag(p, m)
	case m.Kind != term.Struct || m.Open:
		d := notSeen("the conditions of the request are put together out of sight")
		if m.Symbolic() {
			d.verdict = waiting
		}
		return d
	}
	if any, _ := term.StringValue(pointee(fieldNamed(m, "IfNoneMatch"))); any == "*" {
		name := j.at(j.models.FuncKey(p.w.Key).Sink.Key, p.w)
		if name == nil {
			name = p.w.Recv
		}
		return createdOnce(name, "only the first one creates the blob")
	}
	for _, other := range []string{"IfUnmodifiedSince", "IfTags"} {
		if !term.IsZero(unboxed(fieldNamed(m, other))) && term.IsZero(pointee(fieldNamed(m, "IfMatch"))) {
			return notInSight("the condition " + other + " is not read")
		}
	}
	return j.etag(p, fieldNamed(m, "IfMatch"))
}

// azureAppend judges what is added to the end of a blob: at a place that it names, or
// by the conditions of any other write.
func azureAppend(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	d = azureMatch(j, p)
	if at := unboxed(fieldNamed(in, "AppendPositionAccessConditions")); d.guard == "none" && at.Kind == term.Struct && !term.IsZero(unboxed(fieldNamed(at, "AppendPosition"))) {
		return j.casVerdict(p, decision{}, false)
	}
	return d
}

// azurePages judges a write of pages: by the sequence number of the blob, or by the
// conditions of any other write.
func azurePages(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	d = azureMatch(j, p)
	seq := unboxed(fieldNamed(in, "SequenceNumberAccessConditions"))
	switch {
	case d.guard != "none" || term.IsZero(in) || term.IsZero(seq):
		return d
	case seq.Kind == term.Struct && !seq.Open && !term.IsZero(unboxed(fieldNamed(seq, "IfSequenceNumberEqualTo"))):
		return j.casVerdict(p, decision{}, false)
	}
	return notInSight("the sequence number that the request compares is raised by a request of its own")
}

// tagged judges a request whose field names the version that is replaced.
func tagged(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	s := j.models.FuncKey(p.w.Key).Sink
	tag := term.Nil
	if !term.IsZero(in) {
		tag = fieldNamed(in, s.Cond[0])
	}
	if d = j.etag(p, tag); d.guard == "none" && s.Method == "PatchItem" {
		return notInSight("a patch may have a condition of its own, which is not read")
	}
	return d
}

// tableActions judges the actions of a transaction on a table: what refuses one of them
// refuses all.
func tableActions(j *judge, p *pair) decision {
	in := j.at(j.models.FuncKey(p.w.Key).Sink.Input, p.w)
	if in == nil {
		return notSeen("the actions of the transaction are put together out of sight")
	}
	always, perhaps, whole := gathered(in)
	compared, writes := decision{}, decision{}
	for i, a := range append(always[:len(always):len(always)], perhaps...) {
		a = unboxed(term.Settle(a))
		verb, known := term.StringValue(fieldNamed(a, "ActionType"))
		d := decision{}
		switch {
		case a.Kind != term.Struct || a.Open || !known:
			whole = false
		case verb == "add":
			d = createdOnce(nil, "only the first one adds the entity")
		default:
			d = j.etag(p, fieldNamed(a, "IfMatch"))
			if i < len(always) {
				compared = stronger(compared, d)
			}
		}
		writes = worse(writes, d)
	}
	switch {
	case compared.guard == "cas" && compared.rule == "" && compared.verdict != waiting:
		return compared
	case !whole:
		d := notSeen("the actions of the transaction are put together out of sight")
		if in.Symbolic() {
			d.verdict = waiting
		}
		return d
	case writes.verdict == proved || writes.verdict == silent:
		return writes
	}
	return stronger(compared, writes)
}

// leased judges a write that names a lease: the service refuses it once the lease
// is over, if it is that of this hold, on the blob that is written.
func (j *judge) leased(p *pair, id *term.Term) decision {
	d := decision{guard: "owner"}
	handle := p.acq.Hold.Handle
	chosen, seen := chosenLease(handle)
	own := handle != nil && id.Any(func(u *term.Term) bool {
		return u.Kind == term.Call && (lastPart(u.Str) == "AcquireLease" || lastPart(u.Str) == "LeaseID") && len(u.Args) > 0 &&
			(u.Args[0].Equal(handle) || lastPart(u.Str) == "AcquireLease" && !otherGrant(u, p.acq))
	})
	if !own && handle != nil && unboxed(handle).Kind == term.Call { // an id that the program chose
		own = unboxed(handle).Any(func(u *term.Term) bool { return u.Equal(id) })
	}
	switch {
	case !own && id.Symbolic():
		d.verdict, d.guard, d.reason = waiting, "unknown", "the caller supplies the id of the lease"
		return d
	case !own:
		d.verdict, d.rule, d.guard, d.reason = unproved, "unprovedwrite", "unknown", "the lease that the request names is not known to be that of this hold"
		return d
	case sameForAll(chosen):
		d.verdict, d.rule, d.reason = refuted, "identityreused", "the id of the lease is the same for each owner, so the service takes a second one for the first"
		return d
	case chosen != nil && chosen.Symbolic():
		d.verdict, d.reason = waiting, "the caller supplies the id of the lease"
		return d
	case !seen:
		d.verdict, d.rule, d.reason = unproved, "unprovedwrite", "the options of the lease are not in sight, and may give it an id that others have, too"
		return d
	case !sameBlob(p, handle):
		d.verdict, d.rule, d.guard, d.reason = unproved, "unprovedwrite", "unknown", "the lease is that of another blob, which does not guard this one"
		return d
	}
	d.verdict, d.guarded, d.reason = proved, true, "the service refuses the write once this lease is over"
	return j.rejection(p, d)
}

// chosenLease is the id that the program gives a lease, nil if the client draws one; false
// if that is not seen.
func chosenLease(handle *term.Term) (*term.Term, bool) {
	h := unboxed(handle)
	if h.Kind != term.Call || len(h.Args) < 2 {
		return nil, true
	}
	opts := unboxed(term.Settle(h.Args[1]))
	switch {
	case term.IsZero(opts):
		return nil, true
	case opts.Symbolic() && opts.Kind != term.Struct:
		return opts, false
	case opts.Kind != term.Struct || opts.Open:
		return nil, false
	}
	id := pointee(fieldNamed(opts, "LeaseID"))
	if term.IsZero(id) {
		return nil, true
	}
	return id, id.Kind != term.Unknown
}

// sameForAll reports whether an identity is known to be that of more than one acquisition.
func sameForAll(id *term.Term) bool {
	if id == nil || term.IsZero(id) {
		return false
	}
	_, constant := term.StringValue(id)
	return constant || identityIn(id) != ""
}

// sameBlob reports whether the lease client was made for the blob that is written: by
// its own client, or by its names.
func sameBlob(p *pair, handle *term.Term) bool {
	if p.w.Recv == nil {
		return false
	}
	parts := []*term.Term{unboxed(p.w.Recv)}
	if strings.Contains(p.w.Key, "/azblob.Client.") && len(p.w.Args) > 2 {
		parts = append(parts, unboxed(p.w.Args[1]), unboxed(p.w.Args[2]))
	}
	for _, part := range parts {
		if !unboxed(handle).Any(part.Equal) {
			return false
		}
	}
	return true
}
