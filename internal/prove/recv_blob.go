package prove

import (
	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["s3.match"] = s3Match
	profiles["minio.match"] = minioMatch
}

// s3Match judges a write of an object by the conditions of its request.
func s3Match(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	if none, _ := term.StringValue(pointee(fieldNamed(in, "IfNoneMatch"))); none == "*" {
		return createdOnce(pointee(fieldNamed(in, "Key")), "only the first one creates the object")
	}
	return j.etag(p, fieldNamed(in, "IfMatch"))
}

// minioMatch judges a write of an object by what was set in its options.
func minioMatch(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	d = decision{}
	for _, but := range unboxed(fieldNamed(in, "SetMatchETagExcept")).Alternatives() {
		if any, known := term.StringValue(but); known && any == "*" {
			d = worse(d, createdOnce(j.at(j.models.FuncKey(p.w.Key).Sink.Key, p.w), "only the first one creates the object"))
		} else {
			d = worse(d, j.etag(p, unboxed(fieldNamed(in, "SetMatchETag"))))
		}
	}
	return d
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

// etag judges the version of an object that a write demands, nil for none and "*" for
// any.
func (j *judge) etag(p *pair, tag *term.Term) decision {
	tag = pointee(tag)
	d := decision{}
	for _, t := range term.Settle(tag).Alternatives() {
		d = worse(d, j.oneTag(p, pointee(t)))
	}
	return d
}

func (j *judge) oneTag(p *pair, tag *term.Term) decision {
	if any, known := term.StringValue(tag); known && any == "*" {
		return unconditional("the condition is true of any version that is there")
	}
	if term.IsZero(tag) {
		d := unconditional("the request has no condition")
		if j.readBefore(p, j.models.FuncKey(p.w.Key).Sink) {
			d.rule, d.reason = "checkthenact", "the decision rests on a value that was read before, and the request has no condition"
		}
		return d
	}
	return j.comparesVersion(p, tag, "HeadObject", "GetProperties", "StatObject")
}
