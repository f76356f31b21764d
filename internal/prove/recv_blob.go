package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["s3.match"] = s3Match
	profiles["az.match"] = azureMatch
	profiles["az.length"] = azureMatch
}

// s3Match judges a write of an object by the conditions of its request.
func s3Match(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	if none, _ := term.StringValue(pointee(fieldNamed(in, "IfNoneMatch"))); none == "*" {
		return decision{verdict: proved, guard: "create-once", reason: "only the first one creates the object"}
	}
	return j.etag(p, fieldNamed(in, "IfMatch"))
}

// request is the struct that a call sends, if it is in sight.
func (j *judge) request(p *pair) (*term.Term, decision, bool) {
	in := j.at(j.models.FuncKey(p.w.Key).Sink.Input, p.w)
	d := notSeen("the request is put together out of sight")
	if in == nil {
		return nil, d, false
	}
	in = unboxed(term.Settle(in))
	switch {
	case in.Kind == term.Struct && !in.Open || term.IsZero(in):
		return in, d, true
	case in.Symbolic():
		d.verdict, d.rule = waiting, ""
	}
	return nil, d, false
}

// etag judges the version of an object that a write demands, nil for none.
func (j *judge) etag(p *pair, tag *term.Term) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	tag = pointee(tag)
	if slices.ContainsFunc(tag.Alternatives(), func(a *term.Term) bool { return term.IsZero(pointee(a)) }) {
		d := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the request has no condition"}
		if j.readBefore(p, s) {
			d.rule, d.reason = "checkthenact", "the decision rests on a value that was read before, and the request has no condition"
		}
		return d
	}
	reread := tag.Any(func(u *term.Term) bool {
		return u.Kind == term.Call && (lastPart(u.Str) == "HeadObject" || lastPart(u.Str) == "GetProperties") && j.inHold(p, u)
	})
	return j.casVerdict(p, decision{}, reread)
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
	if cond.Kind != term.Struct {
		return j.etag(p, cond)
	}
	if l := unboxed(fieldNamed(cond, "LeaseAccessConditions")); l.Kind == term.Struct {
		if id := pointee(fieldNamed(l, "LeaseID")); !term.IsZero(id) {
			return j.leased(p, id)
		}
	}
	m := unboxed(fieldNamed(cond, "ModifiedAccessConditions"))
	if m.Kind != term.Struct {
		return j.etag(p, m)
	}
	if any, _ := term.StringValue(pointee(fieldNamed(m, "IfNoneMatch"))); any == "*" {
		return decision{verdict: proved, guard: "create-once", reason: "only the first one creates the blob"}
	}
	return j.etag(p, fieldNamed(m, "IfMatch"))
}

// leased judges a write that names a lease: the service refuses it once the lease
// is over, if it is that of this hold, on the blob that is written.
func (j *judge) leased(p *pair, id *term.Term) decision {
	d := decision{guard: "owner"}
	handle := p.acq.Hold.Handle
	own := handle != nil && id.Any(func(u *term.Term) bool {
		return u.Kind == term.Call && lastPart(u.Str) == "AcquireLease" && len(u.Args) > 0 && u.Args[0].Equal(handle)
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
	case !sameBlob(p, handle):
		d.verdict, d.rule, d.guard, d.reason = unproved, "unprovedwrite", "unknown", "the lease is that of another blob, which does not guard this one"
		return d
	}
	d.verdict, d.guarded, d.reason = proved, true, "the service refuses the write once this lease is over"
	return j.rejection(p, d)
}

// sameBlob reports whether the lease client was made for the blob that is written.
func sameBlob(p *pair, handle *term.Term) bool {
	if p.w.Recv == nil {
		return false
	}
	blob := unboxed(p.w.Recv)
	return unboxed(handle).Any(func(u *term.Term) bool { return u.Equal(blob) })
}
