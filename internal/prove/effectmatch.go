package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A request can say which version of a thing it replaces (RFC 9110, section 13.1). The
// receiver answers 412 where it has another one, as the stores do whose clients send this.

// conditional judges a request that has no key but may have a condition; false if it has
// none on some way.
func (j *judge) conditional(p *pair) (decision, bool) {
	match, none := p.w.Effect(flow.EffectMatch), p.w.Effect(flow.EffectNone)
	if match == nil && none == nil {
		return decision{}, false
	}
	q := p.answering(func(o flow.Outcome) bool { return o.Scenario == flow.Refused })
	tags, always := j.headerWays(match, flow.EffectMatch)
	if always {
		d := decision{}
		for _, t := range tags {
			d = worse(d, j.requestTag(q, t))
		}
		return d, d.guard != "none"
	}
	nones, always := j.headerWays(none, flow.EffectNone)
	if !always || len(tags) > 0 {
		return decision{}, false
	}
	for _, t := range nones {
		if any, _ := term.StringValue(t); any != "*" {
			return decision{}, false
		}
	}
	address := urlOf(p.w)
	if s := j.models.FuncKey(p.w.Key).Sink; address == nil {
		address = j.at(s.Key, p.w)
	}
	return createdOnce(address, "only the first one creates what the address names"), true
}

// requestTag judges the version that a request demands.
func (j *judge) requestTag(p *pair, tag *term.Term) decision {
	switch {
	case tag.Kind == term.Call && tag.Str == flow.HeaderTime:
		return notInSight("it demands that nothing was changed since a time, and changes within one second have the same")
	case term.IsZero(tag):
		return unconditional("the request has no condition")
	}
	if any, _ := term.StringValue(tag); any == "*" {
		return unconditional("the condition is true of any version that is there")
	}
	return j.comparesVersion(p, tag, "Head")
}

// headerWays lists the values that a header of a request has on the ways on which it is
// set; whether it is set on all.
func (j *judge) headerWays(t *term.Term, kind string) (set []*term.Term, always bool) {
	always = t != nil
	add := func(of *term.Term) bool {
		more, all := j.headerWays(of, kind)
		set = append(set, more...)
		return all
	}
	if t == nil {
		return nil, false
	}
	for _, a := range term.Settle(t).Alternatives() {
		switch {
		case a.Kind == term.Call && a.Str == flow.HeaderOr:
			if !add(a.Args[0]) {
				always = add(a.Args[1]) && always
			}
		case a.Kind == term.Call && a.Str == flow.HeaderBy:
			always = add(j.a.ConditionSetBy(a.Args[0], kind)) && always
		case a.Kind == term.Call && a.Str == flow.KeyWhen:
			always = !emptyKey(a.Args[0]) && add(a.Args[1]) && always
		case emptyKey(a), a.Any((*term.Term).Lost): // what was too large to follow need not be a condition
			always = false
		default:
			set = append(set, a)
		}
	}
	return set, always
}
